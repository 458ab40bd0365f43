#include "float_frame.hpp"

#include <limits>

namespace gssl::knn {
namespace {

// Coordinates end here, in typical sizes, so that no sum of squares overflows a float.
constexpr double farthest = 0x1p48;

}  // namespace

FloatFrame::FloatFrame(const RowSpace& rows) : FloatFrame(rows, 1.0, true) {}

FloatFrame::FloatFrame(const RowSpace& rows, double error) : FloatFrame(rows, 1.0 + error, false) {}

FloatFrame::FloatFrame(const RowSpace& rows, double error, bool to_middle)
    : norm_(rows.norm()),
      error_(error),
      middle_(static_cast<std::size_t>(rows.columns())),
      slack_((static_cast<double>(rows.columns()) + 12.0 + 4.0 * error) * 0x1p-23) {
  constexpr VertexId most = 1001;
  const VertexId step = rows.rows() / most + 1;
  std::vector<double> column;
  std::vector<double> size;  // largest coordinate of each sampled row
  for (VertexId i = 0; i < rows.rows(); i += step) size.push_back(0.0);
  for (std::int64_t c = 0; c < rows.columns() && !size.empty(); ++c) {
    column.clear();
    for (VertexId i = 0; i < rows.rows(); i += step) column.push_back(rows.value(i, c));
    const auto half = column.begin() + static_cast<std::ptrdiff_t>(column.size() / 2);
    std::nth_element(column.begin(), half, column.end());
    const double middle = to_middle ? *half : 0.0;
    middle_[static_cast<std::size_t>(c)] = middle;
    for (std::size_t s = 0; s < size.size(); ++s)
      size[s] =
          std::max(size[s], std::abs(rows.value(static_cast<VertexId>(s) * step, c) - middle));
  }
  if (size.empty()) return;
  const auto half = size.begin() + static_cast<std::ptrdiff_t>(size.size() / 2);
  std::nth_element(size.begin(), half, size.end());
  const double typical = *half > 0.0 ? *half : *std::max_element(size.begin(), size.end());
  if (typical > 0.0 && std::isfinite(typical))
    scale_ = std::ldexp(1.0, -std::clamp(std::ilogb(typical), -1000, 1000));
}

void FloatFrame::coordinates(const RowSpace& rows, VertexId i, float* out,
                             std::int64_t stride) const {
  rows.visit_row(i, [&](const auto* row) {
    for (std::int64_t c = 0; c < columns(); ++c) {
      const double x =
          (static_cast<double>(row[c]) - middle_[static_cast<std::size_t>(c)]) * scale_;
      out[c * stride] = static_cast<float>(std::clamp(x, -farthest, farthest));
    }
  });
}

float FloatFrame::error_of(const float* coordinates, std::int64_t stride) const {
  double size = 0.0;
  for (std::int64_t c = 0; c < columns(); ++c) {
    const double x = coordinates[c * stride];
    if (std::abs(x) >= farthest) return std::numeric_limits<float>::infinity();
    size += norm_ == Norm::l2 ? x * x : std::abs(x);
  }
  if (norm_ == Norm::l2) size = std::sqrt(size);
  // Below the normal floats the error is absolute.
  return static_cast<float>(size * error_ * 0x1.02p-24 + static_cast<double>(columns()) * 0x1p-140);
}

float FloatFrame::norm_of(const float* coordinates, std::int64_t stride) const {
  const float error = error_of(coordinates, stride);
  if (norm_ == Norm::l1 || std::isinf(error)) return -1.01F * error;
  double square = 0.0;
  for (std::int64_t c = 0; c < columns(); ++c)
    square += static_cast<double>(coordinates[c * stride]) * coordinates[c * stride];
  return static_cast<float>(square * (1.0 - slack_) - static_cast<double>(columns()) * 0x1p-120);
}

float FloatFrame::reach(double key) const {
  // Squares near the least double have an absolute error, many of them together this at most.
  const double length = norm_ == Norm::l2 ? std::sqrt(key + 0x1p-1040) : key;
  // Nor may the square of what is returned be less than a normal float.
  return static_cast<float>(length * scale_ * (1.0 + slack_) +
                            static_cast<double>(columns() + 1) * 0x1p-60);
}

}  // namespace gssl::knn
