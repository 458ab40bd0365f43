#include "gssl/batch/elimination.hpp"

#include <algorithm>

#include "batch/linear/design.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/option_binding.hpp"

namespace gssl {

namespace {

const OptionBinding<EliminationOptions>& elimination_binding() {
  static const auto options = OptionBinding<EliminationOptions>("elimination")
                                  .choice(&EliminationOptions::rule, "rule",
                                          {{EliminationRule::conjunction, "conjunction"},
                                           {EliminationRule::disjunction, "disjunction"}},
                                          "whether all literals must hold, or one")
                                  .flag(&EliminationOptions::negations, "negations",
                                        "literals that hold where a column is 0, too");
  return options;
}

void check_table(const Dataset& data) {
  check_targets("elimination", data, true, false);
  if (data.targets.class_count() > 2)
    throw Error(ErrorCode::usage, "elimination: " + std::to_string(data.targets.class_count()) +
                                      " classes: must be two");
  for (VertexId r = 0; r < data.points.rows(); ++r)
    data.points.visit_row(r, [&](std::int64_t c, double x) {
      if (x != 0.0 && x != 1.0)
        throw Error(ErrorCode::bad_data, "elimination: row " + std::to_string(r) + ", column " +
                                             data.column_name(c) + ": " + to_text(x) +
                                             ": must be 0 or 1; one-hot coding makes it so");
    });
}

bool is_positive(const Dataset& data, VertexId r) {
  return data.targets.class_of()[static_cast<std::size_t>(r)] + 1 == data.targets.class_count();
}

// Those that every row of one side has (conjunction: positive rows), or lacks (disjunction: negative
// rows).
std::vector<Literal> remaining(const Dataset& data, const EliminationOptions& options) {
  const bool conjunction = options.rule == EliminationRule::conjunction;
  std::vector<std::int64_t> ones(static_cast<std::size_t>(data.points.columns()), 0);
  std::int64_t rows = 0;
  for (VertexId r = 0; r < data.points.rows(); ++r) {
    if (is_positive(data, r) != conjunction) continue;
    ++rows;
    data.points.visit_row(r, [&](std::int64_t c, double x) {
      if (x == 1.0) ++ones[static_cast<std::size_t>(c)];
    });
  }
  std::vector<Literal> literals;
  for (std::size_t c = 0; c < ones.size(); ++c) {
    const bool always = ones[c] == rows;
    const bool never = ones[c] == 0;
    const auto column = static_cast<std::int64_t>(c);
    if (conjunction ? always : never) literals.push_back({column, false});
    if (options.negations && (conjunction ? never : always)) literals.push_back({column, true});
  }
  return literals;
}

std::string rule_text(const Dataset& data, const std::vector<Literal>& literals,
                      EliminationRule rule) {
  constexpr std::size_t shown = 20;
  if (literals.empty()) return rule == EliminationRule::conjunction ? "always" : "never";
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, literals.size()); ++i) {
    if (i > 0) text += rule == EliminationRule::conjunction ? " and " : " or ";
    text += (literals[i].negated ? "not " : "") + data.column_name(literals[i].column);
  }
  if (literals.size() > shown) text += " … (" + std::to_string(literals.size()) + " literals)";
  return text;
}

double mistakes(const Dataset& data, const LinearFit& fit) {
  double mistaken = 0.0;
  for (VertexId r = 0; r < data.points.rows(); ++r) {
    double f = fit.bias[0];
    data.points.visit_row(r, [&](std::int64_t c, double x) { f += x * fit.weights(c, 0); });
    if ((f > 0.0) != is_positive(data, r)) mistaken += data.weight(r);
  }
  return mistaken;
}

}  // namespace

LinearFit threshold_rule(std::int64_t columns, std::span<const Literal> literals, std::int64_t m) {
  LinearFit fit{Block(columns, 1), {0.5 - static_cast<double>(m)}};
  for (const Literal& literal : literals) {
    if (literal.column < 0 || literal.column >= columns)
      throw Error(ErrorCode::usage, "threshold rule: column " + std::to_string(literal.column) +
                                        ": must be one of " + std::to_string(columns));
    fit.weights(literal.column, 0) += literal.negated ? -1.0 : 1.0;
    if (literal.negated) fit.bias[0] += 1.0;
  }
  return fit;
}

Trained EliminationLearner::fit(const Dataset& data, const RunContext& run) const {
  Dataset storage;
  const Dataset& kept = detail::with_weight(data, storage);
  check_table(kept);
  run.throw_if_stopped("elimination", "before its rows were read");
  const std::vector<Literal> literals = remaining(kept, options_);
  const bool conjunction = options_.rule == EliminationRule::conjunction;
  LinearFit fit = threshold_rule(kept.points.columns(), literals,
                                 conjunction ? static_cast<std::int64_t>(literals.size()) : 1);
  Trained trained;
  Report& report = trained.report;
  const double mistaken = mistakes(kept, fit);
  report.certificates = {{"literals", {static_cast<double>(literals.size())}},
                         {"mistakes", {mistaken}}};
  report.sentence = rule_text(kept, literals, options_.rule);
  if (mistaken > 0.0)
    report.warnings.push_back(
        "elimination: the rule is wrong for training rows of weight " + to_brief_text(mistaken) +
        ": no " + (conjunction ? "conjunction" : "disjunction") + " tells the classes apart");
  std::vector<std::int32_t> learned = detail::learned_classes(kept.targets);
  trained.model = std::make_unique<LinearModel>("elimination", LinearKind::margin, std::move(fit),
                                                std::move(learned));
  return trained;
}

LearnerEntry elimination_entry() {
  LearnerEntry entry;
  entry.name = "elimination";
  entry.summary = "a conjunction or disjunction of columns of 0 and 1";
  entry.reference =
      "L. Valiant. A theory of the learnable. Communications of the ACM 27, 1984, "
      "doi:10.1145/1968.1972";
  entry.options = elimination_binding().table();
  entry.make_inductive = [](const OptionValues& values) {
    return std::make_unique<EliminationLearner>(elimination_binding().from(values));
  };
  entry.load_model = [](const Record& record) { return LinearModel::load("elimination", record); };
  return entry;
}

}  // namespace gssl
