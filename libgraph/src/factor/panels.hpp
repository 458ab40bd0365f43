#pragma once
// The shares p of a factored network: for each supernode the part of its block below the diagonal,
// column by column, without padding.
//
//   PackedPanels<float> panels(structure);
//   panels.store(k, block);                          // from columns of stride, as they are
//   computed const float* p = panels.of(k) + packed_column(side, c);   // rows c + 1 … side − 1 of
//   column c

#include <cstdint>
#include <vector>

#include "gssl/core/huge_array.hpp"
#include "gssl/core/index.hpp"
#include "structure.hpp"

namespace gssl::solve {

// Entries of a panel before column c.
constexpr std::int64_t packed_column(std::int64_t side, std::int64_t c) {
  return c * (side - 1) - c * (c - 1) / 2;
}

template <class Value>
class PackedPanels {
 public:
  explicit PackedPanels(const NetworkStructure& s) : s_(s) {
    start_.reserve(static_cast<std::size_t>(s.count()) + 1);
    std::int64_t total = 0;
    for (VertexId k = 0; k < s.count(); ++k) {
      start_.push_back(total);
      total += packed_column(s.side(k), s.columns(k));
    }
    values_ = HugeArray<Value>(static_cast<std::size_t>(total) + 1);
  }

  const Value* of(VertexId k) const { return values_.data() + start_[index(k)]; }

  void store(VertexId k, const double* block) {
    const std::int64_t side = s_.side(k), stride = s_.stride(k);
    Value* to = values_.data() + start_[index(k)];
    for (std::int64_t c = 0; c < s_.columns(k); ++c)
      for (std::int64_t i = c + 1; i < side; ++i) *to++ = static_cast<Value>(block[c * stride + i]);
  }

  // The panel as it was stored, in columns of stride with zeros elsewhere.
  std::vector<double> block(VertexId k) const {
    const std::int64_t side = s_.side(k), stride = s_.stride(k);
    std::vector<double> found(static_cast<std::size_t>(stride * s_.columns(k)), 0.0);
    const Value* from = of(k);
    for (std::int64_t c = 0; c < s_.columns(k); ++c)
      for (std::int64_t i = c + 1; i < side; ++i)
        found[static_cast<std::size_t>(c * stride + i)] = *from++;
    return found;
  }

 private:
  const NetworkStructure& s_;
  std::vector<std::int64_t> start_;
  HugeArray<Value> values_;
};

}  // namespace gssl::solve
