#include "gssl/transductive/modularity_mbo.hpp"

#include "gssl/core/stopwatch.hpp"
#include "support/check_problem.hpp"
#include "support/unfinished.hpp"
#include "transductive/partition/threshold_dynamics.hpp"
#include "transductive/support/implicit_diffusion.hpp"
#include "transductive/support/learner_options.hpp"
#include "transductive/support/rescale_mass.hpp"

namespace gssl {

namespace {

// (B + Σ_g c_g k kᵀ)⁻¹ with B a grounded Laplacian and k the degrees on group g: Sherman–Morrison,
// group by group.
class BalancedDiffusion {
 public:
  BalancedDiffusion(const Graph& graph, const detail::LabelGroups& groups,
                    std::vector<double> ground, const ModularityMboOptions& options,
                    std::int64_t columns, const RunContext& run)
      : groups_(groups),
        run_(run),
        threads_(run.thread_count()),
        solver_(GroundedLaplacian(std::make_shared<const Graph>(graph), std::move(ground)),
                detail::solver_options(options), columns, run) {
    Block degrees(graph.vertex_count(), 1);
    groups.for_members(threads_, [&](VertexId v) { degrees(v, 0) = degree(v); });
    solver_.solve(degrees, response_);
    for (int g = 0; g < groups.count() && !run.should_stop(); ++g) {
      const double total = groups.mean_degree(g) * static_cast<double>(groups.members(g).size());
      const double c = 2.0 * options.resolution / total;
      factor_.push_back(c / (1.0 + c * moments(g, response_).front()));
    }
  }

  void solve(const Block& b, Block& x) {
    solver_.solve(b, x);
    for (std::size_t g = 0; g < factor_.size() && !run_.should_stop(); ++g) {
      const std::span<const VertexId> members = groups_.members(static_cast<int>(g));
      std::vector<double> lift = moments(static_cast<int>(g), x);
      for (double& value : lift) value *= factor_[g];
      parallel_blocks(std::ssize(members), threads_, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          const VertexId v = members[static_cast<std::size_t>(i)];
          const std::span<double> row = x.row(v);
          for (std::size_t k = 0; k < row.size(); ++k) row[k] -= lift[k] * response_(v, 0);
        }
      });
    }
  }

  const SolveReport& report() const { return solver_.report(); }

 private:
  double degree(VertexId v) const { return groups_.degrees()[static_cast<std::size_t>(v)]; }
  // kᵀx of each column.
  std::vector<double> moments(int g, const Block& x) const {
    return detail::class_volumes(x, groups_.members(g), threads_, groups_.degrees());
  }

  const detail::LabelGroups& groups_;
  const RunContext& run_;
  int threads_;
  detail::ImplicitDiffusion solver_;
  Block response_;  // B⁻¹k
  std::vector<double> factor_;
};

const OptionBinding<ModularityMboOptions>& modularity_mbo_binding() {
  static const auto options =
      OptionBinding<ModularityMboOptions>("modularity-mbo")
          .real(&ModularityMboOptions::resolution, "resolution", detail::not_negative,
                "gamma: how alike class volumes are")
          .real(&ModularityMboOptions::time, "time", detail::positive,
                "diffusion time, in units of 1/(mean degree)")
          .real(&ModularityMboOptions::fidelity, "fidelity", detail::positive,
                "strength of the labels, in units of the mean degree")
          .integer(&ModularityMboOptions::steps, "steps", {.low = 1}, "limit of thresholds")
          .with(detail::rescaling_group)
          .with(detail::solver_group);
  return options;
}

}  // namespace

void ModularityMboOptions::validate() const { modularity_mbo_binding().validate(*this); }

ModularityMboLearner::ModularityMboLearner(ModularityMboOptions options)
    : options_(std::move(options)) {
  options_.validate();
}

Fit ModularityMboLearner::fit(const Graph& graph, const LabeledSet& labeled,
                              const RunContext& run) const {
  detail::check_problem("modularity-mbo", graph, labeled, detail::Regression::unsupported);
  detail::check_mass("modularity-mbo", options_.mass, options_.priors, labeled);
  Report report;
  const Stopwatch setup;
  const int threads = run.thread_count();
  const VertexId n = graph.vertex_count();
  const std::int64_t classes = labeled.class_count();
  const detail::LabelGroups groups(graph, labeled, threads);
  // Divided by τ/d̄: (L + (γ/m) kkᵀ + d̄/τ + d̄λ J) Ψ = d̄/τ X + d̄λ J Y.
  std::vector<double> weight(static_cast<std::size_t>(n), 0.0);
  groups.for_members(threads, [&](VertexId v) {
    weight[static_cast<std::size_t>(v)] = groups.mean_degree(groups.of(v)) / options_.time;
  });
  std::vector<double> ground = weight;
  Block pull(n, classes);
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    const VertexId v = labeled.vertices()[i];
    const double strength = options_.fidelity * groups.mean_degree(groups.of(v));
    ground[static_cast<std::size_t>(v)] += strength;
    pull(v, labeled.class_of()[i]) = strength;
  }
  BalancedDiffusion diffusion(graph, groups, std::move(ground), options_, classes, run);
  run.throw_if_stopped("modularity-mbo", "before it began");
  report.setup_seconds = setup.seconds();

  const Stopwatch solving;
  // The energy is that of the symmetric A = d̄/τ (…)⁻¹; its factor d̄/τ stands with Ψ as it is.
  Block offset(n, classes);
  diffusion.solve(pull, offset);
  run.throw_if_stopped("modularity-mbo", "before it began");
  Block b(n, classes);
  const detail::ClassPartition partition = detail::threshold_dynamics(
      groups,
      [&](const Block& x, Block& value) {
        groups.for_members(threads, [&](VertexId v) {
          for (std::int64_t k = 0; k < classes; ++k)
            b(v, k) = weight[static_cast<std::size_t>(v)] * x(v, k) + pull(v, k);
        });
        diffusion.solve(b, value);
      },
      offset, detail::cells_around_labels(graph, groups, labeled, {}, run), {},
      std::vector<char>(static_cast<std::size_t>(n), 0),
      {.learner = "modularity-mbo", .max_iterations = options_.steps}, run);
  take_solve(report, diffusion.report());
  detail::report_partition(partition, report);
  report.solve_seconds = solving.seconds();
  Fit fit = detail::fit_partition(groups, partition, labeled, detail::GivenLabels::soft,
                                  std::move(report), threads);
  detail::rescale_mass(fit, labeled, options_.mass, options_.priors, run);
  return fit;
}

LearnerEntry modularity_mbo_entry() {
  LearnerEntry entry;
  entry.name = "modularity-mbo";
  entry.summary = "the partition of large modularity that respects the given labels";
  entry.reference =
      "H. Hu, T. Laurent, M. A. Porter, A. L. Bertozzi. A method based on total variation for "
      "network modularity optimization using the MBO scheme. SIAM J. Appl. Math. 73(6), 2013, "
      "doi:10.1137/130917387; Z. M. Boyd, E. Bae, X.-C. Tai, A. L. Bertozzi. SIAM J. Appl. Math. "
      "78(5), 2018, doi:10.1137/17M1138972";
  entry.options = modularity_mbo_binding().table();
  entry.traits.keeps_given = false;
  entry.make_transductive = [](const OptionValues& values) {
    return std::make_unique<ModularityMboLearner>(modularity_mbo_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
