#include "gssl/transductive/centered_kernel.hpp"

#include <cmath>

#include "gssl/core/number_text.hpp"
#include "gssl/core/stopwatch.hpp"
#include "gssl/linalg/residual.hpp"
#include "support/check_problem.hpp"
#include "support/finish_fit.hpp"
#include "support/given_rows.hpp"
#include "support/vertex_status.hpp"
#include "transductive/support/label_groups.hpp"
#include "transductive/support/learner_options.hpp"
#include "transductive/support/rescale_mass.hpp"

namespace gssl {

namespace {

using Columns = std::vector<double>;  // one number for each column

struct ColumnSum {
  Columns values;
  ColumnSum& operator+=(const ColumnSum& other) {
    if (values.empty()) values.assign(other.values.size(), 0.0);
    for (std::size_t k = 0; k < other.values.size(); ++k) values[k] += other.values[k];
    return *this;
  }
};

// Ŵ = P W P of every group on blocks of n rows; rows outside the groups are left alone.
class CenteredWeights {
 public:
  CenteredWeights(const Graph& graph, const detail::LabelGroups& groups, int threads)
      : graph_(graph), groups_(groups), threads_(threads) {}

  // y = Ŵ x on the members of group g; x is centered on the way and must be centered by the caller
  // where it is not to change.
  void apply(int g, const Block& x, Block& y) const {
    const std::span<const VertexId> members = groups_.members(g);
    const Columns shift = means(g, x);
    const auto columns = static_cast<std::size_t>(x.columns());
    parallel_blocks(static_cast<std::int64_t>(members.size()), threads_,
                    [&](std::int64_t begin, std::int64_t end) {
                      for (std::int64_t i = begin; i < end; ++i) {
                        const VertexId v = members[static_cast<std::size_t>(i)];
                        const std::span<double> row = y.row(v);
                        std::ranges::fill(row, 0.0);
                        graph_.visit_row(v, [&](VertexId u, double w) {
                          const std::span<const double> other = x.row(u);
                          for (std::size_t k = 0; k < columns; ++k)
                            row[k] += w * (other[k] - shift[k]);
                        });
                      }
                    });
    const Columns mean = means(g, y);
    for_rows(g, [&](VertexId v) {
      const std::span<double> row = y.row(v);
      for (std::size_t k = 0; k < columns; ++k) row[k] -= mean[k];
    });
  }

  Columns means(int g, const Block& x) const {
    Columns sum = groups_
                      .sum_over(g, threads_,
                                [&](VertexId v) {
                                  const std::span<const double> row = x.row(v);
                                  return ColumnSum{Columns(row.begin(), row.end())};
                                })
                      .values;
    for (double& value : sum) value /= static_cast<double>(groups_.members(g).size());
    return sum;
  }

  template <class Body>
  void for_rows(int g, Body&& body) const {
    const std::span<const VertexId> members = groups_.members(g);
    parallel_blocks(static_cast<std::int64_t>(members.size()), threads_,
                    [&](std::int64_t begin, std::int64_t end) {
                      for (std::int64_t i = begin; i < end; ++i)
                        body(members[static_cast<std::size_t>(i)]);
                    });
  }

  // ‖Ŵ‖₂ on group g, to about twelve digits. Throws if the run is stopped.
  double norm(int g, const RunContext& run) const;

 private:
  const Graph& graph_;
  const detail::LabelGroups& groups_;
  int threads_;
};

// Largest |eigenvalue| of the symmetric tridiagonal matrix, by bisection on Sturm counts.
double tridiagonal_norm(const std::vector<double>& diagonal, const std::vector<double>& beside) {
  double bound = 0.0;
  for (std::size_t i = 0; i < diagonal.size(); ++i)
    bound = std::max(bound, std::abs(diagonal[i]) + (i > 0 ? beside[i - 1] : 0.0) +
                                (i < beside.size() ? beside[i] : 0.0));
  const auto above = [&](double x, double sign) {  // is an eigenvalue of sign·T above x?
    double pivot = 1.0;
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
      pivot = x - sign * diagonal[i] - (i > 0 ? beside[i - 1] * beside[i - 1] / pivot : 0.0);
      if (!(pivot > 0.0)) return true;
    }
    return false;
  };
  double low = 0.0;
  double high = bound;
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (above(middle, 1.0) || above(middle, -1.0) ? low : high) = middle;
  }
  return high;
}

double CenteredWeights::norm(int g, const RunContext& run) const {
  const std::span<const VertexId> members = groups_.members(g);
  if (members.size() < 2) return 0.0;
  const VertexId n = graph_.vertex_count();
  Block q(n, 1), before(n, 1), product(n, 1);
  Rng rng = run.rng(static_cast<std::uint64_t>(g));
  for (const VertexId v : members) q(v, 0) = rng.normal();
  const auto inner = [&](const Block& x, const Block& y) {
    return groups_.sum_over(g, threads_, [&](VertexId v) { return x(v, 0) * y(v, 0); });
  };
  const Columns mean = means(g, q);
  for_rows(g, [&](VertexId v) { q(v, 0) -= mean[0]; });
  double length = std::sqrt(inner(q, q));
  std::vector<double> diagonal;
  std::vector<double> beside;
  double estimate = 0.0;
  const std::size_t most = std::min<std::size_t>(members.size(), 1000);
  for (std::size_t step = 1; step <= most; ++step) {
    run.throw_if_stopped("centered-kernel", "before the norm of the similarities was known");
    for_rows(g, [&](VertexId v) { q(v, 0) /= length; });
    apply(g, q, product);
    diagonal.push_back(inner(q, product));
    const double beta = beside.empty() ? 0.0 : beside.back();
    for_rows(g, [&](VertexId v) {
      const double next = product(v, 0) - diagonal.back() * q(v, 0) - beta * before(v, 0);
      before(v, 0) = q(v, 0);
      q(v, 0) = next;
    });
    length = std::sqrt(inner(q, q));
    const bool exhausted = step == most || !(length > 1e-14 * groups_.largest_degree(g));
    if (exhausted || step % 10 == 0) {
      const double value = tridiagonal_norm(diagonal, beside);
      if (exhausted || value - estimate <= 1e-13 * value) return value;
      estimate = value;
    }
    beside.push_back(length);
  }
  return estimate;
}

// (α I − Ŵ_uu) on the free rows; given rows stay 0.
class System {
 public:
  System(const CenteredWeights& weights, const detail::LabelGroups& groups,
         std::vector<double> alpha, const std::vector<char>& given)
      : weights_(weights), groups_(groups), alpha_(std::move(alpha)), given_(given) {}

  void apply(const Block& x, Block& y) const {
    for (int g = 0; g < groups_.count(); ++g) {
      weights_.apply(g, x, y);
      weights_.for_rows(g, [&](VertexId v) {
        const std::span<double> row = y.row(v);
        for (std::size_t k = 0; k < row.size(); ++k)
          row[k] = given_[static_cast<std::size_t>(v)] != 0
                       ? 0.0
                       : alpha_[static_cast<std::size_t>(g)] * x.row(v)[k] - row[k];
      });
    }
  }

 private:
  const CenteredWeights& weights_;
  const detail::LabelGroups& groups_;
  std::vector<double> alpha_;
  const std::vector<char>& given_;
};

Columns inner_products(const Block& x, const Block& y, int threads) {
  return blocked_sum(x.rows(), threads,
                     [&](std::int64_t begin, std::int64_t end) {
                       ColumnSum sum{Columns(static_cast<std::size_t>(x.columns()), 0.0)};
                       for (std::int64_t v = begin; v < end; ++v)
                         for (std::size_t k = 0; k < sum.values.size(); ++k)
                           sum.values[k] += x.row(v)[k] * y.row(v)[k];
                       return sum;
                     })
      .values;
}

// x += factor·y in every column.
void add(Block& x, const Columns& factor, const Block& y, int threads) {
  parallel_blocks(x.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v)
      for (std::size_t k = 0; k < factor.size(); ++k) x.row(v)[k] += factor[k] * y.row(v)[k];
  });
}

// Of the squares of residuals, by those of the right-hand sides.
double worst_share(const Columns& squared, const Columns& given) {
  return std::sqrt(worst_ratio(squared, given));
}

// Conjugate gradients, all columns side by side; a column that is done stands still.
SolveReport conjugate_gradients(const System& system, const Block& b, Block& x, double tolerance,
                                std::int64_t max_iterations, const RunContext& run) {
  const int threads = run.thread_count();
  SolveReport report;
  report.requested = report.used = "cg";
  report.outcome = Outcome::iteration_limit;
  const Columns norm = inner_products(b, b, threads);
  Block r = b;
  Block p = b;
  Block product(b.rows(), b.columns());
  Columns rr = norm;
  while (true) {
    if (worst_share(rr, norm) <= 0.5 * tolerance) break;
    if (const auto why = run.stop()) {
      report.outcome = *why;
      break;
    }
    if (report.iterations == max_iterations) break;
    system.apply(p, product);
    const Columns pap = inner_products(p, product, threads);
    Columns step(rr.size(), 0.0);
    for (std::size_t k = 0; k < step.size(); ++k)
      if (rr[k] > 0.25 * tolerance * tolerance * norm[k] && pap[k] > 0.0) step[k] = rr[k] / pap[k];
    add(x, step, p, threads);
    for (double& value : step) value = -value;
    add(r, step, product, threads);
    const Columns next = inner_products(r, r, threads);
    parallel_blocks(p.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t v = begin; v < end; ++v)
        for (std::size_t k = 0; k < next.size(); ++k)
          if (step[k] != 0.0) p.row(v)[k] = r.row(v)[k] + next[k] / rr[k] * p.row(v)[k];
    });
    rr = next;
    ++report.iterations;
    run.report_progress("centered kernel", std::log(worst_share(rr, norm)) / std::log(tolerance));
  }
  system.apply(x, product);
  r = b;
  add(r, Columns(rr.size(), -1.0), product, threads);
  report.relative_residual = worst_share(inner_products(r, r, threads), norm);
  if (report.relative_residual <= tolerance) report.outcome = Outcome::converged;
  report.sentence =
      "conjugate gradients on centered similarities: " + std::string(to_string(report.outcome)) +
      " after " + std::to_string(report.iterations) + " iterations, relative residual " +
      to_brief_text(*report.relative_residual);
  return report;
}

const OptionBinding<CenteredKernelOptions>& centered_kernel_binding() {
  static const auto options = OptionBinding<CenteredKernelOptions>("centered-kernel")
                                  .real(&CenteredKernelOptions::alpha, "alpha",
                                        {.low = 1.0, .low_open = true, .high_open = true},
                                        "in units of the norm of the centered weights; the closer "
                                        "to 1 the further labels reach")
                                  .real(&CenteredKernelOptions::tolerance, "tolerance",
                                        detail::open_unit, "relative residual to reach")
                                  .integer(&CenteredKernelOptions::max_iterations, "max_iterations",
                                           {.low = 0}, "iteration limit; 0: 10 n + 1000")
                                  .with(detail::rescaling_group);
  return options;
}

}  // namespace

void CenteredKernelOptions::validate() const { centered_kernel_binding().validate(*this); }

CenteredKernelLearner::CenteredKernelLearner(CenteredKernelOptions options)
    : options_(std::move(options)) {
  options_.validate();
}

Fit CenteredKernelLearner::fit(const Graph& graph, const LabeledSet& labeled,
                               const RunContext& run) const {
  detail::check_problem("centered-kernel", graph, labeled, detail::Regression::unsupported);
  detail::check_mass("centered-kernel", options_.mass, options_.priors, labeled);
  Report report;
  const Stopwatch setup;
  const int threads = run.thread_count();
  const VertexId n = graph.vertex_count();
  const detail::LabelGroups groups(graph, labeled, threads);
  const CenteredWeights weights(graph, groups, threads);
  std::vector<double> alpha;
  alpha.reserve(static_cast<std::size_t>(groups.count()));
  for (int g = 0; g < groups.count(); ++g) alpha.push_back(options_.alpha * weights.norm(g, run));

  Block centered(n, labeled.class_count());
  std::vector<char> given(static_cast<std::size_t>(n), 0);
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    const VertexId v = labeled.vertices()[i];
    const int g = groups.of(v);
    given[static_cast<std::size_t>(v)] = 1;
    for (int k = 0; k < labeled.class_count(); ++k)
      centered(v, k) = (labeled.class_of()[i] == k ? 1.0 : 0.0) -
                       groups.label_count(g, k) / groups.label_count(g);
  }
  Block b(n, labeled.class_count());
  for (int g = 0; g < groups.count(); ++g) weights.apply(g, centered, b);
  for (const VertexId v : labeled.vertices()) std::ranges::fill(b.row(v), 0.0);
  report.setup_seconds = setup.seconds();

  const Stopwatch solving;
  Block scores(n, labeled.class_count());
  const std::int64_t limit = options_.max_iterations > 0 ? options_.max_iterations
                                                         : 10 * static_cast<std::int64_t>(n) + 1000;
  take_solve(report, conjugate_gradients(System(weights, groups, alpha, given), b, scores,
                                         options_.tolerance, limit, run));
  report.certificates.push_back({"alpha", std::move(alpha)});
  detail::positive_shares(groups, scores, threads);
  detail::set_given_rows(scores, labeled, run.thread_count());
  report.solve_seconds = solving.seconds();
  Fit fit =
      detail::finish_fit(std::move(scores), detail::vertex_status(n, labeled, groups.unreached()),
                         labeled, detail::GivenLabels::hard, std::move(report));
  detail::rescale_mass(fit, labeled, options_.mass, options_.priors, run);
  return fit;
}

LearnerEntry centered_kernel_entry() {
  LearnerEntry entry;
  entry.name = "centered-kernel";
  entry.summary = "similarities less their mean: for high dimension and few labels";
  entry.reference =
      "X. Mai, R. Couillet. Consistent semi-supervised graph regularization for high dimensional "
      "data. JMLR 22(94), 2021, doi:10.48550/arXiv.2006.07575";
  entry.options = centered_kernel_binding().table();
  entry.make_transductive = [](const OptionValues& values) {
    return std::make_unique<CenteredKernelLearner>(centered_kernel_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
