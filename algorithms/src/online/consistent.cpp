#include "gssl/online/consistent.hpp"

#include <algorithm>
#include <bit>

#include "gssl/core/error.hpp"
#include "online/counted_session.hpp"

namespace gssl {

namespace {

enum class ConsistentRule { first, majority };

const char* name_of(ConsistentRule rule) {
  return rule == ConsistentRule::first ? "consistent" : "halving";
}

class ConsistentSession final : public detail::CountedSession {
 public:
  ConsistentSession(ConsistentRule rule, std::size_t classes) : rule_(rule), classes_(classes) {}

  double predict(const Instance& instance) override {
    detail::check_advice(name_of(rule_), instance, wrong_.size(), classes_, advice_);
    if (wrong_.empty()) {
      wrong_.assign(advice_.size(), 0);
      right_so_far_.assign(advice_.size(), 1);
    }
    return expect(rule_ == ConsistentRule::first ? first() : plurality());
  }

  double update(const Revealed& outcome) override {
    const int truth = detail::checked_class(outcome.value, classes_);
    const double predicted = take();
    for (std::size_t i = 0; i < advice_.size(); ++i) {
      if (advice_[i] == truth) continue;
      ++wrong_[i];
      right_so_far_[i] = 0;
    }
    if (std::ranges::count(right_so_far_, 1) == 0) std::ranges::fill(right_so_far_, 1);
    return count_class(predicted, truth);
  }

  OnlineReport report() const override {
    OnlineReport report = counted("mistakes");
    const bool halves = rule_ == ConsistentRule::majority && classes_ == 2;
    report.bound_name = halves ? "m (floor(log2 n) + 1) + floor(log2 n), m of the best expert"
                               : "m n + n - 1, m of the best expert";
    if (wrong_.empty()) return report;
    const auto best = static_cast<double>(*std::ranges::min_element(wrong_));
    const auto n = static_cast<double>(wrong_.size());
    const auto halvings = static_cast<double>(std::bit_width(wrong_.size()) - 1);
    report.comparator = best;
    report.comparator_name = "mistakes of the best expert";
    report.bound = halves ? best * (halvings + 1.0) + halvings : best * n + n - 1.0;
    report.certificates = {
        {"consistent_experts", {static_cast<double>(std::ranges::count(right_so_far_, 1))}}};
    return report;
  }

  void save(Record& record) const override {
    save_counts(record);
    record.put("classes", static_cast<std::int64_t>(classes_));
    record.put("wrong", wrong_);
    record.put("right_so_far", right_so_far_);
  }

  void resume(const Record& record) {
    resume_counts(record);
    classes_ = detail::resumed_classes(record);
    wrong_ = record.long_integers("wrong");
    right_so_far_ = record.integers("right_so_far", static_cast<std::int64_t>(wrong_.size()));
  }

 private:
  int first() const {
    const auto at = std::ranges::find(right_so_far_, 1) - right_so_far_.begin();
    return advice_[static_cast<std::size_t>(at)];
  }

  int plurality() const {
    std::vector<std::int64_t> votes(classes_, 0);
    for (std::size_t i = 0; i < advice_.size(); ++i)
      votes[static_cast<std::size_t>(advice_[i])] += right_so_far_[i];
    int best = 0;
    for (std::size_t k = 0; k < classes_; ++k)
      if (votes[k] >= votes[static_cast<std::size_t>(best)]) best = static_cast<int>(k);
    return best;
  }

  ConsistentRule rule_;
  std::size_t classes_;
  std::vector<std::int64_t> wrong_;         // mistakes of each expert in all
  std::vector<std::int32_t> right_so_far_;  // 1: was not wrong in this epoch
  std::vector<int> advice_;                 // of the trial that has begun
};

std::unique_ptr<OnlineSession> start(ConsistentRule rule, const OnlineSetting& setting) {
  if (setting.class_names.size() < 2)
    throw Error(ErrorCode::usage, std::string(name_of(rule)) + ": " +
                                      std::to_string(setting.class_names.size()) +
                                      " classes: must be two or more");
  return std::make_unique<ConsistentSession>(rule, setting.class_names.size());
}

std::unique_ptr<OnlineSession> resume(ConsistentRule rule, const Record& record) {
  auto session = std::make_unique<ConsistentSession>(rule, 2);
  session->resume(record);
  return session;
}

LearnerEntry entry_of(ConsistentRule rule, const char* summary) {
  LearnerEntry entry;
  entry.name = name_of(rule);
  entry.summary = summary;
  entry.reference =
      "N. Littlestone. Learning quickly when irrelevant attributes abound. Machine Learning 2, "
      "1988, doi:10.1007/BF00116827";
  return entry;
}

}  // namespace

std::unique_ptr<OnlineSession> ConsistentLearner::start(const OnlineSetting& setting,
                                                        const RunContext&) const {
  return gssl::start(ConsistentRule::first, setting);
}

std::unique_ptr<OnlineSession> ConsistentLearner::resume(const OnlineSetting&, const Record& record,
                                                         const RunContext&) const {
  return gssl::resume(ConsistentRule::first, record);
}

std::unique_ptr<OnlineSession> HalvingLearner::start(const OnlineSetting& setting,
                                                     const RunContext&) const {
  return gssl::start(ConsistentRule::majority, setting);
}

std::unique_ptr<OnlineSession> HalvingLearner::resume(const OnlineSetting&, const Record& record,
                                                      const RunContext&) const {
  return gssl::resume(ConsistentRule::majority, record);
}

LearnerEntry consistent_entry() {
  LearnerEntry entry = entry_of(ConsistentRule::first, "the first expert that was never wrong");
  entry.make_online = [](const OptionValues&) { return std::make_unique<ConsistentLearner>(); };
  return entry;
}

LearnerEntry halving_entry() {
  LearnerEntry entry =
      entry_of(ConsistentRule::majority, "the majority of the experts that were never wrong");
  entry.make_online = [](const OptionValues&) { return std::make_unique<HalvingLearner>(); };
  return entry;
}

}  // namespace gssl
