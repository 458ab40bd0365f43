#include "rescale_mass.hpp"

#include <numeric>
#include <span>
#include <utility>

#include "class_shares.hpp"
#include "support/finish_fit.hpp"
#include "support/vertex_status.hpp"
#include "uneven_labels.hpp"

namespace gssl::detail {

void rescale_mass(Fit& fit, const LabeledSet& labeled, std::vector<double> proportion) {
  Block& scores = fit.scores.values;
  const auto inferred = [&](std::int64_t v) {
    return is_found(fit.scores.status[static_cast<std::size_t>(v)]);
  };
  std::vector<double> mass(proportion.size(), 0.0);
  bool any = false;
  for (std::int64_t v = 0; v < scores.rows(); ++v) {
    if (!inferred(v)) continue;
    any = true;
    for (std::size_t c = 0; c < mass.size(); ++c)
      mass[c] += scores(v, static_cast<std::int64_t>(c));
  }
  if (!any) return;
  for (std::size_t c = 0; c < mass.size(); ++c) {
    if (mass[c] > 0.0) {
      proportion[c] /= mass[c];
    } else if (proportion[c] > 0.0) {
      fit.report.warnings.push_back("class '" + labeled.class_names()[c] +
                                    "' has no mass to rescale: no inferred vertex leans to it");
    }
  }
  for (std::int64_t v = 0; v < scores.rows(); ++v) {
    if (!inferred(v)) continue;
    const std::span<double> row = scores.row(v);
    const double sum = std::inner_product(row.begin(), row.end(), proportion.begin(), 0.0);
    if (!(sum > 0.0)) continue;  // every class it leans to has proportion 0: left as it is
    for (std::size_t c = 0; c < row.size(); ++c) row[c] *= proportion[c] / sum;
  }
  judge_inferred(fit, labeled);
}

std::vector<double> mass_proportions(const LabeledSet& labeled, MassRule mass,
                                     const std::vector<double>& priors) {
  if (mass == MassRule::priors) return priors;
  if (mass != MassRule::cmn) return {};
  std::vector<double> frequency(static_cast<std::size_t>(labeled.class_count()), 0.0);
  for (const int c : labeled.class_of()) frequency[static_cast<std::size_t>(c)] += 1.0;
  for (double& f : frequency) f /= static_cast<double>(labeled.size());
  return frequency;
}

void rescale_mass(Fit& fit, const LabeledSet& labeled, MassRule mass,
                  const std::vector<double>& priors, const RunContext& run) {
  if (mass == MassRule::shares) meet_shares(fit, labeled, priors, run);
  warn_of_uneven_labels(labeled, mass, fit.report);
  std::vector<double> proportion = mass_proportions(labeled, mass, priors);
  if (!proportion.empty()) rescale_mass(fit, labeled, std::move(proportion));
}

}  // namespace gssl::detail
