#include "batch/tree/column_scan.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace gssl::detail {

namespace {

double x_log_x(double x) { return x > 0.0 ? x * std::log(x) : 0.0; }

// Weight and class of a row, from its code alone or by a look at the weights.
struct KindReader {
  const RowKind* kinds;
  std::uint32_t mask;
  explicit KindReader(const TreeRows& rows) : kinds(rows.kinds.data()), mask(rows.mask) {}
  double weight(std::uint32_t code) const { return kinds[code & mask].weight; }
  double second(std::uint32_t code) const { return kinds[code & mask].second; }
  double size(std::uint32_t code) const { return kinds[code & mask].size; }
  int class_of(std::uint32_t code) const { return kinds[code & mask].class_of; }
};

struct WeightReader {
  const double* weights;
  std::uint32_t mask;
  int bits;
  explicit WeightReader(const TreeRows& rows)
      : weights(rows.weights.data()), mask(rows.mask), bits(rows.kind_bits) {}
  double weight(std::uint32_t code) const { return weights[code >> bits]; }
  double second(std::uint32_t code) const {
    return (code & mask) == 1 ? weights[code >> bits] : 0.0;
  }
  double size(std::uint32_t code) const { return std::max(1.0, weight(code)); }
  int class_of(std::uint32_t code) const { return static_cast<int>(code & mask); }
};

// Two classes by Gini: with n = l + r rows, n₁ = l₁ + r₁ of them of class 1, the decrease is
// 2 (l₁ n − n₁ l)² / (n l r).
template <class Reader>
class TwoClassScore {
 public:
  struct Rest {
    double weight, second;
  };
  explicit TwoClassScore(const TreeRows& rows) : reader_(rows) {}
  void begin(const NodeTotals& node) {
    all_ = node.weight;
    all_second_ = node.class_weight[1];
    left_ = second_ = 0.0;
  }
  void take(std::uint32_t code) {
    left_ += reader_.weight(code);
    second_ += reader_.second(code);
  }
  double size(std::uint32_t code) const { return reader_.size(code); }
  Rest rest() const { return {std::max(0.0, all_ - left_), std::max(0.0, all_second_ - second_)}; }
  void take_rest(const Rest& rest) {
    left_ += rest.weight;
    second_ += rest.second;
  }
  double numerator() const {
    const double excess = second_ * all_ - all_second_ * left_;
    return excess * excess;
  }
  double denominator() const { return left_ * (all_ - left_); }

 private:
  Reader reader_;
  double all_ = 0.0, all_second_ = 0.0, left_ = 0.0, second_ = 0.0;
};

// Σ l_k²/l + Σ r_k²/r.
class GiniSums {
 public:
  explicit GiniSums(std::span<const double>) {}
  void begin(std::span<const double> right) {
    left_ = right_ = 0.0;
    for (const double w : right) right_ += w * w;
  }
  void move(double left, double right, double w) {
    left_ += w * (2.0 * left + w);
    right_ += w * (w - 2.0 * right);
  }
  // Σ r_k² is at most r², which rounding after many small weights may forget.
  double numerator(double l, double r, std::span<const double>, std::span<const double>) const {
    return left_ * r + std::min(right_, r * r) * l;
  }
  static double denominator(double l, double r) { return l * r; }

 private:
  double left_ = 0.0, right_ = 0.0;
};

// Σ l_k log l_k − l log l + the same of the right.
class EntropySums {
 public:
  explicit EntropySums(std::span<const double> table) : table_(table) {}
  void begin(std::span<const double> right) {
    left_ = right_ = 0.0;
    for (const double w : right) right_ += f(w);
  }
  void move(double left, double right, double w) {
    left_ += f(left + w) - f(left);
    right_ += f(right - w) - f(right);
  }
  double numerator(double l, double r, std::span<const double>, std::span<const double>) const {
    return left_ - f(l) + right_ - f(r);
  }
  static double denominator(double, double) { return 1.0; }

 private:
  double f(double x) const {
    return table_.empty() ? x_log_x(x) : table_[static_cast<std::size_t>(x)];
  }
  std::span<const double> table_;
  double left_ = 0.0, right_ = 0.0;
};

// max l_k + max r_k.
class MajoritySums {
 public:
  explicit MajoritySums(std::span<const double>) {}
  void begin(std::span<const double>) {}
  void move(double, double, double) {}
  double numerator(double, double, std::span<const double> left,
                   std::span<const double> right) const {
    return *std::ranges::max_element(left) + *std::ranges::max_element(right);
  }
  static double denominator(double, double) { return 1.0; }
};

// Any number of classes: the weights of each on both sides.
template <class Reader, class Sums>
class ClassScore {
 public:
  using Rest = std::vector<double>;
  ClassScore(const TreeRows& rows, std::span<const double> table)
      : reader_(rows), sums_(table), left_(static_cast<std::size_t>(rows.classes)) {}
  void begin(const NodeTotals& node) {
    right_ = node.class_weight;
    std::ranges::fill(left_, 0.0);
    sums_.begin(right_);
    l_ = 0.0;
    all_ = node.weight;
  }
  void take(std::uint32_t code) {
    move(static_cast<std::size_t>(reader_.class_of(code)), reader_.weight(code));
  }
  double size(std::uint32_t code) const { return reader_.size(code); }
  Rest rest() const {
    Rest rest = right_;
    for (double& w : rest) w = std::max(0.0, w);
    return rest;
  }
  void take_rest(const Rest& rest) {
    for (std::size_t k = 0; k < rest.size(); ++k)
      if (rest[k] > 0.0) move(k, rest[k]);
  }
  double numerator() const { return sums_.numerator(l_, all_ - l_, left_, right_); }
  double denominator() const { return Sums::denominator(l_, all_ - l_); }

 private:
  void move(std::size_t k, double w) {
    sums_.move(left_[k], right_[k], w);
    left_[k] += w;
    right_[k] -= w;
    l_ += w;
  }
  Reader reader_;
  Sums sums_;
  std::vector<double> left_, right_;
  double l_ = 0.0, all_ = 0.0;
};

// Squared error: with values counted from the mean of the node the sums of both sides are s and
// −s, and the decrease is s² n / (l r).
template <bool Weighted>
class MeanScore {
 public:
  struct Rest {
    double weight, sum;
  };
  explicit MeanScore(const TreeRows& rows)
      : values_(rows.values.data()), weights_(rows.weights.data()) {}
  void begin(const NodeTotals& node) {
    mean_ = node.mean;
    all_ = node.weight;
    left_ = sum_ = 0.0;
  }
  void take(std::uint32_t row) {
    const double w = Weighted ? weights_[row] : 1.0;
    left_ += w;
    sum_ += w * (values_[row] - mean_);
  }
  double size(std::uint32_t row) const { return Weighted ? std::max(1.0, weights_[row]) : 1.0; }
  Rest rest() const { return {std::max(0.0, all_ - left_), -sum_}; }
  void take_rest(const Rest& rest) {
    left_ += rest.weight;
    sum_ += rest.sum;
  }
  double numerator() const { return sum_ * sum_; }
  double denominator() const { return left_ * (all_ - left_); }

 private:
  const double* values_;
  const double* weights_;
  double mean_ = 0.0, all_ = 0.0, left_ = 0.0, sum_ = 0.0;
};

template <class Score>
class ScanBy final : public ColumnScan {
 public:
  ScanBy(Score score, TreeImpurity impurity, bool regression, bool two_class, double min_leaf)
      : score_(std::move(score)),
        impurity_(impurity),
        ratio_(regression || two_class),
        two_class_(two_class),
        min_leaf_(min_leaf) {}

  void scan(const NodeTotals& node, const ColumnPart& part, std::int32_t column,
            Cut& best) override {
    begin(node, column, best);
    if (part.zeros > 0)
      scan_with_zeros(node, part);
    else if (min_leaf_ > 1.0)
      pass<true>(part.entries, 0, part.entries.size(), false);
    else
      pass<false>(part.entries, 0, part.entries.size(), false);
    best = best_;
  }

  double gain(const NodeTotals& node, double score) const override {
    if (two_class_) return 2.0 * score / node.weight;
    if (ratio_) return score * node.weight;
    return std::max(0.0, score - base(node));
  }

  // 1e-12 of the impurity, and what rounding can do to a score whose base is the node's weight.
  double margin(const NodeTotals& node) const override {
    if (two_class_) return 0.5e-12 * node.impurity * node.weight;
    if (ratio_) return 1e-12 * node.impurity / node.weight;
    return 1e-12 * node.impurity + 4e-15 * node.weight;
  }

 private:
  void begin(const NodeTotals& node, std::int32_t column, const Cut& best) {
    score_.begin(node);
    best_ = best;
    column_ = column;
    margin_ = margin(node);
    limit_ = best_.score + margin_;
    size_ = 0.0;
    node_size_ = node.size;
  }

  // The score of no cut.
  double base(const NodeTotals& node) const {
    switch (impurity_) {
      case TreeImpurity::gini: return node.weight - node.impurity;
      case TreeImpurity::entropy: return -node.impurity;
      case TreeImpurity::misclassification: return node.weight - node.impurity;
    }
    return 0.0;
  }

  // Takes entries [from, to); places are tried behind each but the last, and behind that too where
  // something follows.
  template <bool Sized>
  void pass(std::span<const ColumnEntry> entries, std::size_t from, std::size_t to,
            bool something_follows) {
    // A small score is counted in registers.
    std::conditional_t<std::is_trivially_copyable_v<Score>, Score, Score&> score = score_;
    for (std::size_t i = from; i + 1 < to; ++i) {
      score.take(entries[i].code);
      if constexpr (Sized) size_ += score.size(entries[i].code);
      if (entries[i].rank == entries[i + 1].rank) continue;
      const double numerator = score.numerator();
      if (numerator > limit_ * score.denominator()) [[unlikely]]
        improve<Sized>(score, i + 1);
    }
    if (to > from && something_follows) {
      score.take(entries[to - 1].code);
      if constexpr (Sized) size_ += score.size(entries[to - 1].code);
      try_place<Sized>(score, to);
    }
    if constexpr (std::is_trivially_copyable_v<Score>) score_ = score;
  }

  template <bool Sized>
  void try_place(const Score& score, std::size_t left) {
    if (score.numerator() > limit_ * score.denominator()) improve<Sized>(score, left);
  }

  template <bool Sized>
  void improve(const Score& score, std::size_t left) {
    const double denominator = score.denominator();
    if (!(denominator > 0.0)) return;
    if (Sized && (size_ < min_leaf_ || node_size_ - size_ < min_leaf_)) return;
    best_ = {score.numerator() / denominator, column_, static_cast<std::int64_t>(left),
             zeros_left_};
    limit_ = best_.score + margin_;
  }

  // Negative values, then the rows that are not held, then positive ones.
  void scan_with_zeros(const NodeTotals& node, const ColumnPart& part) {
    const std::size_t end = part.entries.size();
    const auto zeros_at = static_cast<std::size_t>(part.zeros_at);
    double held_size = 0.0;
    for (const ColumnEntry& entry : part.entries) {
      score_.take(entry.code);
      held_size += score_.size(entry.code);
    }
    const auto zeros = score_.rest();
    score_.begin(node);
    zeros_left_ = false;
    pass<true>(part.entries, 0, zeros_at, true);
    score_.take_rest(zeros);
    size_ += node.size - held_size;
    zeros_left_ = true;
    if (zeros_at < end) try_place<true>(score_, zeros_at);
    pass<true>(part.entries, zeros_at, end, false);
    zeros_left_ = false;
  }

  Score score_;
  TreeImpurity impurity_;
  bool ratio_;
  bool two_class_;
  double min_leaf_;
  Cut best_;
  std::int32_t column_ = -1;
  double margin_ = 0.0, limit_ = 0.0, size_ = 0.0, node_size_ = 0.0;
  bool zeros_left_ = false;
};

template <class Score>
std::unique_ptr<ColumnScan> scan_by(Score score, TreeImpurity impurity, const TreeRows& rows,
                                    bool two_class, double min_leaf) {
  return std::make_unique<ScanBy<Score>>(std::move(score), impurity, rows.classes == 0, two_class,
                                         min_leaf);
}

template <class Reader>
std::unique_ptr<ColumnScan> class_scan(TreeImpurity impurity, const TreeRows& rows, double min_leaf,
                                       std::span<const double> table) {
  switch (impurity) {
    case TreeImpurity::gini:
      if (rows.classes == 2)
        return scan_by(TwoClassScore<Reader>(rows), impurity, rows, true, min_leaf);
      return scan_by(ClassScore<Reader, GiniSums>(rows, table), impurity, rows, false, min_leaf);
    case TreeImpurity::entropy:
      return scan_by(ClassScore<Reader, EntropySums>(rows, table), impurity, rows, false, min_leaf);
    case TreeImpurity::misclassification:
      return scan_by(ClassScore<Reader, MajoritySums>(rows, table), impurity, rows, false,
                     min_leaf);
  }
  return nullptr;
}

}  // namespace

std::vector<double> entropy_table(const TreeRows& rows) {
  constexpr double longest = 0x1p22;
  if (!rows.whole || rows.total > longest) return {};
  std::vector<double> table(static_cast<std::size_t>(rows.total) + 1);
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = x_log_x(static_cast<double>(i));
  return table;
}

std::unique_ptr<ColumnScan> make_column_scan(TreeImpurity impurity, const TreeRows& rows,
                                             double min_leaf, std::span<const double> table) {
  if (rows.classes == 0)
    return rows.weights.empty() ? scan_by(MeanScore<false>(rows), impurity, rows, false, min_leaf)
                                : scan_by(MeanScore<true>(rows), impurity, rows, false, min_leaf);
  if (rows.kinds.empty()) return class_scan<WeightReader>(impurity, rows, min_leaf, table);
  return class_scan<KindReader>(impurity, rows, min_leaf, table);
}

double class_impurity(TreeImpurity impurity, std::span<const double> class_weight, double weight) {
  if (!(weight > 0.0)) return 0.0;
  double sum = 0.0;
  switch (impurity) {
    case TreeImpurity::gini:
      for (const double w : class_weight) sum += w * w;
      return std::max(0.0, weight - sum / weight);
    case TreeImpurity::entropy:
      for (const double w : class_weight) sum += x_log_x(w);
      return std::max(0.0, x_log_x(weight) - sum);
    case TreeImpurity::misclassification: return weight - *std::ranges::max_element(class_weight);
  }
  return 0.0;
}

}  // namespace gssl::detail
