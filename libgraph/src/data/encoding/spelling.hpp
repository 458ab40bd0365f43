#pragma once
// The symbols of words. Internal: not installed.

#include <cstdint>
#include <string_view>
#include <vector>

#include "gssl/data/feature_table.hpp"

namespace gssl::detail {

// Code points of UTF-8, each ≥ 1; a byte that is part of none stands for itself, above all of them.
std::vector<std::int32_t> symbols_of(std::string_view word);

// Symbols of the longest word.
std::int64_t longest_of(const FeatureColumn& column);

}  // namespace gssl::detail
