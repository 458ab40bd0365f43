#include "gssl/graph/metric_spanning_tree.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "graph/knn/exact_search.hpp"
#include "graph/knn/search/foreign_search.hpp"
#include "graph/support/disjoint_sets.hpp"
#include "graph/support/distance_edges.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// No edge: every edge is less.
constexpr DistanceEdge none{infinity, std::numeric_limits<VertexId>::max(),
                            std::numeric_limits<VertexId>::max()};

class Boruvka {
 public:
  Boruvka(const Points& points, const KnnOptions& options, const RunContext& run,
          const KnnLists* lists, MetricTreeReport& report)
      : points_(points),
        options_(options),
        run_(run),
        report_(report),
        components_(points.rows()),
        home_(index(points.rows())),
        radius_(index(points.rows())) {
    // The proofs need every neighbor.
    options_.recall = 1.0;
    if (options_.method == KnnMethod::descent) options_.method = KnnMethod::automatic;
    std::iota(home_.begin(), home_.end(), 0);
    tree_.reserve(index(points.rows()) - 1);
    if (lists == nullptr)
      take_lists(knn_lists(points, own_k, options_, run));
    else
      lists_ = lists;
    start_lists();
  }

  std::vector<DistanceEdge> run() {
    while (components_ > 1) {
      knn::stop_if_asked(run_);
      ++report_.rounds;
      run_.report_progress("spanning tree",
                           1.0 - static_cast<double>(components_) / points_.rows());
      const VertexId before = components_;
      look_at_lists();
      merge({});
      // A round that the lists did not bring far enough is completed by searching.
      if (components_ > before - (before + 3) / 4) complete();
    }
    for (const DistanceEdge& edge : tree_) report_.length += edge.length;
    report_.k = lists_->k;
    return std::move(tree_);
  }

 private:
  static constexpr int own_k = 5;

  void take_lists(KnnLists lists) {
    own_lists_ = std::move(lists);
    lists_ = &*own_lists_;
  }

  void start_lists() {
    next_.assign(index(points_.rows()), 0);
    listed_.resize(index(points_.rows()));
    std::iota(listed_.begin(), listed_.end(), 0);
    found_.clear();
    reach_.assign(index(components_), infinity);
  }

  // What next_ holds of a point whose list gives out: nothing is known beyond radius_, an edge is
  // in found_, or an equal point with a lower number, and so with lesser edges, has it covered.
  int exhausted() const { return lists_->k; }
  int found() const { return lists_->k + 1; }
  int covered() const { return lists_->k + 2; }

  VertexId home(VertexId p) const { return home_[index(p)]; }
  bool leads_out(const DistanceEdge& edge) const { return home(edge.u) != home(edge.v); }

  // The least known edge of each component.
  void look_at_lists() {
    parallel_blocks(static_cast<std::int64_t>(listed_.size()), run_.thread_count(),
                    [this](std::int64_t begin, std::int64_t end) {
                      for (std::int64_t i = begin; i < end; ++i) {
                        const VertexId p = listed_[static_cast<std::size_t>(i)];
                        const auto row = lists_->row(p);
                        int& at = next_[index(p)];
                        while (at < lists_->k && home(row[index(at)]) == home(p)) ++at;
                      }
                    });
    best_.assign(index(components_), none);
    const auto take = [this](VertexId p, const DistanceEdge& edge) {
      DistanceEdge& best = best_[index(home(p))];
      best = std::min(best, edge);
    };
    std::erase_if(listed_, [&](VertexId p) {
      const auto at = index(next_[index(p)]);
      if (next_[index(p)] == lists_->k) {
        give_out(p);
        return true;
      }
      take(p, distance_edge(lists_->distance_row(p)[at], p, lists_->row(p)[at]));
      return false;
    });
    std::erase_if(found_, [&](const FoundEdge& at) {
      if (leads_out(at.edge)) {
        take(at.point, at.edge);
        return false;
      }
      next_[index(at.point)] = exhausted();
      limit_reach(at.point);
      return true;
    });
  }

  void give_out(VertexId p) {
    const auto distances = lists_->distance_row(p);
    if (lists_->k > 0 && distances.front() == 0.0 && lists_->row(p).front() < p) {
      next_[index(p)] = covered();
      return;
    }
    radius_[index(p)] = lists_->k >= points_.rows() - 1 ? infinity : distances.back();
    limit_reach(p);
  }

  void limit_reach(VertexId p) {
    double& reach = reach_[index(home(p))];
    reach = std::min(reach, radius_[index(p)]);
  }

  // What is known of the points of a component that was searched for, when its edge is taken.
  struct Searched {
    VertexId component;
    double reach;
  };

  // Takes the edges that are proved, and numbers the components anew.
  void merge(const std::vector<Searched>& searched) {
    DisjointSets sets(components_);
    for (std::size_t c = 0; c < best_.size(); ++c)
      if (best_[c].length < reach_[c] && sets.unite(home(best_[c].u), home(best_[c].v)))
        tree_.push_back(best_[c]);
    best_ = {};
    for (const Searched& s : searched) reach_[index(s.component)] = s.reach;
    std::vector<VertexId> number(index(components_), no_vertex);
    VertexId count = 0;
    for (VertexId c = 0; c < components_; ++c)
      if (sets.find(c) == c) number[index(c)] = count++;
    std::vector<double> reach(index(count), infinity);
    for (VertexId c = 0; c < components_; ++c) {
      const VertexId to = number[index(c)] = number[index(sets.find(c))];
      reach[index(to)] = std::min(reach[index(to)], reach_[index(c)]);
    }
    reach_ = std::move(reach);
    components_ = count;
    parallel_blocks(points_.rows(), run_.thread_count(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t p = begin; p < end; ++p)
        home_[static_cast<std::size_t>(p)] = number[index(home_[static_cast<std::size_t>(p)])];
    });
  }

  // Proves the edges of some components, or prepares longer lists.
  void complete() {
    if (components_ == 1) return;
    if (points_.is_sparse()) {
      const int longer = std::min(2 * lists_->k, points_.rows() - 1);
      take_lists(knn_lists(points_, longer, options_, run_));
      start_lists();
      return;
    }
    look_at_lists();
    merge(search());
  }

  // Of the components that are to be searched for, those with the fewest points: half of them, and
  // more while they are few. Large ones wait until little else is left to join them.
  std::vector<bool> choose(const std::vector<VertexId>& wanted) const {
    std::vector<VertexId> points_of(index(components_), 0), smallest;
    for (const VertexId p : wanted)
      if (points_of[index(home(p))]++ == 0) smallest.push_back(home(p));
    std::sort(smallest.begin(), smallest.end(), [&](VertexId a, VertexId b) {
      return std::pair(points_of[index(a)], a) < std::pair(points_of[index(b)], b);
    });
    std::vector<bool> chosen(index(components_), false);
    VertexId points = 0;
    for (std::size_t i = 0; i < smallest.size(); ++i) {
      points += points_of[index(smallest[i])];
      if (i >= (smallest.size() + 1) / 2 && points > points_.rows() / 64) break;
      chosen[index(smallest[i])] = true;
    }
    return chosen;
  }

  std::vector<Searched> search() {
    if (!space_) {
      space_.emplace(points_, options_.metric);
      foreign_.emplace(*space_, run_.thread_count());
    }
    std::vector<VertexId> wanted;
    for (VertexId p = 0; p < points_.rows(); ++p)
      if (next_[index(p)] == exhausted() && radius_[index(p)] <= best_[index(home(p))].length)
        wanted.push_back(p);
    const std::vector<bool> chosen = choose(wanted);
    std::erase_if(wanted, [&](VertexId p) { return !chosen[index(home(p))]; });
    std::vector<double> least;
    for (const DistanceEdge& edge : best_) least.push_back(edge.length);
    foreign_->set_components(home_);
    const auto results = foreign_->search(wanted, least, run_, report_.distances);
    report_.searches += static_cast<std::int64_t>(wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const VertexId p = wanted[i];
      const DistanceEdge& edge = results[i].edge;
      radius_[index(p)] = results[i].radius;
      if (edge.length == infinity) continue;
      next_[index(p)] = found();
      found_.push_back({p, edge});
      best_[index(home(p))] = std::min(best_[index(home(p))], edge);
    }
    std::vector<double> reach(index(components_), infinity);
    for (VertexId p = 0; p < points_.rows(); ++p)
      if (next_[index(p)] == exhausted() && chosen[index(home(p))])
        reach[index(home(p))] = std::min(reach[index(home(p))], radius_[index(p)]);
    std::vector<Searched> searched;
    for (VertexId c = 0; c < components_; ++c) {
      if (!chosen[index(c)]) continue;
      searched.push_back({c, reach[index(c)]});
      reach_[index(c)] = infinity;
    }
    return searched;
  }

  struct FoundEdge {
    VertexId point;
    DistanceEdge edge;
  };

  const Points& points_;
  KnnOptions options_;
  const RunContext& run_;
  MetricTreeReport& report_;
  std::optional<KnnLists> own_lists_;
  const KnnLists* lists_ = nullptr;
  std::vector<DistanceEdge> tree_;
  VertexId components_;
  std::vector<VertexId> home_;    // of each point: its component
  std::vector<VertexId> listed_;  // points whose lists may still lead out
  std::vector<int> next_;  // of each point: the first neighbor that may be in another component
  // No edge that is not known and leads out of the point is shorter; where the list gave out.
  std::vector<double> radius_;
  std::vector<FoundEdge> found_;    // by search, where the list gave out
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
  return graph_of(points.rows(), edges);
}

}  // namespace gssl
