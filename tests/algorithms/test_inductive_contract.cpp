// The promises of inductive.hpp, held against every registered learner that makes a model of points.
// A learner of its own kind of data (two classes, columns of 0 and 1) gets the first sample that it
// takes.

#include <atomic>
#include <cmath>
#include <map>

#include "algorithms/tested_learners.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/learn/registry.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

const LearnerRegistry& registry() {
  static const LearnerRegistry all = tested_learners();
  return all;
}

// Learners that draw rows at random: weights are copies on average only.
bool draws_rows(const LearnerEntry& entry) {
  return entry.name == "bagging" || entry.name == "forest";
}

// As exact as it can be made, so that two ways to one answer can be compared.
std::string spec_of(const LearnerEntry& entry) {
  // A gap g leaves as much as √(2g) in the weights.
  if (entry.name == "linear-svm") return "linear-svm:tolerance=1e-11";
  for (const OptionSpec& option : entry.options.specs())
    if (option.name == "tolerance" && option.type == OptionSpec::Type::real)
      return entry.name + ":tolerance=1e-9";
  // Its rounds follow from the number of rows unless they are told.
  if (entry.name == "majority-boost") return entry.name + ":rounds=3";
  return entry.name;
}

enum class Sample { three_classes, two_classes, zeros_and_ones, values };

// 60 rows of 4 columns with some noise; every class in a corner of its own.
Dataset draw(Sample sample, std::int64_t rows = 60, std::int64_t columns = 4) {
  Rng rng(11, 0);
  std::vector<double> x;
  std::vector<int> k;
  std::vector<double> y;
  const int classes = sample == Sample::three_classes ? 3 : 2;
  for (std::int64_t r = 0; r < rows; ++r) {
    const int own = static_cast<int>(r) % classes;
    double sum = 0.0;
    for (std::int64_t c = 0; c < columns; ++c) {
      double value = (c % classes == own ? 1.0 : 0.0) + 0.7 * (rng.uniform() - 0.5);
      // The class is the first column, so that a conjunction of columns can say it.
      if (sample == Sample::zeros_and_ones)
        value = c == 0 ? own : (rng.uniform() < 0.5 ? 1.0 : 0.0);
      x.push_back(value);
      sum += value * static_cast<double>(c + 1);
    }
    k.push_back(own);
    y.push_back(sum + 0.1 * rng.uniform());
  }
  const std::vector<std::string> names = {"a", "b", "c"};
  Targets targets = sample == Sample::values
                        ? Targets::reals(std::move(y))
                        : Targets::classes(std::move(k), {names.begin(), names.begin() + classes});
  return make_dataset(Points::dense(rows, columns, std::move(x)), std::move(targets));
}

RunContext threads(int count) {
  RunContext run;
  run.threads = count;
  return run;
}

Trained fit(const LearnerEntry& entry, const Dataset& data, const RunContext& run = threads(1)) {
  return registry().make(spec_of(entry)).inductive().fit(data, run);
}

bool takes(const LearnerEntry& entry, Sample sample) {
  const auto error = error_of([&] { fit(entry, draw(sample)); });
  if (error) CHECK((error->code() == ErrorCode::bad_data || error->code() == ErrorCode::usage));
  return !error;
}

// What the learner takes of classes and of values.
const std::vector<Sample>& samples_of(const LearnerEntry& entry) {
  static std::map<std::string, std::vector<Sample>> known;
  std::vector<Sample>& found = known[entry.name];
  if (!found.empty()) return found;
  for (const Sample sample : {Sample::three_classes, Sample::two_classes, Sample::zeros_and_ones})
    if (entry.traits.classification && found.empty() && takes(entry, sample))
      found.push_back(sample);
  if (entry.traits.regression && takes(entry, Sample::values)) found.push_back(Sample::values);
  INFO(entry.name);
  CHECK(found.size() ==
        (entry.traits.classification ? 1U : 0U) + (entry.traits.regression ? 1U : 0U));
  return found;
}

// Calls test(entry, sample) for all of them in a section of its own.
template <class Test>
void for_every_learner(Test&& test) {
  for (const LearnerEntry* entry : registry().of_kinds({LearnerKind::inductive}))
    for (const Sample sample : samples_of(*entry)) {
      INFO(entry->name << (sample == Sample::values ? ", values" : ", classes"));
      test(*entry, sample);
    }
}

double largest(const Block& block) {
  double size = 1.0;
  for (const double value : block.values()) size = std::max(size, std::abs(value));
  return size;
}

Record record_of(const Model& model) {
  Record record;
  model.save(record);
  return record;
}

Dataset with_targets(const Dataset& data, Targets targets) {
  return make_dataset(data.points, std::move(targets), data.weights);
}

// Wrong input, and nothing else.
void check_is_refusal(const Error& error) {
  INFO(error.what());
  CHECK((error.code() == ErrorCode::bad_data || error.code() == ErrorCode::usage));
}

}  // namespace

TEST_CASE("Every model: a row of weight w is that row w times", "[inductive]") {
  for_every_learner([](const LearnerEntry& entry, Sample sample) {
    // Its rows come one after the other, and copies of a row come elsewhere than the row.
    if (draws_rows(entry) || entry.name == "kernel-perceptron") return;
    const Dataset data = draw(sample);
    std::vector<double> weights;
    std::vector<std::int32_t> copies;
    for (std::int32_t r = 0; r < data.points.rows(); ++r) {
      weights.push_back(r % 4 == 3 ? 0.0 : 1.0 + r % 3);
      copies.insert(copies.end(), static_cast<std::size_t>(weights.back()), r);
    }
    const Dataset weighted = make_dataset(data.points, data.targets, weights);
    const Block a = fit(entry, weighted).model->scores(data.points, threads(1));
    const Block b = fit(entry, select(data, copies)).model->scores(data.points, threads(1));
    CHECK(max_difference(a, b) <= 1e-5 * largest(a));
  });
}

TEST_CASE("Every model: a class without a row is never decided for", "[inductive]") {
  for_every_learner([](const LearnerEntry& entry, Sample sample) {
    // A learner of two classes has none to spare; that of one class is tested below.
    if (sample != Sample::three_classes) return;
    const Dataset data = draw(sample);
    std::vector<std::string> names = data.targets.class_names();
    names.insert(names.begin(), "0 none");
    std::vector<int> classes = data.targets.class_of();
    for (int& k : classes) ++k;
    const Dataset wider = with_targets(data, Targets::classes(std::move(classes), names));
    const auto error = error_of([&] {
      const Trained trained = fit(entry, wider);
      const Block scores = trained.model->scores(data.points, threads(1));
      for (const int k : decide(scores, trained.model->score_kind())) CHECK(k != 0);
    });
    if (error) FAIL_CHECK(error->what());
  });
}

TEST_CASE("Every model: one that was saved gives the scores it gave, to the byte", "[inductive]") {
  for_every_learner([](const LearnerEntry& entry, Sample sample) {
    const Dataset data = draw(sample);
    const Trained trained = fit(entry, data);
    const Record record = record_of(*trained.model);
    const auto again = entry.load_model(record);
    CHECK(again->scores(data.points, threads(1)) == trained.model->scores(data.points, threads(1)));
    CHECK(again->score_kind() == trained.model->score_kind());
    CHECK(record_of(*again).entries() == record.entries());
    if (!record.entries().empty())
      check_is_refusal(error_of([&] {
                         entry.load_model(Record());
                       }).value_or(Error(ErrorCode::internal, "an empty record is a model")));
  });
}

TEST_CASE("Every model: one thread and four learn the same model and score alike", "[inductive]") {
  for_every_learner([](const LearnerEntry& entry, Sample sample) {
    const Dataset data = draw(sample, 300);
    const Trained one = fit(entry, data, threads(1));
    const Trained four = fit(entry, data, threads(4));
    CHECK(record_of(*one.model).entries() == record_of(*four.model).entries());
    CHECK(one.model->scores(data.points, threads(1)) ==
          four.model->scores(data.points, threads(4)));
  });
}

TEST_CASE("Every model: rows of one class give that class, or an error", "[inductive]") {
  for_every_learner([](const LearnerEntry& entry, Sample sample) {
    if (sample == Sample::values) return;
    const Dataset data = draw(sample);
    const Targets one =
        Targets::classes(std::vector<int>(data.targets.size(), 1), data.targets.class_names());
    const auto error = error_of([&] {
      const Trained trained = fit(entry, with_targets(data, one));
      const Block scores = trained.model->scores(data.points, threads(1));
      for (const int k : decide(scores, trained.model->score_kind())) CHECK(k == 1);
    });
    if (error) check_is_refusal(*error);
    const Targets alone = Targets::classes(std::vector<int>(data.targets.size(), 0), {"only"});
    const auto other = error_of([&] {
      const Trained trained = fit(entry, with_targets(data, alone));
      CHECK(trained.model->scores(data.points, threads(1)).columns() == 1);
    });
    if (other) check_is_refusal(*other);
  });
}

TEST_CASE("Every model: constant columns and more columns than rows are learned from",
          "[inductive]") {
  for_every_learner([](const LearnerEntry& entry, Sample sample) {
    const Dataset data = draw(sample);
    const auto n = static_cast<std::size_t>(data.points.rows());
    const Points flat = Points::dense(data.points.rows(), 2, std::vector<double>(2 * n, 1.0));
    const auto error = error_of([&] {
      const Trained trained = fit(entry, make_dataset(flat, data.targets));
      const Block scores = trained.model->scores(flat, threads(1));
      CHECK(scores.row(0)[0] == scores.row(7)[0]);
    });
    if (error) check_is_refusal(*error);
    const Dataset wide = draw(sample, 12, 40);
    const Trained trained = fit(entry, wide);
    CHECK(trained.model->scores(wide.points, threads(1)).rows() == 12);
  });
}

TEST_CASE("Every model: sparse rows are the same rows", "[inductive]") {
  for_every_learner([](const LearnerEntry& entry, Sample sample) {
    const Dataset data = draw(sample);
    const Dataset sparse = make_dataset(as_sparse(data.points), data.targets);
    const Trained a = fit(entry, data);
    const Trained b = fit(entry, sparse);
    const Block scores = a.model->scores(data.points, threads(1));
    CHECK(max_difference(scores, b.model->scores(data.points, threads(1))) <=
          1e-6 * largest(scores));
    CHECK(max_difference(scores, a.model->scores(sparse.points, threads(1))) <=
          1e-9 * largest(scores));
  });
}

TEST_CASE("Every model: a million sparse columns are learned from, or refused",
          "[.][large][inductive]") {
  constexpr std::int64_t columns = 1'000'000;
  for_every_learner([](const LearnerEntry& entry, Sample sample) {
    // Each row has a column of its class and one of its own.
    const Dataset narrow = draw(sample, 12);
    std::vector<std::int64_t> offsets = {0};
    std::vector<std::int32_t> ids;
    for (std::int32_t r = 0; r < 12; ++r) {
      ids.push_back(sample == Sample::values ? r % 3 : narrow.targets.class_of()[std::size_t(r)]);
      ids.push_back(static_cast<std::int32_t>(columns) - 1 - 70'000 * r);
      offsets.push_back(std::ssize(ids));
    }
    const std::vector<double> ones(ids.size(), 1.0);
    const Dataset wide =
        make_dataset(Points::sparse(12, columns, offsets, ids, ones), narrow.targets);
    const auto error = error_of([&] {
      const Trained trained = fit(entry, wide);
      const Block scores = trained.model->scores(wide.points, threads(1));
      for (const double score : scores.values()) CHECK(std::isfinite(score));
      if (sample == Sample::values) return;
      const std::vector<int> decision = decide(scores, trained.model->score_kind());
      std::ptrdiff_t right = 0;
      for (std::size_t r = 0; r < decision.size(); ++r)
        right += decision[r] == wide.targets.class_of()[r] ? 1 : 0;
      CHECK(right >= (draws_rows(entry) ? 6 : 10));
    });
    if (error) check_is_refusal(*error);
  });
}

TEST_CASE("Every model: one row that counts is learned from, or refused", "[inductive]") {
  for_every_learner([](const LearnerEntry& entry, Sample sample) {
    const Dataset data = draw(sample);
    std::vector<double> weights(data.targets.size(), 0.0);
    weights[7] = 3.0;
    const auto error = error_of([&] {
      const Trained trained = fit(entry, make_dataset(data.points, data.targets, weights));
      const Block scores = trained.model->scores(data.points, threads(1));
      const std::vector<int> decision = decide(scores, trained.model->score_kind());
      if (sample != Sample::values) CHECK(decision[7] == data.targets.class_of()[7]);
    });
    if (error) check_is_refusal(*error);
  });
}

TEST_CASE("Every model: points of other columns are refused, no points are no scores",
          "[inductive]") {
  for_every_learner([](const LearnerEntry& entry, Sample sample) {
    const Dataset data = draw(sample);
    const Trained trained = fit(entry, data);
    for (const std::int64_t columns : {3, 5}) {
      const Points other = Points::dense(2, columns, std::vector<double>(2 * columns, 1.0));
      const auto error = error_of([&] { trained.model->scores(other, threads(1)); });
      CHECK(error.has_value());
      if (error) CHECK(error->code() == ErrorCode::bad_data);
    }
    CHECK(trained.model->scores(Points::dense(0, 4, std::vector<double>{}), threads(1)).rows() ==
          0);
  });
}

TEST_CASE("Every model: a stopped fit says so, or was done before it looked", "[inductive]") {
  for_every_learner([](const LearnerEntry& entry, Sample sample) {
    const Dataset data = draw(sample);
    const Trained undisturbed = fit(entry, data);
    const std::atomic<bool> raised = true;
    RunContext cancelled = threads(1);
    cancelled.cancel = &raised;
    RunContext late = threads(1);
    late.deadline = RunContext::Clock::now();
    for (const RunContext& run : {cancelled, late}) {
      const bool by_flag = run.cancel != nullptr;
      const auto error = error_of([&] {
        const Trained trained = fit(entry, data, run);
        const Outcome outcome = trained.report.outcome;
        if (outcome == undisturbed.report.outcome)
          CHECK(record_of(*trained.model).entries() == record_of(*undisturbed.model).entries());
        else
          CHECK(outcome == (by_flag ? Outcome::cancelled : Outcome::time_limit));
      });
      if (error) CHECK(error->code() == (by_flag ? ErrorCode::cancelled : ErrorCode::time_limit));
    }
  });
}

TEST_CASE("Every model: the wrong kind of targets is refused as usage", "[inductive]") {
  for (const LearnerEntry* entry : registry().of_kinds({LearnerKind::inductive})) {
    INFO(entry->name);
    for (const bool values : {false, true}) {
      if (values ? entry->traits.regression : entry->traits.classification) continue;
      const auto error =
          error_of([&] { fit(*entry, draw(values ? Sample::values : Sample::two_classes)); });
      CHECK(error.has_value());
      if (error) CHECK(error->code() == ErrorCode::usage);
    }
  }
}
