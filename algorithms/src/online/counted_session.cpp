#include "online/counted_session.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "gssl/core/number_text.hpp"

namespace gssl {

std::string_view to_string(InstanceKind kind) { return names_of<InstanceKind>.name(kind); }

void OnlineReport::add_bound(double value, const std::string& name) {
  if (!std::isfinite(value)) return;
  bounds.push_back({value, name});
  if (bound && *bound <= value) return;
  bound = value;
  bound_name = name;
}

namespace detail {

double CountedSession::count(double loss) {
  ++trials_;
  losses_.add(loss);
  return loss;
}

OnlineReport CountedSession::counted(const std::string& loss_name) const {
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
  record.put("loss", std::vector<double>{losses_.sum, losses_.carry});
}

void CountedSession::resume_counts(const Record& record) {
  trials_ = record.integer("trials");
  mistakes_ = record.integer("mistakes");
  const std::vector<double>& loss = record.reals("loss", 2);
  losses_ = {.sum = loss[0], .carry = loss[1]};
}

void check_two_classes(const char* learner, const OnlineSetting& setting) {
  if (setting.class_names.size() != 2)
    throw Error(ErrorCode::usage, std::string(learner) + ": " +
                                      std::to_string(setting.class_names.size()) +
                                      " classes: must be two");
}

int checked_class(double outcome, std::size_t classes) {
  const bool in_range = outcome >= 0.0 && outcome < static_cast<double>(classes);
  if (!in_range || outcome != static_cast<double>(static_cast<int>(outcome)))
    throw Error(ErrorCode::bad_data, "outcome " + to_text(outcome) +
                                         ": must be the number of one " + "of " +
                                         std::to_string(classes) + " classes");
  return static_cast<int>(outcome);
}

void check_advice(const char* learner, const Instance& instance, std::size_t experts,
                  std::size_t classes, std::vector<int>& advice) {
  const std::size_t found = instance.values.size();
  if (found == 0 || (experts != 0 && found != experts))
    throw Error(ErrorCode::bad_data,
                std::string(learner) + ": " + std::to_string(found) +
                    " predictions: must be one of each expert" +
                    (experts == 0 ? "" : ", of whom there are " + std::to_string(experts)));
  advice.clear();
  for (const double value : instance.values) advice.push_back(checked_class(value, classes));
}

std::size_t resumed_classes(const Record& record) {
  const std::int64_t classes = record.integer("classes");
  if (classes < 1 || classes > std::numeric_limits<std::int32_t>::max())
    throw Error(ErrorCode::bad_data, "classes " + std::to_string(classes) + ": must be 1 or more");
  return static_cast<std::size_t>(classes);
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
