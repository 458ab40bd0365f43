#include "kernel/row_kernels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl::detail {
namespace {

[[noreturn]] void refuse(const char* kernel, VertexId row, std::int64_t column, double value,
                         const std::string& rule) {
  throw Error(ErrorCode::bad_data,
              std::string("kernel ") + kernel + ": row " + std::to_string(row) + ", column " +
                  std::to_string(column + 1) + ": " + gssl::to_text(value) + ": must be " + rule);
}

std::vector<double> dense_rows(const Points& points) {
  std::vector<double> values(index(points.rows() * points.columns()), 0.0);
  for (VertexId r = 0; r < points.rows(); ++r)
    points.visit_row(
        r, [&](std::int64_t c, double x) { values[index(r * points.columns() + c)] = x; });
  return values;
}

// Rows held dense, combined column by column.
class CellKernel : public RowKernel {
 public:
  CellKernel(const Points& a, const Points& b)
      : columns_(a.columns()), a_(dense_rows(a)), b_(dense_rows(b)) {}

 protected:
  const double* of_a(std::int64_t row) const { return a_.data() + row * columns_; }
  const double* of_b(std::int64_t row) const { return b_.data() + row * columns_; }
  std::int64_t columns_;

 private:
  std::vector<double> a_, b_;
};

class AnovaKernel final : public CellKernel {
 public:
  using CellKernel::CellKernel;
  void row(std::int64_t row, std::int64_t first, std::span<double> to) const override {
    const double* x = of_a(row);
    for (std::size_t j = 0; j < to.size(); ++j) {
      const double* t = of_b(first + static_cast<std::int64_t>(j));
      double product = 1.0;
      for (std::int64_t c = 0; c < columns_; ++c) product *= 1.0 + x[c] * t[c];
      to[j] = product;
    }
  }
};

class MinKernel final : public CellKernel {
 public:
  using CellKernel::CellKernel;
  void row(std::int64_t row, std::int64_t first, std::span<double> to) const override {
    const double* x = of_a(row);
    for (std::size_t j = 0; j < to.size(); ++j) {
      const double* t = of_b(first + static_cast<std::int64_t>(j));
      double sum = 0.0;
      for (std::int64_t c = 0; c < columns_; ++c) sum += std::min(x[c], t[c]);
      to[j] = sum;
    }
  }
};

double anova_factor(double product, double x, double t) { return product * (1.0 + x * t); }
double min_term(double sum, double x, double t) { return sum + std::min(x, t); }

// Rows of few entries: `step` takes what came before and the values of a column that both rows have
// an entry in; the others change nothing.
class CommonColumns final : public RowKernel {
 public:
  using Step = double (*)(double, double, double);
  CommonColumns(const Points& a, const Points& b, double start, Step step)
      : a_(a), b_(b), start_(start), step_(step) {}

  void row(std::int64_t row, std::int64_t first, std::span<double> to) const override {
    std::vector<std::pair<std::int64_t, double>> entries;
    a_.visit_row(static_cast<VertexId>(row),
                 [&](std::int64_t c, double x) { entries.emplace_back(c, x); });
    for (std::size_t j = 0; j < to.size(); ++j) {
      double value = start_;
      auto entry = entries.begin();
      b_.visit_row(static_cast<VertexId>(first + static_cast<std::int64_t>(j)),
                   [&](std::int64_t c, double t) {
                     while (entry != entries.end() && entry->first < c) ++entry;
                     if (entry != entries.end() && entry->first == c)
                       value = step_(value, entry->second, t);
                   });
      to[j] = value;
    }
  }

 private:
  const Points a_, b_;
  const double start_;
  const Step step_;
};

void check_not_negative(const Points& points) {
  for (VertexId r = 0; r < points.rows(); ++r)
    points.visit_row(r, [&](std::int64_t c, double x) {
      if (x < 0.0) refuse("min", r, c, x, "≥ 0");
    });
}

// A row is a string of symbols 1, 2, …, one in each column; zeros after the last pad it.
std::vector<std::int64_t> symbols(const Points& points, VertexId r) {
  std::vector<std::int64_t> string;
  points.visit_row(r, [&](std::int64_t c, double x) {
    if (x == 0.0) return;
    if (x < 1.0 || x > 9e15 || x != std::floor(x))
      refuse("spectrum", r, c, x, "a symbol, that is an integer ≥ 1, or 0 after the last");
    if (c != std::ssize(string))
      refuse("spectrum", r, std::ssize(string), 0.0, "a symbol, since more come after it");
    string.push_back(static_cast<std::int64_t>(x));
  });
  return string;
}

// How often each word, known by number, stands in a row; ascending.
using WordCounts = std::vector<std::pair<std::int64_t, double>>;

class SpectrumKernel final : public RowKernel {
 public:
  SpectrumKernel(int length, const Points& a, const Points& b) {
    std::map<std::vector<std::int64_t>, std::int64_t> numbers;
    a_ = counted(length, a, numbers);
    b_ = counted(length, b, numbers);
  }

  void row(std::int64_t row, std::int64_t first, std::span<double> to) const override {
    for (std::size_t j = 0; j < to.size(); ++j)
      to[j] = product(a_[index(row)], b_[index(first) + j]);
  }

 private:
  static std::vector<WordCounts> counted(
      int length, const Points& points,
      std::map<std::vector<std::int64_t>, std::int64_t>& numbers) {
    std::vector<WordCounts> all(index(points.rows()));
    for (VertexId r = 0; r < points.rows(); ++r) {
      const std::vector<std::int64_t> string = symbols(points, r);
      std::map<std::int64_t, double> count;
      for (auto word = string.begin(); string.end() - word >= length; ++word)
        ++count[numbers.try_emplace({word, word + length}, std::ssize(numbers)).first->second];
      all[index(r)].assign(count.begin(), count.end());
    }
    return all;
  }

  static double product(const WordCounts& a, const WordCounts& b) {
    double sum = 0.0;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
      if (a[i].first == b[j].first)
        sum += a[i++].second * b[j++].second;
      else
        a[i].first < b[j].first ? ++i : ++j;
    }
    return sum;
  }

  std::vector<WordCounts> a_, b_;
};

// L⁺ of the complete binary tree plus its largest diagonal entry: 2κ − bit_width(s xor t), with
// κ = L⁺ of a leaf (Herbster, Pasteris and Tse 2020, arXiv:2010.11817; r(s,t) = 2·bit_width).
class PathTreeRowKernel final : public RowKernel {
 public:
  PathTreeRowKernel(int size, const Points& a, const Points& b)
      : a_(leaves(size, a)), b_(leaves(size, b)), diagonal_(2.0 * leaf_diagonal(size)) {}

  void row(std::int64_t row, std::int64_t first, std::span<double> to) const override {
    for (std::size_t j = 0; j < to.size(); ++j)
      to[j] =
          diagonal_ - static_cast<double>(std::bit_width(a_[index(row)] ^ b_[index(first) + j]));
  }

 private:
  static std::vector<std::uint64_t> leaves(int size, const Points& points) {
    if (points.columns() != 1)
      throw Error(ErrorCode::bad_data, "kernel path-tree: " + std::to_string(points.columns()) +
                                           " columns: must be one, a place on the path");
    std::vector<std::uint64_t> all;
    for (VertexId r = 0; r < points.rows(); ++r) {
      const double x = points.value(r, 0);
      if (!(x >= 0.0 && x < size && x == std::floor(x)))
        refuse("path-tree", r, 0, x, "an integer in 0 … " + std::to_string(size - 1));
      all.push_back(static_cast<std::uint64_t>(x));
    }
    return all;
  }

  // L⁺_ss = R(s)/N − R_tot/N², where R(s) adds the distances to all vertices and R_tot, over all
  // pairs, counts for each edge the pairs that it parts.
  static double leaf_diagonal(int size) {
    const int depth = static_cast<int>(std::bit_width(static_cast<unsigned>(size) - 1U));
    const double n = std::exp2(depth + 1) - 1.0;
    double of_leaf = 0.0, all = 0.0, depths = 0.0;  // depths: Σ distances below a vertex
    for (int height = 0; height < depth; ++height) {
      const double below = std::exp2(height + 1) - 1.0;  // vertices of a subtree of that height
      all += std::exp2(depth - height) * below * (n - below);
      // The parent, at distance height + 1, and all of the sibling's subtree beyond it.
      const double away = height + 1.0;
      of_leaf += away + (away + 1.0) * below + depths;
      depths = 2.0 * (depths + below);
    }
    return of_leaf / n - all / (n * n);
  }

  std::vector<std::uint64_t> a_, b_;
  double diagonal_;
};

}  // namespace

void check_sets(const Points& points) {
  for (VertexId r = 0; r < points.rows(); ++r)
    points.visit_row(r, [&](std::int64_t c, double x) {
      if (x != 0.0 && x != 1.0) refuse("set", r, c, x, "0 or 1");
    });
}

std::unique_ptr<RowKernel> make_row_kernel(const KernelTerm& term, const Points& a,
                                           const Points& b) {
  const bool sparse = a.is_sparse() || b.is_sparse();
  switch (term.kind) {
    case KernelTerm::Kind::anova:
      if (sparse) return std::make_unique<CommonColumns>(a, b, 1.0, anova_factor);
      return std::make_unique<AnovaKernel>(a, b);
    case KernelTerm::Kind::min:
      check_not_negative(a);
      check_not_negative(b);
      if (sparse) return std::make_unique<CommonColumns>(a, b, 0.0, min_term);
      return std::make_unique<MinKernel>(a, b);
    case KernelTerm::Kind::spectrum: return std::make_unique<SpectrumKernel>(term.degree, a, b);
    case KernelTerm::Kind::path_tree: return std::make_unique<PathTreeRowKernel>(term.degree, a, b);
    default: GSSL_ASSERT(false); return nullptr;
  }
}

}  // namespace gssl::detail
