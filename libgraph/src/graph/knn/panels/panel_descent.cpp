#include "panel_descent.hpp"

#include <numeric>
#include <utility>

#include "gssl/core/index.hpp"

namespace gssl::knn {
namespace {

// Neighbors that count, of a row and of each of them.
constexpr int voters = 10;
// Rows that list it, of each.
constexpr int max_followers = 6;

// The mean of the rows in each panel.
RowSpace centers(const KdTree& tree) {
  const std::int64_t d = tree.columns();
  std::vector<double> values(index(tree.leaf_count() * d));
  for (std::int64_t panel = 0; panel < tree.leaf_count(); ++panel)
    for (std::int64_t c = 0; c < d; ++c) {
      const float* x = tree.panel(panel) + c * lanes;
      double sum = 0.0;
      for (int p = 0; p < tree.leaf_size(panel); ++p) sum += x[p];
      values[index(panel * d + c)] = sum / tree.leaf_size(panel);
    }
  return RowSpace(static_cast<VertexId>(tree.leaf_count()), d, std::move(values));
}

}  // namespace

PanelDescent::PanelDescent(PanelSearch& search)
    : search_(search),
      position_(search.tree().order().size()),
      met_(index(search.panels())),
      open_(met_.size(), 1) {
  const std::vector<VertexId>& order = search.tree().order();
  for (std::size_t p = 0; p < order.size(); ++p)
    position_[index(order[p])] = static_cast<VertexId>(p);
}

bool PanelDescent::have_met(Panel a, Panel b) const {
  const std::vector<Panel>& met = met_[index(std::max(a, b))];
  return std::binary_search(met.begin(), met.end(), std::min(a, b));
}

void PanelDescent::meet_near_centers(int count, const RunContext& run) {
  KnnLists near;
  near.count = static_cast<VertexId>(search_.panels());
  near.k = std::min(count, near.count - 1);
  near.neighbors.resize(index(std::int64_t{near.count} * near.k));
  near.distances.resize(near.neighbors.size());
  if (near.k > 0) block_search(centers(search_.tree()), nullptr, near, run);
  std::vector<std::vector<Panel>> wishes(met_.size());
  for (Panel p = 0; p < near.count; ++p) {
    wishes[index(p)].assign(near.row(p).begin(), near.row(p).end());
    wishes[index(p)].push_back(p);
  }
  meet(std::move(wishes), run);
}

template <class Ballot>
void PanelDescent::meet_voted(std::size_t most, const Ballot& ballot, const RunContext& run) {
  std::vector<std::vector<Panel>> wishes(met_.size());
  parallel_blocks(
      search_.panels(), run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        stop_if_asked(run);
        std::vector<int> votes(met_.size(), 0);
        std::vector<Panel> named;
        std::vector<std::pair<int, Panel>> ranking;  // most votes first, then in order
        for (std::int64_t panel = begin; panel < end; ++panel) {
          named.clear();
          ballot(panel, [&](VertexId row) {
            const Panel home = position_[index(row)] / lanes;
            if (votes[index(home)]++ == 0) named.push_back(home);
          });
          ranking.clear();
          for (const Panel other : named)
            if (const int count = std::exchange(votes[index(other)], 0);
                !have_met(static_cast<Panel>(panel), other))
              ranking.emplace_back(-count, other);
          const std::size_t kept = std::min(most, ranking.size());
          if (kept < ranking.size()) open_[index(panel)] = 1;
          std::nth_element(ranking.begin(), ranking.begin() + static_cast<std::ptrdiff_t>(kept),
                           ranking.end());
          for (std::size_t i = 0; i < kept; ++i) wishes[index(panel)].push_back(ranking[i].second);
        }
      },
      64);
  search_.forget_changes();
  meet(std::move(wishes), run);
}

void PanelDescent::meet_by_votes(std::size_t most, const RunContext& run) {
  const KdTree& tree = search_.tree();
  const auto ballot = [&](std::int64_t panel, const auto& vote) {
    // What a panel votes for twice it has met, unless there was too much of it.
    const bool again = std::exchange(open_[index(panel)], std::uint8_t{0}) != 0;
    for (int p = 0; p < tree.leaf_size(panel); ++p) {
      const VertexId row = tree.order()[index(panel * lanes + p)];
      const bool all = again || search_.has_changed(row);
      const NeighborList list = search_.list(row);
      for (int i = 0; i < std::min(list.k, voters); ++i) {
        if (!all && !search_.has_changed(list.ids[i])) continue;
        const NeighborList next = search_.list(list.ids[i]);
        for (int j = 0; j < std::min(next.k, voters); ++j) vote(next.ids[j]);
      }
    }
  };
  meet_voted(most, ballot, run);
}

void PanelDescent::meet_by_common_neighbors(std::size_t most, const RunContext& run) {
  const KdTree& tree = search_.tree();
  const int k = std::min(search_.list(0).k, voters);
  // Rows that list a row and are not in its list, the nearest first; −1 where there are no more.
  std::vector<VertexId> followers(index(std::int64_t{max_followers} * search_.rows().rows()), -1);
  const auto followers_of = [&](VertexId row) {
    return followers.data() + std::int64_t{row} * max_followers;
  };
  for (int i = 0; i < k; ++i)
    for (VertexId row = 0; row < search_.rows().rows(); ++row) {
      const VertexId leader = search_.list(row).ids[i];
      const NeighborList list = search_.list(leader);
      VertexId* places = followers_of(leader);
      VertexId* place = std::find(places, places + max_followers, -1);
      if (place != places + max_followers && std::find(list.ids, list.ids + k, row) == list.ids + k)
        *place = row;
    }
  const auto ballot = [&](std::int64_t panel, const auto& vote) {
    for (int p = 0; p < tree.leaf_size(panel); ++p) {
      const VertexId row = tree.order()[index(panel * lanes + p)];
      const auto vote_followers = [&](VertexId of) {
        const VertexId* next = followers_of(of);
        for (int j = 0; j < max_followers && next[j] >= 0; ++j) vote(next[j]);
      };
      const NeighborList list = search_.list(row);
      for (int i = 0; i < k; ++i) vote_followers(list.ids[i]);
      const VertexId* before = followers_of(row);
      for (int j = 0; j < max_followers && before[j] >= 0; ++j) {
        const NeighborList next = search_.list(before[j]);
        for (int i = 0; i < k; ++i) vote(next.ids[i]);
      }
    }
  };
  meet_voted(most, ballot, run);
}

void PanelDescent::meet_rest(std::int64_t blocks, const RunContext& run) {
  const std::int64_t size = search_.panels_per_block();
  // Neighboring blocks are alike: the order takes a golden step each time.
  std::int64_t step = std::max<std::int64_t>(1, search_.blocks() * 618 / 1000);
  while (std::gcd(step, search_.blocks()) != 1) ++step;
  const auto place = [&](std::int64_t block) { return block * step % search_.blocks(); };
  search_.meet_all(run, [&](std::int64_t block_a, std::int64_t block_b, std::uint32_t* masks) {
    const std::int64_t first_place = std::min(place(block_a), place(block_b));
    if (first_place < complete_ || first_place >= blocks) return false;
    const auto first = static_cast<Panel>(block_b * size);
    for (std::int64_t a = block_a * size; a < search_.block_end(block_a); ++a) {
      const std::vector<Panel>& met = met_[index(a)];
      for (auto b = std::lower_bound(met.begin(), met.end(), first);
           b != met.end() && *b < search_.block_end(block_b); ++b)
        masks[*b - first] |= 1U << (a - block_a * size);
    }
    return true;
  });
  complete_ = blocks;
}

void PanelDescent::meet(std::vector<std::vector<Panel>> wishes, const RunContext& run) {
  // Of each panel: those it is to meet that come before it, or itself, ascending.
  std::vector<std::vector<Panel>> before(met_.size());
  for (Panel p = 0; p < static_cast<Panel>(wishes.size()); ++p)
    for (const Panel other : std::exchange(wishes[index(p)], {}))
      before[index(std::max(p, other))].push_back(std::min(p, other));
  parallel_blocks(
      search_.panels(), run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t p = begin; p < end; ++p) {
          std::vector<Panel>& list = before[index(p)];
          std::sort(list.begin(), list.end());
          list.erase(std::unique(list.begin(), list.end()), list.end());
          std::vector<Panel>& met = met_[index(p)];
          std::erase_if(list, [&met](Panel other) {
            return std::binary_search(met.begin(), met.end(), other);
          });
          std::vector<Panel> all(met.size() + list.size());  // no larger than need be
          std::merge(met.begin(), met.end(), list.begin(), list.end(), all.begin());
          met = std::move(all);
        }
      },
      256);
  for (const std::vector<Panel>& list : before) pairs_ += static_cast<std::int64_t>(list.size());
  search_.tournament(run, [&](std::int64_t block_a, std::int64_t block_b) {
    std::int64_t keys = 0;
    const std::int64_t size = search_.panels_per_block();
    for (std::int64_t a = block_a * size; a < search_.block_end(block_a); ++a) {
      const std::vector<Panel>& list = before[index(a)];
      auto b = std::lower_bound(list.begin(), list.end(), static_cast<Panel>(block_b * size));
      for (; b != list.end() && *b < search_.block_end(block_b); ++b) keys += search_.meet(a, *b);
    }
    return keys;
  });
}

}  // namespace gssl::knn
