#include "kd_tree.hpp"

#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <span>

#include "core/memory/large_array.hpp"

namespace gssl::knn {
namespace {

struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t size() const { return end - begin; }
};

// A coordinate above, a point below, so that whole numbers compare as the coordinates do and no two
// are equal.
using Keyed = std::uint64_t;

Keyed keyed(float coordinate, VertexId id) {
  const auto bits = std::bit_cast<std::uint32_t>(coordinate);
  const std::uint32_t ascending = bits ^ ((bits >> 31) != 0 ? 0xffffffffU : 0x80000000U);
  return (std::uint64_t{ascending} << 32) | static_cast<std::uint32_t>(id);
}

// Moves the `left` smallest to the front. As std::nth_element, but its partition does not branch on
// what it compares, which is 3 times as fast on points in no order.
void select(std::span<Keyed> items, std::size_t left) {
  for (int round = 0; items.size() > 64 && round < 64; ++round) {
    std::array<Keyed, 9> sample;
    for (std::size_t i = 0; i < sample.size(); ++i)
      sample[i] = items[(items.size() - 1) * i / (sample.size() - 1)];
    std::nth_element(sample.begin(), sample.begin() + 4, sample.end());
    const Keyed pivot = sample[4];
    std::size_t less = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Keyed item = items[i];
      items[i] = items[less];
      items[less] = item;
      less += item < pivot ? 1U : 0U;
    }
    if (left <= less) {
      items = items.first(less);
    } else {
      items = items.subspan(less);
      left -= less;
    }
  }
  std::nth_element(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(left), items.end());
}

// The column in which a sample of the points spreads widest.
std::int64_t widest_column(const float* columns, std::int64_t stride, std::int64_t count,
                           std::span<const VertexId> ids) {
  const std::size_t most =
      static_cast<std::size_t>(std::clamp<std::int64_t>(4096 / count, 16, 128));
  const std::size_t step = ids.size() / most + 1;
  std::int64_t widest = 0;
  float width = -1.0F;
  for (std::int64_t c = 0; c < count; ++c) {
    const float* column = columns + c * stride;
    float low = std::numeric_limits<float>::infinity(), high = -low;
    for (std::size_t i = 0; i < ids.size(); i += step) {
      low = std::min(low, column[ids[i]]);
      high = std::max(high, column[ids[i]]);
    }
    if (high - low > width) {
      width = high - low;
      widest = c;
    }
  }
  return widest;
}

// Splits ids so that no point of the left part is above a point of the right one in the widest
// column. The left part is a whole number of leaves, a power of two. Returns its length.
std::size_t split(const float* columns, std::int64_t stride, std::int64_t count,
                  std::span<VertexId> ids, std::vector<Keyed>& scratch) {
  const auto leaves = (ids.size() + lanes - 1) / lanes;
  const std::size_t left = std::bit_ceil(leaves) / 2 * lanes;
  if (count == 0) return left;
  const float* column = columns + widest_column(columns, stride, count, ids) * stride;
  scratch.resize(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) scratch[i] = keyed(column[ids[i]], ids[i]);
  select(scratch, left);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<VertexId>(scratch[i]);
  return left;
}

void split_to_leaves(const float* columns, std::int64_t stride, std::int64_t count,
                     std::span<VertexId> ids, std::vector<Keyed>& scratch) {
  if (ids.size() <= lanes) return;
  const std::size_t left = split(columns, stride, count, ids, scratch);
  split_to_leaves(columns, stride, count, ids.first(left), scratch);
  split_to_leaves(columns, stride, count, ids.subspan(left), scratch);
}

// As above on a copy of the points' columns that fits the cache.
void split_copy(const float* columns, std::int64_t stride, std::int64_t count,
                std::span<VertexId> ids) {
  std::vector<float> near(ids.size() * static_cast<std::size_t>(count));
  for (std::int64_t c = 0; c < count; ++c)
    for (std::size_t i = 0; i < ids.size(); ++i)
      near[static_cast<std::size_t>(c) * ids.size() + i] = columns[c * stride + ids[i]];
  std::vector<VertexId> local(ids.size());
  std::iota(local.begin(), local.end(), 0);
  std::vector<Keyed> scratch;
  split_to_leaves(near.data(), static_cast<std::int64_t>(ids.size()), count, local, scratch);
  for (VertexId& id : local) id = ids[static_cast<std::size_t>(id)];
  std::copy(local.begin(), local.end(), ids.begin());
}

}  // namespace

KdTree::KdTree(const RowSpace& rows, const FloatFrame& frame, int threads)
    : columns_(rows.columns()), order_(static_cast<std::size_t>(rows.rows())) {
  const std::int64_t n = rows.rows(), d = columns_;
  std::iota(order_.begin(), order_.end(), 0);
  sort_into_leaves(rows, frame, threads);

  levels_.emplace_back();
  levels_.front().count = (n + lanes - 1) / lanes;
  detail::resize_large(panels_, static_cast<std::size_t>(leaf_count() * d * lanes), threads);
  errors_.resize(static_cast<std::size_t>(leaf_count() * lanes));
  parallel_blocks(
      leaf_count(), threads,
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t leaf = begin; leaf < end; ++leaf)
          for (int p = 0; p < leaf_size(leaf); ++p) {
            float* point = panels_.data() + leaf * d * lanes + p;
            frame.coordinates(rows, order_[static_cast<std::size_t>(leaf * lanes + p)], point,
                              lanes);
            errors_[static_cast<std::size_t>(leaf * lanes + p)] = frame.error_of(point, lanes);
          }
      },
      256);
  make_boxes(threads);
}

// Level by level until the parts are small, then each part on its own.
void KdTree::sort_into_leaves(const RowSpace& rows, const FloatFrame& frame, int threads) {
  const std::int64_t n = rows.rows(), d = columns_;
  std::vector<float> columns;
  detail::resize_large(columns, static_cast<std::size_t>(n * d), threads);
  parallel_blocks(n, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      frame.coordinates(rows, static_cast<VertexId>(i), columns.data() + i, n);
  });
  const std::int64_t small = std::max<std::int64_t>(lanes, std::min<std::int64_t>(32768, n / 16));
  const auto ids_of = [this](const Range& part) {
    return std::span(order_).subspan(static_cast<std::size_t>(part.begin),
                                     static_cast<std::size_t>(part.size()));
  };
  std::vector<Range> parts = {{0, n}};
  for (bool large = n > small; large;) {
    std::vector<Range> halves(2 * parts.size());
    parallel_blocks(
        static_cast<std::int64_t>(parts.size()), threads,
        [&](std::int64_t begin, std::int64_t) {
          const Range part = parts[static_cast<std::size_t>(begin)];
          std::vector<Keyed> scratch;
          const std::int64_t left =
              part.size() <= small
                  ? part.size()
                  : static_cast<std::int64_t>(split(columns.data(), n, d, ids_of(part), scratch));
          halves[static_cast<std::size_t>(2 * begin)] = {part.begin, part.begin + left};
          halves[static_cast<std::size_t>(2 * begin + 1)] = {part.begin + left, part.end};
        },
        1);
    std::erase_if(halves, [](const Range& part) { return part.size() == 0; });
    parts = std::move(halves);
    large = std::any_of(parts.begin(), parts.end(),
                        [small](const Range& part) { return part.size() > small; });
  }
  parallel_blocks(
      static_cast<std::int64_t>(parts.size()), threads,
      [&](std::int64_t begin, std::int64_t) {
        const Range part = parts[static_cast<std::size_t>(begin)];
        split_copy(columns.data(), n, d, ids_of(part));
      },
      1);
}

void KdTree::make_boxes(int threads) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const std::int64_t d = columns_;
  for (std::size_t l = 0;; ++l) {
    Level& level = levels_[l];
    level.packs.assign(static_cast<std::size_t>((level.count + lanes - 1) / lanes * 2 * d * lanes),
                       infinity);
    level.errors.assign(static_cast<std::size_t>(level.count), 0.0F);
    parallel_blocks(
        level.count, threads,
        [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t i = begin; i < end; ++i) make_box(l, i);
        },
        256);
    if (level.count <= lanes) return;
    const std::int64_t parents = (level.count + lanes - 1) / lanes;
    levels_.emplace_back();
    levels_.back().count = parents;
  }
}

void KdTree::make_box(std::size_t l, std::int64_t i) {
  Level& level = levels_[l];
  const std::int64_t d = columns_;
  float* low = level.packs.data() + i / lanes * 2 * d * lanes + i % lanes;
  // The members: the points of a leaf, or the boxes below.
  const float* member = l == 0 ? panel(i) : pack(static_cast<int>(l) - 1, i);
  const std::int64_t high_at = l == 0 ? 0 : d * lanes;
  const int members = l == 0 ? leaf_size(i) : children(static_cast<int>(l), i);
  for (std::int64_t c = 0; c < d; ++c) {
    const float* at = member + c * lanes;
    low[c * lanes] = *std::min_element(at, at + members);
    low[(d + c) * lanes] = *std::max_element(at + high_at, at + high_at + members);
  }
  const float* error = l == 0 ? errors(i) : levels_[l - 1].errors.data() + i * lanes;
  level.errors[static_cast<std::size_t>(i)] = *std::max_element(error, error + members);
}

}  // namespace gssl::knn
