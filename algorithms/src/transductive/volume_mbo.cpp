#include "gssl/transductive/volume_mbo.hpp"

#include <functional>
#include <utility>

#include "gssl/core/stopwatch.hpp"
#include "support/check_problem.hpp"
#include "support/given_rows.hpp"
#include "support/unfinished.hpp"
#include "transductive/partition/least_cut.hpp"
#include "transductive/support/implicit_diffusion.hpp"
#include "transductive/support/learner_options.hpp"
#include "transductive/support/poisson_source.hpp"
#include "transductive/support/uneven_labels.hpp"

namespace gssl {

namespace {

const OptionBinding<VolumeMboOptions>& volume_mbo_binding() {
  static const auto options =
      OptionBinding<VolumeMboOptions>("volume-mbo")
          .real(&VolumeMboOptions::time, "time", detail::positive,
                "diffusion time, in units of 1/(mean degree)")
          .integer(&VolumeMboOptions::steps, "steps", {.low = 1}, "limit of thresholds")
          .real(&VolumeMboOptions::slack, "slack", {.low = 0.0, .high = 1.0},
                "how far volumes may be off, relative")
          .with(detail::mass_group("class volumes: free (none), as the labels (cmn) or given ones"))
          .with(detail::solver_group);
  return options;
}

// Memberships after one step of heat, class by class; rows sum to one.
class Diffused {
 public:
  Diffused(const detail::LabelGroups& groups, const std::vector<double>& ground,
           detail::ImplicitDiffusion& diffusion, VertexId n, std::int64_t classes,
           const RunContext& run)
      : groups_(groups), ground_(ground), diffusion_(diffusion), run_(run) {
    for (Block* block : {&b_, &solved_}) {
      run.throw_if_stopped("volume-mbo", "before it began");
      *block = Block(n, classes - 1);
    }
    run.throw_if_stopped("volume-mbo", "before it began");
  }

  void operator()(const Block& x, Block& value) {
    const int threads = run_.thread_count();
    groups_.for_members(threads, [&](VertexId v) {
      for (std::int64_t k = 0; k < b_.columns(); ++k)
        b_(v, k) = ground_[static_cast<std::size_t>(v)] * x(v, k);
    });
    diffusion_.solve(b_, solved_, true);  // from the step before: ever fewer rows change
    if (run_.should_stop()) return;
    if (value.rows() == 0) value = Block(b_.rows(), b_.columns() + 1);
    groups_.for_members(threads, [&](VertexId v) {  // memberships and A 1 = 1: rows sum to one
      double rest = 1.0;
      for (std::int64_t k = 0; k < b_.columns(); ++k) rest -= value(v, k) = solved_(v, k);
      value(v, b_.columns()) = rest;
    });
  }

 private:
  const detail::LabelGroups& groups_;
  const std::vector<double>& ground_;
  detail::ImplicitDiffusion& diffusion_;
  const RunContext& run_;
  Block b_, solved_;
};

}  // namespace

void VolumeMboOptions::validate() const { volume_mbo_binding().validate(*this); }

VolumeMboLearner::VolumeMboLearner(VolumeMboOptions options) : options_(std::move(options)) {
  options_.validate();
}

Fit VolumeMboLearner::fit(const Graph& graph, const LabeledSet& labeled,
                          const RunContext& run) const {
  detail::check_problem("volume-mbo", graph, labeled, detail::Regression::unsupported);
  detail::check_mass("volume-mbo", options_.mass, options_.priors, labeled);
  Report report;
  const Stopwatch setup;
  const int threads = run.thread_count();
  const VertexId n = graph.vertex_count();
  const std::int64_t classes = labeled.class_count();
  const detail::LabelGroups groups(graph, labeled, threads);
  // (L + d̄/τ) Ψ = d̄/τ X; components with no label have no ground and a right side of 0.
  std::vector<double> ground(static_cast<std::size_t>(n), 0.0);
  groups.for_members(threads, [&](VertexId v) {
    ground[static_cast<std::size_t>(v)] = groups.mean_degree(groups.of(v)) / options_.time;
  });
  detail::ImplicitDiffusion diffusion(
      GroundedLaplacian(std::make_shared<const Graph>(graph), ground),
      detail::solver_options(options_), classes - 1, run);
  report.setup_seconds = setup.seconds();

  const Stopwatch solving;
  const Block volumes = detail::volumes_for(groups, options_.mass, options_.priors);
  detail::warn_of_uneven_labels(labeled, options_.mass, report);
  std::vector<char> given(static_cast<std::size_t>(n), 0);
  for (const VertexId v : labeled.vertices()) given[static_cast<std::size_t>(v)] = 1;
  Diffused diffuse(groups, ground, diffusion, n, classes, run);
  const auto cells = [&] {
    return detail::cells_around_labels(graph, groups, labeled, volumes, run);
  };
  // As Poisson learning divides the vertices at prices that meet the volumes.
  const auto currents = [&] {
    Report start_report;
    const Block potentials = detail::poisson_potentials(
        "volume-mbo", graph, groups, labeled, detail::solver_options(options_), run, start_report);
    Block start(n, classes);
    detail::set_given_rows(start, labeled, run.thread_count());
    return detail::assign(groups, potentials, volumes, given, start, run);
  };
  const detail::ClassPartition partition = detail::least_cut_dynamics(
      graph, groups, std::ref(diffuse), Block(n, classes), {cells, currents}, volumes, given,
      {.learner = "volume-mbo", .max_iterations = options_.steps, .slack = options_.slack}, run,
      report);
  take_solve(report, diffusion.report());
  detail::report_partition(partition, report);
  report.solve_seconds = solving.seconds();
  return detail::fit_partition(groups, partition, labeled, detail::GivenLabels::hard,
                               std::move(report), threads);
}

LearnerEntry volume_mbo_entry() {
  LearnerEntry entry;
  entry.name = "volume-mbo";
  entry.summary = "the partition of little cut that gives each class its share of the vertices";
  entry.reference =
      "M. Jacobs, E. Merkurjev, S. Esedoglu. Auction dynamics: a volume constrained MBO scheme. "
      "J. Comput. Phys. 354, 2018, 288-310, doi:10.1016/j.jcp.2017.10.036";
  entry.options = volume_mbo_binding().table();
  entry.make_transductive = [](const OptionValues& values) {
    return std::make_unique<VolumeMboLearner>(volume_mbo_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
