#include "gssl/evaluate/stray_shares.hpp"

#include <algorithm>
#include <vector>

namespace gssl {

namespace {

constexpr double fewest_vertices = 50.0;
constexpr double most_odds = 10.0;      // of a class, beside its odds among the labels
constexpr double large_part = 0.25;     // of the labels
constexpr double nearly_nothing = 0.1;  // of the share among the labels

}  // namespace

std::optional<StrayShares> find_stray_shares(const Fit& fit, const LabeledSet& labeled) {
  if (labeled.is_regression()) return std::nullopt;
  const auto classes = static_cast<std::size_t>(labeled.class_count());
  std::vector<double> decided(classes, 0.0), given(classes, 0.0);
  for (const int k : labeled.class_of()) given[static_cast<std::size_t>(k)] += 1.0;
  double inferred = 0.0;
  for (std::size_t v = 0; v < fit.decision.size(); ++v) {
    if (fit.scores.status[v] != VertexStatus::inferred || fit.decision[v] < 0) continue;
    decided[static_cast<std::size_t>(fit.decision[v])] += 1.0;
    inferred += 1.0;
  }
  if (inferred < fewest_vertices) return std::nullopt;
  const double labels = static_cast<double>(labeled.size());
  StrayShares most;
  double gain = 0.0, missing_labels = 0.0;
  bool strays = false;
  for (std::size_t k = 0; k < classes; ++k) {
    const double p = decided[k] / inferred, q = given[k] / labels;
    if (q == 1.0) return std::nullopt;  // one class
    const double expected = std::max(q, 1.0 / static_cast<double>(classes));
    if (p * (1.0 - expected) > most_odds * expected * (1.0 - p)) strays = true;
    if (p <= nearly_nothing * q) missing_labels += q;
    if (p - q > gain) {
      gain = p - q;
      most = {static_cast<int>(k), p, q};
    }
  }
  strays = strays || missing_labels >= large_part;
  if (!strays || gain == 0.0) return std::nullopt;
  return most;
}

}  // namespace gssl
