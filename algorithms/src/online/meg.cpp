#include "gssl/online/meg.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/core/option_binding.hpp"
#include "online/cell_exponential.hpp"
#include "online/counted_look.hpp"
#include "online/counted_session.hpp"
#include "online/exponential_bound.hpp"

namespace gssl {

namespace {

const NamedValues<Side>& side_names() {
  static const NamedValues<Side> names = {
      {Side::none, "none"}, {Side::graph, "graph"}, {Side::path_tree, "path-tree"}};
  return names;
}

const OptionBinding<MegOptions>& meg_binding() {
  static const auto options =
      OptionBinding<MegOptions>("meg")
          .real(&MegOptions::margin, "margin", {.low = 0.0, .high = 1.0, .low_open = true},
                "margin of the predictions")
          .real(&MegOptions::quasi_dimension, "quasi_dimension", {.low = 0.0, .high = 1e100},
                "complexity of the matrix that is allowed for; 0: rows + columns")
          .real(&MegOptions::rate, "rate", {.low = 0.0, .high = 1e3},
                "learning rate; 0: tuned, or the margin where conservative")
          .flag(&MegOptions::conservative, "conservative",
                "update on mistakes only, and draw nothing at random")
          .choice(&MegOptions::row_side, "row-side", side_names(), "what is known of the rows")
          .choice(&MegOptions::column_side, "column-side", side_names(),
                  "what is known of the columns")
          .integer(&MegOptions::horizon, "horizon", {.low = 0},
                   "trials to come; 0: as many as the stream has");
  return options;
}

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorCode::usage, "meg: " + what); }

// The size of the matrix and the trials to come.
struct Shape {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t horizon = 0;
};

void check_place(const Instance& instance, const Shape& shape) {
  const auto check = [](std::int64_t item, std::int64_t items, const char* kind) {
    if (item < 0 || item >= items)
      throw Error(ErrorCode::bad_data, std::string("meg: ") + kind + " " + std::to_string(item) +
                                           ": must be one of " + std::to_string(items));
  };
  check(instance.first, shape.rows, "row");
  check(instance.second, shape.columns, "column");
}

struct Rates {
  double margin = 0.0;
  double eta = 0.0;
  double lambda = 0.0;
  double log_size = 0.0;  // ln(m + n)
};

Rates rates_of(const MegOptions& options, const Shape& shape) {
  if (shape.rows < 1 || shape.columns < 1)
    refuse("needs the numbers of rows and columns of the matrix: give both widths");
  const auto size = static_cast<double>(shape.rows + shape.columns);
  Rates rates;
  rates.margin = options.margin;
  rates.lambda = options.quasi_dimension > 0.0 ? options.quasi_dimension : size;
  rates.log_size = std::log(size);
  rates.eta = options.rate;
  if (rates.eta == 0.0 && options.conservative) rates.eta = options.margin;
  if (rates.eta == 0.0) {
    if (shape.horizon == 0) refuse("needs a horizon, the number of trials to come, or a rate");
    rates.eta =
        std::sqrt(rates.lambda * rates.log_size / (2.0 * static_cast<double>(shape.horizon)));
  }
  return rates;
}

SideInformation side_of(Side side, const OnlineSetting& setting, std::int64_t items,
                        const RunContext& run) {
  if (side == Side::none) return no_side();
  if (side == Side::path_tree) return path_tree_side(items);
  if (!setting.graph) refuse("a side of a graph needs a graph");
  if (setting.graph->vertex_count() != items)
    refuse("the graph has " + std::to_string(setting.graph->vertex_count()) +
           " vertices: must be as many as there are items, " + std::to_string(items));
  return graph_side(setting.graph, run);
}

detail::CellExponential::Products products(SideInformation rows, SideInformation columns) {
  return [rows = std::move(rows), columns = std::move(columns)](const detail::CellPlace& a,
                                                                const detail::CellPlace& b) {
    return rows.value(a.row, b.row) / (2.0 * rows.largest) +
           columns.value(a.column, b.column) / (2.0 * columns.largest);
  };
}

// What the quasi-dimension of a matrix has of a side where the matrix is constant; 0: not known.
double constant_part(Side side, const OnlineSetting& setting, std::int64_t items) {
  const bool none = side == Side::none ||
                    (side == Side::graph && setting.graph && setting.graph->edge_count() == 0);
  return none ? static_cast<double>(items) : 2.0;
}

struct SideParts {
  double rows = 0.0, columns = 0.0;              // as constant_part()
  bool rows_free = false, columns_free = false;  // no side: any pattern has the part of a constant
};

// Compared with the matrices that are constant, or constant along one side.
class MegLook final : public detail::CountedLook {
 public:
  MegLook(const detail::ExponentialRun& run, const SideParts& parts, const Shape& shape)
      : run_(run),
        shape_(shape),
        parts_(parts),
        of_row_(static_cast<std::size_t>(parts.rows_free ? shape.rows : 0)),
        of_column_(static_cast<std::size_t>(parts.columns_free ? shape.columns : 0)) {}

 private:
  using Counts = std::array<double, 2>;  // of the trials of each class

  void see_trial(const Instance& instance, const Revealed& outcome, double times) override {
    check_place(instance, shape_);
    const auto truth = static_cast<std::size_t>(detail::checked_class(outcome.value, 2));
    all_[truth] += times;
    if (parts_.rows_free) of_row_[static_cast<std::size_t>(instance.first)][truth] += times;
    if (parts_.columns_free) of_column_[static_cast<std::size_t>(instance.second)][truth] += times;
  }

  void prove_seen(OnlineReport& report) const override {
    const double trace = parts_.rows + parts_.columns;
    const auto errors = [](const std::vector<Counts>& counts) {
      double sum = 0.0;
      for (const Counts& of : counts) sum += std::min(of[0], of[1]);
      return sum;
    };
    detail::prove_exponential(report, run_, {"the constant matrix", trace, errors({all_})});
    if (parts_.rows_free)
      detail::prove_exponential(report, run_, {"the majority of each row", trace, errors(of_row_)});
    if (parts_.columns_free)
      detail::prove_exponential(report, run_,
                                {"the majority of each column", trace, errors(of_column_)});
  }

  detail::ExponentialRun run_;
  Shape shape_;
  SideParts parts_;
  Counts all_{};
  std::vector<Counts> of_row_, of_column_;
};

class MegSession final : public detail::CountedSession {
 public:
  MegSession(const MegOptions& options, const Shape& shape, SideInformation rows,
             SideInformation columns, const SideParts& parts, const RunContext& run,
             const Record* record)
      : options_(options),
        shape_(shape),
        parts_(parts),
        rates_(rates_of(options, shape)),
        run_(run),
        w_(start(rates_, std::move(rows), std::move(columns), record)) {
    if (record == nullptr) return;
    resume_counts(*record);
    updates_ = record->integer("updates");
  }

  double predict(const Instance& instance) override {
    check_place(instance, shape_);
    value_ = w_.look_at({instance.first, instance.second});
    double threshold = 0.0;
    // The generator of the trial: a trial without outcome draws nothing that lasts.
    if (!options_.conservative)
      threshold =
          rates_.margin * (2.0 * run_.rng(static_cast<std::uint64_t>(trials())).uniform() - 1.0);
    return expect(value_ >= threshold ? 1.0 : 0.0);
  }

  std::span<const double> values() const override { return {&value_, 1}; }

  double update(const Revealed& outcome) override {
    const int truth = detail::checked_class(outcome.value, 2);
    const double predicted = take();
    const double sign = truth == 1 ? 1.0 : -1.0;
    const bool learns = options_.conservative ? predicted != truth : sign * value_ <= rates_.margin;
    if (learns) {
      w_.add(sign * rates_.eta);
      ++updates_;
    }
    return count_class(predicted, truth);
  }

  OnlineReport report() const override {
    OnlineReport report = counted("mistakes");
    report.bound_name = "none: the quasi-dimension of no matrix is known for the caller's kernels";
    if (parts_.rows > 0.0)
      detail::prove_exponential(report, exponential_run(),
                                {"the matrix 0", 2.0 * std::min(parts_.rows, parts_.columns),
                                 0.5 * static_cast<double>(report.trials)});
    report.bound_in_expectation = !options_.conservative;
    report.certificates = {{"updates", {static_cast<double>(updates_)}},
                           {"dimension", {static_cast<double>(w_.dimension())}},
                           {"rate", {rates_.eta}},
                           {"eigenpair_residual", {w_.eigen().residual()}}};
    if (!options_.conservative && shape_.horizon > 0)
      report.certificates.push_back(
          {"regret_bound",
           {4.0 * std::sqrt(2.0 * rates_.lambda / (rates_.margin * rates_.margin) *
                            rates_.log_size * static_cast<double>(shape_.horizon))}});
    return report;
  }

  std::unique_ptr<SecondLook> second_look() const override {
    if (parts_.rows == 0.0) return nullptr;
    return std::make_unique<MegLook>(exponential_run(), parts_, shape_);
  }

  void save(Record& record) const override {
    save_counts(record);
    record.put("shape", std::vector<std::int64_t>{shape_.rows, shape_.columns, shape_.horizon});
    record.put("updates", updates_);
    w_.save(record);
  }

 private:
  detail::ExponentialRun exponential_run() const {
    const auto size = static_cast<double>(shape_.rows + shape_.columns);
    return {.margin = rates_.margin,
            .rate = rates_.eta,
            .lambda = rates_.lambda,
            .size = size,
            .dimension = size,
            .conservative = options_.conservative,
            .updates = updates_};
  }

  static detail::CellExponential start(const Rates& rates, SideInformation rows,
                                       SideInformation columns, const Record* record) {
    const double log_start = std::log(rates.lambda) - rates.log_size;
    auto inner = products(std::move(rows), std::move(columns));
    return record == nullptr ? detail::CellExponential(log_start, std::move(inner))
                             : detail::CellExponential(log_start, std::move(inner), *record);
  }

  MegOptions options_;
  Shape shape_;
  SideParts parts_;
  Rates rates_;
  RunContext run_;
  detail::CellExponential w_;
  std::int64_t updates_ = 0;
  double value_ = 0.0;  // ȳ of the trial that has begun
};

std::unique_ptr<OnlineSession> begin_meg(const MegOptions& options,
                                         const std::optional<SideInformation>& rows,
                                         const std::optional<SideInformation>& columns,
                                         const Shape& shape, const OnlineSetting& setting,
                                         const RunContext& run, const Record* record) {
  SideParts parts;
  if (!rows && !columns)
    parts = {.rows = constant_part(options.row_side, setting, shape.rows),
             .columns = constant_part(options.column_side, setting, shape.columns),
             .rows_free = options.row_side == Side::none,
             .columns_free = options.column_side == Side::none};
  return std::make_unique<MegSession>(
      options, shape, rows ? *rows : side_of(options.row_side, setting, shape.rows, run),
      columns ? *columns : side_of(options.column_side, setting, shape.columns, run), parts, run,
      record);
}

double cut_trace(const Graph& graph, const std::vector<int>& block, int& blocks, double largest) {
  const VertexId n = graph.vertex_count();
  if (block.size() != static_cast<std::size_t>(n) || n == 0 || std::ranges::min(block) < 0)
    refuse("every vertex must have a block, from 0");
  blocks = std::ranges::max(block) + 1;
  std::vector<double> size(static_cast<std::size_t>(blocks), 0.0);
  double trace = 0.0;
  for (VertexId v = 0; v < n; ++v) {
    const int own = block[static_cast<std::size_t>(v)];
    size[static_cast<std::size_t>(own)] += 1.0 / n;
    graph.visit_row(v, [&](VertexId u, double weight) {
      if (block[static_cast<std::size_t>(u)] != own) trace += weight;
    });
  }
  for (const double share : size) trace += share * share * 2.0 / largest;
  return trace;
}

}  // namespace

void MegOptions::validate() const { meg_binding().validate(*this); }

MegLearner::MegLearner(MegOptions options) : options_(options) { options_.validate(); }

MegLearner::MegLearner(MegOptions options, SideInformation rows, SideInformation columns)
    : options_(options), rows_(std::move(rows)), columns_(std::move(columns)) {
  options_.validate();
}

std::unique_ptr<OnlineSession> MegLearner::start(const OnlineSetting& setting,
                                                 const RunContext& run) const {
  if (setting.class_names.size() != 2)
    refuse(std::to_string(setting.class_names.size()) + " classes: must be two");
  const Shape shape{setting.width, setting.width2,
                    options_.horizon > 0 ? options_.horizon : setting.horizon};
  rates_of(options_, shape);
  return begin_meg(options_, rows_, columns_, shape, setting, run, nullptr);
}

std::unique_ptr<OnlineSession> MegLearner::resume(const OnlineSetting& setting,
                                                  const Record& record,
                                                  const RunContext& run) const {
  const std::vector<std::int64_t>& saved = record.long_integers("shape");
  if (saved.size() != 3) throw Error(ErrorCode::bad_data, "meg: shape: must be three numbers");
  return begin_meg(options_, rows_, columns_, {saved[0], saved[1], saved[2]}, setting, run,
                   &record);
}

double block_quasi_dimension(const Graph& row_graph, const std::vector<int>& row_block,
                             const Graph& column_graph, const std::vector<int>& column_block,
                             const RunContext& run) {
  double sum = 0.0;
  for (const auto& [graph, block] :
       {std::pair(&row_graph, &row_block), std::pair(&column_graph, &column_block)}) {
    const double largest = graph_side(std::make_shared<const Graph>(*graph), run).largest;
    int blocks = 0;
    const double trace = cut_trace(*graph, *block, blocks, largest);
    sum += 2.0 * trace * largest + 2.0 * blocks;
  }
  return sum;
}

LearnerEntry meg_entry() {
  LearnerEntry entry;
  entry.name = "meg";
  entry.summary = "cells of a matrix of two classes, with side information on rows and columns";
  entry.reference =
      "M. Herbster, S. Pasteris, L. Tse. Online matrix completion with side information. NeurIPS "
      "2020; K. Tsuda, G. Rätsch, M. Warmuth. JMLR 6, 2005";
  entry.options = meg_binding().table();
  entry.make_online = [](const OptionValues& values) {
    return std::make_unique<MegLearner>(meg_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
