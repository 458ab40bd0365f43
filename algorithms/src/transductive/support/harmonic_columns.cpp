#include "harmonic_columns.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "class_columns.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/core/stopwatch.hpp"
#include "support/vertex_status.hpp"

namespace gssl::detail {

namespace {

using Index = std::size_t;

// Masses that are known so well scale the scores as well as those that are exact.
constexpr double most_mass_error = 1e-6;

class HarmonicSweep {
 public:
  HarmonicSweep(HarmonicColumns problem, VertexId vertex_count, const LabeledSet& labeled,
                const KeptScores& keep, const ColumnPlan& plan)
      : row_count_(problem.system.size()),
        vertex_of_(std::move(problem.vertex_of)),
        given_(problem.given),
        add_right_hand_side_(std::move(problem.add_right_hand_side)),
        to_scores_(std::move(problem.to_scores)),
        score_weight_(std::move(problem.score_weight)),
        holds_given_(problem.holds_given),
        shares_(problem.shares),
        labeled_(labeled),
        keep_(keep),
        run_(plan.run),
        status_(vertex_status(vertex_count, labeled, problem.unreached)),
        solver_(std::move(problem.system), labeled.class_count(), plan, report_),
        best_(row_count_, keep.top) {
    report_.setup_seconds = problem.setup_seconds;
    if (problem.solve) solver_.use(std::move(problem.solve));
  }

  void rescale_to(const MassTarget& target);
  Fit fit();

 private:
  std::int64_t row_count() const { return row_count_; }
  VertexId vertex(std::int64_t r) const {
    return vertex_of_.empty() ? static_cast<VertexId>(r) : vertex_of_[static_cast<Index>(r)];
  }
  VertexStatus status(std::int64_t r) const { return status_[static_cast<Index>(vertex(r))]; }
  Block right_hand_side(int first, int count) const {
    Block b(row_count(), count);
    add_right_hand_side_(first, b);
    return b;
  }
  // What the scores of a row are divided by at the end.
  double divisor(std::int64_t r) const {
    const double sum = best_.sum(r);
    return sum > 0.0 && (shares_ || best_.is_scaled(r)) ? sum : 1.0;
  }
  // Row of the proportions that a row of the system is rescaled by.
  std::int64_t group(std::int64_t r) const {
    return groups_ == nullptr ? 0 : groups_->of(vertex(r));
  }
  double mass_error(const Block& z) const;
  Block mass_weights(Block indicator);
  std::vector<double> masses(const Block& z, const Block& b, std::int64_t column) const;
  void make_scores(Block& x, int first) const;
  void take(Block x, int first, Block* scores);
  void normalize(Block& scores) const;
  void keep_best(std::int64_t r) const;
  void conclude(Fit& fit) const;

  std::int64_t row_count_;
  std::vector<VertexId> vertex_of_;
  GivenLabels given_;
  std::function<void(int first, Block& b)> add_right_hand_side_;
  std::function<void(int first, Block& x)> to_scores_;
  std::vector<double> score_weight_;
  bool holds_given_;
  bool shares_;
  const LabeledSet& labeled_;
  const KeptScores& keep_;
  const RunContext& run_;
  std::vector<VertexStatus> status_;
  Report report_;
  ClassBlockSolver solver_;
  RunningDecision best_;
  const LabelGroups* groups_ = nullptr;
  Block scale_;             // groups × classes
  bool is_scaled_ = false;  // by it, once it is made of the masses
};

// How far off a mass made with z may be, relative: with r = 1 − A z at the inferred vertices it is
// off by rᵀx_c, and 0 ≤ x_c, so by no more than max|r| of itself.
double HarmonicSweep::mass_error(const Block& z) const {
  Block product;
  solver_.system().apply(z, product, run_.thread_count());
  double worst = 0.0;
  for (std::int64_t r = 0; r < row_count(); ++r)
    if (status(r) == VertexStatus::inferred) worst = std::max(worst, std::abs(1.0 - product(r, 0)));
  return worst;
}

// z of A z = 1 at the inferred vertices. Far from all labels z is large, and rounding may keep its
// residual above the tolerance where that of the scores is not; the masses are proven by themselves.
Block HarmonicSweep::mass_weights(Block indicator) {
  const SolveReport before = solve_report(report_);
  Block z = solver_.solve(std::move(indicator));
  if (given_ == GivenLabels::soft || !score_weight_.empty()) return z;
  const double error = mass_error(z);
  report_.certificates.push_back({"mass_error", {error}});
  if (report_.outcome == Outcome::breakdown && error <= most_mass_error)
    take_solve(report_, before);
  return z;
}

// Of one class: over all rows, or of each group.
std::vector<double> HarmonicSweep::masses(const Block& z, const Block& b,
                                          std::int64_t column) const {
  if (scale_.rows() == 1)
    return {blocked_sum(row_count(), run_.thread_count(), [&](auto begin, auto end) {
      double sum = 0.0;
      for (std::int64_t r = begin; r < end; ++r) sum += z(r, 0) * b(r, column);
      return sum;
    })};
  std::vector<double> mass(static_cast<Index>(scale_.rows()), 0.0);
  for (std::int64_t r = 0; r < row_count(); ++r)
    if (b(r, column) != 0.0) mass[static_cast<Index>(group(r))] += z(r, 0) * b(r, column);
  return mass;
}

// What each class is multiplied by: its proportion over its mass.
void HarmonicSweep::rescale_to(const MassTarget& target) {
  groups_ = target.proportion.rows() > 1 ? target.groups : nullptr;
  scale_ = target.proportion;
  Block indicator(row_count(), 1);
  for (std::int64_t r = 0; r < row_count(); ++r)
    if (status(r) == VertexStatus::inferred)
      indicator(r, 0) = score_weight_.empty() ? 1.0 : score_weight_[static_cast<Index>(r)];
  if (std::ranges::none_of(indicator.values(), [](double one) { return one > 0.0; })) return;
  const Block z = mass_weights(std::move(indicator));
  for_class_columns(labeled_.class_count(), solver_, [&](int first, int count) {
    const Block b = right_hand_side(first, count);
    for (int k = 0; k < count; ++k) {
      const int c = first + k;
      const std::vector<double> mass = masses(z, b, k);
      for (std::int64_t g = 0; g < scale_.rows(); ++g) {
        double& share = scale_(g, c);
        if (mass[static_cast<Index>(g)] > 0.0)
          share /= mass[static_cast<Index>(g)];
        else if (groups_ != nullptr)
          share = 0.0;
        else if (share > 0.0)
          report_.warnings.push_back("class '" + labeled_.class_names()[static_cast<Index>(c)] +
                                     "' has no mass to rescale: no inferred vertex leans to it");
      }
    }
  });
  is_scaled_ = true;
}

// The exact solution obeys the maximum principle; rounding or an early stop may not.
void HarmonicSweep::make_scores(Block& x, int first) const {
  if (to_scores_) {
    to_scores_(first, x);
    return;
  }
  parallel_blocks(x.rows(), run_.thread_count(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r)
      for (double& value : x.row(r)) value = std::clamp(value, 0.0, 1.0);
  });
}

void HarmonicSweep::take(Block x, int first, Block* scores) {
  const int threads = run_.thread_count();
  make_scores(x, first);
  if (holds_given_)
    for (const VertexId v : labeled_.vertices()) std::ranges::fill(x.row(v), 0.0);
  best_.take(x, first, threads, [&](std::int64_t r) {
    if (!is_scaled_ || status(r) != VertexStatus::inferred) return std::span<const double>();
    return std::as_const(scale_).row(group(r)).subspan(static_cast<Index>(first));
  });
  if (scores == nullptr) return;
  parallel_blocks(x.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r)
      std::ranges::copy(x.row(r), scores->row(vertex(r)).begin() + first);
  });
}

void HarmonicSweep::normalize(Block& scores) const {
  parallel_blocks(row_count(), run_.thread_count(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      const bool scaled = best_.is_scaled(r);
      const double sum = divisor(r);
      const std::span<double> row = scores.row(vertex(r));
      for (Index k = 0; k < row.size(); ++k) {
        if (scaled) row[k] *= scale_(group(r), static_cast<std::int64_t>(k));
        row[k] /= sum;
      }
    }
  });
}

void HarmonicSweep::keep_best(std::int64_t r) const {
  if (keep_.top == 0) return;
  std::ranges::copy(best_.top_classes(r), keep_.best->classes(vertex(r)).begin());
  std::ranges::transform(best_.top_scores(r), keep_.best->scores(vertex(r)).begin(),
                         [sum = divisor(r)](double score) { return score / sum; });
}

void HarmonicSweep::conclude(Fit& fit) const {
  if (keep_.top > 0) *keep_.best = TopClasses(static_cast<std::int64_t>(status_.size()), keep_.top);
  fit.decision.assign(status_.size(), -1);
  fit.confidence.assign(status_.size(), 0.0);
  for (std::int64_t r = 0; r < row_count(); ++r) {
    if (has_no_answer(status(r))) continue;
    fit.decision[static_cast<Index>(vertex(r))] = best_.decision(r);
    fit.confidence[static_cast<Index>(vertex(r))] = best_.confidence(r);
    keep_best(r);
  }
  if (given_ == GivenLabels::soft) return;
  for (Index i = 0; i < labeled_.size(); ++i) {
    const auto v = static_cast<Index>(labeled_.vertices()[i]);
    fit.decision[v] = labeled_.class_of()[i];
    fit.confidence[v] = 1.0;
    if (fit.scores.values.rows() > 0)
      fit.scores.values(labeled_.vertices()[i], labeled_.class_of()[i]) = 1.0;
    if (keep_.top == 0) continue;
    keep_.best->classes(labeled_.vertices()[i]).front() = labeled_.class_of()[i];
    keep_.best->scores(labeled_.vertices()[i]).front() = 1.0;
  }
}

Fit HarmonicSweep::fit() {
  Fit fit;
  const bool keep_scores = keep_.scores;
  const int classes = labeled_.class_count();
  if (keep_scores) fit.scores.values = Block(static_cast<std::int64_t>(status_.size()), classes);
  const KeptClasses kept{.put =
                             [&](Record& record) {
                               best_.put("best", record);
                               if (keep_scores) record.put("scores", fit.scores.values);
                             },
                         .take =
                             [&](const Record& record) {
                               best_.take("best", record);
                               if (keep_scores) fit.scores.values = record.block("scores");
                             }};
  for_class_columns(
      classes, solver_, run_, kept,
      [&](int first, int count) { return right_hand_side(first, count); },
      [&](Block x, int first) {
        take(std::move(x), first, keep_scores ? &fit.scores.values : nullptr);
      });
  if (keep_scores) normalize(fit.scores.values);
  // Classes that were not looked at could have won anywhere.
  if (solver_.stopped_early())
    for (VertexStatus& status : status_)
      if (status == VertexStatus::inferred) status = VertexStatus::unfinished;
  conclude(fit);
  for (std::int64_t r = 0; classes > 1 && r < row_count(); ++r)
    if (status(r) == VertexStatus::inferred && best_.is_tied(r))
      status_[static_cast<Index>(vertex(r))] = VertexStatus::tied;
  fit.scores.status = std::move(status_);
  fit.report = std::move(report_);
  return fit;
}

}  // namespace

HarmonicColumns hard_columns(const Graph& graph, const LabeledSet& labeled) {
  const Stopwatch setup;
  DirichletProblem problem = make_dirichlet_problem(graph, labeled.vertices());
  HarmonicColumns columns{.system = std::move(problem.system),
                          .vertex_of = problem.free_vertices,
                          .unreached = problem.unreached};
  // The system is moved out; the couplings are what is needed of the rest.
  columns.add_right_hand_side = [&labeled, offset = std::move(problem.coupling_offset),
                                 label = std::move(problem.coupling_label),
                                 weight = std::move(problem.coupling_weight)](int first, Block& b) {
    for (std::int64_t r = 0; r < b.rows(); ++r) {
      const auto begin = static_cast<Index>(offset[static_cast<Index>(r)]);
      const auto end = static_cast<Index>(offset[static_cast<Index>(r) + 1]);
      for (Index e = begin; e < end; ++e) {
        const int k = labeled.class_of()[static_cast<Index>(label[e])] - first;
        if (k >= 0 && k < b.columns()) b(r, k) += weight[e];
      }
    }
  };
  columns.setup_seconds = setup.seconds();
  return columns;
}

namespace {

// Beside such a ground the weights of a vertex are 0 to the digits of a number, and it is still one
// that solvers in floats take.
constexpr int ground_exponent = 60;
constexpr double largest_degree = 1e200;

}  // namespace

bool shares_graph(const NetworkSize& graph, int classes, double given) {
  return classes <= most_together && graph.rows > many_rows && given <= few_given * graph.rows;
}

HarmonicColumns shared_columns(const Graph& graph, const LabeledSet& labeled) {
  const Stopwatch setup;
  const auto n = static_cast<Index>(graph.vertex_count());
  std::vector<double> ground(n, 0.0);
  for (const VertexId v : labeled.vertices()) {
    const double degree = std::max(1.0, graph.weighted_degree(v));
    if (degree > largest_degree) return hard_columns(graph, labeled);
    ground[static_cast<Index>(v)] = std::ldexp(degree, ground_exponent);
  }
  HarmonicColumns columns{
      .system = GroundedLaplacian(std::make_shared<const Graph>(graph), std::move(ground)),
      .vertex_of = {}};
  columns.holds_given = true;
  columns.unreached = unreached_vertices(columns.system.components(), labeled);
  if (!columns.unreached.empty()) {  // where nothing flows in, any ground makes 0 of it
    std::vector<double> extra(n, 0.0);
    for (const VertexId v : columns.unreached)
      extra[static_cast<Index>(v)] = std::max(1.0, graph.weighted_degree(v));
    columns.system = columns.system.with_extra_ground(extra);
  }
  std::vector<char> held(n, 0);
  for (const VertexId v : labeled.vertices()) held[static_cast<Index>(v)] = 1;
  columns.add_right_hand_side = [&labeled, graph, held = std::move(held)](int first, Block& b) {
    for (Index i = 0; i < labeled.size(); ++i) {
      const int k = labeled.class_of()[i] - first;
      if (k < 0 || k >= b.columns()) continue;
      graph.visit_row(labeled.vertices()[i], [&](VertexId u, double w) {
        if (held[static_cast<Index>(u)] == 0) b(u, k) += w;
      });
    }
  };
  columns.setup_seconds = setup.seconds();
  return columns;
}

HarmonicColumns soft_columns(const Graph& graph, const LabeledSet& labeled, double c) {
  const Stopwatch setup;
  std::vector<double> ground(static_cast<Index>(graph.vertex_count()), 0.0);
  for (const VertexId v : labeled.vertices()) ground[static_cast<Index>(v)] = c;
  HarmonicColumns columns{
      .system = GroundedLaplacian(std::make_shared<const Graph>(graph), std::move(ground)),
      .vertex_of = std::vector<VertexId>(static_cast<Index>(graph.vertex_count())),
      .given = GivenLabels::soft};
  columns.unreached = unreached_vertices(columns.system.components(), labeled);
  std::iota(columns.vertex_of.begin(), columns.vertex_of.end(), VertexId{0});
  columns.add_right_hand_side = [&labeled, c](int first, Block& b) {
    for (Index i = 0; i < labeled.size(); ++i) {
      const int k = labeled.class_of()[i] - first;
      if (k >= 0 && k < b.columns()) b(labeled.vertices()[i], k) += c;
    }
  };
  columns.setup_seconds = setup.seconds();
  return columns;
}

Fit fit_harmonic_columns(HarmonicColumns problem, VertexId vertex_count, const LabeledSet& labeled,
                         const MassTarget& mass, const KeptScores& keep, const ColumnPlan& plan) {
  HarmonicSweep sweep(std::move(problem), vertex_count, labeled, keep, plan);
  if (mass.proportion.rows() > 0) sweep.rescale_to(mass);
  return sweep.fit();
}

MassTarget mass_target(const std::vector<double>& proportion) {
  if (proportion.empty()) return {};
  return {Block(1, static_cast<std::int64_t>(proportion.size()), proportion), nullptr};
}

}  // namespace gssl::detail
