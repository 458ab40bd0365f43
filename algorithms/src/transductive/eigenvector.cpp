#include "gssl/transductive/eigenvector.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "gssl/core/stopwatch.hpp"
#include "gssl/graph/components.hpp"
#include "support/check_problem.hpp"
#include "support/finish_fit.hpp"
#include "support/vertex_status.hpp"
#include "transductive/support/basis_fit.hpp"
#include "transductive/support/learner_options.hpp"

namespace gssl {
namespace {

// Eigenvalues this near, relative, are copies of one; dense and iterated ones agree better.
constexpr double copies_apart = 1e-6;

// How many of the pairs to use: k, or fewer where value k + 1 is a copy of the last ones.
std::int64_t whole_eigenspaces(const std::vector<double>& values, int k) {
  auto used = std::min<std::int64_t>(k, static_cast<std::int64_t>(values.size()));
  if (static_cast<std::size_t>(used) == values.size()) return used;
  const double next = values[static_cast<std::size_t>(used)];
  while (used > 1 && next - values[static_cast<std::size_t>(used) - 1] <= copies_apart * next)
    --used;
  return used;
}

// The labels of one component.
struct ComponentLabels {
  std::vector<std::int64_t> rows;
  std::vector<std::size_t> number;  // in the labeled set
};

// Components that use fewer pairs than k.
struct Fewer {
  std::int64_t components = 0;
  std::int64_t least = 0;  // pairs

  void add(std::int64_t used) {
    least = components == 0 ? used : std::min(least, used);
    ++components;
  }
  std::string words(int k) const {
    const std::string where =
        components == 1 ? "" : " in " + std::to_string(components) + " components";
    return "eigenvector: eigenvalue k = " + std::to_string(k) + " has copies beyond it" + where +
           "; all are left out, and " + (components == 1 ? "" : "at least ") +
           std::to_string(least) + (least == 1 ? " eigenvector is used" : " eigenvectors are used");
  }
};

void merge(Report& report, const Spectrum& spectrum) {
  Ending& ending = report;
  if (ending.outcome == Outcome::converged) ending.outcome = spectrum.outcome;
  ending.iterations += spectrum.steps;
  if (ending.used.empty()) {
    ending.requested = spectrum.requested;
    ending.used = spectrum.used;
    ending.sentence = spectrum.sentence;
  }
  std::vector<double>& residuals = report.certificates.front().values;
  for (const double r : spectrum.residuals) {
    residuals.push_back(r);
    std::optional<double>& worst = report.system_numbers().relative_residual;
    worst = std::max(worst, std::optional(r));
  }
}

const OptionBinding<EigenvectorOptions>& eigenvector_binding() {
  static const auto options =
      OptionBinding<EigenvectorOptions>("eigenvector")
          .integer(&EigenvectorOptions::k, "k", {.low = 1, .high = 1'000'000},
                   "eigenvectors of each component, the constant one included")
          .real(&EigenvectorOptions::weight, "weight", detail::positive,
                "c of the penalty c d (u-y)^2 on given labels, d the weighted degree")
          .choice(&EigenvectorOptions::method, "solver", "how eigenpairs are found")
          .real(&EigenvectorOptions::tolerance, "tolerance", detail::open_unit,
                "residual of a good eigenpair");
  return options;
}

}  // namespace

// A program may ask for more than there are; the limit is of what is typed.
void EigenvectorOptions::validate() const {
  EigenvectorOptions typed = *this;
  typed.k = std::min(k, 1'000'000);
  eigenvector_binding().validate(typed);
}

EigenvectorLearner::EigenvectorLearner(EigenvectorOptions options) : options_(options) {
  options_.validate();
}

Fit EigenvectorLearner::fit(const Graph& graph, const LabeledSet& labeled,
                            const RunContext& run) const {
  detail::check_problem("eigenvector", graph, labeled, detail::Regression::unsupported);
  const Components components = connected_components(graph);
  const Block targets = labeled.target_block();
  std::vector<ComponentLabels> labels(static_cast<std::size_t>(components.count));
  for (std::size_t i = 0; i < labeled.size(); ++i)
    labels[static_cast<std::size_t>(components.of[static_cast<std::size_t>(labeled.vertices()[i])])]
        .number.push_back(i);

  Report report;
  report.certificates = {{"residuals", {}}};
  Block scores;
  Fewer fewer;
  const ComponentGraphs parts(graph, components);
  for (VertexId k = 0; k < components.count; ++k) {
    ComponentLabels& local = labels[static_cast<std::size_t>(k)];
    if (local.number.empty()) continue;
    const ComponentGraph part = parts[k];
    const Stopwatch setup;
    const VertexId n = part.graph.vertex_count();
    Spectrum spectrum = smallest_eigenpairs(part.graph,
                                            {.count = std::min(options_.k, n) + 1,
                                             .kind = LaplacianKind::random_walk,
                                             .tolerance = options_.tolerance,
                                             .method = options_.method},
                                            run);
    report.setup_seconds += setup.seconds();
    merge(report, spectrum);
    run.throw_if_stopped("eigenvector", "before its eigenpairs were found");

    const Stopwatch solve;
    const std::int64_t used = whole_eigenspaces(spectrum.values, options_.k);
    if (used < std::min(options_.k, n)) fewer.add(used);
    spectrum.values.resize(static_cast<std::size_t>(used));
    std::vector<double> weight;
    Block given(static_cast<std::int64_t>(local.number.size()), targets.columns());
    for (std::size_t i = 0; i < local.number.size(); ++i) {
      const VertexId vertex = labeled.vertices()[local.number[i]];
      const auto row = std::ranges::lower_bound(part.vertices, vertex) - part.vertices.begin();
      local.rows.push_back(row);
      const double degree = part.graph.weighted_degree(static_cast<VertexId>(row));
      weight.push_back(options_.weight * (degree > 0.0 ? degree : 1.0));
      std::ranges::copy(targets.row(static_cast<std::int64_t>(local.number[i])),
                        given.row(static_cast<std::int64_t>(i)).begin());
    }
    if (scores.rows() == 0) scores = Block(graph.vertex_count(), labeled.class_count());
    detail::fit_in_basis(spectrum.vectors, spectrum.values, local.rows, weight, given,
                         run.thread_count(), scores, part.vertices,
                         [&] { return run.should_stop(); });
    run.throw_if_stopped("eigenvector", "before it was fitted to the labels");
    report.solve_seconds += solve.seconds();
  }
  if (fewer.components > 0) report.warnings.push_back(fewer.words(options_.k));
  return detail::finish_fit(std::move(scores),
                            detail::vertex_status(graph.vertex_count(), labeled,
                                                  detail::unreached_vertices(components, labeled)),
                            labeled, detail::GivenLabels::soft, std::move(report));
}

LearnerEntry eigenvector_entry() {
  LearnerEntry entry;
  entry.name = "eigenvector";
  entry.summary = "the smoothest fit to the labels in the span of the k smoothest eigenvectors";
  entry.reference =
      "M. Belkin, P. Niyogi. Semi-supervised learning on Riemannian manifolds. Machine Learning "
      "56, 2004, doi:10.1023/B:MACH.0000033120.25363.1e";
  entry.options = eigenvector_binding().table();
  entry.traits.keeps_given = false;
  entry.make_transductive = [](const OptionValues& values) {
    return std::make_unique<EigenvectorLearner>(eigenvector_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
