#include "recall_sample.hpp"

#include <numeric>

#include "gssl/core/rng.hpp"

namespace gssl::knn {
namespace {

// `count` different numbers below `end`, ascending. (R. W. Floyd: draw i is from one number more.)
std::vector<VertexId> choose(VertexId count, VertexId end, Rng rng) {
  std::vector<VertexId> chosen;
  for (VertexId last = end - count; last < end; ++last) {
    const auto pick = static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(last) + 1));
    const auto place = std::lower_bound(chosen.begin(), chosen.end(), pick);
    if (place != chosen.end() && *place == pick)
      chosen.push_back(last);
    else
      chosen.insert(place, pick);
  }
  return chosen;
}

}  // namespace

RecallSample::RecallSample(const PanelSearch& search, VertexId most, const RunContext& run)
    : positions_(choose(std::min(most, search.rows().rows()), search.rows().rows(), run.rng())),
      last_key_(positions_.size()) {
  parallel_blocks(
      size(), run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        search_exactly(search, static_cast<VertexId>(begin), static_cast<VertexId>(end), run);
      },
      lanes);
}

void RecallSample::search_exactly(const PanelSearch& search, VertexId begin, VertexId end,
                                  const RunContext& run) {
  const KdTree& tree = search.tree();
  const std::int64_t d = tree.columns();
  const int count = end - begin, k = search.list(0).k;
  std::vector<float> queries(static_cast<std::size_t>(d * lanes), 0.0F);
  float norm[lanes] = {}, limit[lanes], no_limit[lanes];
  VertexId row[lanes] = {};
  std::vector<double> keys(static_cast<std::size_t>(std::int64_t{count} * k));
  std::vector<VertexId> ids(keys.size());
  const auto list = [&](std::int64_t q) {
    return NeighborList{keys.data() + q * k, ids.data() + q * k, k};
  };
  const auto look_as_far_as = [&](int q, double key) {
    const float reach = search.frame().reach(key);
    limit[q] = search.rows().norm() == Norm::l2 ? reach * reach : reach;
  };
  std::fill_n(no_limit, lanes, -std::numeric_limits<float>::infinity());
  std::copy_n(no_limit, lanes, limit);
  for (int q = 0; q < count; ++q) {
    const VertexId at = positions_.data()[begin + q];
    const float* from = tree.panel(at / lanes) + at % lanes;
    for (std::int64_t c = 0; c < d; ++c)
      queries[static_cast<std::size_t>(c * lanes + q)] = from[c * lanes];
    norm[q] = search.norms(at / lanes)[at % lanes];
    row[q] = tree.order()[static_cast<std::size_t>(at)];
    list(q).clear();
    look_as_far_as(q, search.list(row[q]).last_key());
  }
  for (std::int64_t panel = 0; panel < search.panels(); ++panel) {
    if (panel % 1024 == 0) stop_if_asked(run);
    std::uint32_t hits[lanes];
    std::uint32_t found =
        search.kernels().panel_hits({queries.data(), tree.panel(panel), norm, search.norms(panel),
                                     limit, no_limit, search.frame().factor(), d},
                                    hits);
    found &= ~0U >> (lanes - count);
    for (; found != 0; found &= found - 1) {
      const int q = __builtin_ctz(found);
      std::uint32_t columns = hits[q] & (~0U >> (lanes - tree.leaf_size(panel)));
      for (; columns != 0; columns &= columns - 1) {
        const VertexId other =
            tree.order()[static_cast<std::size_t>(panel * lanes + __builtin_ctz(columns))];
        if (other == row[q]) continue;
        if (list(q).offer(search.rows().key(row[q], other), other))
          look_as_far_as(q, std::min(list(q).last_key(), search.list(row[q]).last_key()));
      }
    }
  }
  for (int q = 0; q < count; ++q) last_key_.data()[begin + q] = list(q).last_key();
}

Recall RecallSample::of(const PanelSearch& search) const {
  double sum = 0.0, squares = 0.0;
  for (std::size_t s = 0; s < positions_.size(); ++s) {
    const NeighborList list =
        search.list(search.tree().order()[static_cast<std::size_t>(positions_[s])]);
    const auto right = std::count_if(list.keys, list.keys + list.k,
                                     [&](double key) { return key <= last_key_[s]; });
    const double share = static_cast<double>(right) / list.k;
    sum += share;
    squares += share * share;
  }
  const auto count = static_cast<double>(positions_.size());
  const auto all = static_cast<double>(search.rows().rows());
  Recall recall;
  recall.mean = sum / count;
  // Of a sample without repetition: nothing is left to chance when everyone is in it.
  const double variance = std::max(0.0, squares / count - recall.mean * recall.mean);
  if (count > 1.0) recall.error = std::sqrt(variance / (count - 1.0) * (1.0 - count / all));
  return recall;
}

}  // namespace gssl::knn
