#include "evaluate/uncertainty.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace gssl::detail {

namespace {

// The two largest shares of a row scaled to sum one, and its entropy over ln K.
struct TopShares {
  double first = 0.0;
  double second = 0.0;
  double entropy = 1.0;
};

// A row without any positive score says nothing: as unsure as can be.
TopShares shares_of(std::span<const double> scores) {
  TopShares found;
  double sum = 0.0;
  for (const double s : scores) sum += std::max(s, 0.0);
  if (!(sum > 0.0)) return found;
  double entropy = 0.0;
  for (const double s : scores) {
    const double p = std::max(s, 0.0) / sum;
    if (p > 0.0) entropy -= p * std::log(p);
    if (p > found.first) {
      found.second = std::exchange(found.first, p);
    } else {
      found.second = std::max(found.second, p);
    }
  }
  const auto classes = static_cast<double>(scores.size());
  found.entropy = classes > 1.0 ? std::max(0.0, entropy) / std::log(classes) : 0.0;
  return found;
}

double square_norm(std::span<const double> scores) {
  return std::inner_product(scores.begin(), scores.end(), scores.begin(), 0.0);
}

}  // namespace

double uncertainty(Criterion criterion, std::span<const double> scores) {
  const TopShares shares = shares_of(scores);
  switch (criterion) {
    case Criterion::least_confident: return 1.0 - shares.first;
    case Criterion::margin: return 1.0 - (shares.first - shares.second);
    case Criterion::entropy: return shares.entropy;
    case Criterion::norm: return 1.0 - std::sqrt(square_norm(scores));
    default: break;
  }
  const double best = *std::ranges::max_element(scores);
  // ‖e − s‖² with the one of e at the largest score
  return std::sqrt(std::max(0.0, square_norm(scores) - best * best + (1.0 - best) * (1.0 - best)));
}

}  // namespace gssl::detail
