#include "gssl/graph/edge_weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl {

namespace {

// Mean of v or v² without overflow on the way: the largest value leaves first.
double mean_power(const std::vector<double>& values, int power) {
  const double largest = values.empty() ? 0.0 : *std::max_element(values.begin(), values.end());
  if (!(largest > 0.0)) return 0.0;
  double sum = 0.0;
  for (const double v : values) sum += power == 2 ? (v / largest) * (v / largest) : v / largest;
  const double mean = sum / static_cast<double>(values.size()) * largest;
  return power == 2 ? mean * largest : mean;
}

double smallest_positive(const std::vector<double>& values) {
  double least = std::numeric_limits<double>::infinity();
  for (const double v : values)
    if (v > 0.0) least = std::min(least, v);
  return std::isfinite(least) ? least : 1.0;
}

void choose_scale(const DistanceGraph& g, const EdgeWeightOptions& options,
                  EdgeWeightReport& report) {
  if (options.scale > 0.0) {
    report.scale = options.scale;
    report.rule = "given";
    return;
  }
  const int power = options.kind == WeightKind::gaussian ? 2 : 1;
  if (power == 1 && options.kind != WeightKind::exponential) {
    report.rule = "default";
    return;
  }
  const bool local = !g.local_scale.empty();
  const double mean = mean_power(local ? g.local_scale : g.distances, power);
  const double scale = 1.0 / mean;
  const bool usable = mean > 0.0 && std::isfinite(scale) && scale > 0.0;
  report.scale = usable ? scale : 1.0;
  report.rule = std::string("1 / mean ") + (power == 2 ? "squared " : "") +
                (local ? "distance to the k-th neighbor" : "distance along an edge");
  if (!usable) report.rule = "1, as the mean " + report.rule.substr(9) + " is no usable number";
}

// s_v of self-tuning weights, all > 0.
std::vector<double> local_scales(DistanceGraph& g, EdgeWeightReport& report) {
  std::vector<double> scales = std::move(g.local_scale);
  if (scales.empty()) {
    scales.resize(static_cast<std::size_t>(g.vertex_count()), 0.0);
    for (std::size_t v = 0; v < scales.size(); ++v)
      for (auto e = static_cast<std::size_t>(g.offsets[v]);
           e < static_cast<std::size_t>(g.offsets[v + 1]); ++e)
        scales[v] = std::max(scales[v], g.distances[e]);
  }
  const double least = smallest_positive(scales);
  for (double& s : scales)
    if (!(s > 0.0)) {
      s = least;
      ++report.zero_scales;
    }
  return scales;
}

}  // namespace

std::string_view to_string(WeightKind kind) { return names_of<WeightKind>.name(kind); }

WeightKind weight_kind_named(std::string_view name) { return names_of<WeightKind>.value(name); }

void EdgeWeightOptions::validate() const {
  if (!(scale >= 0.0) || !std::isfinite(scale))
    throw Error(ErrorCode::usage, "weights: scale " + to_text(scale) +
                                      ": must be finite and > 0, or 0 for the default");
}

WeightedGraph weigh(DistanceGraph g, const EdgeWeightOptions& options) {
  options.validate();
  EdgeWeightReport report;
  report.kind = options.kind;
  report.zero_distances = std::count(g.distances.begin(), g.distances.end(), 0.0) / 2;
  if (options.kind == WeightKind::unit) {
    report.rule = "none";
    return {Graph(std::move(g.offsets), std::move(g.neighbors), {}), report};
  }
  choose_scale(g, options, report);
  const double c = report.scale;
  const double nearest = options.kind == WeightKind::inverse ? smallest_positive(g.distances) : 0.0;
  std::vector<double> scales;
  if (options.kind == WeightKind::self_tuning) scales = local_scales(g, report);

  constexpr double least = std::numeric_limits<double>::min(), most = 1.0 / least;
  for (std::size_t u = 0; u + 1 < g.offsets.size(); ++u)
    for (auto e = static_cast<std::size_t>(g.offsets[u]);
         e < static_cast<std::size_t>(g.offsets[u + 1]); ++e) {
      const double d = g.distances[e];
      const auto v = static_cast<std::size_t>(g.neighbors[e]);
      double weight = 1.0;
      switch (options.kind) {
        case WeightKind::unit: break;
        case WeightKind::gaussian: weight = std::exp(-c * d * d); break;
        case WeightKind::exponential: weight = std::exp(-c * d); break;
        case WeightKind::inverse: weight = c / (d > 0.0 ? d : nearest); break;
        case WeightKind::self_tuning: {
          // In an order that is the same from both ends.
          const double s = scales[std::min(u, v)], t = scales[std::max(u, v)];
          weight = std::exp(-c * (d / s) * (d / t));
          break;
        }
      }
      if (!(weight >= least)) {
        weight = least;
        report.underflowed += u < v;
      } else if (weight > most) {
        weight = most;
        report.overflowed += u < v;
      }
      g.distances[e] = weight;
    }
  return {Graph(std::move(g.offsets), std::move(g.neighbors), std::move(g.distances)), report};
}

}  // namespace gssl
