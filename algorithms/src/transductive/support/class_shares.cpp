#include "class_shares.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "gssl/core/number_text.hpp"
#include "support/finish_fit.hpp"
#include "support/vertex_status.hpp"
#include "transductive/partition/volume_prices.hpp"
#include "transductive/partition/volume_projection.hpp"

namespace gssl::detail {

namespace {

struct RowSum {
  std::vector<double> of;
  RowSum& operator+=(const RowSum& other) {
    of.resize(std::max(of.size(), other.of.size()), 0.0);
    for (std::size_t k = 0; k < other.of.size(); ++k) of[k] += other.of[k];
    return *this;
  }
};

bool is_inferred(const Fit& fit, VertexId v) {
  return is_found(fit.scores.status[static_cast<std::size_t>(v)]);
}

// What meet_shares() may move, and how many vertices of each class it cannot.
struct Movable {
  std::vector<VertexId> rows;
  std::vector<double> fixed;
  double reached = 0.0;
};

Movable movable_rows(const Fit& fit) {
  Movable found;
  found.fixed.assign(static_cast<std::size_t>(fit.scores.values.columns()), 0.0);
  for (VertexId v = 0; v < fit.scores.values.rows(); ++v) {
    const int decision = fit.decision[static_cast<std::size_t>(v)];
    if (decision < 0) continue;
    found.reached += 1.0;
    if (is_inferred(fit, v) && *std::ranges::max_element(fit.scores.values.row(v)) < 1.0)
      found.rows.push_back(v);
    else
      found.fixed[static_cast<std::size_t>(decision)] += 1.0;
  }
  return found;
}

// Vertices of each class to find among the movable ones.
std::vector<double> wanted_volumes(const Movable& movable, const std::vector<double>& q) {
  const double sum = std::accumulate(q.begin(), q.end(), 0.0);
  std::vector<double> volume(q.size());
  double total = 0.0;
  for (std::size_t k = 0; k < q.size(); ++k)
    total += volume[k] = std::max(0.0, q[k] / sum * movable.reached - movable.fixed[k]);
  for (double& v : volume) v *= static_cast<double>(movable.rows.size()) / total;
  return volume;
}

void report_share_error(Fit& fit, const std::vector<double>& q) {
  std::vector<double> count(q.size(), 0.0);
  double reached = 0.0;
  for (const int decision : fit.decision) {
    if (decision < 0) continue;
    count[static_cast<std::size_t>(decision)] += 1.0;
    reached += 1.0;
  }
  const double sum = std::accumulate(q.begin(), q.end(), 0.0);
  double worst = 0.0;
  for (std::size_t k = 0; k < q.size(); ++k)
    worst = std::max(worst, std::abs(count[k] / reached - q[k] / sum));
  fit.report.certificates.push_back({"share_error", {worst}});
  if (worst > 0.01 && worst * reached > 1.5)
    fit.report.warnings.push_back("class shares are off by up to " + to_brief_text(100.0 * worst) +
                                  " %: given labels, components of one class and vertices with "
                                  "equal scores leave no way to meet them");
}

}  // namespace

Block class_masses(const Fit& fit, const LabelGroups& groups, int threads) {
  Block mass(groups.count(), fit.scores.values.columns());
  for (int g = 0; g < groups.count(); ++g) {
    const RowSum sum = groups.sum_over(g, threads, [&](VertexId v) {
      if (!is_inferred(fit, v)) return RowSum{};
      const std::span<const double> row = fit.scores.values.row(v);
      return RowSum{{row.begin(), row.end()}};
    });
    std::ranges::copy(sum.of, mass.row(g).begin());
  }
  return mass;
}

void rescale_in_groups(Fit& fit, const LabeledSet& labeled, const LabelGroups& groups,
                       const Block& mass, const Block& q, int threads) {
  Block factor = q;
  for (int g = 0; g < groups.count(); ++g)
    for (std::int64_t k = 0; k < q.columns(); ++k)
      factor(g, k) = mass(g, k) > 0.0 ? q(g, k) / mass(g, k) : 0.0;
  groups.for_members(threads, [&](VertexId v) {
    if (!is_inferred(fit, v)) return;
    const std::span<double> row = fit.scores.values.row(v);
    const std::span<const double> times = factor.row(groups.of(v));
    const double sum = std::inner_product(row.begin(), row.end(), times.begin(), 0.0);
    if (!(sum > 0.0)) return;
    for (std::size_t k = 0; k < row.size(); ++k) row[k] = std::min(1.0, row[k] * times[k] / sum);
  });
  judge_inferred(fit, labeled);
}

void meet_shares(Fit& fit, const LabeledSet& labeled, const std::vector<double>& q,
                 const RunContext& run) {
  const Movable movable = movable_rows(fit);
  const std::vector<double> volume = wanted_volumes(movable, q);
  Block& scores = fit.scores.values;
  std::vector<double> mass(q.size(), 0.0);
  for (const VertexId v : movable.rows)
    for (std::size_t k = 0; k < mass.size(); ++k)
      mass[k] += scores(v, static_cast<std::int64_t>(k));
  std::vector<int> classes;
  std::vector<double> size;
  double possible = 0.0;
  for (std::size_t k = 0; k < mass.size(); ++k) {
    if (!(mass[k] > 0.0 && volume[k] > 0.0)) continue;
    classes.push_back(static_cast<int>(k));
    size.push_back(volume[k]);
    possible += volume[k];
  }
  if (possible > 0.0) {
    for (double& s : size) s *= static_cast<double>(movable.rows.size()) / possible;
    std::vector<double> factor(q.size(), 0.0);  // 0: no vertex can go to this class
    for (std::size_t i = 0; i < classes.size(); ++i) {
      const auto k = static_cast<std::size_t>(classes[i]);
      factor[k] = size[i] / mass[k];
    }
    for (const VertexId v : movable.rows) {
      const std::span<double> row = scores.row(v);
      double sum = 0.0;
      for (std::size_t k = 0; k < row.size(); ++k) sum += row[k] *= factor[k];
      if (!(sum > 0.0)) continue;
      for (double& score : row) score /= sum;
    }
    std::vector<double> price = volume_prices(scores, movable.rows, classes, size, run);
    const std::vector<double> weight(static_cast<std::size_t>(scores.rows()), 1.0);
    project_to_volumes(scores, movable.rows, weight, classes, {}, price, run);
  }
  judge_inferred(fit, labeled);
  report_share_error(fit, q);
}

}  // namespace gssl::detail
