#include "gssl/kernel/kernel_method.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/stopwatch.hpp"
#include "gssl/kernel/centering.hpp"
#include "kernel/kernel_choice.hpp"
#include "kernel/kernel_tiles.hpp"
#include "kernel/row_products.hpp"
#include "kernel/vertex_kernel.hpp"
#include "learn/model_names.hpp"
#include "support/check_problem.hpp"
#include "support/finish_fit.hpp"
#include "support/given_rows.hpp"
#include "support/vertex_status.hpp"

namespace gssl {
namespace {

// out = rows of K times coefficients, plus bias: every row alone.
void combine(const Expansion& e, const double* rows, std::int64_t count, double* out) {
  const std::int64_t items = e.coefficients.rows(), outputs = e.coefficients.columns();
  std::vector<double> turned(index(items * outputs));
  for (std::int64_t i = 0; i < items; ++i)
    for (std::int64_t o = 0; o < outputs; ++o) turned[index(o * items + i)] = e.coefficients(i, o);
  detail::multiply_rows<double>({rows, count, items}, {turned.data(), outputs, items}, items, out,
                                outputs, detail::Into::set);
  for (std::int64_t r = 0; r < count; ++r)
    for (std::int64_t o = 0; o < outputs; ++o) out[r * outputs + o] += e.bias[index(o)];
}

// Strings with zeros after them.
Points widened(const Points& items, std::int64_t columns) {
  const Points sparse = as_sparse(items);
  const auto offsets = sparse.offsets();
  const auto ids = sparse.column_ids();
  std::vector<double> values;
  for (VertexId r = 0; r < sparse.rows(); ++r)
    sparse.visit_row(r, [&](std::int64_t, double x) { values.push_back(x); });
  return Points::sparse(items.rows(), columns, {offsets.begin(), offsets.end()},
                        {ids.begin(), ids.end()}, std::move(values));
}

class KernelModel final : public Model {
 public:
  KernelModel(std::string learner, std::shared_ptr<const detail::ExpressionKernel> kernel,
              Points items, Expansion expansion)
      : learner_(std::move(learner)),
        kernel_(std::move(kernel)),
        items_(std::move(items)),
        expansion_(std::move(expansion)) {}

  Block scores(const Points& points, const RunContext& run) const override {
    constexpr std::int64_t rows_at_once = 1024;
    const bool longer = points.columns() > items_.columns() && is_string_kernel(kernel_->term());
    if (!longer) check_columns(learner_, points, items_.columns());
    const detail::KernelTiles<double> tiles(
        kernel_->term(), points, longer ? widened(items_, points.columns()) : items_, run);
    Block outputs(points.rows(), expansion_.coefficients.columns());
    std::vector<double> rows(index(std::min<std::int64_t>(rows_at_once, points.rows())) *
                             index(items_.rows()));
    for (std::int64_t first = 0; first < points.rows(); first += rows_at_once) {
      std::vector<std::int32_t> which(index(std::min(rows_at_once, points.rows() - first)));
      std::iota(which.begin(), which.end(), static_cast<std::int32_t>(first));
      tiles.rows(which, {}, rows.data(), items_.rows(), run);
      combine(expansion_, rows.data(), std::ssize(which),
              outputs.data() + first * outputs.columns());
    }
    return decisions(expansion_, outputs);
  }

  ScoreKind score_kind() const override {
    return expansion_.reading == Expansion::Reading::value ? ScoreKind::value : ScoreKind::decision;
  }

  std::vector<std::pair<std::string, std::string>> facts() const override {
    auto all = expansion_.facts;
    all.emplace(all.begin(), "kernel", kernel_->spec());
    return all;
  }

  std::vector<ModelPart> parts(const ModelNames& names) const override {
    return {detail::support_part(output_names(names.classes), items_, expansion_.coefficients,
                                 expansion_.bias)};
  }

  void save(Record& record) const override {
    record.put("kernel", kernel_->spec());
    record.put("items", items_);
    expansion_.save(record);
  }

 private:
  std::vector<std::string> output_names(const std::vector<std::string>& classes) const {
    std::vector<std::string> names;
    if (expansion_.reading == Expansion::Reading::classes)
      for (const std::string& name : classes) names.push_back("for " + name);
    if (expansion_.reading == Expansion::Reading::pairs)
      for (const auto& [first, second] : expansion_.pairs())
        names.push_back(classes[index(second)] + " over " + classes[index(first)]);
    if (expansion_.coefficients.columns() == 1) names = {"coefficient"};
    return names;
  }

  std::string learner_;
  std::shared_ptr<const detail::ExpressionKernel> kernel_;
  Points items_;
  Expansion expansion_;
};

// Items whose coefficients are all 0 say nothing.
std::vector<std::int32_t> items_that_count(const Block& coefficients) {
  std::vector<std::int32_t> items;
  for (std::int64_t i = 0; i < coefficients.rows(); ++i)
    if (std::ranges::any_of(coefficients.row(i), [](double c) { return c != 0.0; }))
      items.push_back(static_cast<std::int32_t>(i));
  return items;
}

Block rows_of(const Block& block, const std::vector<std::int32_t>& rows) {
  Block some(std::ssize(rows), block.columns());
  for (std::int64_t i = 0; i < some.rows(); ++i)
    std::ranges::copy(block.row(rows[index(i)]), some.row(i).begin());
  return some;
}

// A coefficient that is not 0: of one class against one other most are.
struct Term {
  std::int32_t item;
  std::int32_t output;
  double coefficient;
};

std::vector<Term> terms_of(const Block& coefficients) {
  std::vector<Term> terms;
  for (std::int64_t i = 0; i < coefficients.rows(); ++i)
    for (std::int64_t o = 0; o < coefficients.columns(); ++o)
      if (coefficients(i, o) != 0.0)
        terms.push_back(
            {static_cast<std::int32_t>(i), static_cast<std::int32_t>(o), coefficients(i, o)});
  return terms;
}

// Outputs for the items `test` of a shared matrix by what was learned from the items `training`.
Block combine(const Expansion& e, const GramMatrix& gram, std::span<const std::int32_t> training,
              std::span<const std::int32_t> test) {
  constexpr std::int64_t rows_at_once = 64;
  constexpr std::int64_t sparse = 4;  // times fewer terms than there could be
  Block outputs(std::ssize(test), e.coefficients.columns());
  const std::vector<Term> terms = terms_of(e.coefficients);
  if (std::ssize(terms) * sparse < std::ssize(e.coefficients.values())) {
    for (std::int64_t r = 0; r < outputs.rows(); ++r) {
      const auto row = gram.values.row(test[index(r)]);
      const auto out = outputs.row(r);
      std::ranges::copy(e.bias, out.begin());
      for (const Term& term : terms)
        out[index(term.output)] += row[index(training[index(term.item)])] * term.coefficient;
    }
    return outputs;
  }
  std::vector<double> rows(index(rows_at_once) * training.size());
  for (std::int64_t first = 0; first < outputs.rows(); first += rows_at_once) {
    const std::int64_t count = std::min(rows_at_once, outputs.rows() - first);
    double* to = rows.data();
    for (std::int64_t r = first; r < first + count; ++r) {
      const auto row = gram.values.row(test[index(r)]);
      for (const std::int32_t item : training) *to++ = row[index(item)];
    }
    combine(e, rows.data(), count, outputs.data() + first * outputs.columns());
  }
  return outputs;
}

// The labels of one component, and what was learned from them.
struct Part {
  std::vector<std::int32_t> labels;  // places in the labeled set
  Expansion expansion;
};

}  // namespace

KernelMethod::KernelMethod(std::string name, std::string kernel, TargetKind targets)
    : name_(std::move(name)), kernel_(std::move(kernel)), targets_(targets) {
  detail::check_kernel(name_, kernel_);
}

Expansion KernelMethod::learned(const Gram& gram, const Targets& targets,
                                std::span<const double> weights, bool with_centering,
                                const RunContext& run, Report& report) const {
  if (!with_centering) return expand(gram, targets, weights, run, report);
  const Centering means = centering_of(gram, weights, run);
  return uncentered(expand(*centered(gram, means), targets, weights, run, report), means, weights);
}

Trained KernelMethod::fit(const Dataset& data, const RunContext& run) const {
  gssl::check_targets(name_, data, targets_ != TargetKind::reals, targets_ != TargetKind::classes);
  Trained trained;
  const Stopwatch watch;
  std::vector<std::int32_t> kept;
  std::vector<double> weights;
  for (std::int32_t r = 0; r < data.points.rows(); ++r)
    if (data.weight(r) > 0.0) {
      kept.push_back(r);
      weights.push_back(data.weight(r));
    }
  if (kept.empty()) throw Error(ErrorCode::bad_data, name_ + ": no row of weight > 0");
  const bool all = std::ssize(kept) == data.points.rows();
  Points points = all ? data.points : select(data.points, kept);
  const Targets targets = all ? data.targets : data.targets.select(kept);
  const detail::KernelText text = detail::without_centering(kernel_);
  auto kernel = detail::kernel_on_points(name_, text.kernel, points, weights);
  const auto gram = gram_of_points(kernel, points);
  trained.report.setup_seconds = watch.seconds();
  Expansion expansion = learned(*gram, targets, weights, text.centered, run, trained.report);
  if (trained.report.outcome == Outcome::iteration_limit)
    trained.report.warnings.push_back(
        name_ +
        ": ended before it was done, as where columns differ in size: standardize the columns, "
        "or allow more");
  if (text.centered) expansion.facts.emplace_back("centered", "yes");
  const std::vector<std::int32_t> items = items_that_count(expansion.coefficients);
  expansion.coefficients = rows_of(expansion.coefficients, items);
  trained.report.solve_seconds = watch.seconds() - trained.report.setup_seconds;
  trained.model = std::make_unique<KernelModel>(name_, std::move(kernel), select(points, items),
                                                std::move(expansion));
  return trained;
}

bool KernelMethod::reads_strings() const {
  if (kernel_ == "auto" || detail::is_graph_kernel(kernel_)) return false;
  return detail::is_string_kernel(
      detail::parse_kernel_term(detail::without_centering(kernel_).kernel));
}

std::string KernelMethod::fixed_kernel() const {
  if (kernel_ == "auto" || detail::is_graph_kernel(kernel_)) return {};
  return detail::without_centering(kernel_).centered ? std::string() : kernel_;
}

void KernelMethod::check_targets(const Targets& targets) const {
  const TargetKind wrong = targets.is_regression() ? TargetKind::classes : TargetKind::reals;
  if (targets_ == wrong)
    throw Error(ErrorCode::usage,
                name_ + (targets.is_regression() ? ": real targets: this learner needs classes"
                                                 : ": classes: this learner needs real targets"));
}

Block KernelMethod::held_out_scores(const std::shared_ptr<const GramMatrix>& gram,
                                    std::span<const std::int32_t> training, const Targets& targets,
                                    std::span<const std::int32_t> test, const RunContext& run,
                                    Report& report) const {
  const auto of_training = gram_of_shared(gram, {training.begin(), training.end()});
  const std::vector<double> weights(training.size(), 1.0);
  const Expansion e = expand(*of_training, targets, weights, run, report);
  return decisions(e, combine(e, *gram, training, test));
}

Fit KernelMethod::fit(const Graph& graph, const LabeledSet& labeled, const RunContext& run) const {
  detail::check_problem(name_, graph, labeled,
                        targets_ == TargetKind::classes ? detail::Regression::unsupported
                                                        : detail::Regression::supported);
  if (!labeled.is_regression() && targets_ == TargetKind::reals)
    throw Error(ErrorCode::usage, name_ + ": classes: this learner needs real targets");
  Report report;
  const Stopwatch watch;
  const detail::KernelText text = detail::without_centering(kernel_);
  const detail::VertexKernel kernel(std::make_shared<const Graph>(graph),
                                    detail::kernel_on_graph(name_, text.kernel), run);
  const auto gram = detail::gram_of_vertices(kernel, labeled.vertices(), run);
  const Components components = connected_components(graph);
  std::vector<Part> parts(index(components.count));
  for (std::size_t i = 0; i < labeled.size(); ++i)
    parts[index(components.of[index(labeled.vertices()[i])])].labels.push_back(
        static_cast<std::int32_t>(i));
  report.setup_seconds = watch.seconds();

  std::int64_t outputs = 1;
  for (Part& part : parts) {
    if (part.labels.empty()) continue;
    const std::vector<double> weights(part.labels.size(), 1.0);
    part.expansion = learned(*gram->select(part.labels), labeled.targets().select(part.labels),
                             weights, text.centered, run, report);
    outputs = std::max(outputs, part.expansion.coefficients.columns());
  }
  // The kernel joins no two components, so that one product serves all of them.
  Block x(graph.vertex_count(), outputs);
  for (const Part& part : parts)
    for (std::size_t i = 0; i < part.labels.size(); ++i)
      std::ranges::copy(part.expansion.coefficients.row(static_cast<std::int64_t>(i)),
                        x.row(labeled.vertices()[index(part.labels[i])]).begin());
  const KernelProduct product = kernel.product(x, run);
  report.outcome = worse(report.outcome, product.report.outcome);
  Block scores(graph.vertex_count(), labeled.is_regression() ? 1 : labeled.class_count());
  for (VertexId v = 0; v < graph.vertex_count(); ++v) {
    const Expansion& e = parts[index(components.of[index(v)])].expansion;
    if (e.coefficients.rows() == 0) continue;
    Block row(1, e.coefficients.columns());
    for (std::int64_t o = 0; o < row.columns(); ++o)
      row(0, o) = product.values(v, o) + e.bias[index(o)];
    const Block read = shares(e, row);
    std::ranges::copy(read.row(0), scores.row(v).begin());
  }
  report.solve_seconds = watch.seconds() - report.setup_seconds;
  // A given class is decided for whatever the score; a given value is the score.
  if (labeled.is_regression()) detail::set_given_rows(scores, labeled, run.thread_count());
  return detail::finish_fit(std::move(scores),
                            detail::vertex_status(graph.vertex_count(), labeled,
                                                  detail::unreached_vertices(components, labeled)),
                            labeled, detail::GivenLabels::hard, std::move(report));
}

std::unique_ptr<Model> load_kernel_model(const std::string& learner, const Record& record) {
  Points items = record.points("items");
  Expansion expansion = Expansion::load(record);
  if (expansion.coefficients.rows() != items.rows())
    throw Error(ErrorCode::bad_data,
                learner + ": " + std::to_string(items.rows()) + " items and coefficients of " +
                    std::to_string(expansion.coefficients.rows()) + ": must be as many");
  auto kernel =
      std::make_shared<detail::ExpressionKernel>(detail::parse_kernel_term(record.text("kernel")));
  return std::make_unique<KernelModel>(learner, std::move(kernel), std::move(items),
                                       std::move(expansion));
}

}  // namespace gssl
