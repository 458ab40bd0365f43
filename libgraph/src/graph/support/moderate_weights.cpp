#include "moderate_weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/graph/trusted_graph.hpp"

namespace gssl {
namespace {

// Between 2^−400 and 2^400 a square, and the sum of 2^200 of them, is a normal number.
constexpr int moderate = 400;
// The exponent of the smallest normal number.
constexpr int least = std::numeric_limits<double>::min_exponent - 1;

// The exponent of the power of two that the weights are divided by: it brings the largest to about
// 1, or the smallest to the least normal number if that is more.
int common_exponent(int smallest, int largest) {
  const int wanted = std::min(largest, smallest - least);
  return wanted % 2 != 0 ? wanted - 1 : wanted;
}

}  // namespace

ModerateWeights moderate_weights(const Graph& graph, const char* who) {
  const auto weights = graph.weight_array();
  if (weights.empty()) return {};
  const auto [low, high] = std::ranges::minmax_element(weights);
  const int smallest = std::ilogb(*low), largest = std::ilogb(*high);
  if (smallest >= -moderate && largest < moderate) return {};
  const int exponent = common_exponent(smallest, largest);
  if (exponent == 0) return {};
  if (largest - exponent >= moderate)
    throw Error(ErrorCode::bad_data,
                std::string(who) + ": the weights reach from " + to_brief_text(*low) + " to " +
                    to_brief_text(*high) +
                    ": must be within 400 decades of each other; leave out the smallest edges");
  std::vector<double> scaled(weights.begin(), weights.end());
  for (double& w : scaled) w = std::ldexp(w, -exponent);
  return {TrustedGraph::with_weights(graph, std::move(scaled)), exponent};
}

}  // namespace gssl
