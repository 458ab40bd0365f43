#include "gssl/cluster/kernel_k_means.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "gssl/cluster/spectral.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/core/stopwatch.hpp"
#include "support/fit_support.hpp"
#include "transductive/support/implicit_diffusion.hpp"

namespace gssl {
namespace {

constexpr std::uint64_t first_stream = 6'000'000;
constexpr std::int64_t estimating_columns = 32;
// Gains below so many times the tolerance of a product are none.
constexpr double doubt = 10.0;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// Products with the kernel, and the worst of their reports.
class Products {
 public:
  Products(const GraphKernel& kernel, const RunContext& run) : kernel_(kernel), run_(run) {
    worst_.used = "none";
  }
  Block of(const Block& x) { return kept(kernel_.product(x, run_)); }
  Block columns(const std::vector<VertexId>& vertices) {
    return kept(kernel_.columns(vertices, run_));
  }
  const SolveReport& worst() const { return worst_; }

 private:
  Block kept(KernelProduct product) {
    merge(worst_, product.report.solver);
    return std::move(product.values);
  }
  const GraphKernel& kernel_;
  const RunContext& run_;
  SolveReport worst_;
};

// K_vv: with random signs z the mean of z ∘ Kz, and no less than nothing.
std::vector<double> estimated_diagonal(Products& products, VertexId n, Rng rng) {
  Block signs(n, estimating_columns);
  for (std::int64_t i = 0; i < n * estimating_columns; ++i)
    signs.data()[i] = rng.below(2) == 0 ? -1.0 : 1.0;
  const Block product = products.of(signs);
  std::vector<double> diagonal(at(n));
  for (VertexId v = 0; v < n; ++v) {
    double sum = 0.0;
    for (std::int64_t j = 0; j < estimating_columns; ++j) sum += signs(v, j) * product(v, j);
    diagonal[at(v)] = std::max(0.0, sum / static_cast<double>(estimating_columns));
  }
  return diagonal;
}

struct Found {
  std::vector<int> cluster_of;
  std::vector<double> similarity;  // of each round
  Outcome outcome = Outcome::iteration_limit;
};

// One start. `value` of vertex v and cluster c: the squared distance to its mean less K_vv.
class Lloyd {
 public:
  Lloyd(Products& products, std::vector<double> diagonal, int k, int max_rounds, double tolerance,
        const RunContext& run, Rng rng)
      : products_(products),
        diagonal_(std::move(diagonal)),
        k_(k),
        max_rounds_(max_rounds),
        tolerance_(tolerance),
        run_(run),
        rng_(rng),
        value_(std::ssize(diagonal_), k),
        own_(diagonal_.size(), std::numeric_limits<double>::infinity()) {
    found_.cluster_of.assign(diagonal_.size(), 0);
  }

  Found result() {
    seed();
    if (stopped()) return std::move(found_);
    assign(true);
    while (true) {
      fill_empty_clusters();
      measure_clusters();
      if (stopped()) break;
      if (!assign(false)) {
        found_.outcome = Outcome::converged;
        break;
      }
      if (std::ssize(found_.similarity) == max_rounds_) break;
    }
    return std::move(found_);
  }

 private:
  std::int64_t n() const { return value_.rows(); }

  bool stopped() {
    const auto why = run_.stop();
    if (why) found_.outcome = *why;
    return why.has_value();
  }

  // A vertex with chance in proportion to its distance.
  VertexId draw(const std::vector<double>& distance, double total) {
    double left = rng_.uniform() * total;
    for (std::size_t v = 0; v < distance.size(); ++v) {
      left -= distance[v];
      if (left < 0.0) return static_cast<VertexId>(v);
    }
    return static_cast<VertexId>(distance.size()) - 1;
  }

  // k-means++: of some candidates for each center the one that leaves the least distance.
  void seed() {
    const std::size_t candidates = 2 + static_cast<std::size_t>(std::log(static_cast<double>(k_)));
    std::vector<double> distance(diagonal_.size(), std::numeric_limits<double>::infinity());
    std::vector<double> trial(distance.size()), best(distance.size());
    double total = 0.0;
    for (int c = 0; c < k_ && !run_.should_stop(); ++c) {
      std::vector<VertexId> tried;
      if (c == 0) tried.push_back(static_cast<VertexId>(rng_.below(diagonal_.size())));
      while (c > 0 && tried.size() < candidates) tried.push_back(draw(distance, total));
      const Block columns = products_.columns(tried);
      double least = std::numeric_limits<double>::infinity();
      for (std::int64_t t = 0; t < std::ssize(tried); ++t) {
        const double self = columns(tried[at(t)], t);
        double sum = 0.0;
        for (std::int64_t v = 0; v < n(); ++v) {
          const double d = diagonal_[at(v)] - 2.0 * columns(v, t) + self;
          sum += trial[at(v)] = std::min(distance[at(v)], std::max(0.0, d));
        }
        if (!(sum < least)) continue;
        least = sum;
        best.swap(trial);
        for (std::int64_t v = 0; v < n(); ++v) value_(v, c) = self - 2.0 * columns(v, t);
      }
      total = least;
      distance = best;
    }
  }

  // Everyone to the nearest cluster, the first on a tie, or to stay; whether anyone moved.
  bool assign(bool first) {
    const double doubtful = first ? 0.0 : doubt * tolerance_ * largest_;
    return blocked_sum(n(), run_.thread_count(), [&](std::int64_t begin, std::int64_t end) {
             std::int64_t moved = 0;
             for (std::int64_t v = begin; v < end; ++v) {
               const std::span<const double> row = value_.row(v);
               const auto nearest = std::ranges::min_element(row);
               int& cluster = found_.cluster_of[at(v)];
               if (first || *nearest < row[at(cluster)] - doubtful) {
                 cluster = static_cast<int>(nearest - row.begin());
                 ++moved;
               }
               own_[at(v)] = row[at(cluster)];
             }
             return moved;
           }) > 0;
  }

  std::vector<std::int64_t> sizes() const {
    std::vector<std::int64_t> size(at(k_), 0);
    for (const int c : found_.cluster_of) ++size[at(c)];
    return size;
  }

  // An empty cluster takes the vertex that is farthest from its own mean.
  void fill_empty_clusters() {
    std::vector<std::int64_t> size = sizes();
    for (int c = 0; c < k_; ++c) {
      if (size[at(c)] > 0) continue;
      std::int64_t farthest = -1;
      for (std::int64_t v = 0; v < n(); ++v) {
        if (size[at(found_.cluster_of[at(v)])] < 2) continue;
        if (farthest < 0 ||
            diagonal_[at(v)] + own_[at(v)] > diagonal_[at(farthest)] + own_[at(farthest)])
          farthest = v;
      }
      --size[at(found_.cluster_of[at(farthest)])];
      found_.cluster_of[at(farthest)] = c;
      size[at(c)] = 1;
    }
  }

  // The similarity of the partition and the values of its clusters.
  void measure_clusters() {
    const std::vector<std::int64_t> size = sizes();
    Block mean(n(), k_);
    for (std::int64_t v = 0; v < n(); ++v) {
      const int c = found_.cluster_of[at(v)];
      mean(v, c) = 1.0 / static_cast<double>(size[at(c)]);
    }
    value_ = products_.of(mean);
    std::vector<double> square(at(k_), 0.0);  // of the length of each mean
    for (std::int64_t v = 0; v < n(); ++v) {
      const int c = found_.cluster_of[at(v)];
      square[at(c)] += mean(v, c) * value_(v, c);
    }
    double similarity = 0.0;
    largest_ = 0.0;
    for (int c = 0; c < k_; ++c) {
      similarity += static_cast<double>(size[at(c)]) * square[at(c)];
      largest_ = std::max(largest_, square[at(c)]);
    }
    for (std::int64_t v = 0; v < n(); ++v)
      for (int c = 0; c < k_; ++c) value_(v, c) = square[at(c)] - 2.0 * value_(v, c);
    if (!run_.should_stop()) found_.similarity.push_back(similarity);
  }

  Products& products_;
  std::vector<double> diagonal_;
  int k_;
  int max_rounds_;
  double tolerance_;
  const RunContext& run_;
  Rng rng_;
  Block value_;
  std::vector<double> own_;  // the value of each vertex and its cluster
  double largest_ = 0.0;
  Found found_;
};

bool is_better(const Found& a, const Found& b) {
  if (a.similarity.empty() || b.similarity.empty()) return !a.similarity.empty();
  return a.similarity.back() > b.similarity.back();
}

}  // namespace

void KernelKMeansOptions::validate() const {
  const auto refuse = [](const char* option, int value) {
    throw Error(ErrorCode::usage, std::string("kernel-k-means: option ") + option + "=" +
                                      std::to_string(value) + ": must be ≥ 1");
  };
  if (restarts < 1) refuse("restarts", restarts);
  if (max_rounds < 1) refuse("rounds", max_rounds);
  kernel.validate();
}

KernelKMeansClusterer::KernelKMeansClusterer(KernelKMeansOptions options) : options_(options) {
  options_.validate();
}

Partition KernelKMeansClusterer::cluster(const Graph& graph, int k, const RunContext& run) const {
  const VertexId n = graph.vertex_count();
  if (k < 1 || k > n)
    throw Error(ErrorCode::usage, "kernel-k-means: " + std::to_string(k) + " clusters of " +
                                      std::to_string(n) +
                                      " vertices: must be at least 1 and at most the vertices");
  Partition found;
  const Stopwatch setup;
  const GraphKernel kernel(std::make_shared<const Graph>(graph), options_.kernel, run);
  found.report.setup_seconds = setup.seconds();

  const Stopwatch solving;
  Products products(kernel, run);
  Found best;
  int starts = 0;
  while (starts < options_.restarts && !(starts > 0 && run.should_stop())) {
    const std::uint64_t stream = first_stream + 2 * static_cast<std::uint64_t>(starts++);
    Found one = Lloyd(products, estimated_diagonal(products, n, run.rng(stream)), k,
                      options_.max_rounds, options_.kernel.tolerance, run, run.rng(stream + 1))
                    .result();
    if (starts == 1 || is_better(one, best)) best = std::move(one);
  }
  found.cluster_of = std::move(best.cluster_of);
  found.count = number_by_first_vertex(found.cluster_of);
  found.report.solve_seconds = solving.seconds();

  SolveReport& solver = found.report.solver;
  solver = products.worst();
  solver.requested = to_string(options_.kernel.kind);
  if (solver.outcome == Outcome::converged)
    solver.outcome = best.outcome;
  else if (!run.should_stop())
    found.report.warnings.push_back("products with the kernel miss their tolerance: " +
                                    solver.sentence);
  solver.iterations = std::ssize(best.similarity);
  const bool settled = best.outcome == Outcome::converged;
  solver.sentence =
      "kernel-k-means: " + std::string(settled ? "nothing moves" : "still moving") + " after " +
      std::to_string(solver.iterations) + " rounds" +
      (best.similarity.empty() ? std::string()
                               : ", similarity " + to_brief_text(best.similarity.back())) +
      ", best of " + std::to_string(starts) + " starts";
  found.report.certificates.push_back({"similarity", std::move(best.similarity)});
  if (found.count < k)
    found.report.warnings.push_back("only " + std::to_string(found.count) + " of " +
                                    std::to_string(k) + " clusters have a vertex");
  return found;
}

int KernelKMeansClusterer::suggest_count(const Graph& graph, int most,
                                         const RunContext& run) const {
  return SpectralClusterer({.variant = SpectralVariant::ratio_cut}).suggest_count(graph, most, run);
}

LearnerEntry kernel_k_means_entry() {
  LearnerEntry entry;
  entry.name = "kernel-k-means";
  entry.summary = "k-means in the space of a graph kernel";
  entry.reference =
      "I. Dhillon, Y. Guan, B. Kulis. Kernel k-means, spectral clustering and normalized cuts. KDD "
      "2004, doi:10.1145/1014052.1014118";
  entry.options.choice("kernel", "diffusion", kernel_names(), "as in gssl kernel");
  for (const std::string& name : kernel_names())
    entry.options.add(kernel_options(parse_kernel(name).kind));
  entry.options.integer("restarts", 3, {.low = 1, .high = 1'000'000}, "starts")
      .integer("rounds", 100, {.low = 1, .high = 1'000'000}, "limit of rounds for each start");
  entry.make_clusterer = [](const OptionValues& values) -> std::unique_ptr<Clusterer> {
    KernelKMeansOptions options;
    options.kernel = kernel_from(values.text("kernel"), values, "kernel-k-means");
    options.restarts = static_cast<int>(values.integer("restarts"));
    options.max_rounds = static_cast<int>(values.integer("rounds"));
    return std::make_unique<KernelKMeansClusterer>(options);
  };
  return entry;
}

}  // namespace gssl
