#include "panel_search.hpp"

#include <bit>

namespace gssl::knn {

PanelSearch::PanelSearch(const RowSpace& rows, const RowSpace& space, const FloatFrame& frame,
                         KnnLists& lists, int threads)
    : rows_(rows),
      lists_(lists),
      frame_(frame),
      tree_(space, frame_, threads),
      kernels_(kernels_for(rows.norm())),
      norm_(tree_.order().size() + lanes, 0.0F),
      need_(norm_.size(), std::numeric_limits<float>::infinity()),
      limit_(norm_.size(), std::numeric_limits<float>::infinity()),
      reach_(static_cast<std::size_t>(panels()), std::numeric_limits<float>::infinity()),
      changed_(static_cast<std::size_t>(rows.rows()), 0) {
  // Many blocks keep the threads busy, large ones the cache.
  while (panels_per_block_ > 4 && panels() < 64 * panels_per_block_) panels_per_block_ /= 2;
  parallel_blocks(
      panels(), threads,
      [this](std::int64_t begin, std::int64_t end) {
        for (std::int64_t panel = begin; panel < end; ++panel)
          for (int p = 0; p < tree_.leaf_size(panel); ++p)
            norm_[static_cast<std::size_t>(panel * lanes + p)] =
                frame_.norm_of(tree_.panel(panel) + p, lanes);
      },
      64);
  for (VertexId i = 0; i < rows.rows(); ++i) list(i).clear();
}

std::uint32_t PanelSearch::in_reach(std::int64_t b, std::int64_t pack) const {
  const std::int64_t d = tree_.columns();
  std::vector<float> low(static_cast<std::size_t>(d)), high(low.size());
  const float* box = tree_.pack(0, b / lanes) + b % lanes;
  for (std::int64_t c = 0; c < d; ++c) {
    low[static_cast<std::size_t>(c)] = box[c * lanes];
    high[static_cast<std::size_t>(c)] = box[(d + c) * lanes];
  }
  alignas(64) float bound[lanes];
  kernels_.box_bounds(tree_.pack(0, pack), low.data(), high.data(), d, bound);
  const std::vector<float>& errors = tree_.level(0).errors;
  std::uint32_t near = 0;
  for (std::int64_t a = pack * lanes; a < std::min(panels(), (pack + 1) * lanes); ++a) {
    const float reach =
        std::max(reach_[static_cast<std::size_t>(a)], reach_[static_cast<std::size_t>(b)]) +
        errors[static_cast<std::size_t>(a)] + errors[static_cast<std::size_t>(b)];
    const float limit = rows_.norm() == Norm::l2 ? reach * reach : reach;
    near |= static_cast<std::uint32_t>(bound[a % lanes] > limit ? 0 : 1) << a % lanes;
  }
  return near;
}

double PanelSearch::pairs_in_reach() const {
  std::int64_t found = 0, asked = 0;
  for (std::int64_t b = 0; b < panels(); b += panels() / 64 + 1, ++asked)
    for (std::int64_t pack = 0; pack * lanes < panels(); ++pack)
      found += std::popcount(in_reach(b, pack));
  return static_cast<double>(found) / static_cast<double>(asked) * static_cast<double>(panels()) /
         2.0;
}

void PanelSearch::meet_all(const RunContext& run, const Met& met) {
  tournament(run, [&](std::int64_t block_a, std::int64_t block_b) {
    const std::int64_t first_a = block_a * panels_per_block_, first_b = block_b * panels_per_block_;
    std::uint32_t have_met[lanes] = {};
    if (met && !met(block_a, block_b, have_met)) return std::int64_t{0};
    std::int64_t keys = 0;
    for (std::int64_t b = first_b; b < block_end(block_b); ++b) {
      const std::uint32_t near =
          in_reach(b, first_a / lanes) >> first_a % lanes & ~have_met[b - first_b];
      for (std::int64_t a = std::max(first_a, b); a < block_end(block_a); ++a)
        if ((near >> (a - first_a) & 1U) != 0) keys += meet(a, b);
    }
    return keys;
  });
}

std::int64_t PanelSearch::meet(std::int64_t a, std::int64_t b) {
  std::uint32_t hits[lanes];
  std::uint32_t found = kernels_.panel_hits(
      {tree_.panel(a), tree_.panel(b), norm_.data() + a * lanes, norm_.data() + b * lanes,
       limit_.data() + a * lanes, limit_.data() + b * lanes, frame_.factor(), tree_.columns()},
      hits);
  found &= ~0U >> (lanes - tree_.leaf_size(a));
  if (found == 0) return 0;
  const std::uint32_t valid = ~0U >> (lanes - tree_.leaf_size(b));
  std::int64_t keys = 0;
  std::uint32_t nearer_a = 0, nearer_b = 0;  // rows whose lists have changed
  for (; found != 0; found &= found - 1) {
    const int at_a = __builtin_ctz(found);
    const VertexId i = row_at(a, at_a);
    std::uint32_t columns = hits[at_a] & valid;
    if (a == b) columns &= ~1U << at_a;  // each pair once
    for (; columns != 0; columns &= columns - 1) {
      const int at_b = __builtin_ctz(columns);
      const VertexId j = row_at(b, at_b);
      const double key = rows_.key(i, j);
      ++keys;
      if (list(i).offer(key, j)) nearer_a |= 1U << at_a;
      if (list(j).offer(key, i)) nearer_b |= 1U << at_b;
    }
  }
  shrink(a, nearer_a);
  shrink(b, nearer_b);
  return keys;
}

void PanelSearch::shrink(std::int64_t panel, std::uint32_t nearer) {
  if (nearer == 0) return;
  float* needs = need_.data() + panel * lanes;
  for (; nearer != 0; nearer &= nearer - 1) {
    const int p = __builtin_ctz(nearer);
    const VertexId row = row_at(panel, p);
    changed_[static_cast<std::size_t>(row)] = 1;
    needs[p] = frame_.reach(list(row).last_key());
    limit_[static_cast<std::size_t>(panel * lanes + p)] =
        rows_.norm() == Norm::l2 ? needs[p] * needs[p] : needs[p];
  }
  reach_[static_cast<std::size_t>(panel)] =
      *std::max_element(needs, needs + tree_.leaf_size(panel));
}

}  // namespace gssl::knn
