#include "gssl/batch/basis.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/option_binding.hpp"
#include "gssl/core/parallel.hpp"
#include "learn/model_names.hpp"

namespace gssl {

namespace {

const NamedValues<Basis>& basis_names() {
  static const NamedValues<Basis> names = {{Basis::none, "none"},
                                           {Basis::bias, "bias"},
                                           {Basis::polynomial, "polynomial"},
                                           {Basis::correlations, "correlations"}};
  return names;
}

const OptionBinding<BasisOptions>& basis_binding() {
  static const auto options =
      OptionBinding<BasisOptions>("basis")
          .choice(&BasisOptions::basis, "basis", basis_names(),
                  "what rows are mapped to: a constant added, the powers of each column, or all "
                  "products of columns")
          .integer(&BasisOptions::degree, "degree", {.low = 1, .high = 20},
                   "highest power, or factors of a product, at most");
  return options;
}

constexpr double most_columns = std::numeric_limits<std::int32_t>::max();

// Non-decreasing sequences of `length` columns out of `choices`: C(choices + length − 1, length).
// Exact below 2^53, which is far above most_columns.
double sequences(std::int64_t choices, int length) {
  double count = 1.0;
  for (int i = 1; i <= length; ++i)
    count = count * static_cast<double>(choices + i - 1) / static_cast<double>(i);
  return count;
}

// A row as lists of columns and values.
struct RowEntries {
  std::vector<std::int64_t> columns;
  std::vector<double> values;
};

// Calls body(column of the map, value) for all products of `length` entries, columns ascending.
template <class Body>
class Products {
 public:
  Products(const RowEntries& row, std::int64_t columns, int length, std::int64_t first, Body& body)
      : row_(row), columns_(columns), body_(body) {
    descend(0, length, 0, first, 1.0);
  }

 private:
  // Sequences that begin with a column before c come first: all from `least` on less those from c.
  void descend(std::size_t from, int left, std::int64_t least, std::int64_t place, double product) {
    if (left == 0) {
      body_(place, product);
      return;
    }
    const double all = sequences(columns_ - least, left);
    for (std::size_t e = from; e < row_.columns.size(); ++e) {
      const std::int64_t c = row_.columns[e];
      const auto before = static_cast<std::int64_t>(all - sequences(columns_ - c, left));
      descend(e, left - 1, c, place + before, product * row_.values[e]);
    }
  }

  const RowEntries& row_;
  std::int64_t columns_;
  Body& body_;
};

// Calls body(column, value) for every feature of a row, columns ascending.
template <class Body>
void visit_features(const BasisOptions& options, const RowEntries& row, std::int64_t columns,
                    Body&& body) {
  switch (options.basis) {
    case Basis::none:
    case Basis::bias:
      for (std::size_t e = 0; e < row.columns.size(); ++e) body(row.columns[e], row.values[e]);
      if (options.basis == Basis::bias) body(columns, 1.0);
      return;
    case Basis::polynomial: {
      std::vector<double> power(row.values.size(), 1.0);
      for (int r = 0; r < options.degree; ++r)
        for (std::size_t e = 0; e < power.size(); ++e)
          body(row.columns[e] + r * columns, power[e] *= row.values[e]);
      return;
    }
    case Basis::correlations: {
      std::int64_t first = 0;
      for (int length = 1; length <= options.degree; ++length) {
        Products(row, columns, length, first, body);
        first += static_cast<std::int64_t>(sequences(columns, length));
      }
    }
  }
}

void stop_mapping(const RunContext& run) {
  run.throw_if_stopped("basis functions", "before all rows were mapped");
}

RowEntries entries_of(const Points& points, VertexId r) {
  RowEntries row;
  points.visit_row(r, [&](std::int64_t c, double x) {
    row.columns.push_back(c);
    row.values.push_back(x);
  });
  return row;
}

// "u*v*v" of the products of `length` columns, in the order of Products.
void append_product_names(const std::vector<std::string>& columns, std::size_t from, int length,
                          const std::string& begin, std::vector<std::string>& names) {
  for (std::size_t c = from; c < columns.size(); ++c) {
    const std::string product = begin.empty() ? columns[c] : begin + "*" + columns[c];
    if (length == 1)
      names.push_back(product);
    else
      append_product_names(columns, c, length - 1, product, names);
  }
}

// What the columns of the map are of the columns given.
std::vector<std::string> basis_column_names(const FeatureMap& map,
                                            const std::vector<std::string>& columns) {
  if (map.is_user_map())
    return detail::numbered_names(map.columns(static_cast<std::int64_t>(columns.size())));
  std::vector<std::string> names;
  const BasisOptions& options = map.options();
  const int degree =
      options.basis == Basis::none || options.basis == Basis::bias ? 1 : options.degree;
  for (int power = 1; power <= degree; ++power) {
    if (options.basis == Basis::correlations)
      append_product_names(columns, 0, power, "", names);
    else
      for (const std::string& column : columns)
        names.push_back(power == 1 ? column : column + "^" + std::to_string(power));
  }
  if (options.basis == Basis::bias) names.emplace_back("1");
  return names;
}

class BasisModel final : public Model {
 public:
  BasisModel(FeatureMap map, std::int64_t columns, std::unique_ptr<Model> model)
      : map_(std::move(map)), columns_(columns), model_(std::move(model)) {}

  Block scores(const Points& points, const RunContext& run) const override {
    check_columns("basis", points, columns_);
    const auto step = static_cast<VertexId>(
        std::clamp<std::int64_t>(4'000'000 / (map_.columns(columns_) + 1), 64, 1 << 16));
    if (points.rows() <= step) return model_->scores(map_.apply(points, run), run);
    std::vector<double> all;
    std::int64_t width = 0;
    for (VertexId begin = 0; begin < points.rows();) {
      const VertexId count = std::min(step, points.rows() - begin);
      std::vector<std::int32_t> rows(static_cast<std::size_t>(count));
      std::iota(rows.begin(), rows.end(), begin);
      const Block part = model_->scores(map_.apply(select(points, rows), run), run);
      all.insert(all.end(), part.values().begin(), part.values().end());
      width = part.columns();
      begin += count;
    }
    return {points.rows(), width, std::move(all)};
  }

  ScoreKind score_kind() const override { return model_->score_kind(); }

  std::vector<std::pair<std::string, std::string>> facts() const override {
    auto facts = model_->facts();
    facts.emplace_back("basis", map_.is_user_map() ? "a function of the program"
                                                   : basis_binding().echo(map_.options()));
    facts.emplace_back("columns of the basis", std::to_string(map_.columns(columns_)));
    return facts;
  }

  std::vector<ModelPart> parts(const ModelNames& names) const override {
    return model_->parts({basis_column_names(map_, names.columns), names.classes});
  }

  void save(Record& record) const override {
    if (map_.is_user_map())
      throw Error(ErrorCode::usage,
                  "basis: a model on a function of the program cannot be saved: save the model of "
                  "the mapped rows instead");
    record.put("basis", basis_binding().echo(map_.options()));
    record.put("columns", columns_);
    Record model;
    model_->save(model);
    record.put("model", model);
  }

 private:
  FeatureMap map_;
  std::int64_t columns_;
  std::unique_ptr<Model> model_;
};

}  // namespace

void BasisOptions::validate() const { basis_binding().validate(*this); }

FeatureMap::FeatureMap(BasisOptions options) : options_(options) { options_.validate(); }

FeatureMap FeatureMap::user(std::int64_t width, Function function) {
  if (width < 1 || static_cast<double>(width) > most_columns || function == nullptr)
    throw Error(ErrorCode::usage, "basis: a function of " + std::to_string(width) +
                                      " features: must be one of 1 to 2^31 − 1");
  FeatureMap map{BasisOptions{}};
  map.width_ = width;
  map.function_ = std::move(function);
  return map;
}

std::int64_t FeatureMap::columns(std::int64_t given) const {
  if (is_user_map()) return width_;
  double count = static_cast<double>(given);
  if (options_.basis == Basis::bias) count += 1.0;
  if (options_.basis == Basis::polynomial) count *= options_.degree;
  if (options_.basis == Basis::correlations) {
    count = 0.0;
    for (int length = 1; length <= options_.degree; ++length) count += sequences(given, length);
  }
  if (count > most_columns)
    throw Error(ErrorCode::usage, "basis: " + basis_binding().echo(options_) + " of " +
                                      std::to_string(given) +
                                      " columns: makes 2^31 or more; lower the degree, or take a "
                                      "kernel method");
  return static_cast<std::int64_t>(count);
}

Points FeatureMap::apply(const Points& points, const RunContext& run) const {
  if (!is_user_map() && options_.basis == Basis::none) return points;
  return points.is_sparse() && !is_user_map() ? apply_sparse(points, run)
                                              : apply_dense(points, run);
}

Points FeatureMap::apply_dense(const Points& points, const RunContext& run) const {
  const std::int64_t width = columns(points.columns());
  std::vector<double> values(static_cast<std::size_t>(points.rows() * width), 0.0);
  parallel_blocks(
      points.rows(), run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        stop_mapping(run);
        for (std::int64_t r = begin; r < end; ++r) {
          const std::span features(values.data() + r * width, static_cast<std::size_t>(width));
          const RowEntries row = entries_of(points, static_cast<VertexId>(r));
          if (is_user_map()) {
            std::vector<double> dense(static_cast<std::size_t>(points.columns()), 0.0);
            for (std::size_t e = 0; e < row.columns.size(); ++e)
              dense[static_cast<std::size_t>(row.columns[e])] = row.values[e];
            function_(dense, features);
          } else {
            visit_features(options_, row, points.columns(), [&](std::int64_t c, double value) {
              features[static_cast<std::size_t>(c)] = value;
            });
          }
        }
      },
      256);
  return Points::dense(points.rows(), width, std::move(values));
}

Points FeatureMap::apply_sparse(const Points& points, const RunContext& run) const {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> ids;
  std::vector<double> values;
  const std::int64_t width = columns(points.columns());
  for (VertexId r = 0; r < points.rows(); ++r) {
    if (r % 64 == 0) stop_mapping(run);
    visit_features(options_, entries_of(points, r), points.columns(),
                   [&](std::int64_t c, double value) {
                     ids.push_back(static_cast<std::int32_t>(c));
                     values.push_back(value);
                   });
    offsets.push_back(static_cast<std::int64_t>(ids.size()));
  }
  return Points::sparse(points.rows(), width, std::move(offsets), std::move(ids),
                        std::move(values));
}

BasisLearner::BasisLearner(std::shared_ptr<const InductiveLearner> learner, FeatureMap map)
    : learner_(std::move(learner)), map_(std::move(map)) {}

Trained BasisLearner::fit(const Dataset& data, const RunContext& run) const {
  Dataset mapped = data;
  mapped.points = map_.apply(data.points, run);
  mapped.column_names.clear();
  Trained trained = learner_->fit(mapped, run);
  trained.model =
      std::make_unique<BasisModel>(map_, data.points.columns(), std::move(trained.model));
  return trained;
}

LearnerEntry with_basis(LearnerEntry entry) {
  entry.options.add(basis_binding().table());
  entry.make_inductive = [make = std::move(entry.make_inductive)](
                             const OptionValues& values) -> std::unique_ptr<InductiveLearner> {
    std::unique_ptr<InductiveLearner> learner = make(values);
    const BasisOptions basis = basis_binding().from(values);
    if (basis.basis == Basis::none) return learner;
    return std::make_unique<BasisLearner>(
        std::shared_ptr<const InductiveLearner>(std::move(learner)), FeatureMap(basis));
  };
  entry.load_model =
      [load = std::move(entry.load_model)](const Record& record) -> std::unique_ptr<Model> {
    if (!record.has("basis")) return load(record);
    const std::int64_t columns = record.integer("columns");
    if (columns < 0)
      throw Error(ErrorCode::bad_data, "basis: " + std::to_string(columns) + " columns");
    return std::make_unique<BasisModel>(FeatureMap(basis_binding().parse(record.text("basis"))),
                                        columns, load(record.child("model")));
  };
  return entry;
}

}  // namespace gssl
