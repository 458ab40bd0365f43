#include "uneven_labels.hpp"

#include <algorithm>
#include <vector>

#include "gssl/core/number_text.hpp"

namespace gssl::detail {

std::string uneven_labels(const LabeledSet& labeled) {
  constexpr double uneven = 5.0;
  if (labeled.is_regression()) return {};
  std::vector<double> counts(static_cast<std::size_t>(labeled.class_count()), 0.0);
  for (const int k : labeled.class_of()) counts[static_cast<std::size_t>(k)] += 1.0;
  const auto most = std::ranges::max_element(counts);
  const std::string name = labeled.class_names()[static_cast<std::size_t>(most - counts.begin())];
  const double largest = *most;
  std::erase(counts, 0.0);
  const auto middle = counts.begin() + (static_cast<std::ptrdiff_t>(counts.size()) - 1) / 2;
  std::ranges::nth_element(counts, middle);
  if (largest < uneven * *middle) return {};
  return "class '" + name + "' has " + to_brief_text(largest) + " labels, the median class " +
         to_brief_text(*middle);
}

void warn_of_uneven_labels(const LabeledSet& labeled, MassRule mass, Report& report) {
  if (mass != MassRule::cmn) return;
  const std::string uneven = uneven_labels(labeled);
  if (uneven.empty()) return;
  report.warnings.push_back(uneven +
                            ", and mass=cmn takes that for the shares of the classes: give these "
                            "with mass=priors, or use auto");
}

}  // namespace gssl::detail
