#include "gssl/cluster/spectral.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <string>
#include <utility>

#include "adjacency_pairs.hpp"
#include "embedding_split.hpp"
#include "gssl/cluster/k_means.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/option_binding.hpp"
#include "gssl/core/stopwatch.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/graph/ground_vertex.hpp"

namespace gssl {
namespace {

LaplacianKind kind_of(SpectralVariant variant) {
  switch (variant) {
    case SpectralVariant::ratio_cut: return LaplacianKind::combinatorial;
    case SpectralVariant::shi_malik: return LaplacianKind::random_walk;
    case SpectralVariant::ng_jordan_weiss: return LaplacianKind::symmetric;
    case SpectralVariant::score: break;
  }
  return LaplacianKind::symmetric;
}

double mean_degree(const Graph& graph) {
  double sum = 0.0;
  for (VertexId v = 0; v < graph.vertex_count(); ++v) sum += graph.weighted_degree(v);
  return sum / graph.vertex_count();
}

// Components into k clusters of about equal size: the largest first, each to the lightest cluster.
std::vector<int> packed(const Components& components, int k) {
  std::vector<VertexId> order(static_cast<std::size_t>(components.count));
  std::iota(order.begin(), order.end(), VertexId{0});
  std::stable_sort(order.begin(), order.end(), [&](VertexId a, VertexId b) {
    return components.sizes[static_cast<std::size_t>(a)] >
           components.sizes[static_cast<std::size_t>(b)];
  });
  using Load = std::pair<std::int64_t, int>;
  std::priority_queue<Load, std::vector<Load>, std::greater<>> lightest;
  for (int c = 0; c < k; ++c) lightest.push({0, c});
  std::vector<int> cluster_of_component(order.size());
  for (const VertexId component : order) {
    const auto [load, cluster] = lightest.top();
    lightest.pop();
    cluster_of_component[static_cast<std::size_t>(component)] = cluster;
    lightest.push({load + components.sizes[static_cast<std::size_t>(component)], cluster});
  }
  std::vector<int> cluster_of;
  for (const VertexId component : components.of)
    cluster_of.push_back(cluster_of_component[static_cast<std::size_t>(component)]);
  return cluster_of;
}

// One component, or the whole graph: its vertices and the pairs that live on it.
struct Piece {
  std::vector<VertexId> vertices;
  std::vector<std::int64_t> pairs;  // columns of the spectrum, ascending
};

Block rows_of(const Piece& piece, const Spectrum& spectrum, bool unit_rows) {
  const auto k = static_cast<std::int64_t>(piece.pairs.size());
  Block rows(static_cast<std::int64_t>(piece.vertices.size()), k);
  for (std::int64_t r = 0; r < rows.rows(); ++r) {
    double squares = 0.0;
    for (std::int64_t j = 0; j < k; ++j) {
      rows(r, j) = spectrum.vectors(piece.vertices[static_cast<std::size_t>(r)],
                                    piece.pairs[static_cast<std::size_t>(j)]);
      squares += rows(r, j) * rows(r, j);
    }
    if (!unit_rows || squares == 0.0) continue;
    for (double& x : rows.row(r)) x /= std::sqrt(squares);
  }
  return rows;
}

// SCORE: the entries of the other eigenvectors over those of the first, at most log n in size. That
// one has a single sign on a component but for rounding.
Block ratios_of(const Piece& piece, const Spectrum& spectrum) {
  const double most = std::log(static_cast<double>(piece.vertices.size()));
  Block rows(std::ssize(piece.vertices), std::ssize(piece.pairs) - 1);
  for (std::int64_t r = 0; r < rows.rows(); ++r) {
    const auto entries = spectrum.vectors.row(piece.vertices[static_cast<std::size_t>(r)]);
    const double first = std::abs(entries[static_cast<std::size_t>(piece.pairs[0])]);
    for (std::int64_t j = 0; j < rows.columns(); ++j) {
      const double x =
          entries[static_cast<std::size_t>(piece.pairs[static_cast<std::size_t>(j) + 1])];
      const bool small = std::abs(x) < most * first;
      rows(r, j) = small ? x / first : x == 0.0 ? 0.0 : std::copysign(most, x);
    }
  }
  return rows;
}

std::vector<int> split_in_two(const Graph& graph, const Piece& piece, const Spectrum& spectrum,
                              SpectralVariant variant, SpectralAssignment assignment) {
  const bool score = variant == SpectralVariant::score;
  const Block rows = score ? ratios_of(piece, spectrum) : rows_of(piece, spectrum, false);
  std::vector<double> value, measure;
  for (const VertexId v : piece.vertices) {
    value.push_back(rows(std::ssize(value), rows.columns() - 1));
    measure.push_back(variant == SpectralVariant::ratio_cut ? 1.0 : graph.weighted_degree(v));
  }
  double threshold = 0.0;
  if (assignment == SpectralAssignment::gap_cut) threshold = detail::gap_threshold(value);
  if (assignment == SpectralAssignment::sweep_cut)
    threshold = detail::sweep_threshold(graph, piece.vertices, value, measure);
  return detail::split_at(value, threshold);
}

std::vector<int> split(const Graph& graph, const Piece& piece, const Spectrum& spectrum,
                       const SpectralOptions& options, const RunContext& run, Report& report) {
  if (piece.pairs.size() == 1) return std::vector<int>(piece.vertices.size(), 0);
  SpectralAssignment assignment = options.assignment;
  const bool score = options.variant == SpectralVariant::score;
  if (assignment == SpectralAssignment::automatic)
    assignment = score                     ? SpectralAssignment::k_means
                 : piece.pairs.size() == 2 ? SpectralAssignment::sweep_cut
                                           : SpectralAssignment::cluster_qr;
  const bool any_count =
      assignment == SpectralAssignment::k_means || assignment == SpectralAssignment::cluster_qr;
  if (!any_count && piece.pairs.size() > 2)
    throw Error(ErrorCode::usage, "spectral: option assign: this one makes two clusters, and " +
                                      std::to_string(piece.pairs.size()) +
                                      " are needed: use k-means or cluster-qr for more");
  if (!any_count) return split_in_two(graph, piece, spectrum, options.variant, assignment);
  // Cluster-QR starts from the longest rows, and its decision does not depend on their lengths.
  if (assignment == SpectralAssignment::cluster_qr)
    return detail::cluster_qr(rows_of(piece, spectrum, false));
  const Block rows =
      score ? ratios_of(piece, spectrum)
            : rows_of(piece, spectrum, options.variant == SpectralVariant::ng_jordan_weiss);
  const int k = static_cast<int>(piece.pairs.size());
  KMeans found = k_means(rows, {.clusters = k, .restarts = options.restarts}, run);
  if (found.outcome != Outcome::converged && report.converged()) {
    report.outcome = found.outcome;
    report.warnings.push_back("k-means was stopped while vertices still moved");
  }
  return std::move(found.cluster_of);
}

Report report_of(const Spectrum& spectrum) {
  Report report;
  report.outcome = spectrum.outcome;
  report.iterations = spectrum.steps;
  report.requested = spectrum.requested;
  report.used = spectrum.used;
  report.sentence = spectrum.sentence;
  for (const double r : spectrum.residuals) {
    std::optional<double>& worst = report.system_numbers().relative_residual;
    worst = std::max(worst, std::optional(r));
  }
  report.certificates = {{"eigenvalues", spectrum.values}, {"residuals", spectrum.residuals}};
  return report;
}

// The pairs of the graph, or of the regularized one without the row of its extra vertex.
Spectrum pairs_of(const Graph& graph, int count, const SpectralOptions& options,
                  const RunContext& run) {
  const SpectrumOptions wanted{.count = count,
                               .kind = kind_of(options.variant),
                               .tolerance = options.tolerance,
                               .method = options.method};
  if (options.variant == SpectralVariant::score) return detail::leading_pairs(graph, wanted, run);
  const double mean = mean_degree(graph);
  if (options.regularize == 0.0 || mean == 0.0) return smallest_eigenpairs(graph, wanted, run);
  const std::vector<double> hub(static_cast<std::size_t>(graph.vertex_count()),
                                options.regularize * mean);
  return smallest_eigenpairs(with_ground_vertex(graph, hub), wanted, run);
}

const OptionBinding<SpectralOptions>& spectral_binding() {
  static const auto options =
      OptionBinding<SpectralOptions>("spectral")
          .choice(&SpectralOptions::variant, "variant",
                  {{SpectralVariant::ratio_cut, "ratio-cut"},
                   {SpectralVariant::shi_malik, "shi-malik"},
                   {SpectralVariant::ng_jordan_weiss, "ng-jordan-weiss"},
                   {SpectralVariant::score, "score"}},
                  "eigenvectors of L, of L_rw, of L_sym with rows of length 1, or ratios of those "
                  "of the adjacency matrix")
          .choice(&SpectralOptions::assignment, "assign",
                  {{SpectralAssignment::automatic, "automatic"},
                   {SpectralAssignment::k_means, "k-means"},
                   {SpectralAssignment::cluster_qr, "cluster-qr"},
                   {SpectralAssignment::sign_cut, "sign"},
                   {SpectralAssignment::gap_cut, "gap"},
                   {SpectralAssignment::sweep_cut, "sweep"}},
                  "from rows to clusters; sign, gap and sweep cut the second eigenvector in two; "
                  "automatic: k-means for score, else sweep for two and cluster-qr for more")
          .real(&SpectralOptions::regularize, "regularize", {.low = 0.0, .high_open = true},
                "weight of the edge to an extra vertex, over the mean weighted degree")
          .integer(&SpectralOptions::restarts, "restarts", {.low = 1, .high = 1'000'000},
                   "starts of assign=k-means")
          .choice(&SpectralOptions::method, "solver", "how eigenpairs are found")
          .real(&SpectralOptions::tolerance, "tolerance",
                {.low = 0.0, .high = 1.0, .low_open = true, .high_open = true},
                "residual of a good eigenpair");
  return options;
}

}  // namespace

void SpectralOptions::validate() const {
  spectral_binding().validate(*this);
  if (variant == SpectralVariant::score) {
    const auto refuse = [](const std::string& option, const std::string& rule) {
      throw Error(ErrorCode::usage, "spectral: option " + option + ": " + rule +
                                        " with variant=score, which uses no Laplacian");
    };
    if (assignment == SpectralAssignment::cluster_qr)
      refuse("assign=cluster-qr", "must be another one");
    if (regularize > 0.0) refuse("regularize=" + to_text(regularize), "must be 0");
    if (method != SpectrumMethod::automatic)
      refuse("solver=" + std::string(to_string(method)), "must be automatic");
  }
}

SpectralClusterer::SpectralClusterer(SpectralOptions options) : options_(options) {
  options_.validate();
}

Partition SpectralClusterer::cluster(const Graph& graph, int k, const RunContext& run) const {
  const VertexId n = graph.vertex_count();
  if (k < 1 || k > n)
    throw Error(ErrorCode::usage, "spectral: " + std::to_string(k) + " clusters of " +
                                      std::to_string(n) +
                                      " vertices: must be at least 1 and at most the vertices");
  const Stopwatch setup;
  const Components components = connected_components(graph);
  const bool whole = options_.regularize > 0.0 || components.count == 1;
  Partition found;
  if (!whole && k <= components.count) {
    found.cluster_of = packed(components, k);
    found.report.used = "components";
    found.report.sentence = std::to_string(components.count) + " components packed whole";
    if (k < components.count)
      found.report.warnings.push_back(
          std::to_string(components.count) + " components for " + std::to_string(k) +
          " clusters: they are packed whole; regularize, or keep the largest component alone, to "
          "split it");
  } else {
    const Spectrum spectrum = pairs_of(graph, k, options_, run);
    found.report = report_of(spectrum);
    if (!found.report.converged())
      found.report.warnings.push_back(
          "not every eigenpair asked for is within the tolerance: see the residuals");
    found.report.setup_seconds = setup.seconds();
    const Stopwatch solve;
    std::vector<Piece> pieces(whole ? 1 : static_cast<std::size_t>(components.count));
    const auto piece_of = [&](VertexId component) {
      return whole ? std::size_t{0} : static_cast<std::size_t>(component);
    };
    for (VertexId v = 0; v < n; ++v)
      pieces[piece_of(components.of[static_cast<std::size_t>(v)])].vertices.push_back(v);
    for (std::size_t j = 0; j < spectrum.values.size(); ++j)
      pieces[piece_of(spectrum.component_of[j])].pairs.push_back(static_cast<std::int64_t>(j));
    found.cluster_of.assign(static_cast<std::size_t>(n), 0);
    int first = 0;
    for (const Piece& piece : pieces) {
      const std::vector<int> side = split(graph, piece, spectrum, options_, run, found.report);
      for (std::size_t i = 0; i < side.size(); ++i)
        found.cluster_of[static_cast<std::size_t>(piece.vertices[i])] = first + side[i];
      first += static_cast<int>(piece.pairs.size());
    }
    found.report.solve_seconds = solve.seconds();
  }
  found.count = number_by_first_vertex(found.cluster_of);
  if (found.count < k)
    found.report.warnings.push_back("only " + std::to_string(found.count) + " of " +
                                    std::to_string(k) + " clusters have a vertex");
  return found;
}

int SpectralClusterer::suggest_count(const Graph& graph, int most, const RunContext& run) const {
  if (most < 2)
    throw Error(ErrorCode::usage,
                "spectral: at most " + std::to_string(most) + " clusters: must allow 2 or more");
  const int n = graph.vertex_count();
  most = std::min(most, n - 1);
  if (most < 2) return std::max(most, std::min(n, 1));
  const Spectrum spectrum = pairs_of(graph, most + 1, options_, run);
  // A run that was stopped shows fewer gaps.
  most = std::min(most, static_cast<int>(spectrum.values.size()) - 1);
  const int least = std::clamp<int>(spectrum.component_count, 2, std::max(most, 2));
  int best = least;
  double widest = -1.0;
  for (int k = least; k <= most; ++k) {
    const double before = spectrum.values[static_cast<std::size_t>(k) - 1];
    const double after = spectrum.values[static_cast<std::size_t>(k)];
    const double gap = options_.variant == SpectralVariant::score
                           ? std::abs(before) - std::abs(after)
                           : after - before;
    if (gap <= widest) continue;
    widest = gap;
    best = k;
  }
  return best;
}

LearnerEntry spectral_entry() {
  LearnerEntry entry;
  entry.name = "spectral";
  entry.summary = "clusters of the rows of the smallest eigenvectors of a Laplacian";
  entry.reference =
      "U. von Luxburg. A tutorial on spectral clustering. Statistics and Computing 17, 2007, "
      "doi:10.1007/s11222-007-9033-z";
  entry.options = spectral_binding().table();
  entry.make_clusterer = [](const OptionValues& values) -> std::unique_ptr<Clusterer> {
    const SpectralOptions options = spectral_binding().from(values);
    const bool uses_k_means = options.assignment == SpectralAssignment::k_means ||
                              (options.assignment == SpectralAssignment::automatic &&
                               options.variant == SpectralVariant::score);
    if (!uses_k_means && values.changed("restarts"))
      throw Error(ErrorCode::usage, "spectral: option restarts: is for assign=k-means alone");
    return std::make_unique<SpectralClusterer>(options);
  };
  return entry;
}

}  // namespace gssl
