#include "gssl/answer/extend.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"
#include "support/vertex_status.hpp"

namespace gssl {

namespace {

// As weigh() has it: a scale of 0 counts as the smallest positive one.
double smallest_positive(const std::vector<double>& scales) {
  double least = std::numeric_limits<double>::infinity();
  for (const double s : scales)
    if (s > 0.0) least = std::min(least, s);
  return std::isfinite(least) ? least : 1.0;
}

// The logarithm of a weight, of which only differences count.
double log_weight(const ExtensionWeights& weights, double distance, double own_scale,
                  double other_scale) {
  const double c = weights.scale;
  switch (weights.kind) {
    case WeightKind::unit: return 0.0;
    case WeightKind::gaussian: return -c * distance * distance;
    case WeightKind::exponential: return -c * distance;
    case WeightKind::inverse: return -std::log(distance);
    case WeightKind::self_tuning: return -c * (distance / own_scale) * (distance / other_scale);
  }
  return 0.0;
}

void check(const Fit& fit, const KnnLists& nearest, const ExtensionWeights& weights) {
  if (!(weights.scale > 0.0) || !std::isfinite(weights.scale))
    throw Error(ErrorCode::usage,
                "extend: scale " + to_text(weights.scale) + ": must be finite and > 0");
  const auto vertices = static_cast<std::int64_t>(fit.scores.status.size());
  if (weights.kind == WeightKind::self_tuning &&
      static_cast<std::int64_t>(weights.local_scale.size()) != vertices)
    throw Error(ErrorCode::usage, "extend: self-tuning weights need a local scale of each vertex");
  for (const VertexId v : nearest.neighbors)
    if (v < 0 || v >= vertices)
      throw Error(ErrorCode::usage,
                  "extend: neighbor " + std::to_string(v) + " is no vertex of the fit");
}

}  // namespace

Fit extend(const Fit& fit, const KnnLists& nearest, const ExtensionWeights& weights,
           const RunContext& run) {
  check(fit, nearest, weights);
  const bool tuned = weights.kind == WeightKind::self_tuning;
  const double least_scale = tuned ? smallest_positive(weights.local_scale) : 1.0;
  const auto usable = [&](double scale) { return scale > 0.0 ? scale : least_scale; };
  Fit found;
  found.scores.values = Block(nearest.count, fit.scores.values.columns());
  found.scores.status.assign(static_cast<std::size_t>(nearest.count), VertexStatus::unreached);
  parallel_blocks(nearest.count, run.thread_count(), [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> share(static_cast<std::size_t>(nearest.k));
    for (auto q = static_cast<VertexId>(begin); q < end; ++q) {
      const auto row = nearest.row(q);
      const auto distance = nearest.distance_row(q);
      constexpr double none = -std::numeric_limits<double>::infinity();
      double most = none;
      bool unfinished = false;
      for (std::size_t a = 0; a < share.size(); ++a) {
        const auto v = static_cast<std::size_t>(row[a]);
        share[a] = none;
        unfinished = unfinished || fit.scores.status[v] == VertexStatus::unfinished;
        if (has_no_answer(fit.scores.status[v])) continue;
        share[a] = log_weight(weights, distance[a], tuned ? usable(distance.back()) : 1.0,
                              tuned ? usable(weights.local_scale[v]) : 1.0);
        most = std::max(most, share[a]);
      }
      if (most == none) {
        if (unfinished) found.scores.status[static_cast<std::size_t>(q)] = VertexStatus::unfinished;
        continue;
      }
      double sum = 0.0;
      for (double& s : share) {
        // The heaviest weighs 1; an infinite logarithm is a distance of 0 under inverse weights.
        s = s == most ? 1.0 : std::exp(s - most);
        sum += s;
      }
      const auto out = found.scores.values.row(q);
      for (std::size_t a = 0; a < share.size(); ++a)
        for (std::size_t c = 0; c < out.size() && share[a] > 0.0; ++c)
          out[c] += share[a] / sum * fit.scores.values.row(row[a])[c];
      found.scores.status[static_cast<std::size_t>(q)] = VertexStatus::inferred;
    }
  });
  found.decision = found.scores.decide();
  // A regression decides for no class.
  if (!fit.decision.empty() && fit.scores.values.columns() == 1 &&
      std::all_of(fit.decision.begin(), fit.decision.end(), [](int d) { return d < 0; }))
    std::fill(found.decision.begin(), found.decision.end(), -1);
  found.confidence = found.scores.confidence();
  detail::mark_ties(found.scores);
  return found;
}

}  // namespace gssl
