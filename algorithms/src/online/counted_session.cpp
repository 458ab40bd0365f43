#include "online/counted_session.hpp"

#include <cmath>
#include <string>

#include "gssl/core/number_text.hpp"

namespace gssl {

std::string_view to_string(InstanceKind kind) {
  switch (kind) {
    case InstanceKind::row: return "row";
    case InstanceKind::advice: return "advice";
    case InstanceKind::losses: return "losses";
    case InstanceKind::vertex: return "vertex";
    case InstanceKind::task_row: return "task-row";
    case InstanceKind::cell: return "cell";
    case InstanceKind::arm: return "arm";
  }
  return "row";
}

namespace detail {

double CountedSession::count(double loss) {
  ++trials_;
  const double sum = sum_ + loss;
  carry_ += std::abs(sum_) >= std::abs(loss) ? (sum_ - sum) + loss : (loss - sum) + sum_;
  sum_ = sum;
  return loss;
}

OnlineReport CountedSession::counted(const char* loss_name) const {
  OnlineReport report;
  report.trials = trials_;
  report.mistakes = mistakes_;
  report.loss = loss();
  report.loss_name = loss_name;
  return report;
}

void CountedSession::save_counts(Record& record) const {
  record.put("trials", trials_);
  record.put("mistakes", mistakes_);
  record.put("loss", std::vector<double>{sum_, carry_});
}

void CountedSession::resume_counts(const Record& record) {
  trials_ = record.integer("trials");
  mistakes_ = record.integer("mistakes");
  const std::vector<double>& loss = record.reals("loss", 2);
  sum_ = loss[0];
  carry_ = loss[1];
}

int checked_class(double outcome, std::size_t classes) {
  if (!(outcome >= 0.0) || outcome >= static_cast<double>(classes) ||
      outcome != std::floor(outcome))
    throw Error(ErrorCode::bad_data, "outcome " + to_text(outcome) +
                                         ": must be the number of one " + "of " +
                                         std::to_string(classes) + " classes");
  return static_cast<int>(outcome);
}

void check_width(const char* learner, const Instance& instance, std::int64_t width) {
  if (!instance.columns.empty()) return;
  const auto values = static_cast<std::int64_t>(instance.values.size());
  if (width != 0 && values != width)
    throw Error(ErrorCode::bad_data, std::string(learner) + ": " + std::to_string(values) +
                                         " values: there were " + std::to_string(width) +
                                         " before");
}

}  // namespace detail
}  // namespace gssl
