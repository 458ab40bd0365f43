#pragma once
// What growing a tree must know of a row, packed beside its number in 32 bits.
//
// Rows of one class and one weight are of one kind. Where kinds are few (all weights 1, bootstrap
// counts, class weights), the code of a row is its number followed by its kind, and a scan of a
// column touches nothing but the column and a small table. Where nearly every row has a weight of
// its own, the code is the number followed by the class, and weights are looked up by row. Of a
// regression the code is the number alone.

#include <cstdint>
#include <span>
#include <vector>

#include "gssl/data/targets.hpp"

namespace gssl::detail {

struct RowKind {
  double weight = 1.0;
  double second = 0.0;  // the weight if the class is 1, else 0
  double size = 1.0;    // rows that it counts for: max(1, weight)
  std::int32_t class_of = 0;
};

struct TreeRows {
  int classes = 0;                     // 0: a regression
  int kind_bits = 0;                   // low bits of a code
  std::uint32_t mask = 0;              // of the kind in a code
  std::vector<RowKind> kinds;          // empty: the low bits are the class
  std::vector<double> weights;         // by row; empty: all 1
  std::vector<double> values;          // by row, of a regression
  std::vector<std::uint32_t> code_of;  // by row
  bool whole = true;                   // every weight is a whole number: sums of them are exact
  double total = 0.0;                  // of all weights

  // `weights` may be empty (1 each); they are finite, ≥ 0 and not all 0. Throws ErrorCode::bad_data
  // where rows · classes pass 2^32.
  TreeRows(const Targets& targets, std::span<const double> weights);

  std::int64_t rows() const { return static_cast<std::int64_t>(code_of.size()); }
  std::uint32_t row_of(std::uint32_t code) const { return code >> kind_bits; }
  double weight_of(std::uint32_t row) const { return weights.empty() ? 1.0 : weights[row]; }
  int class_of(std::uint32_t code) const {
    return kinds.empty() ? static_cast<int>(code & mask) : kinds[code & mask].class_of;
  }

 private:
  void pack_classes(const std::vector<int>& class_of);
  bool pack_kinds(const std::vector<int>& class_of);
};

}  // namespace gssl::detail
