#include <algorithm>

#include "gssl/graph/compressed_graph.hpp"

namespace gssl {
namespace {

constexpr std::uint64_t far_mark = std::uint64_t{1} << 63;
constexpr std::uint64_t most_near = 65535;

}  // namespace

void RowCompressor::put(std::uint64_t number) {
  for (; number >= 128; number >>= 7U) bytes_.push_back(static_cast<std::uint8_t>(number | 128U));
  bytes_.push_back(static_cast<std::uint8_t>(number));
}

void RowCompressor::add(std::span<const VertexId> neighbors) {
  if (starts_.size() == static_cast<std::size_t>(CompressedGraph::rows_per_anchor)) close_group();
  starts_.push_back(byte_count_);
  const std::size_t before = bytes_.size();
  put(neighbors.size());
  if (!neighbors.empty()) {
    const std::int64_t step = std::int64_t{neighbors.front()} - vertex_count_;
    put(static_cast<std::uint64_t>(step) << 1U ^ static_cast<std::uint64_t>(step >> 63));
    for (std::size_t i = 1; i < neighbors.size(); ++i)
      put(static_cast<std::uint64_t>(neighbors[i] - neighbors[i - 1] - 1));
  }
  byte_count_ += bytes_.size() - before;
  arc_count_ += static_cast<EdgeIndex>(neighbors.size());
  ++vertex_count_;
}

void RowCompressor::clear_bytes() { bytes_.clear(); }

void RowCompressor::finish() { close_group(); }

void RowCompressor::close_group() {
  if (starts_.empty()) return;
  const std::uint64_t first = starts_.front();
  const bool is_far = starts_.back() - first > most_near;
  anchors_.push_back({is_far ? far_.size() | far_mark : first, group_arc_});
  for (const std::uint64_t start : starts_)
    near_.push_back(is_far ? std::uint16_t{0} : static_cast<std::uint16_t>(start - first));
  if (is_far) {
    far_.insert(far_.end(), starts_.begin(), starts_.end());
    // So that row % 64 is always there.
    far_.resize((far_.size() + 63) / 64 * 64, byte_count_);
  }
  starts_.clear();
  group_arc_ = static_cast<std::uint64_t>(arc_count_);
}

}  // namespace gssl
