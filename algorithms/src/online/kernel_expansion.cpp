#include "online/kernel_expansion.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"
#include "learn/model_names.hpp"

namespace gssl::detail {

namespace {

constexpr std::int64_t rows_at_once = 256;

class OnlineKernelModel final : public Model {
 public:
  OnlineKernelModel(std::string learner, std::shared_ptr<const Kernel> kernel, Points support,
                    std::vector<double> coefficients)
      : learner_(std::move(learner)),
        kernel_(std::move(kernel)),
        support_(std::move(support)),
        coefficients_(std::move(coefficients)) {}

  Block scores(const Points& points, const RunContext& run) const override {
    check_columns(learner_, points, support_.columns());
    Block scores(points.rows(), 2);
    for (std::int64_t begin = 0; begin < points.rows(); begin += rows_at_once) {
      std::vector<std::int32_t> some;
      for (std::int64_t r = begin; r < std::min<std::int64_t>(points.rows(), begin + rows_at_once);
           ++r)
        some.push_back(static_cast<std::int32_t>(r));
      score_some(kernel_->block(select(points, some), support_, run), begin, scores);
    }
    return scores;
  }

  ScoreKind score_kind() const override { return ScoreKind::decision; }

  std::vector<std::pair<std::string, std::string>> facts() const override {
    return {{"kernel", kernel_->spec()}, {"rows kept", std::to_string(support_.rows())}};
  }

  std::vector<ModelPart> parts(const ModelNames&) const override {
    return {support_part({"coefficient"}, support_, {support_.rows(), 1, coefficients_}, {0.0})};
  }

  void save(Record& record) const override {
    record.put("learner", std::string_view(learner_));
    record.put("kernel", std::string_view(kernel_->spec()));
    record.put("support", support_);
    record.put("coefficients", coefficients_);
  }

 private:
  void score_some(const Block& gram, std::int64_t begin, Block& scores) const {
    for (std::int64_t r = 0; r < gram.rows(); ++r) {
      double sum = 0.0;
      for (std::size_t i = 0; i < coefficients_.size(); ++i)
        sum += coefficients_[i] * gram(r, static_cast<std::int64_t>(i));
      // 0 is positive, but a tie would go to the first column.
      scores(begin + r, 0) = sum == 0.0 ? -std::numeric_limits<double>::min() : -sum;
      scores(begin + r, 1) = sum;
    }
  }

  std::string learner_;
  std::shared_ptr<const Kernel> kernel_;
  Points support_;
  std::vector<double> coefficients_;
};

}  // namespace

KernelExpansion::KernelExpansion(const std::string& kernel, std::int64_t budget,
                                 HypothesisForm form, std::uint64_t seed)
    : kernel_(make_kernel(kernel)), budget_(budget), choice_(form, seed) {}

void KernelExpansion::hold(const char* learner, const Instance& instance) {
  Kind kind = kind_;
  if (!instance.values.empty()) kind = instance.columns.empty() ? Kind::dense : Kind::sparse;
  if (kind_ != Kind::unknown && kind != kind_)
    throw Error(ErrorCode::bad_data,
                std::string(learner) + (kind == Kind::dense ? ": a dense row after sparse ones"
                                                            : ": a sparse row after dense ones"));
  checked_.hold(learner, instance, width_);
  const bool is_known_now = std::exchange(kind_, kind) != kind;
  held_.values.assign(instance.values.begin(), instance.values.end());
  held_.columns.assign(instance.columns.begin(), instance.columns.end());
  if (is_known_now || support_.columns() != static_cast<std::int64_t>(width_.size()))
    support_ = points_of(rows_);
}

Points KernelExpansion::points_of(const std::deque<Row>& rows) const {
  const auto count = static_cast<std::int64_t>(rows.size());
  const auto width = static_cast<std::int64_t>(width_.size());
  std::vector<double> values;
  std::vector<std::int32_t> columns;
  std::vector<std::int64_t> offsets = {0};
  for (const Row& row : rows) {
    values.insert(values.end(), row.values.begin(), row.values.end());
    columns.insert(columns.end(), row.columns.begin(), row.columns.end());
    offsets.push_back(static_cast<std::int64_t>(values.size()));
    // A row of zeros may come without entries.
    if (kind_ != Kind::sparse) values.resize((offsets.size() - 1) * width_.size(), 0.0);
  }
  if (kind_ != Kind::sparse) return Points::dense(count, width, std::move(values));
  return Points::sparse(count, width, std::move(offsets), std::move(columns), std::move(values));
}

double KernelExpansion::score(const RunContext& run) {
  const std::vector<double> column = products(run);
  double sum = 0.0;
  for (std::size_t i = 0; i < column.size(); ++i) sum += coefficients_[i] * column[i];
  return sum;
}

std::vector<double> KernelExpansion::products(const RunContext& run) const {
  if (rows_.empty()) return {};
  const Block column = kernel_->block(support_, points_of({held_}), run);
  return {column.values().begin(), column.values().end()};
}

std::vector<double> KernelExpansion::left() const {
  std::vector<double> left = shares();
  left.resize(coefficients_.size(), 0.0);
  for (std::size_t i = 0; i < left.size(); ++i) left[i] *= coefficients_[i];
  return left;
}

double KernelExpansion::norm_square(const std::vector<double>& a, const RunContext& run) const {
  double sum = 0.0;
  for (std::int64_t begin = 0; begin < rows(); begin += rows_at_once) {
    std::vector<std::int32_t> some;
    for (std::int64_t r = begin; r < std::min(rows(), begin + rows_at_once); ++r)
      some.push_back(static_cast<std::int32_t>(r));
    const Block gram = kernel_->block(select(support_, some), support_, run);
    for (std::int64_t i = 0; i < gram.rows(); ++i)
      for (std::int64_t j = 0; j < gram.columns(); ++j)
        sum += a[static_cast<std::size_t>(begin + i)] * a[static_cast<std::size_t>(j)] * gram(i, j);
  }
  return sum;
}

double KernelExpansion::square() const { return kernel_->diagonal(points_of({held_})).front(); }

void KernelExpansion::add(double coefficient) {
  if (choice_.takes_before_change()) taken_ = rows();
  if (choice_.averages()) born_.push_back(choice_.trials());
  added_ = true;
  rows_.push_back(held_);
  coefficients_.push_back(coefficient);
  if (budget_ > 0 && rows() > budget_) {
    rows_.pop_front();
    coefficients_.pop_front();
    ++dropped_;
  }
  support_ = points_of(rows_);
}

void KernelExpansion::end_trial() {
  if (choice_.takes_after_trial(added_)) taken_ = rows();
  added_ = false;
}

std::vector<double> KernelExpansion::shares() const {
  std::vector<double> shares(coefficients_.size(), 1.0);
  if (choice_.leaves_taken()) shares.resize(static_cast<std::size_t>(taken_));
  if (choice_.averages())
    for (std::size_t i = 0; i < shares.size(); ++i)
      shares[i] =
          static_cast<double>(choice_.trials() - born_[i]) / static_cast<double>(choice_.trials());
  return shares;
}

void KernelExpansion::save(Record& record) const {
  record.put("support", support_);
  record.put("coefficients", std::vector<double>(coefficients_.begin(), coefficients_.end()));
  record.put("columns", static_cast<std::int64_t>(width_.size()));
  record.put("dense_width", checked_.width());
  record.put("sparse", static_cast<std::int64_t>(kind_));
  record.put("dropped", dropped_);
  Record choice;
  choice_.save(choice);
  record.put("choice", choice);
  record.put("born", born_);
  record.put("taken", taken_);
}

void KernelExpansion::resume(const Record& record) {
  support_ = record.points("support");
  const std::vector<double>& coefficients = record.reals("coefficients", support_.rows());
  coefficients_.assign(coefficients.begin(), coefficients.end());
  const std::int64_t columns = record.integer("columns");
  if (columns < 0 || columns > std::numeric_limits<std::int32_t>::max())
    throw Error(ErrorCode::bad_data, "columns " + std::to_string(columns) + ": must be ≥ 0");
  width_.assign(static_cast<std::size_t>(columns), 0.0);
  checked_.set_width(record.integer("dense_width"));
  const std::int64_t kind = record.integer("sparse");
  if (kind < 0 || kind > 2)
    throw Error(ErrorCode::bad_data, "sparse " + std::to_string(kind) + ": must be 0, 1 or 2");
  kind_ = static_cast<Kind>(kind);
  dropped_ = record.integer("dropped");
  choice_.resume(record.child("choice"));
  born_ = record.long_integers("born");
  taken_ = record.integer("taken");
  const std::int64_t averaged = choice_.averages() ? support_.rows() : 0;
  if (std::ssize(born_) != averaged || taken_ < 0 || taken_ > support_.rows())
    throw Error(ErrorCode::bad_data, "born, taken: must be of the rows that there are");
  rows_.clear();
  for (VertexId r = 0; r < support_.rows(); ++r) {
    Row& row = rows_.emplace_back();
    if (kind_ == Kind::unknown) continue;
    support_.visit_row(r, [&](std::int64_t c, double x) {
      row.values.push_back(x);
      if (kind_ == Kind::sparse) row.columns.push_back(static_cast<std::int32_t>(c));
    });
  }
}

std::unique_ptr<Model> KernelExpansion::model(const char* learner) const {
  std::vector<double> coefficients = shares();
  const auto count = static_cast<std::ptrdiff_t>(coefficients.size());
  for (std::size_t i = 0; i < coefficients.size(); ++i) coefficients[i] *= coefficients_[i];
  return std::make_unique<OnlineKernelModel>(
      learner, kernel_, points_of({rows_.begin(), rows_.begin() + count}), std::move(coefficients));
}

void check_form(const char* learner, HypothesisForm form, std::int64_t budget) {
  if (form == HypothesisForm::last || budget == 0) return;
  throw Error(ErrorCode::usage, std::string(learner) +
                                    ": option form: other than last needs every row: leave "
                                    "budget out");
}

std::unique_ptr<Model> load_kernel_model(const Record& record) {
  Points support = record.points("support");
  std::vector<double> coefficients = record.reals("coefficients", support.rows());
  return std::make_unique<OnlineKernelModel>(record.text("learner"),
                                             make_kernel(record.text("kernel")), std::move(support),
                                             std::move(coefficients));
}

}  // namespace gssl::detail
