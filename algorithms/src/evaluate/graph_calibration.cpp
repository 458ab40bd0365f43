#include "gssl/evaluate/graph_calibration.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "evaluate/soft_shares.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/evaluate/metrics.hpp"
#include "support/vertex_status.hpp"

namespace gssl {

namespace {

constexpr std::uint64_t redrawn_stream = std::numeric_limits<std::uint64_t>::max() - 1;
constexpr int redrawn_sets = 20;
constexpr double error_of_difference = 1.6;
constexpr double trusted_errors = 1.5;  // standard errors of the left-out labels
constexpr double steeper = 1.5;         // times the β of own scores
constexpr std::int64_t most_asked = 10'000;

bool is_answered(const Fit& fit, VertexId v) {
  return detail::is_found(fit.scores.status[index(v)]) && answer_of(fit, v) != no_answer;
}

std::vector<VertexId> answered_vertices(const Fit& fit) {
  std::vector<VertexId> found;
  for (VertexId v = 0; v < fit.scores.values.rows(); ++v)
    if (is_answered(fit, v)) found.push_back(v);
  return found;
}

// Label sets with as many labels of each class as are given, but of at most half of the vertices
// that are given or answered so.
class RedrawnLabels {
 public:
  RedrawnLabels(const LabeledSet& labeled, const Fit& fit, const std::vector<VertexId>& answered)
      : labeled_(labeled), of_class_(index(labeled.class_count())) {
    for (std::size_t i = 0; i < labeled.size(); ++i)
      of_class_[index(labeled.class_of()[i])].push_back(labeled.vertices()[i]);
    for (const auto& vertices : of_class_) count_.push_back(vertices.size());
    for (const VertexId v : answered) of_class_[index(fit.decision[index(v)])].push_back(v);
  }

  LabeledSet draw(Rng& rng) {
    std::vector<VertexId> vertices;
    std::vector<int> class_of;
    for (std::size_t k = 0; k < of_class_.size(); ++k) {
      std::vector<VertexId>& all = of_class_[k];
      const std::size_t count = std::min(count_[k], (all.size() + 1) / 2);
      for (std::size_t i = 0; i < count; ++i) {
        std::swap(all[i], all[i + rng.below(all.size() - i)]);
        vertices.push_back(all[i]);
        class_of.push_back(static_cast<int>(k));
      }
    }
    return LabeledSet::classes(std::move(vertices), std::move(class_of), labeled_.class_names());
  }

 private:
  const LabeledSet& labeled_;
  std::vector<std::vector<VertexId>> of_class_;
  std::vector<std::size_t> count_;
};

// The share of the vertices that fits to redrawn labels decide differently; NaN if there is none.
double redrawn_difference(const std::function<Fit(const LabeledSet&)>& fit_to,
                          const LabeledSet& labeled, const Fit& fit,
                          const std::vector<VertexId>& answered, const RunContext& run) {
  Rng rng = run.rng(redrawn_stream);
  RedrawnLabels redrawn(labeled, fit, answered);
  std::int64_t both = 0, differ = 0;
  for (int i = 0; i < redrawn_sets; ++i) {
    run.throw_if_stopped("calibration", "all redrawn labels were fitted");
    run.report_progress("calibration, redrawn labels", static_cast<double>(i) / redrawn_sets);
    const Fit other = fit_to(redrawn.draw(rng));
    for (const VertexId v : answered) {
      if (!is_answered(other, v)) continue;
      ++both;
      differ += other.decision[index(v)] != fit.decision[index(v)] ? 1 : 0;
    }
  }
  return static_cast<double>(differ) / static_cast<double>(both);
}

// Two thirds by the redrawn labels, as far as n left-out labels allow, which say `by_labels`.
double trusted_share(const GraphCalibration& found, double by_labels) {
  const auto n = static_cast<double>(found.left_out.left_out);
  const double error = std::sqrt(std::max(by_labels * (1.0 - by_labels), 0.0) / n);
  const double most = (n + 1.0) / (n + 2.0);  // if all of them were right
  const double by_redrawn = 1.0 - error_of_difference * found.redrawn_differ;
  return std::clamp((by_labels + 2.0 * by_redrawn) / 3.0,
                    std::min(by_labels - trusted_errors * error, most),
                    std::min(by_labels + trusted_errors * error, most));
}

// The weight of the neighbor that knows nothing.
double blank_weight(const Graph& graph, double share_right) {
  const auto weights = graph.weight_array();
  if (weights.empty()) return 1.0 - share_right;
  return (1.0 - share_right) * std::accumulate(weights.begin(), weights.end(), 0.0) /
         static_cast<double>(weights.size());
}

// What the neighbors of a vertex and the one that knows nothing say of each class.
template <class SaidBy>
void ask_neighbors(const Graph& graph, VertexId v, double blank, const SaidBy& said_by,
                   std::span<double> votes) {
  const double share = 1.0 / static_cast<double>(votes.size());
  std::ranges::fill(votes, blank * share);
  double all = blank;
  graph.visit_row(v, [&](VertexId u, double w) {
    const auto said = said_by(u);
    for (std::size_t k = 0; k < votes.size(); ++k) votes[k] += w * said[k];
    all += w;
  });
  for (double& vote : votes) vote = all > 0.0 ? vote / all : share;
}

// Some answered vertices evenly spread over all, and the scores of them and their neighbors.
class AskedVertices {
 public:
  AskedVertices(const Graph& graph, const Fit& fit, const std::vector<VertexId>& answered)
      : graph_(graph), row_of_(index(graph.vertex_count()), -1) {
    const auto count = std::ssize(answered);
    const std::int64_t asked = std::min(count, most_asked);
    std::vector<VertexId> neighbors;
    for (std::int64_t i = 0; i < asked; ++i) {
      const VertexId v = answered[index(i * count / asked)];
      vertices_.push_back(v);
      class_of_.push_back(fit.decision[index(v)]);
      graph.visit_row(v, [&](VertexId u, double) {
        if (std::exchange(row_of_[index(u)], 0) < 0) neighbors.push_back(u);
      });
    }
    for (std::size_t r = 0; r < neighbors.size(); ++r)
      row_of_[index(neighbors[r])] = static_cast<VertexId>(r);
    own_ = scores_of(fit, vertices_);
    others_ = scores_of(fit, neighbors);
  }

  // Of their classes, by their own scores.
  double mean_of_own(const Calibration& calibration) const {
    const Block p = calibration.probabilities(own_);
    double sum = 0.0;
    for (std::size_t i = 0; i < vertices_.size(); ++i)
      sum += p(static_cast<std::int64_t>(i), class_of_[i]);
    return sum / static_cast<double>(vertices_.size());
  }

  // Of their classes, by the neighbors.
  double mean_of_neighbors(const Calibration& calibration, double blank) const {
    const Block p = calibration.probabilities(others_);
    const auto said_by = [&](VertexId u) { return p.row(row_of_[index(u)]); };
    std::vector<double> votes(index(p.columns()));
    double sum = 0.0;
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
      ask_neighbors(graph_, vertices_[i], blank, said_by, votes);
      sum += votes[index(class_of_[i])];
    }
    return sum / static_cast<double>(vertices_.size());
  }

 private:
  static Block scores_of(const Fit& fit, const std::vector<VertexId>& vertices) {
    Block scores(std::ssize(vertices), fit.scores.values.columns());
    for (std::int64_t r = 0; r < scores.rows(); ++r)
      std::ranges::copy(fit.scores.values.row(vertices[index(r)]), scores.row(r).begin());
    return detail::are_shares(fit.scores.values.values()) ? detail::softened(std::move(scores))
                                                          : scores;
  }

  const Graph& graph_;
  std::vector<VertexId> vertices_;
  std::vector<int> class_of_;
  std::vector<VertexId> row_of_;  // of a neighbor in `others_`
  Block own_, others_;
};

// The β up to `high` at which an ascending mean reaches `share`.
template <class Mean>
double beta_reaching(const Mean& mean, double share, double high) {
  double low = 0.0;
  constexpr int steps = 30;
  for (int i = 0; i < steps; ++i) {
    const double middle = std::midpoint(low, high);
    (mean(middle) >= share ? high : low) = middle;
  }
  return high;
}

// `beta` and `own` for the share right.
void weigh_neighbors(const Graph& graph, const AskedVertices& asked, GraphCalibration& found) {
  constexpr double most = std::numeric_limits<double>::max();
  const Calibration& curve = found.left_out.calibration;
  const double share = found.share_right, blank = blank_weight(graph, share);
  const auto by_own = [&](double beta) { return asked.mean_of_own(curve.at_beta(beta)); };
  const auto by_neighbors = [&](double beta) {
    return asked.mean_of_neighbors(curve.at_beta(beta), blank);
  };
  double high = curve.beta() > 0.0 ? curve.beta() : 1.0;
  constexpr int doublings = 5;
  for (int i = 0; i < doublings && by_own(high) < share; ++i) high = std::min(2.0 * high, most);
  found.beta = std::min(steeper * beta_reaching(by_own, share, high), most);
  const double own = by_own(found.beta), neighbors = by_neighbors(found.beta);
  if (neighbors >= share)
    found.beta = beta_reaching(by_neighbors, share, found.beta);
  else if (own > neighbors)
    found.own = std::min((share - neighbors) / (own - neighbors), 1.0);
}

}  // namespace

GraphCalibration calibrate_on_graph(const std::function<Fit(const LabeledSet&)>& fit_to,
                                    const Graph& graph, const LabeledSet& labeled, const Fit& fit,
                                    CalibrationMethod method, const RunContext& run) {
  GraphCalibration found{.left_out = calibrate_on_left_out(fit_to, labeled, method, run)};
  if (method != CalibrationMethod::temperature) return found;
  const std::vector<VertexId> answered = answered_vertices(fit);
  found.redrawn_differ = redrawn_difference(fit_to, labeled, fit, answered, run);
  if (!std::isfinite(found.redrawn_differ)) return found;
  const AskedVertices asked(graph, fit, answered);
  found.share_right = std::max(trusted_share(found, asked.mean_of_own(found.left_out.calibration)),
                               1.0 / static_cast<double>(labeled.class_count()));
  weigh_neighbors(graph, asked, found);
  return found;
}

GraphCalibration calibrate_on_graph(const TransductiveLearner& learner, const Graph& graph,
                                    const LabeledSet& labeled, const Fit& fit,
                                    CalibrationMethod method, const RunContext& run) {
  return calibrate_on_graph([&](const LabeledSet& some) { return learner.fit(graph, some, run); },
                            graph, labeled, fit, method, run);
}

Block calibrated_probabilities(const GraphCalibration& calibration, const Graph& graph,
                               const Fit& fit, int threads) {
  const Calibration& curve = calibration.left_out.calibration;
  if (!calibration.asks_neighbors()) return calibrated_probabilities(curve, fit);
  const Block said = calibrated_probabilities(curve.at_beta(calibration.beta), fit);
  const double blank = blank_weight(graph, calibration.share_right);
  Block p(said.rows(), said.columns());
  parallel_blocks(said.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      const auto row = p.row(v);
      const auto own = said.row(v);
      ask_neighbors(
          graph, static_cast<VertexId>(v), blank, [&](VertexId u) { return said.row(u); }, row);
      for (std::size_t k = 0; k < row.size(); ++k) row[k] += calibration.own * (own[k] - row[k]);
    }
  });
  return p;
}

void apply_calibration(const GraphCalibration& calibration, const Graph& graph, Fit& fit,
                       int threads) {
  const Block p = calibrated_probabilities(calibration, graph, fit, threads);
  for (VertexId v = 0; v < p.rows(); ++v)
    if (detail::is_found(fit.scores.status[index(v)]))
      fit.confidence[index(v)] = std::clamp(p(v, fit.decision[index(v)]), 0.0, 1.0);
}

}  // namespace gssl
