#pragma once
// The confidence of a fit to a graph made a probability, from few given labels and all vertices.
//
//   gssl::GraphCalibration c = gssl::calibrate_on_graph(learner, graph, labeled, fit,
//                                                       gssl::CalibrationMethod::temperature, run);
//   gssl::apply_calibration(c, graph, fit);   // fit.confidence is the chance to be right
//
// `platt` and `isotonic` are the curves of left_out_calibration.hpp. So is what `temperature`
// begins with; but seventy labels say no better than to 0.055 what share of the answers is right,
// and the score of a vertex alone not well which. So it asks all vertices twice:
//   share right  L = (l + 2·(1 − 1.6·d))/3. l is what the n left-out labels say: the mean
//                probability of all vertices by their curve. For twenty other label sets of the
//                same sizes, drawn among the vertices by their answers, d is the share of the
//                vertices that fits to them decide differently. Were the answers the truth, d would
//                be the share of wrong ones; the truth is less smooth. L is kept within 1.5
//                standard errors of l, and at most (n + 1)/(n + 2).
//   which        P(k | v) = own·p_v + (1 − own)·(Σ_u w_uv·p_u + t/K) / (Σ_u w_uv + t), where
//                p = softmax(β·s)_k, the sum is over the neighbors, and t is (1 − L) times the mean
//                weight: a neighbor that knows nothing, so that one neighbor is no proof. The
//                decided class has L on average: by the neighbors alone (own = 0), if β need not be
//                over 1.5 times that which own scores alone need; else β is that, and `own` what
//                brings the mean to L. The mean of very many neighbors says little.
// Labels are left out in 10 folds, which are as many fits; the searches for β look at 10,000
// vertices and their neighbors. Time O(30 fits + m·K), memory that of two fits and O(n·K).

#include <functional>
#include <limits>

#include "gssl/evaluate/left_out_calibration.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/learn/learner.hpp"

namespace gssl {

struct GraphCalibration {
  LeftOutCalibration left_out;
  // Of temperature alone. NaN: no vertex got two answers, and `left_out` decides.
  double redrawn_differ = std::numeric_limits<double>::quiet_NaN();  // d
  double share_right = std::numeric_limits<double>::quiet_NaN();     // L
  double beta = std::numeric_limits<double>::quiet_NaN();
  double own = 0.0;
  bool asks_neighbors() const { return beta == beta; }
};

// `fit` is that of the learner to all labels, with its scores. Throws as calibrate_on_left_out.
GraphCalibration calibrate_on_graph(const TransductiveLearner& learner, const Graph& graph,
                                    const LabeledSet& labeled, const Fit& fit,
                                    CalibrationMethod method, const RunContext& run = {});

// The same of whatever gives every vertex a label from some labels.
GraphCalibration calibrate_on_graph(const std::function<Fit(const LabeledSet&)>& fit_to,
                                    const Graph& graph, const LabeledSet& labeled, const Fit& fit,
                                    CalibrationMethod method, const RunContext& run = {});

// What the scores of every vertex become. Rows sum to 1.
Block calibrated_probabilities(const GraphCalibration& calibration, const Graph& graph,
                               const Fit& fit, int threads = 1);

// Confidence of every inferred or tied vertex becomes the probability of its class; decisions and
// scores stay. The fit must have its scores.
void apply_calibration(const GraphCalibration& calibration, const Graph& graph, Fit& fit,
                       int threads = 1);

}  // namespace gssl
