#include "cluster/kernel_lloyd.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl::detail {
namespace {

// Gains below so many times the tolerance of a product are none.
constexpr double doubt = 10.0;

// One start. `value` of vertex v and cluster c: the squared distance to its mean less K_vv.
class KernelLloyd {
 public:
  KernelLloyd(KernelProducts& products, std::vector<double> diagonal, int k, int max_rounds,
              double tolerance, const RunContext& run, Rng rng)
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

  LloydFound result() {
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
        const double self = columns(tried[index(t)], t);
        double sum = 0.0;
        for (std::int64_t v = 0; v < n(); ++v) {
          const double d = diagonal_[index(v)] - 2.0 * columns(v, t) + self;
          sum += trial[index(v)] = std::min(distance[index(v)], std::max(0.0, d));
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
               int& cluster = found_.cluster_of[index(v)];
               if (first || *nearest < row[index(cluster)] - doubtful) {
                 cluster = static_cast<int>(nearest - row.begin());
                 ++moved;
               }
               own_[index(v)] = row[index(cluster)];
             }
             return moved;
           }) > 0;
  }

  std::vector<std::int64_t> sizes() const {
    std::vector<std::int64_t> size(index(k_), 0);
    for (const int c : found_.cluster_of) ++size[index(c)];
    return size;
  }

  // An empty cluster takes the vertex that is farthest from its own mean.
  void fill_empty_clusters() {
    std::vector<std::int64_t> size = sizes();
    for (int c = 0; c < k_; ++c) {
      if (size[index(c)] > 0) continue;
      std::int64_t farthest = -1;
      for (std::int64_t v = 0; v < n(); ++v) {
        if (size[index(found_.cluster_of[index(v)])] < 2) continue;
        if (farthest < 0 || diagonal_[index(v)] + own_[index(v)] >
                                diagonal_[index(farthest)] + own_[index(farthest)])
          farthest = v;
      }
      --size[index(found_.cluster_of[index(farthest)])];
      found_.cluster_of[index(farthest)] = c;
      size[index(c)] = 1;
    }
  }

  // The similarity of the partition and the values of its clusters.
  void measure_clusters() {
    const std::vector<std::int64_t> size = sizes();
    Block mean(n(), k_);
    for (std::int64_t v = 0; v < n(); ++v) {
      const int c = found_.cluster_of[index(v)];
      mean(v, c) = 1.0 / static_cast<double>(size[index(c)]);
    }
    value_ = products_.of(mean);
    std::vector<double> square(index(k_), 0.0);  // of the length of each mean
    for (std::int64_t v = 0; v < n(); ++v) {
      const int c = found_.cluster_of[index(v)];
      square[index(c)] += mean(v, c) * value_(v, c);
    }
    double similarity = 0.0;
    largest_ = 0.0;
    for (int c = 0; c < k_; ++c) {
      similarity += static_cast<double>(size[index(c)]) * square[index(c)];
      largest_ = std::max(largest_, square[index(c)]);
    }
    for (std::int64_t v = 0; v < n(); ++v)
      for (int c = 0; c < k_; ++c) value_(v, c) = square[index(c)] - 2.0 * value_(v, c);
    if (!run_.should_stop()) found_.similarity.push_back(similarity);
  }

  KernelProducts& products_;
  std::vector<double> diagonal_;
  int k_;
  int max_rounds_;
  double tolerance_;
  const RunContext& run_;
  Rng rng_;
  Block value_;
  std::vector<double> own_;  // the value of each vertex and its cluster
  double largest_ = 0.0;
  LloydFound found_;
};

}  // namespace

LloydFound kernel_lloyd(KernelProducts& products, std::vector<double> diagonal, int k,
                        int max_rounds, const RunContext& run, Rng rng) {
  return KernelLloyd(products, std::move(diagonal), k, max_rounds, products.tolerance(), run, rng)
      .result();
}

bool is_better(const LloydFound& a, const LloydFound& b) {
  if (a.similarity.empty() || b.similarity.empty()) return !a.similarity.empty();
  return a.similarity.back() > b.similarity.back();
}

}  // namespace gssl::detail
