#include "online/local_labels.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/network/path_cover.hpp"
#include "gssl/solve/cost_model.hpp"
#include "online/vertex_stream.hpp"

namespace gssl::detail {
namespace {

// A residual as computed, and each time that it is relaxed, may be off by this share of the degree
// where values are in [−1, 1].
constexpr double rounding_of_ratio = 1e-15;
// What a value that was solved for may be off by, beside the difference that counts as a tie.
constexpr double refined_error = 0.1 * VertexStream::tie;
// What values may be off by at first, and at most.
constexpr double first_slack = 0.1, most_slack = 0.25;
// A solve goes on until values are off by this share of it, so that it serves later trials too.
constexpr double lasting_share = 0.5;
// Work after which the slack is weighed, in entries of the graph.
constexpr double work_between_weighing = 50.0;
// From one solve to the next, where several columns are to be told apart.
constexpr double further = 0.125;
// Edges that the search for a bound may go through.
constexpr double most_cover_work = 1e7;

}  // namespace

LocalLabels::LocalLabels(const std::shared_ptr<const Graph>& graph, std::int64_t columns,
                         double tolerance, const RunContext& run)
    : grouped_(*graph),
      graph_(grouped_.graph()),
      tolerance_(tolerance),
      run_(run),
      parts_(index(grouped_.components())),
      degree_(index(graph_.vertex_count())),
      label_of_(index(graph_.vertex_count()), -1),
      values_(graph_, degree_, columns),
      steps_(index(graph_.vertex_count()), 0.0),
      system_(grouped_, degree_),
      x_(index(graph_.vertex_count()), 0.0),
      r_(index(graph_.vertex_count()), 0.0),
      slack_(std::max(first_slack, tolerance)),
      value_(index(columns), 0.0) {
  for (VertexId v = 0; v < graph_.vertex_count(); ++v)
    degree_[index(v)] = graph_.weighted_degree(v);
}

LocalLabels::LocalLabels(const std::shared_ptr<const Graph>& graph, std::int64_t columns,
                         double tolerance, const Record& record, const RunContext& run)
    : LocalLabels(graph, columns, tolerance, run) {
  vertex_ = record.integers("labeled");
  label_values_ = record.reals("label_values", std::ssize(vertex_) * columns);
  for (std::size_t i = 0; i < vertex_.size(); ++i) {
    const VertexId v = vertex_[i];
    if (v < 0 || v >= graph_.vertex_count() || holds(v))
      throw Error(ErrorCode::bad_data,
                  "labeled vertex " + std::to_string(v) + ": must be one of the graph's, and once");
    label_of_[index(v)] = static_cast<std::int32_t>(i);
    ++part_of(v).labels;
  }
  const std::vector<std::int32_t>& waiting = record.integers("waiting");
  values_.resume(record, vertex_, waiting);
  for (const VertexId v : waiting) {
    part_of(v).waiting.push_back(v);
    measure(v, part_of(v));
  }
  steps_ = record.reals("steps", graph_.vertex_count());
  const std::vector<std::int64_t>& counts = record.long_integers("part_counts");
  const std::vector<double>& reals = record.reals("parts", 3 * std::ssize(parts_));
  if (counts.size() != 3 * parts_.size())
    throw Error(ErrorCode::bad_data, "part_counts: must be three of each component");
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    Part& part = parts_[i];
    part.labels_of_steps = counts[3 * i];
    part.relaxed = counts[3 * i + 1];
    part.given_up = counts[3 * i + 2] != 0;
    part.most_steps = reals[3 * i];
    part.mean_steps = reals[3 * i + 1];
    part.epsilon = reals[3 * i + 2];
  }
  const std::vector<double>& rest = record.reals("local_state", 3);
  slack_ = rest[0];
  push_work_ = rest[1];
  solve_work_ = rest[2];
  takings_ = record.integer("takings");
  solves_ = record.integer("solves");
  tied_ = record.integer("tied");
}

void LocalLabels::save(Record& record) const {
  record.put("labeled", vertex_);
  record.put("label_values", label_values_);
  values_.save(record);
  record.put("steps", steps_);
  std::vector<std::int64_t> counts;
  std::vector<double> reals;
  std::vector<std::int32_t> waiting;
  for (const Part& part : parts_) {
    waiting.insert(waiting.end(), part.waiting.begin(), part.waiting.end());
    counts.insert(counts.end(), {part.labels_of_steps, part.relaxed, part.given_up ? 1 : 0});
    reals.insert(reals.end(), {part.most_steps, part.mean_steps, part.epsilon});
  }
  record.put("waiting", waiting);
  record.put("part_counts", counts);
  record.put("parts", reals);
  record.put("local_state", std::vector<double>{slack_, push_work_, solve_work_});
  record.put("takings", takings_);
  record.put("solves", solves_);
  record.put("tied", tied_);
}

std::vector<VertexId> LocalLabels::vertices_of(VertexId component) const {
  std::vector<VertexId> all(index(grouped_.first(component + 1) - grouped_.first(component)));
  std::iota(all.begin(), all.end(), grouped_.first(component));
  return all;
}

std::vector<VertexId> LocalLabels::free_of(VertexId component) const {
  std::vector<VertexId> free;
  for (VertexId v = grouped_.first(component); v < grouped_.first(component + 1); ++v)
    if (!values_.is_given(v)) free.push_back(v);
  return free;
}

double LocalLabels::error_at(VertexId v) const {
  const Part& part = part_of(v);
  // Where all labels were foreseen exactly, as where all are the same, nothing has ever changed.
  if (values_.is_given(v) || (part.epsilon == 0.0 && part.relaxed == 0)) return 0.0;
  if (part.labels_of_steps == 0) return HUGE_VAL;
  const double rounded = rounding_of_ratio * static_cast<double>(1 + part.relaxed);
  return (part.epsilon + rounded) * steps_[index(v)];
}

// Whether the extension has the class of value().
bool LocalLabels::is_proved() const {
  if (above_ == 0.0 && below_ == 0.0) return true;
  if (value_.size() == 1) {
    const double value = value_[0] + VertexStream::tie;
    return value > below_ || value < -above_;
  }
  const double apart = above_ + below_, largest = *std::ranges::max_element(value_);
  std::int64_t near = 0;
  for (const double x : value_)
    if (std::abs(largest - x - VertexStream::tie) <= apart || x == largest) ++near;
  return near == 1;
}

// Whether its class is proved by the values as they are.
bool LocalLabels::look(VertexId v) {
  if (holds(v)) {
    std::ranges::copy(given(v), value_.begin());
    above_ = below_ = 0.0;
    return true;
  }
  const Part& part = part_of(v);
  std::ranges::copy(values_.row(v), value_.begin());
  const double error = error_at(v);
  // Values that wait differ from the extension by what they were measured to, give or take an
  // error.
  const double of_waiting =
      part.waiting.empty() || error == 0.0
          ? 0.0
          : (part.epsilon + rounding_of_ratio * static_cast<double>(1 + part.relaxed)) *
                part.most_steps;
  above_ = part.most + error + of_waiting;
  below_ = error + of_waiting - part.least;
  return is_proved();
}

void LocalLabels::look_at(VertexId vertex) {
  const VertexId v = grouped_.number(vertex);
  if (look(v)) return;
  const VertexId component = grouped_.component(v);
  Part& part = part_of(v);
  if (!part.waiting.empty()) {
    take_in(part, vertices_of(component));
    if (look(v)) return;
  }
  const std::vector<VertexId> free = free_of(component);
  if (part.labels >= 2 * part.labels_of_steps) {
    find_steps(free, part);
    if (look(v)) return;
  }
  refine(v, free);
}

void LocalLabels::refine(VertexId v, std::span<const VertexId> free) {
  Part& part = part_of(v);
  const RelaxedValues::Rows kept = values_.rows(free);
  const double before = system_.work();
  try {
    const double least = refined_error / steps_[index(v)];
    const double lasting = lasting_share * slack_ / part.mean_steps;
    double target = value_.size() == 1 ? least : std::min(lasting, further * part.epsilon);
    // Once more to the end where rounding took what had proved it.
    VertexId watched = v;
    for (;; target *= further) {
      solve(free, std::max(target, least), watched, lasting);
      part.epsilon = values_.largest_ratio(free);
      part.relaxed = 0;
      if (look(v) || (target <= least && watched == no_vertex)) break;
      watched = no_vertex;
    }
  } catch (...) {
    values_.set_rows(free, kept);
    part.epsilon = values_.largest_ratio(free);
    throw;
  }
  ++solves_;
  (std::exchange(part.given_up, false) ? push_work_ : solve_work_) += system_.work() - before;
}

// Until no ratio is above `target`; of a single column, also once the class of `watched` is proved
// with some room and no ratio is above `lasting`.
void LocalLabels::solve(std::span<const VertexId> free, double target, VertexId watched,
                        double lasting) {
  for (std::int64_t k = 0; k < values_.columns(); ++k) {
    values_.take_out(free, k, x_, r_);
    const auto enough = [&](double ratio) {
      if (ratio <= target) return true;
      if (watched == no_vertex || values_.columns() > 1 || ratio > lasting) return false;
      return std::abs(x_[index(watched)] + VertexStream::tie) >
             2.0 * (ratio + rounding_of_ratio) * steps_[index(watched)];
    };
    system_.solve(free, r_, x_, enough, run_);
    values_.put_back(free, k, x_);
  }
  values_.compute_residuals(free);
}

// The least (A h)_u / d_u, h in x_; r_ becomes d − A h.
bool LocalLabels::lacks_steps(std::span<const VertexId> free, double& least) {
  least = 1.0;
  for (const VertexId u : free) {
    double sum = degree_[index(u)] * (1.0 - x_[index(u)]);
    graph_.visit_row(u, [&](VertexId other, double weight) {
      if (!values_.is_given(other)) sum += weight * x_[index(other)];
    });
    r_[index(u)] = sum;
    least = std::min(least, 1.0 - sum / degree_[index(u)]);
  }
  return least < 0.25;
}

// h of the free vertices of a component: A h = d to half of d, then times what makes it at least d
// everywhere.
void LocalLabels::find_steps(std::span<const VertexId> free, Part& part) {
  for (const VertexId u : free) x_[index(u)] = 0.0;
  double least = 0.0;
  lacks_steps(free, least);
  for (double target = 0.5;; target *= 0.1) {
    system_.solve(
        free, r_, x_, [&](double ratio) { return ratio <= target; }, run_);
    if (!lacks_steps(free, least) || target < 1e-8) break;
  }
  if (!(least > 0.0))
    throw Error(ErrorCode::internal, "seminorm: no bound of the steps of a walk was found");
  part.most_steps = part.mean_steps = 0.0;
  for (const VertexId u : free) {
    steps_[index(u)] = x_[index(u)] / least;
    part.most_steps = std::max(part.most_steps, steps_[index(u)]);
    part.mean_steps += steps_[index(u)] / static_cast<double>(free.size());
  }
  part.labels_of_steps = part.labels;
}

void LocalLabels::reveal(VertexId vertex, std::span<const double> value) {
  const VertexId v = grouped_.number(vertex);
  if (!is_proved()) ++tied_;
  Part& part = part_of(v);
  label_of_[index(v)] = static_cast<std::int32_t>(vertex_.size());
  vertex_.push_back(v);
  label_values_.insert(label_values_.end(), value.begin(), value.end());
  if (part.labels++ == 0) {
    values_.set(vertices_of(grouped_.component(v)), value);
    values_.give(v, value);
    return;
  }
  part.waiting.push_back(v);
  measure(v, part);
  weigh_slack();
}

// By how much the label of v differs from its value.
void LocalLabels::measure(VertexId v, Part& part) const {
  for (std::size_t k = 0; k < value_.size(); ++k) {
    const double change = given(v)[k] - values_.row(v)[k];
    part.least = std::min(part.least, change);
    part.most = std::max(part.most, change);
  }
}

// Takes in the labels that wait and pushes on what they change, unless that would go all over the
// component, for which a solve is faster. h is about what it was, less what labels since then took.
void LocalLabels::take_in(Part& part, std::span<const VertexId> vertices) {
  const CostModel& cost = cost_model();
  ++takings_;
  double change = 0.0;
  for (const VertexId v : part.waiting) {
    for (std::size_t k = 0; k < value_.size(); ++k)
      change += std::abs(given(v)[k] - values_.row(v)[k]);
    values_.give(v, given(v));
  }
  part.waiting.clear();
  part.least = part.most = 0.0;
  double threshold = HUGE_VAL;
  if (part.labels_of_steps > 0)
    threshold = slack_ * static_cast<double>(part.labels) /
                (part.mean_steps * static_cast<double>(part.labels_of_steps));
  if (change > cost.most_spread * static_cast<double>(vertices.size()) * threshold)
    threshold = HUGE_VAL;
  const auto entries = static_cast<double>(2 * graph_.edge_count());
  const double share =
      static_cast<double>(vertices.size()) / static_cast<double>(graph_.vertex_count());
  const RelaxedValues::Relaxed done = values_.relax(threshold, cost.most_pushed * share * entries);
  part.epsilon = std::max(part.epsilon, done.ratio);
  part.relaxed += done.vertices;
  push_work_ += cost.pushed_entry * done.work;
  if (!done.all) part.epsilon = values_.largest_ratio(vertices);
  part.given_up = part.given_up || !done.all || threshold == HUGE_VAL;
}

// Pushing costs more with less slack, and more trials are solved for with more.
void LocalLabels::weigh_slack() {
  const auto entries = static_cast<double>(2 * graph_.edge_count());
  if (push_work_ + solve_work_ < work_between_weighing * entries) return;
  if (solve_work_ > 2.0 * push_work_) slack_ = std::max(0.5 * slack_, tolerance_);
  if (push_work_ > 2.0 * solve_work_) slack_ = std::min(2.0 * slack_, most_slack);
  push_work_ = solve_work_ = 0.0;
}

// Every value within `tolerance_`, unless the run is to end: then they are what they are.
RelaxedValues LocalLabels::settled() const {
  RelaxedValues values = values_;
  for (const Part& part : parts_)
    for (const VertexId v : part.waiting) values.give(v, given(v));
  values.relax(HUGE_VAL, HUGE_VAL);
  FreeSystem system(grouped_, degree_);
  std::vector<double> x(degree_.size()), r(degree_.size());
  for (VertexId c = 0; c < grouped_.components() && !run_.should_stop(); ++c) {
    const Part& part = parts_[index(c)];
    std::vector<VertexId> free;
    for (const VertexId v : vertices_of(c))
      if (!holds(v)) free.push_back(v);
    if (part.labels < 2 || free.empty()) continue;
    const double target = tolerance_ / std::max(part.most_steps, 1.0);
    for (std::int64_t k = 0; k < values.columns(); ++k) {
      values.take_out(free, k, x, r);
      try {
        system.solve(
            free, r, x, [&](double ratio) { return ratio <= target; }, run_);
      } catch (const Error& error) {
        if (!stop_of(error)) throw;
      }
      values.put_back(free, k, x);
    }
  }
  return values;
}

// Any values that agree with the labels have at least the energy of the extension, as a bound
// needs.
void LocalLabels::prove(OnlineReport& report, bool two_classes) const {
  const double energy = energy_sum(graph_, settled().all(), 2.0);
  report.certificates.push_back({"energy", {energy}});
  report.certificates.push_back({"times_labels_were_taken_in", {static_cast<double>(takings_)}});
  report.certificates.push_back({"solves", {static_cast<double>(solves_)}});
  report.certificates.push_back({"tied", {static_cast<double>(tied_)}});
  bound_by_labels(report, count());
  const auto edges = static_cast<double>(graph_.vertex_count() + graph_.edge_count());
  const PathCoverBound best =
      best_path_cover_bound(graph_, 2.0, two_classes ? energy : 2.0 * energy,
                            1 + static_cast<std::int64_t>(most_cover_work / edges), run_);
  if (std::isinf(best.bound)) return;
  report.add_bound(best.bound * (1.0 + bound_rounding),
                   "k + ρ E: k balls in which paths have resistance ρ, energy E");
  report.certificates.push_back({"centers", {static_cast<double>(best.centers)}});
  report.certificates.push_back({"resistance", {best.resistance}});
}

}  // namespace gssl::detail
