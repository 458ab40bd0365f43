#include "online/local_labels.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/network/path_cover.hpp"
#include "online/vertex_stream.hpp"

namespace gssl::detail {
namespace {

// Edges around a label that are tried first; from one round to the next twice as many, up to so many.
constexpr std::int64_t first_hops = 3, most_hops = 64;
// Residuals this small beside the degree are rounding.
constexpr double least_ratio = 1e-15;
// A residual as computed may be off by this share of the degree.
constexpr double rounding = 4e-16;
// What a refined value may be off by, beside the difference that counts as a tie.
constexpr double refined_error = 0.1 * VertexStream::tie;
// Edges that the search for a bound may go through.
constexpr double most_cover_work = 1e7;

}  // namespace

LocalLabels::LocalLabels(std::shared_ptr<const Graph> graph, std::int64_t columns, double tolerance,
                         const RunContext& run)
    : graph_(std::move(graph)),
      tolerance_(tolerance),
      run_(run),
      components_(connected_components(*graph_)),
      parts_(index(components_.count)),
      degree_(index(graph_->vertex_count()), 0.0),
      labeled_(index(graph_->vertex_count()), false),
      w_(graph_->vertex_count(), columns),
      steps_(index(graph_->vertex_count()), 0.0),
      region_(*graph_, degree_),
      value_(index(columns), 0.0) {
  for (VertexId v = 0; v < graph_->vertex_count(); ++v)
    graph_->visit_row(v, [&](VertexId, double weight) { degree_[index(v)] += weight; });
}

LocalLabels::LocalLabels(std::shared_ptr<const Graph> graph, std::int64_t columns, double tolerance,
                         const Record& record, const RunContext& run)
    : LocalLabels(std::move(graph), columns, tolerance, run) {
  vertex_ = record.integers("labeled");
  for (const VertexId v : vertex_) {
    if (v < 0 || v >= graph_->vertex_count() || labeled_[index(v)])
      throw Error(ErrorCode::bad_data,
                  "labeled vertex " + std::to_string(v) + ": must be one of the graph's, and once");
    labeled_[index(v)] = true;
    ++part_of(v).labels;
  }
  const std::vector<double>& values = record.reals("values", w_.rows() * w_.columns());
  std::ranges::copy(values, w_.data());
  steps_ = record.reals("steps", w_.rows());
  const auto parts = static_cast<std::int64_t>(parts_.size());
  const std::vector<std::int64_t>& labels = record.long_integers("labels_of_steps");
  const std::vector<double>& most = record.reals("most_steps", parts);
  const std::vector<double>& epsilon = record.reals("epsilon", parts);
  if (std::ssize(labels) != parts)
    throw Error(ErrorCode::bad_data, "labels_of_steps: must be one of each component");
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    parts_[i].labels_of_steps = labels[i];
    parts_[i].most_steps = most[i];
    parts_[i].epsilon = epsilon[i];
  }
  const std::vector<double>& counts = record.reals("local_counts", 4);
  largest_error_ = counts[0];
  largest_region_ = static_cast<std::int64_t>(counts[1]);
  refinements_ = static_cast<std::int64_t>(counts[2]);
  region_rows_ = counts[3];
}

void LocalLabels::save(Record& record) const {
  record.put("labeled", vertex_);
  record.put("values", std::vector<double>(w_.values().begin(), w_.values().end()));
  record.put("steps", steps_);
  std::vector<std::int64_t> labels;
  std::vector<double> most, epsilon;
  for (const Part& part : parts_) {
    labels.push_back(part.labels_of_steps);
    most.push_back(part.most_steps);
    epsilon.push_back(part.epsilon);
  }
  record.put("labels_of_steps", labels);
  record.put("most_steps", most);
  record.put("epsilon", epsilon);
  record.put("local_counts",
             std::vector<double>{largest_error_, static_cast<double>(largest_region_),
                                 static_cast<double>(refinements_), region_rows_});
}

// Its free vertices, and v: breadth-first, also through labels.
std::vector<VertexId> LocalLabels::free_around(VertexId v) const {
  std::vector<VertexId> all = {v}, free;
  std::vector<bool> seen(labeled_.size(), false);
  seen[index(v)] = true;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!labeled_[index(all[i])]) free.push_back(all[i]);
    for (const VertexId u : graph_->neighbors(all[i])) {
      if (seen[index(u)]) continue;
      seen[index(u)] = true;
      all.push_back(u);
    }
  }
  return free;
}

double LocalLabels::error_at(VertexId v) const {
  if (labeled_[index(v)] || part_of(v).labels < 2) return 0.0;
  return (part_of(v).epsilon + rounding) * steps_[index(v)];
}

// Whether no value that is `error` away decides for another class.
bool LocalLabels::is_decided(double error) const {
  if (error == 0.0) return true;
  if (value_.size() == 1) return std::abs(value_[0] + VertexStream::tie) > error;
  const double largest = *std::ranges::max_element(value_);
  std::int64_t near = 0;
  for (const double x : value_)
    if (std::abs(largest - x - VertexStream::tie) <= 2.0 * error || x == largest) ++near;
  return near == 1;
}

void LocalLabels::look_at(VertexId v) {
  std::ranges::copy(w_.row(v), value_.begin());
  look_error_ = error_at(v);
  look_refined_ = !is_decided(look_error_);
  if (look_refined_) refine(v);
}

// Only value_ lasts: values and ε are put back, so that a look changes nothing.
void LocalLabels::refine(VertexId v) {
  const Part before = part_of(v);
  const std::vector<VertexId> free = free_around(v);
  std::vector<double> kept;
  for (const VertexId u : free) kept.insert(kept.end(), w_.row(u).begin(), w_.row(u).end());
  settle(free, refined_error / steps_[index(v)], part_of(v));
  std::ranges::copy(w_.row(v), value_.begin());
  look_error_ = error_at(v);
  const auto columns = static_cast<std::ptrdiff_t>(value_.size());
  auto from = kept.begin();
  for (const VertexId u : free) {
    std::copy(from, from + columns, w_.row(u).begin());
    from += columns;
  }
  part_of(v) = before;
}

void LocalLabels::reveal(VertexId v, std::span<const double> value) {
  Part& part = part_of(v);
  largest_error_ = std::max(largest_error_, look_error_);
  refinements_ += look_refined_ ? 1 : 0;
  if (part.labels++ == 0)
    for (const VertexId u : free_around(v)) std::ranges::copy(value, w_.row(u).begin());
  std::ranges::copy(value, w_.row(v).begin());
  labeled_[index(v)] = true;
  vertex_.push_back(v);
  if (part.labels < 2) return;
  if (part.labels >= 2 * part.labels_of_steps) find_steps(v);
  std::vector<VertexId> around;
  for (const VertexId u : graph_->neighbors(v))
    if (!labeled_[index(u)]) around.push_back(u);
  settle(std::move(around), tolerance_ / part.most_steps - rounding, part);
  region_rows_ += static_cast<double>(region_.rows().size());
  largest_region_ = std::max(largest_region_, std::ssize(region_.rows()));
}

// The largest residual of a row beside its degree.
double LocalLabels::residual_ratio(VertexId u) const {
  double largest = 0.0;
  for (std::int64_t k = 0; k < w_.columns(); ++k)
    largest = std::max(largest, std::abs(residual(u, k)));
  return largest / degree_[index(u)];
}

double LocalLabels::residual(VertexId u, std::int64_t k) const {
  const double here = w_(u, k);
  double sum = 0.0;
  graph_->visit_row(u,
                    [&](VertexId other, double weight) { sum += weight * (w_(other, k) - here); });
  return sum;
}

// Makes every residual at most `target`, where only those of `from` are larger.
void LocalLabels::settle(std::vector<VertexId> from, double target, Part& part) {
  target = std::max(target, least_ratio);
  region_.clear();
  double left = 0.0;
  const auto keep_large = [&] {
    left = 0.0;
    std::erase_if(from, [&](VertexId u) {
      const double ratio = residual_ratio(u);
      left = std::max(left, ratio);
      return ratio <= target;
    });
  };
  keep_large();
  for (std::int64_t hops = first_hops; !from.empty(); hops = std::min(2 * hops, most_hops)) {
    const std::size_t rows = region_.rows().size();
    region_.grow(from, hops, labeled_);
    region_.assemble();
    const bool reached = solve_region(target);
    from = region_.rows();
    for (const VertexId v : region_.rows())
      for (const VertexId u : graph_->neighbors(v))
        if (!labeled_[index(u)] && !region_.holds(u)) from.push_back(u);
    std::ranges::sort(from);
    from.erase(std::unique(from.begin(), from.end()), from.end());
    keep_large();
    // Rounding ended it: what is left is what is stated.
    if (!reached && region_.rows().size() == rows) break;
  }
  part.epsilon = std::max(target, left);
}

// Values on the region, with all others held.
bool LocalLabels::solve_region(double target) {
  const std::vector<VertexId>& rows = region_.rows();
  std::vector<double> r(rows.size()), x;
  bool reached = true;
  for (std::int64_t k = 0; k < w_.columns(); ++k) {
    for (std::size_t i = 0; i < rows.size(); ++i) r[i] = residual(rows[i], k);
    reached = region_.solve(r, 0.5 * target, x, run_) && reached;
    for (std::size_t i = 0; i < rows.size(); ++i) w_(rows[i], k) += x[i];
  }
  return reached;
}

// h of the component of v: A h = d to half of d, then times what makes it at least d everywhere.
void LocalLabels::find_steps(VertexId v) {
  Part& part = part_of(v);
  part.labels_of_steps = part.labels;
  part.most_steps = 0.0;
  steps_[index(v)] = 0.0;
  const std::vector<VertexId> free = free_around(v);
  region_.clear();
  region_.grow(free, 0, labeled_);
  region_.assemble();
  // d − A h, in which labels have h = 0.
  const auto lack = [&](VertexId u) {
    double sum = degree_[index(u)] * (1.0 - steps_[index(u)]);
    graph_->visit_row(u, [&](VertexId other, double weight) {
      if (!labeled_[index(other)]) sum += weight * steps_[index(other)];
    });
    return sum;
  };
  std::vector<double> r, x;
  for (double target = 0.5;; target *= 0.1) {
    r.clear();
    for (const VertexId u : free) r.push_back(lack(u));
    region_.solve(r, target, x, run_);
    for (std::size_t i = 0; i < free.size(); ++i) steps_[index(free[i])] += x[i];
    double least = 1.0;
    for (const VertexId u : free) least = std::min(least, 1.0 - lack(u) / degree_[index(u)]);
    if (least < 0.25 && target > 1e-8) continue;
    if (!(least > 0.0))
      throw Error(ErrorCode::internal, "seminorm: no bound of the steps of a walk was found");
    for (const VertexId u : free) {
      steps_[index(u)] /= least;
      part.most_steps = std::max(part.most_steps, steps_[index(u)]);
    }
    return;
  }
}

void LocalLabels::prove(OnlineReport& report, bool two_classes) const {
  const double energy = energy_sum(*graph_, w_, 2.0);
  report.certificates.push_back({"energy", {energy}});
  report.certificates.push_back({"value_error", {largest_error_}});
  report.certificates.push_back({"refinements", {static_cast<double>(refinements_)}});
  report.certificates.push_back({"largest_region", {static_cast<double>(largest_region_)}});
  report.certificates.push_back(
      {"rows_a_label", {region_rows_ / static_cast<double>(std::max<std::int64_t>(1, count()))}});
  bound_by_labels(report, count());
  const auto edges = static_cast<double>(graph_->vertex_count() + graph_->edge_count());
  const PathCoverBound best =
      best_path_cover_bound(*graph_, 2.0, two_classes ? energy : 2.0 * energy,
                            1 + static_cast<std::int64_t>(most_cover_work / edges), run_);
  if (!(best.bound < *report.bound)) return;
  report.bound = best.bound * (1.0 + bound_rounding);
  report.bound_name = "k + ρ E: k balls in which paths have resistance ρ, energy E";
  report.certificates.push_back({"centers", {static_cast<double>(best.centers)}});
  report.certificates.push_back({"resistance", {best.resistance}});
}

}  // namespace gssl::detail
