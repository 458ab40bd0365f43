#pragma once
// How far apart two feature vectors are.
//
//   euclidean    ‖x − y‖₂
//   manhattan    ‖x − y‖₁
//   cosine       1 − x·y / (‖x‖‖y‖), in [0, 2]; computed as ½‖x/‖x‖ − y/‖y‖‖², which loses nothing
//                when the two are close; 0 for rows within an angle of 1e-13, which are parallel
//   correlation  cosine after each row has lost its mean
//
// A row of zeros has no cosine and a constant row no correlation: both throw ErrorCode::bad_data,
// naming the row.
//
//   gssl::Metric m = gssl::metric_named("cosine");

#include <string_view>

#include "gssl/core/named.hpp"

namespace gssl {

enum class Metric { euclidean, cosine, correlation, manhattan };
template <>
inline constexpr auto names_of<Metric> = enum_names<Metric>("metric", {"euclidean", "cosine",
                                                                       "correlation", "manhattan"});

// "euclidean", "cosine", …
std::string_view to_string(Metric metric);

// Throws ErrorCode::usage, listing the names.
Metric metric_named(std::string_view name);

}  // namespace gssl
