#include "gssl/graph/metric_spanning_tree.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <optional>

#include "disjoint_sets.hpp"
#include "distance_edges.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"
#include "knn/exact_search.hpp"
#include "knn/foreign_search.hpp"

namespace gssl {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// No edge: every edge is less.
constexpr DistanceEdge none{infinity, std::numeric_limits<VertexId>::max(),
                            std::numeric_limits<VertexId>::max()};

std::size_t index(VertexId v) { return static_cast<std::size_t>(v); }

class Boruvka {
 public:
  Boruvka(const Points& points, const KnnOptions& options, const RunContext& run,
          const KnnLists* lists, MetricTreeReport& report)
      : points_(points), options_(options), run_(run), report_(report), sets_(points.rows()) {
    // The proofs need every neighbor.
    options_.recall = 1.0;
    if (options_.method == KnnMethod::descent) options_.method = KnnMethod::automatic;
    if (lists == nullptr) {
      take_lists(knn_lists(points, 10, options_, run));
    } else {
      lists_ = lists;
    }
    start_lists();
    component_.resize(index(points.rows()));
  }

  std::vector<DistanceEdge> run() {
    while (sets_.sets() > 1) {
      knn::stop_if_asked(run_);
      ++report_.rounds;
      run_.report_progress("spanning tree",
                           1.0 - static_cast<double>(sets_.sets()) / points_.rows());
      for (VertexId p = 0; p < points_.rows(); ++p) component_[index(p)] = sets_.find(p);
      look_at_lists();
      const VertexId before = sets_.sets();
      merge();
      // A round that the lists did not bring far enough is completed by searching.
      if (sets_.sets() > before - (before + 3) / 4) complete();
    }
    for (const DistanceEdge& edge : tree_) report_.length += edge.length;
    report_.k = lists_->k;
    return std::move(tree_);
  }

 private:
  void take_lists(KnnLists lists) {
    own_lists_ = std::move(lists);
    lists_ = &*own_lists_;
  }

  void start_lists() {
    next_.assign(index(points_.rows()), 0);
    found_.assign(index(points_.rows()), none);
    radius_.assign(index(points_.rows()), infinity);
    if (lists_->k >= points_.rows() - 1) return;
    for (VertexId p = 0; p < points_.rows(); ++p)
      radius_[index(p)] = lists_->distance_row(p).back();
  }

  // The least known edge of each component, and how near unknown ones may be.
  void look_at_lists() {
    best_.assign(index(points_.rows()), none);
    reach_.assign(index(points_.rows()), infinity);
    for (VertexId p = 0; p < points_.rows(); ++p) {
      const VertexId home = component_[index(p)];
      const auto row = lists_->row(p);
      int& at = next_[index(p)];
      while (at < lists_->k && component_[index(row[at])] == home) ++at;
      DistanceEdge edge = none;
      if (at < lists_->k) {
        edge = distance_edge(lists_->distance_row(p)[at], p, row[at]);
      } else if (leads_out(found_[index(p)])) {
        edge = found_[index(p)];
      } else if (!has_twin(p)) {
        reach_[index(home)] = std::min(reach_[index(home)], radius_[index(p)]);
      }
      best_[index(home)] = std::min(best_[index(home)], edge);
    }
  }

  bool leads_out(const DistanceEdge& edge) const {
    return edge.length < infinity && component_[index(edge.u)] != component_[index(edge.v)];
  }

  // Whether an equal point with a lower number, and so with lesser edges, has it covered.
  bool has_twin(VertexId p) const {
    return lists_->k > 0 && lists_->distance_row(p).front() == 0.0 && lists_->row(p).front() < p;
  }

  bool proved(VertexId home) const { return best_[index(home)].length < reach_[index(home)]; }

  bool searched_for(VertexId p) const {
    return next_[index(p)] == lists_->k && !leads_out(found_[index(p)]) && !has_twin(p) &&
           radius_[index(p)] <= best_[index(component_[index(p)])].length;
  }

  void merge() {
    for (VertexId p = 0; p < points_.rows(); ++p) {
      const DistanceEdge& edge = best_[index(p)];
      if (component_[index(p)] == p && edge.length < infinity && proved(p) &&
          sets_.unite(edge.u, edge.v))
        tree_.push_back(edge);
    }
  }

  // Proves the edges of all components but the largest, or prepares longer lists.
  void complete() {
    if (sets_.sets() == 1) return;
    if (points_.is_sparse()) {
      const int longer = std::min(2 * lists_->k, points_.rows() - 1);
      take_lists(knn_lists(points_, longer, options_, run_));
      start_lists();
      return;
    }
    for (VertexId p = 0; p < points_.rows(); ++p) component_[index(p)] = sets_.find(p);
    look_at_lists();
    search();
    merge();
  }

  void search() {
    if (!space_) {
      space_.emplace(points_, options_.metric);
      foreign_.emplace(*space_);
    }
    foreign_->set_components(component_);
    VertexId largest = component_[0];
    for (const VertexId c : component_)
      if (sets_.size(c) > sets_.size(largest)) largest = c;
    std::vector<VertexId> wanted;
    for (const VertexId p : foreign_->order())
      if (component_[index(p)] != largest && searched_for(p)) wanted.push_back(p);
    // Lengths that others of the component have found: what is longer is of no use. They save work
    // and change nothing, as no edge of the least length is ever left out.
    std::vector<std::atomic<double>> shortest(index(points_.rows()));
    for (std::size_t c = 0; c < shortest.size(); ++c) shortest[c] = best_[c].length;
    std::atomic<std::int64_t> distances = 0;
    parallel_blocks(
        static_cast<std::int64_t>(wanted.size()), run_.thread_count(),
        [&](std::int64_t begin, std::int64_t end) {
          knn::stop_if_asked(run_);
          std::int64_t computed = 0;
          for (std::int64_t i = begin; i < end; ++i) {
            const VertexId p = wanted[static_cast<std::size_t>(i)];
            std::atomic<double>& least = shortest[index(component_[index(p)])];
            const DistanceEdge bound{least.load(std::memory_order_relaxed), none.u, none.v};
            const DistanceEdge edge = foreign_->search(p, bound, computed);
            radius_[index(p)] = edge.length;
            if (edge == bound) continue;
            found_[index(p)] = edge;
            double now = bound.length;
            while (edge.length < now && !least.compare_exchange_weak(now, edge.length)) {
            }
          }
          distances += computed;
        },
        64);
    report_.searches += static_cast<std::int64_t>(wanted.size());
    report_.distances += distances;
    for (const VertexId p : wanted) {
      const VertexId home = component_[index(p)];
      if (leads_out(found_[index(p)]))
        best_[index(home)] = std::min(best_[index(home)], found_[index(p)]);
    }
    for (VertexId c = 0; c < points_.rows(); ++c)
      if (c != largest) reach_[index(c)] = infinity;
  }

  const Points& points_;
  KnnOptions options_;
  const RunContext& run_;
  MetricTreeReport& report_;
  std::optional<KnnLists> own_lists_;
  const KnnLists* lists_ = nullptr;
  DisjointSets sets_;
  std::vector<DistanceEdge> tree_;
  std::vector<VertexId> component_;  // of each point: its representative
  std::vector<int> next_;            // the first neighbor that may be in another component
  std::vector<DistanceEdge> found_;  // by search, where the list gives out
  // Beyond the list, and but for found_, no point of another component is nearer than this.
  std::vector<double> radius_;
  std::vector<DistanceEdge> best_;  // of each component
  std::vector<double> reach_;       // likewise: no unknown edge is shorter
  std::optional<knn::RowSpace> space_;
  std::optional<knn::ForeignSearch> foreign_;
};

}  // namespace

DistanceGraph metric_spanning_tree(const Points& points, const KnnOptions& options,
                                   const RunContext& run, MetricTreeReport* report,
                                   const KnnLists* lists) {
  if (lists != nullptr && !lists->report.exact())
    throw Error(ErrorCode::usage, "spanning tree: the lists given are approximate");
  MetricTreeReport found;
  std::vector<DistanceEdge> edges;
  if (points.rows() > 1) edges = Boruvka(points, options, run, lists, found).run();
  found.sentence = "minimum spanning tree, " + std::string(to_string(options.metric)) +
                   ": length " + to_text(found.length) + ", " + std::to_string(edges.size()) +
                   " edges, from lists of " + std::to_string(found.k) + " neighbors" +
                   (found.searches > 0 ? " and searches beyond them" : "");
  if (report != nullptr) *report = found;
  return graph_of(points.rows(), std::move(edges));
}

}  // namespace gssl
