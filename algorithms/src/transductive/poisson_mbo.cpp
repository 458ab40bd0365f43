#include "gssl/transductive/poisson_mbo.hpp"

#include "gssl/core/parallel.hpp"
#include "gssl/core/stopwatch.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"
#include "support/check_problem.hpp"
#include "support/unfinished.hpp"
#include "transductive/partition/least_cut.hpp"
#include "transductive/support/learner_options.hpp"
#include "transductive/support/poisson_source.hpp"
#include "transductive/support/uneven_labels.hpp"

namespace gssl {

namespace {

// `heat` explicit steps in place; fewer when stopped, which the dynamics notice too.
void diffuse(const GroundedLaplacian& laplacian, const detail::LabelGroups& groups,
             const Block& source, const PoissonMboOptions& options, const RunContext& run, Block& u,
             Block& product) {
  const int threads = run.thread_count();
  for (int step = 0; step < options.heat && !run.should_stop(); ++step) {
    parallel_blocks(u.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
      if (!run.should_stop())
        laplacian.apply_rows(u.data(), product.data(), u.columns(), begin, end);
    });
    groups.for_members(threads, [&](VertexId v) {
      const int g = groups.of(v);
      const double dt = 1.0 / groups.largest_degree(g);
      const double pull = options.fidelity * groups.mean_degree(g);
      double* row = u.row(v).data();
      const double* flow = product.row(v).data();
      const double* from = source.row(v).data();
      for (std::int64_t k = 0; k < u.columns(); ++k) row[k] -= dt * (flow[k] - pull * from[k]);
    });
  }
}

const OptionBinding<PoissonMboOptions>& poisson_mbo_binding() {
  static const auto options =
      OptionBinding<PoissonMboOptions>("poisson-mbo")
          .integer(&PoissonMboOptions::heat, "heat", {.low = 1, .high = 10000},
                   "heat steps between two thresholds")
          .real(&PoissonMboOptions::fidelity, "fidelity", detail::not_negative,
                "strength of the labels")
          .integer(&PoissonMboOptions::steps, "steps", {.low = 1}, "limit of thresholds")
          .real(&PoissonMboOptions::slack, "slack", {.low = 0.0, .high = 1.0},
                "how far volumes may be off, relative")
          .with(detail::mass_group("class volumes: free (none), as the labels (cmn) or given ones"))
          .with(detail::solver_group);
  return options;
}

}  // namespace

void PoissonMboOptions::validate() const { poisson_mbo_binding().validate(*this); }

PoissonMboLearner::PoissonMboLearner(PoissonMboOptions options) : options_(std::move(options)) {
  options_.validate();
}

Fit PoissonMboLearner::fit(const Graph& graph, const LabeledSet& labeled,
                           const RunContext& run) const {
  detail::check_problem("poisson-mbo", graph, labeled, detail::Regression::unsupported);
  detail::check_mass("poisson-mbo", options_.mass, options_.priors, labeled);
  Report report;
  const Stopwatch setup;
  const int threads = run.thread_count();
  const VertexId n = graph.vertex_count();
  const detail::LabelGroups groups(graph, labeled, threads);
  report.setup_seconds = setup.seconds();
  Block start = detail::poisson_potentials("poisson-mbo", graph, groups, labeled,
                                           detail::solver_options(options_), run, report);
  const auto look_at_clock = [&] { run.throw_if_stopped("poisson-mbo", "before it began"); };
  look_at_clock();
  const Stopwatch solving;
  detail::positive_shares(groups, start, threads);
  look_at_clock();
  const std::vector<char> none(static_cast<std::size_t>(n), 0);
  start = detail::assign(groups, start, {}, none, Block(n, labeled.class_count()), run);

  look_at_clock();
  const Block source = detail::poisson_source(groups, labeled, n);
  const Block volumes = detail::volumes_for(groups, options_.mass, options_.priors);
  detail::warn_of_uneven_labels(labeled, options_.mass, report);
  const GroundedLaplacian laplacian(std::make_shared<const Graph>(graph), {});
  look_at_clock();
  Block product(n, labeled.class_count());
  look_at_clock();
  Block offset(n, labeled.class_count());
  diffuse(laplacian, groups, source, options_, run, offset, product);
  look_at_clock();
  const detail::ClassPartition partition = detail::least_cut_dynamics(
      graph, groups,
      [&](const Block& x, Block& value) {
        if (run.should_stop()) return;
        value = x;
        diffuse(laplacian, groups, source, options_, run, value, product);
      },
      offset,
      {[&] { return std::move(start); },
       [&] { return detail::cells_around_labels(graph, groups, labeled, volumes, run); }},
      volumes, none,
      {.learner = "poisson-mbo", .max_iterations = options_.steps, .slack = options_.slack}, run,
      report);
  if (const auto residual = report.relative_residual())
    report.certificates.push_back({"start_residual", {*residual}});
  detail::report_partition(partition, report);
  report.solve_seconds += solving.seconds();
  return detail::fit_partition(groups, partition, labeled, detail::GivenLabels::soft,
                               std::move(report), threads);
}

LearnerEntry poisson_mbo_entry() {
  LearnerEntry entry;
  entry.name = "poisson-mbo";
  entry.summary = "Poisson learning sharpened to a partition with given class sizes";
  entry.reference =
      "J. Calder, B. Cook, M. Thorpe, D. Slepcev. Poisson learning: graph based semi-supervised "
      "learning at very low label rates. ICML 2020, PMLR 119:1306-1316, "
      "doi:10.48550/arXiv.2006.11184";
  entry.options = poisson_mbo_binding().table();
  entry.traits.keeps_given = false;
  entry.make_transductive = [](const OptionValues& values) {
    return std::make_unique<PoissonMboLearner>(poisson_mbo_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
