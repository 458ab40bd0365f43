#include "gssl/evaluate/partition_agreement.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "gssl/core/error.hpp"

namespace gssl {
namespace {

double pairs(double count) { return count * (count - 1.0) / 2.0; }

}  // namespace

PartitionAgreement partition_agreement(std::span<const int> a, std::span<const int> b) {
  if (a.size() != b.size())
    throw Error(ErrorCode::bad_data, "partitions of " + std::to_string(a.size()) + " and " +
                                         std::to_string(b.size()) + " things: must be the same");
  if (a.empty()) return {};
  // Ordered maps, so that sums are added in one order.
  std::map<std::pair<int, int>, double> cells;
  std::map<int, double> in_a, in_b;
  for (std::size_t i = 0; i < a.size(); ++i) {
    cells[{a[i], b[i]}] += 1.0;
    in_a[a[i]] += 1.0;
    in_b[b[i]] += 1.0;
  }
  const auto n = static_cast<double>(a.size());
  const auto entropy = [n](const std::map<int, double>& sizes) {
    double h = 0.0;
    for (const auto& [name, size] : sizes) h -= size / n * std::log(size / n);
    return h;
  };
  double information = 0.0, together = 0.0, together_a = 0.0, together_b = 0.0;
  for (const auto& [key, size] : cells) {
    information += size / n * std::log(size * n / (in_a[key.first] * in_b[key.second]));
    together += pairs(size);
  }
  for (const auto& [name, size] : in_a) together_a += pairs(size);
  for (const auto& [name, size] : in_b) together_b += pairs(size);

  PartitionAgreement found;
  const double mean = (entropy(in_a) + entropy(in_b)) / 2.0;
  if (mean > 0.0) found.nmi = std::clamp(information / mean, 0.0, 1.0);
  const double expected = n > 1.0 ? together_a * together_b / pairs(n) : 0.0;
  const double most = (together_a + together_b) / 2.0;
  if (most != expected) found.ari = (together - expected) / (most - expected);
  return found;
}

}  // namespace gssl
