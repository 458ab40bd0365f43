#include "gssl/online/online_to_batch.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "online/one_against_rest.hpp"

namespace gssl {
namespace {

constexpr std::int64_t trials_between_looks = 64;

// A row as an instance, which lasts until the next one.
class RowInstance {
 public:
  explicit RowInstance(const Points& points) : points_(points) {}

  Instance of(VertexId row) {
    values_.clear();
    columns_.clear();
    points_.visit_row(row, [&](std::int64_t c, double x) {
      values_.push_back(x);
      if (points_.is_sparse()) columns_.push_back(static_cast<std::int32_t>(c));
    });
    return {.values = values_, .columns = columns_};
  }

 private:
  const Points& points_;
  std::vector<double> values_;
  std::vector<std::int32_t> columns_;
};

std::int64_t copies_of(const Dataset& data, std::int64_t row, const std::string& name) {
  const double weight = data.weight(row);
  if (weight == std::floor(weight) && weight <= 1e15) return static_cast<std::int64_t>(weight);
  throw Error(ErrorCode::bad_data, name + ": weight " + to_text(weight) + " of row " +
                                       std::to_string(row) +
                                       ": must be a whole number, since rows come one after "
                                       "another");
}

double target_of(const Targets& targets, VertexId row) {
  const auto r = static_cast<std::size_t>(row);
  return targets.is_regression() ? targets.values()[r] : targets.class_of()[r];
}

// A rule that a stream of one class leaves says nothing of the others.
void check_classes(const std::string& name, const Dataset& data) {
  if (data.targets.is_regression() || data.points.rows() == 0) return;
  int seen = -1;
  for (VertexId r = 0; r < data.points.rows(); ++r) {
    const int here = data.targets.class_of()[static_cast<std::size_t>(r)];
    if (data.weight(r) == 0.0 || here == seen) continue;
    if (seen >= 0) return;
    seen = here;
  }
  throw Error(ErrorCode::bad_data,
              name + (seen < 0 ? std::string(": no row of weight > 0")
                               : ": every target is '" +
                                     data.targets.class_names()[static_cast<std::size_t>(seen)] +
                                     "': needs two classes to learn from"));
}

// A session, and the class that it tells from all others; −1: outcomes are as they are.
struct ClassSide {
  std::unique_ptr<OnlineSession> session;
  int positive = -1;

  double outcome(double target) const {
    return positive < 0 ? target : (target == positive ? 1.0 : 0.0);
  }
};

class Passes {
 public:
  Passes(const std::string& name, const Dataset& data, const std::vector<ClassSide>& sides,
         const RunContext& run)
      : name_(name), data_(data), sides_(sides), run_(run), row_(data.points) {}

  // Mistakes, or of values the loss; of a part where the run was stopped.
  double pass() {
    const double before = counted();
    for (VertexId r = 0; r < data_.points.rows(); ++r)
      for (std::int64_t copy = copies_of(data_, r, name_); copy > 0; --copy) {
        if (trials_++ % trials_between_looks == 0 && run_.should_stop()) return counted() - before;
        const Instance row = row_.of(r);
        for (const ClassSide& side : sides_) {
          side.session->predict(row);
          side.session->update({.value = side.outcome(target_of(data_.targets, r))});
        }
      }
    return counted() - before;
  }

  std::int64_t trials() const { return trials_; }

  // What is proved of the one session, whose run was one pass.
  OnlineReport proved() {
    const ClassSide& side = sides_.front();
    OnlineReport report = side.session->report();
    const std::unique_ptr<SecondLook> look = side.session->second_look();
    if (!look) return report;
    for (VertexId r = 0; r < data_.points.rows(); ++r)
      if (const std::int64_t copies = copies_of(data_, r, name_); copies > 0)
        look->see(row_.of(r), {.value = side.outcome(target_of(data_.targets, r))}, copies);
    look->prove(report);
    return report;
  }

 private:
  double counted() const {
    double sum = 0.0;
    for (const ClassSide& side : sides_) {
      const OnlineReport report = side.session->report();
      sum += data_.targets.is_regression() ? report.loss : static_cast<double>(report.mistakes);
    }
    return sum;
  }

  const std::string& name_;
  const Dataset& data_;
  const std::vector<ClassSide>& sides_;
  const RunContext& run_;
  RowInstance row_;
  std::int64_t trials_ = 0;
};

// Of more than two classes one for each that has rows.
std::vector<ClassSide> class_sides(const OnlineLearner& learner, const Dataset& data,
                                   const RunContext& run) {
  const std::vector<std::string>& names = data.targets.class_names();
  const auto start = [&](std::vector<std::string> classes) {
    return learner.start({.width = data.points.columns(), .class_names = std::move(classes)}, run);
  };
  std::vector<ClassSide> sides;
  if (names.size() <= 2) {
    sides.push_back({.session = start(names)});
    return sides;
  }
  std::vector<bool> seen(names.size(), false);
  for (VertexId r = 0; r < data.points.rows(); ++r)
    if (data.weight(r) > 0.0)
      seen[static_cast<std::size_t>(data.targets.class_of()[static_cast<std::size_t>(r)])] = true;
  for (std::size_t k = 0; k < names.size(); ++k)
    if (seen[k])
      sides.push_back(
          {.session = start({"not " + names[k], names[k]}), .positive = static_cast<int>(k)});
  return sides;
}

std::unique_ptr<Model> model_of_sides(const std::vector<ClassSide>& sides, std::size_t classes) {
  if (sides.front().positive < 0) return sides.front().session->model();
  std::vector<std::unique_ptr<Model>> models(classes);
  for (const ClassSide& side : sides)
    models[static_cast<std::size_t>(side.positive)] = side.session->model();
  return detail::make_one_against_rest(std::move(models));
}

}  // namespace

OnlineToBatchLearner::OnlineToBatchLearner(std::string name,
                                           std::shared_ptr<const OnlineLearner> learner, int passes)
    : name_(std::move(name)), learner_(std::move(learner)), passes_(passes) {
  if (passes_ < 1)
    throw Error(ErrorCode::usage,
                name_ + ": option passes=" + std::to_string(passes_) + ": must be at least 1");
}

Trained OnlineToBatchLearner::fit(const Dataset& data, const RunContext& run) const {
  run.throw_if_stopped(name_, "before a row was learned from");
  check_classes(name_, data);
  const std::vector<ClassSide> sides = class_sides(*learner_, data, run);
  Passes passes(name_, data, sides, run);
  Certificate counts{data.targets.is_regression() ? "loss" : "mistakes", {}};
  Outcome outcome = Outcome::iteration_limit;
  for (int pass = 0; pass < passes_ && outcome == Outcome::iteration_limit; ++pass) {
    run.report_progress(name_, static_cast<double>(pass) / passes_);
    counts.values.push_back(passes.pass());
    if (const auto why = run.stop())
      outcome = *why;
    else if (counts.values.back() == 0.0)
      outcome = Outcome::converged;
  }
  Trained trained;
  trained.model = model_of_sides(sides, data.targets.class_names().size());
  Ending& how = trained.report;
  how.requested = how.used = "passes";
  how.iterations = std::ssize(counts.values);
  // All passes that were asked for is all there was to do.
  how.outcome = outcome == Outcome::iteration_limit ? Outcome::converged : outcome;
  how.sentence = name_ + ": " + std::to_string(counts.values.size()) +
                 (counts.values.size() == 1 ? " pass, " : " passes, ") +
                 to_brief_text(counts.values.back()) + " " + counts.name + " in the last";
  trained.report.certificates.push_back(std::move(counts));
  // Of one pass over one stream: what a hypothesis of form=random is expected to err, and at most.
  if (passes_ == 1 && !data.targets.is_regression() && sides.size() == 1 && passes.trials() > 0) {
    const double mistakes = trained.report.certificates.front().values.front();
    const auto rows = static_cast<double>(passes.trials());
    trained.report.certificates.push_back({"mistakes_per_row", {mistakes / rows}});
    how.sentence += " (" + to_brief_text(mistakes / rows) + " a row";
    if (const auto bound =
            how.outcome == Outcome::converged ? passes.proved().bound : std::nullopt) {
      // A mistake costs 1 or more, and a logistic loss of ln 2.
      const bool logistic = passes.proved().loss_name.starts_with("logistic");
      const double per_row = *bound / rows / (logistic ? std::numbers::ln2 : 1.0);
      trained.report.certificates.push_back({"bound_per_row", {per_row}});
      how.sentence += ", at most " + to_brief_text(per_row);
    }
    how.sentence += ": the error to expect of form=random)";
  }
  return trained;
}

}  // namespace gssl
