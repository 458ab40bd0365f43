#pragma once
// Margin problems of a data set: one where there are two classes, else for each class one that
// tells it from all others; and a linear model of their solutions.

#include <string>

#include "batch/linear/margin_problem.hpp"
#include "gssl/learn/inductive.hpp"

namespace gssl::detail {

struct MarginFit {
  std::string learner;
  LinearKind kind = LinearKind::margin;
  MarginLoss loss = MarginLoss::hinge;
  Bias bias = Bias::free;
  double c = 1.0;  // C_i = c·(weight of the row)
  bool dual = true;
  bool interior = false;  // where coordinate descent is slow, interior_point() may take over; hinge
  MarginOptions options;
};

// Certificates, one value for each problem: "objective", "duality_gap", "support_vectors" (not of
// logistic).
Trained fit_margins(const MarginFit& fit, const Dataset& data, const RunContext& run);

}  // namespace gssl::detail
