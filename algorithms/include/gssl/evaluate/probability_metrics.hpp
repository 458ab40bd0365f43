#pragma once
// How good probabilities are: log loss, Brier score, calibration, and the order that scores give.
//
//   gssl::LogLoss loss = gssl::log_loss(probabilities, truth);    // n×K, a class for each row
//   gssl::Reliability table = gssl::reliability(confidence, right);
//   table.expected_error;      // expected calibration error
//   double area = gssl::area_under_roc(score, positive);
//
// No rows: every value is NaN.

#include <cstdint>
#include <span>
#include <vector>

#include "gssl/core/block.hpp"

namespace gssl {

struct LogLoss {
  double value = 0.0;        // −mean ln p(truth), each p at least 2⁻⁵², about 2.2e-16
  std::int64_t clipped = 0;  // rows with less, which cost 36.04 in place of more
};

// Each row of probabilities is scaled to sum 1; a row of zeros says nothing and counts as 1/K for
// each class. Throws ErrorCode::bad_data on a length or class that does not fit, and on a
// probability that is negative or not finite.
LogLoss log_loss(const Block& probabilities, std::span<const int> truth);

// Mean over rows of Σ_k (p_k − [truth = k])², in [0, 2] (Brier 1950). Of two classes it is twice
// what is often reported, Σ over one of them. Rows are scaled and errors are as above.
double brier_score(const Block& probabilities, std::span<const int> truth);

// The area under the ROC curve: the chance that a positive row has a larger score than a negative
// one, ties counting half. NaN unless there are rows of both kinds. Throws ErrorCode::bad_data if
// the lengths differ. O(n log n).
double area_under_roc(std::span<const double> score, std::span<const char> positive);

// Mean of the areas of each class against the others, over the classes for which there is one.
double area_under_roc(const Block& scores, std::span<const int> truth);

enum class Binning {
  equal_count,  // bins of as many rows each; rows of the same confidence stay together
  equal_width   // [0, 1/bins), [1/bins, 2/bins), …, the last with 1
};

struct ReliabilityBin {
  double confidence = 0.0;  // mean
  double accuracy = 0.0;    // share right
  std::int64_t count = 0;   // ≥ 1
};

// Confidence beside the share that was right, for rows of about the same confidence.
struct Reliability {
  std::vector<ReliabilityBin> bins;  // ascending by confidence, none empty
  // Σ count/n·|confidence − accuracy|: the expected calibration error (Naeini, Cooper and
  // Hauskrecht 2015, doi:10.1609/aaai.v29i1.9602).
  double expected_error = 0.0;
  double largest_error = 0.0;  // of one bin
};

// Throws ErrorCode::bad_data if the lengths differ or a confidence is not in [0, 1], and
// ErrorCode::usage unless bins ≥ 1. O(n log n).
Reliability reliability(std::span<const double> confidence, std::span<const char> right,
                        int bins = 15, Binning binning = Binning::equal_count);

}  // namespace gssl
