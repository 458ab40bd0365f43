#include "batch/linear/design.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"
#include "kernel/row_products.hpp"

namespace gssl::detail {

namespace {

constexpr std::int64_t design_tile = 128;

void stop_setting_up(const RunContext& run) {
  run.throw_if_stopped("linear fit", "before its system was set up");
}

// Calls fill(i, j) for the tiles of the lower triangle of an m×m matrix, in parallel.
template <class Fill>
void each_tile(std::int64_t m, const RunContext& run, Fill&& fill) {
  const std::int64_t tiles = block_count(m, design_tile);
  parallel_blocks(
      tiles * (tiles + 1) / 2, run.thread_count(),
      [&](std::int64_t t, std::int64_t) {
        stop_setting_up(run);
        auto i = static_cast<std::int64_t>((std::sqrt(8.0 * static_cast<double>(t) + 1) - 1) / 2);
        while (i * (i + 1) / 2 > t) --i;
        while ((i + 1) * (i + 2) / 2 <= t) ++i;
        fill(i * design_tile, (t - i * (i + 1) / 2) * design_tile);
      },
      1);
}

Matrix mirrored(Matrix lower) {
  lower.triangularView<Eigen::StrictlyUpper>() = lower.transpose();
  return lower;
}

}  // namespace

const Dataset& with_weight(const Dataset& data, Dataset& storage) {
  if (std::ranges::find(data.weights, 0.0) == data.weights.end()) return data;
  std::vector<std::int32_t> rows;
  for (std::int32_t r = 0; r < data.points.rows(); ++r)
    if (data.weight(r) > 0.0) rows.push_back(r);
  storage = select(data, rows);
  return storage;
}

std::vector<std::int32_t> learned_classes(const Targets& targets) {
  std::vector<std::int32_t> learned;
  for (const std::int64_t size : targets.class_sizes()) learned.push_back(size > 0 ? 1 : 0);
  return learned;
}

SparseLists transposed(const SparseLists& lists, std::int64_t count) {
  SparseLists t;
  t.offsets.assign(static_cast<std::size_t>(count) + 1, 0);
  for (const std::int32_t id : lists.ids) ++t.offsets[static_cast<std::size_t>(id) + 1];
  std::partial_sum(t.offsets.begin(), t.offsets.end(), t.offsets.begin());
  t.ids.resize(lists.ids.size());
  t.values.resize(lists.ids.size());
  std::vector<std::int64_t> place(t.offsets.begin(), t.offsets.end() - 1);
  for (std::int64_t r = 0; r < lists.size(); ++r)
    lists.visit(r, [&](std::int32_t id, double value) {
      const auto at = static_cast<std::size_t>(place[static_cast<std::size_t>(id)]++);
      t.ids[at] = static_cast<std::int32_t>(r);
      t.values[at] = value;
    });
  return t;
}

Design::Design(const Dataset& data, Bias bias)
    : bias_(bias),
      sparse_(data.points.is_sparse()),
      given_columns_(data.points.columns()),
      root_weight_(data.points.rows()) {
  for (VertexId r = 0; r < data.points.rows(); ++r) {
    root_weight_[r] = std::sqrt(data.weight(r));
    weight_sum_ += data.weight(r);
  }
  sparse_ ? read_sparse(data.points) : read_dense(data.points);
  read_targets(data.targets);
  const Eigen::Map<const Eigen::VectorXd> sparse_values(
      by_row_.values.data(), static_cast<std::int64_t>(by_row_.values.size()));
  const double square = dense_.squaredNorm() + sparse_values.squaredNorm();
  if (!std::isfinite(square) || !std::isfinite(targets_.squaredNorm()))
    throw Error(ErrorCode::bad_data,
                "linear fit: values whose squares overflow: divide columns and targets by their "
                "largest values");
}

double Design::weight(std::int64_t row) const { return root_weight_[row] * root_weight_[row]; }

void Design::read_dense(const Points& points) {
  columns_ = given_columns_ + (bias_ == Bias::regularized ? 1 : 0);
  dense_ = RowMatrix::Ones(points.rows(), columns_);
  for (VertexId r = 0; r < points.rows(); ++r)
    points.visit_row(r, [&](std::int64_t c, double x) { dense_(r, c) = x; });
  mean_ = Eigen::RowVectorXd::Zero(columns_);
  if (bias_ == Bias::free) {
    for (std::int64_t r = 0; r < rows(); ++r) mean_ += weight(r) / weight_sum_ * dense_.row(r);
    dense_.rowwise() -= mean_;
  }
  dense_.array().colwise() *= root_weight_.array();
}

void Design::read_sparse(const Points& points) {
  std::vector<std::int32_t> number(static_cast<std::size_t>(given_columns_), -1);
  for (const std::int32_t c : points.column_ids()) number[static_cast<std::size_t>(c)] = 0;
  for (std::size_t c = 0; c < number.size(); ++c)
    if (number[c] == 0) {
      number[c] = static_cast<std::int32_t>(used_.size());
      used_.push_back(static_cast<std::int64_t>(c));
    }
  const auto constant = static_cast<std::int32_t>(used_.size());
  columns_ = constant + (bias_ == Bias::regularized ? 1 : 0);
  by_row_.offsets.push_back(0);
  for (VertexId r = 0; r < points.rows(); ++r) {
    points.visit_row(r, [&](std::int64_t c, double x) {
      by_row_.ids.push_back(number[static_cast<std::size_t>(c)]);
      by_row_.values.push_back(root_weight_[r] * x);
    });
    if (bias_ == Bias::regularized) {
      by_row_.ids.push_back(constant);
      by_row_.values.push_back(root_weight_[r]);
    }
    by_row_.offsets.push_back(static_cast<std::int64_t>(by_row_.ids.size()));
  }
  by_column_ = transposed(by_row_, columns_);
  mean_ = Eigen::RowVectorXd::Zero(columns_);
  if (bias_ == Bias::free)
    for (std::int64_t c = 0; c < columns_; ++c)
      by_column_.visit(
          c, [&](std::int32_t r, double x) { mean_[c] += root_weight_[r] * x / weight_sum_; });
}

void Design::read_targets(const Targets& targets) {
  targets_ = matrix_of(targets.block());
  target_mean_ = Eigen::RowVectorXd::Zero(targets_.cols());
  if (bias_ == Bias::free) {
    for (std::int64_t r = 0; r < rows(); ++r)
      target_mean_ += weight(r) / weight_sum_ * targets_.row(r);
    targets_.rowwise() -= target_mean_;
  }
  targets_.array().colwise() *= root_weight_.array();
}

Matrix Design::times(const Matrix& v, int threads) const {
  const RowMatrix w = v;
  RowMatrix product = RowMatrix::Zero(rows(), v.cols());
  const Eigen::RowVectorXd shift = mean_ * w;
  parallel_blocks(rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    if (!sparse_) {
      product.middleRows(begin, end - begin).noalias() =
          dense_.middleRows(begin, end - begin).lazyProduct(w);
      return;
    }
    for (std::int64_t r = begin; r < end; ++r) {
      by_row_.visit(r, [&](std::int32_t c, double x) { product.row(r) += x * w.row(c); });
      product.row(r) -= root_weight_[r] * shift;
    }
  });
  return product;
}

Matrix Design::transposed_times(const Matrix& r, int threads) const {
  const RowMatrix residual = r;
  RowMatrix product = RowMatrix::Zero(columns_, r.cols());
  if (!sparse_) {
    parallel_blocks(
        columns_, threads,
        [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t row = 0; row < rows(); ++row)
            product.middleRows(begin, end - begin).noalias() += dense_.row(row)
                                                                    .segment(begin, end - begin)
                                                                    .transpose()
                                                                    .lazyProduct(residual.row(row));
        },
        design_tile);
    return product;
  }
  const Eigen::RowVectorXd sum = root_weight_.transpose() * residual;
  parallel_blocks(columns_, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t c = begin; c < end; ++c) {
      by_column_.visit(c, [&](std::int32_t i, double x) { product.row(c) += x * residual.row(i); });
      product.row(c) -= mean_[c] * sum;
    }
  });
  return product;
}

Matrix Design::row_block(std::int64_t begin, std::int64_t end) const {
  if (!sparse_) return dense_.middleRows(begin, end - begin);
  Matrix block = -root_weight_.segment(begin, end - begin) * mean_;
  for (std::int64_t r = begin; r < end; ++r)
    by_row_.visit(r, [&](std::int32_t c, double x) { block(r - begin, c) += x; });
  return block;
}

Matrix Design::column_gram(const RunContext& run) const {
  Matrix gram = Matrix::Zero(columns_, columns_);
  if (!sparse_) {
    constexpr std::int64_t rows_at_once = 2048;
    for (std::int64_t first = 0; first < rows(); first += rows_at_once) {
      const std::int64_t depth = std::min(rows_at_once, rows() - first);
      const RowMatrix turned = dense_.middleRows(first, depth).transpose();
      each_tile(columns_, run, [&](std::int64_t i, std::int64_t j) {
        const std::int64_t height = std::min(design_tile, columns_ - i);
        const std::int64_t width = std::min(design_tile, columns_ - j);
        RowMatrix part(height, width);
        multiply_rows<double>({turned.data() + i * depth, height, depth},
                              {turned.data() + j * depth, width, depth}, depth, part.data(), width,
                              Into::set);
        gram.block(i, j, height, width) += part;
      });
    }
    return mirrored(std::move(gram));
  }
  parallel_blocks(
      columns_, run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        stop_setting_up(run);
        for (std::int64_t c = begin; c < end; ++c) {
          by_column_.visit(c, [&](std::int32_t r, double x) {
            by_row_.visit(r, [&](std::int32_t other, double y) { gram(other, c) += x * y; });
          });
          gram.col(c) -= weight_sum_ * mean_[c] * mean_.transpose();
        }
      },
      16);
  return mirrored(std::move(gram));
}

Matrix Design::row_gram(const RunContext& run) const {
  Matrix gram = Matrix::Zero(rows(), rows());
  if (!sparse_) {
    each_tile(rows(), run, [&](std::int64_t i, std::int64_t j) {
      const std::int64_t height = std::min(design_tile, rows() - i);
      const std::int64_t width = std::min(design_tile, rows() - j);
      gram.block(i, j, height, width).noalias() =
          dense_.middleRows(i, height) * dense_.middleRows(j, width).transpose();
    });
    return mirrored(std::move(gram));
  }
  Eigen::VectorXd along(rows());  // √w x·m of each row
  for (std::int64_t r = 0; r < rows(); ++r) {
    along[r] = 0.0;
    by_row_.visit(r, [&](std::int32_t c, double x) { along[r] += x * mean_[c]; });
  }
  const double square = mean_.squaredNorm();
  parallel_blocks(
      rows(), run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        stop_setting_up(run);
        for (std::int64_t r = begin; r < end; ++r) {
          by_row_.visit(r, [&](std::int32_t c, double x) {
            by_column_.visit(c, [&](std::int32_t other, double y) { gram(other, r) += x * y; });
          });
          gram.col(r) +=
              root_weight_ * (square * root_weight_[r] - along[r]) - root_weight_[r] * along;
        }
      },
      16);
  return mirrored(std::move(gram));
}

namespace {

double squared_lengths(const SparseLists& lists) {
  double sum = 0.0;
  for (std::size_t i = 0; i + 1 < lists.offsets.size(); ++i) {
    const auto length = static_cast<double>(lists.offsets[i + 1] - lists.offsets[i]);
    sum += length * length;
  }
  return sum;
}

}  // namespace

double Design::column_gram_cost() const {
  const auto d = static_cast<double>(columns_);
  return sparse_ ? squared_lengths(by_row_) + d * d : static_cast<double>(rows()) * d * d / 2;
}

double Design::row_gram_cost() const {
  const auto n = static_cast<double>(rows());
  return sparse_ ? squared_lengths(by_column_) + n * n : static_cast<double>(columns_) * n * n / 2;
}

void Design::release_rows() {
  dense_.resize(0, 0);
  by_row_ = by_column_ = {};
  root_weight_.resize(0);
  targets_.resize(0, 0);
}

LinearFit Design::finish(const Matrix& v) const {
  LinearFit fit{Block(given_columns_, v.cols()), std::vector<double>(std::size_t(v.cols()), 0.0)};
  const std::int64_t features = columns_ - (bias_ == Bias::regularized ? 1 : 0);
  for (std::int64_t c = 0; c < features; ++c) {
    const std::int64_t given = sparse_ ? used_[static_cast<std::size_t>(c)] : c;
    for (std::int64_t k = 0; k < v.cols(); ++k) fit.weights(given, k) = v(c, k);
  }
  const Eigen::RowVectorXd shift = target_mean_ - mean_ * v;
  for (std::int64_t k = 0; k < v.cols(); ++k)
    fit.bias[static_cast<std::size_t>(k)] = bias_ == Bias::regularized ? v(features, k) : shift[k];
  return fit;
}

}  // namespace gssl::detail
