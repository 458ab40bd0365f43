#include "batch/tree/tree_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

#include "gssl/core/error.hpp"

namespace gssl::detail {

namespace {

constexpr std::size_t most_kinds = 256;

int bits_for(std::size_t count) {
  return count <= 1 ? 0 : static_cast<int>(std::bit_width(count - 1));
}

bool fits(std::size_t rows, int kind_bits) { return bits_for(rows) + kind_bits <= 32; }

}  // namespace

TreeRows::TreeRows(const Targets& targets, std::span<const double> given)
    : classes(targets.is_regression() ? 0 : std::max(1, targets.class_count())),
      weights(given.begin(), given.end()),
      values(targets.values()) {
  if (std::ranges::all_of(weights, [](double w) { return w == 1.0; })) weights.clear();
  whole = std::ranges::all_of(weights, [](double w) { return w == std::floor(w); });
  total = weights.empty() ? static_cast<double>(targets.size())
                          : std::accumulate(weights.begin(), weights.end(), 0.0);
  whole = whole && total < 0x1p50;
  code_of.resize(targets.size());
  std::iota(code_of.begin(), code_of.end(), 0U);
  if (classes == 0) return;
  if (!pack_kinds(targets.class_of())) pack_classes(targets.class_of());
}

bool TreeRows::pack_kinds(const std::vector<int>& class_of) {
  std::map<std::pair<int, double>, std::uint32_t> kind_of;
  std::vector<std::uint32_t> kind(class_of.size());
  std::pair<int, double> last{-1, 0.0};
  std::uint32_t last_kind = 0;
  for (std::size_t r = 0; r < class_of.size(); ++r) {
    const std::pair<int, double> key{class_of[r], weights.empty() ? 1.0 : weights[r]};
    if (key != last) {
      const auto [it, added] = kind_of.try_emplace(key, static_cast<std::uint32_t>(kind_of.size()));
      if (added && kind_of.size() > most_kinds) return false;
      last = key;
      last_kind = it->second;
    }
    kind[r] = last_kind;
  }
  const int bits = bits_for(kind_of.size());
  if (!fits(class_of.size(), bits)) return false;
  kind_bits = bits;
  mask = (1U << bits) - 1U;
  kinds.resize(kind_of.size());
  for (const auto& [key, k] : kind_of)
    kinds[k] = {key.second, key.first == 1 ? key.second : 0.0, std::max(1.0, key.second),
                key.first};
  for (std::size_t r = 0; r < kind.size(); ++r) code_of[r] = (code_of[r] << bits) | kind[r];
  return true;
}

void TreeRows::pack_classes(const std::vector<int>& class_of) {
  const int bits = bits_for(static_cast<std::size_t>(classes));
  if (!fits(class_of.size(), bits))
    throw Error(ErrorCode::bad_data, "tree: " + std::to_string(class_of.size()) + " rows of " +
                                         std::to_string(classes) +
                                         " classes: rows times classes must be below 2^32; learn "
                                         "from a part of the rows");
  kind_bits = bits;
  mask = (1U << bits) - 1U;
  if (weights.empty()) weights.assign(class_of.size(), 1.0);
  for (std::size_t r = 0; r < class_of.size(); ++r)
    code_of[r] = (code_of[r] << bits) | static_cast<std::uint32_t>(class_of[r]);
}

}  // namespace gssl::detail
