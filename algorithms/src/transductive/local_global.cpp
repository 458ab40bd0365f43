#include "gssl/transductive/local_global.hpp"

#include <algorithm>
#include <cmath>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/stopwatch.hpp"
#include "support/fit_support.hpp"
#include "transductive/support/learner_options.hpp"

namespace gssl {

void LocalGlobalOptions::validate() const {
  if (!(alpha > 0.0 && alpha < 1.0)) {
    throw Error(ErrorCode::usage,
                "local-global: option alpha=" + to_text(alpha) + ": must be a number in (0, 1)");
  }
  detail::check_priors("local-global", mass, priors);
  detail::solver_options(*this).validate();
}

LocalGlobalLearner::LocalGlobalLearner(LocalGlobalOptions options) : options_(std::move(options)) {
  options_.validate();
}

Fit LocalGlobalLearner::fit(const Graph& graph, const LabeledSet& labeled,
                            const RunContext& run) const {
  detail::check_problem("local-global", graph, labeled, detail::Regression::unsupported);
  detail::check_mass("local-global", options_.mass, options_.priors, labeled);
  Report report;
  const Stopwatch setup;
  const VertexId n = graph.vertex_count();
  const std::int64_t classes = labeled.class_count();
  const double beta = (1.0 - options_.alpha) / options_.alpha;

  std::vector<double> root_degree(static_cast<std::size_t>(n));
  std::vector<double> ground(static_cast<std::size_t>(n));
  for (VertexId v = 0; v < n; ++v) {
    const double degree = graph.weighted_degree(v);
    root_degree[static_cast<std::size_t>(v)] = std::sqrt(degree);
    ground[static_cast<std::size_t>(v)] = beta * degree;
  }
  Block b(n, classes);
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    const VertexId v = labeled.vertices()[i];
    b(v, labeled.class_of()[i]) = beta * root_degree[static_cast<std::size_t>(v)];
  }
  GroundedLaplacian system(std::make_shared<const Graph>(graph), std::move(ground));
  const std::vector<VertexId> unreached = detail::unreached_vertices(system.components(), labeled);
  report.setup_seconds = setup.seconds();

  Block scores = detail::solve(std::move(system), b, detail::solver_options(options_), run, report);
  for (VertexId v = 0; v < n; ++v)
    for (double& score : scores.row(v))  // F ≥ 0; an early stop may undershoot
      score = std::max(0.0, score * root_degree[static_cast<std::size_t>(v)]);
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    const VertexId v = labeled.vertices()[i];
    if (graph.degree(v) == 0) scores(v, labeled.class_of()[i]) = 1.0 - options_.alpha;
  }
  Fit fit = detail::finish_fit(std::move(scores), detail::vertex_status(n, labeled, unreached),
                               labeled, detail::GivenLabels::soft, std::move(report));
  detail::rescale_mass(fit, labeled, options_.mass, options_.priors, run);
  return fit;
}

LearnerEntry local_global_entry() {
  LearnerEntry entry;
  entry.name = "local-global";
  entry.summary =
      "labels spread by the normalized adjacency and are pulled back to the given ones, which may "
      "yet lose";
  entry.reference =
      "D. Zhou, O. Bousquet, T. N. Lal, J. Weston, B. Schoelkopf. Learning with local and global "
      "consistency. NIPS 16, 2003, 321-328";
  entry.options.real("alpha", 0.99, {.low = 0.0, .high = 1.0, .low_open = true, .high_open = true},
                     "share of a score that comes from the neighbors");
  detail::add_rescaling_and_solver_options(entry.options);
  entry.traits.keeps_given = false;
  entry.make_transductive = [](const OptionValues& values) {
    LocalGlobalOptions options;
    options.alpha = values.real("alpha");
    detail::read_mass_options("local-global", values, options);
    detail::read_solver_options(values, options);
    return std::make_unique<LocalGlobalLearner>(options);
  };
  return entry;
}

}  // namespace gssl
