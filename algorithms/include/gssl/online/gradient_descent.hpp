#pragma once
// Online gradient descent on linear functions: w ← Π(w − η_t g_t), where g_t is the gradient of the
// loss of trial t and Π the projection on the domain.
//
//   gssl::GradientDescentLearner learner({.radius = 5});
//   auto session = learner.start({.class_names = {"-1", "+1"}}, run);
//
// Losses of y = ±1 and the score s = w·x: hinge max(0, 1 − ys), logistic ln(1 + e^{−ys}), square
// (y − s)². Without class names outcomes are real, and the loss must be square. automatic: hinge for
// classes, square for reals. Domains: the ball
// ‖w‖ ≤ radius, from w = 0; the simplex, from equal weights (the width must be known, no bias).
//
// Regret to any w of the domain, certificate "regret_bound": with diameter D and G = Σ ‖g_t‖²,
// η_t = D/√(2 Σ_{s≤t} ‖g_s‖²) gives √2·D·√G (M. Streeter and H. B. McMahan 2010, arXiv:1002.4862);
// a fixed rate η gives d²/(2η) + ηG/2, d the largest distance from the start (M. Zinkevich 2003). The
// bound of the run is the least of L(u) + √2·D·√G, or L(u) + ‖u − w₁‖²/(2η) + ηG/2, over the u that
// are known, L(u) their loss: while the stream runs the start w₁, by second_look() also the last
// weights and those that the model has.
// O(non-zeros) a trial in the ball, whose projection is a scale; O(d log d) in the simplex.

#include "gssl/core/named.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/online/online_to_batch.hpp"

namespace gssl {

struct GradientDescentOptions {
  enum class Loss { automatic, hinge, logistic, square };
  enum class Domain { ball, simplex };
  Loss loss = Loss::automatic;
  Domain domain = Domain::ball;
  double radius = 10.0;                        // > 0, of the ball
  double rate = 0.0;                           // η ≥ 0; 0: falling, as above
  bool bias = true;                            // a constant feature 1; in the ball only
  HypothesisForm form = HypothesisForm::last;  // the model that is left: online_to_batch.hpp

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};
template <>
inline constexpr auto names_of<GradientDescentOptions::Loss> =
    enum_names<GradientDescentOptions::Loss>("loss", {"auto", "hinge", "logistic", "square"});

class GradientDescentLearner final : public OnlineLearner {
 public:
  explicit GradientDescentLearner(GradientDescentOptions options = {});

  InstanceKind instance_kind() const override { return InstanceKind::row; }
  // Throws ErrorCode::usage unless there are two class names, or none and no loss of classes.
  std::unique_ptr<OnlineSession> start(const OnlineSetting& setting,
                                       const RunContext& run = {}) const override;
  std::unique_ptr<OnlineSession> resume(const OnlineSetting& setting, const Record& record,
                                        const RunContext& run = {}) const override;

 private:
  GradientDescentOptions options_;
};

LearnerEntry gradient_descent_entry();

}  // namespace gssl
