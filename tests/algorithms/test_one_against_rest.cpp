// Online learners of two classes, fitted to rows of more: each class against the rest.

#include "gssl/core/rng.hpp"
#include "gssl/learn/registry.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

constexpr std::int64_t rows = 120, columns = 3;

struct Cloud {
  Points points;
  std::vector<int> truth;
};

// Three clouds in the corners of a triangle, as classes 0, 1 and 3 of four.
Cloud three_clouds(std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> values;
  std::vector<int> truth;
  for (std::int64_t r = 0; r < rows; ++r) {
    const auto corner = static_cast<std::size_t>(r % 3);
    for (std::size_t c = 0; c < 3; ++c)
      values.push_back((c == corner ? 0.85 : 0.0) + 0.15 * rng.uniform());
    truth.push_back(corner == 2 ? 3 : static_cast<int>(corner));
  }
  return {Points::dense(rows, columns, values), truth};
}

const std::vector<std::string> names = {"a", "b", "c", "d"};

const std::vector<std::string> specs = {
    "perceptron",      "perceptron:form=averaged",       "perceptron:form=random",
    "balanced-winnow", "gradient-descent:form=survivor", "randomized-kernel-descent:kernel=linear"};

}  // namespace

TEST_CASE("rows of many classes are learned each class against the rest",
          "[online][one_against_rest]") {
  const LearnerRegistry registry = builtin_learners();
  const Cloud cloud = three_clouds(1), fresh = three_clouds(2);
  const Dataset data = make_dataset(cloud.points, Targets::classes(cloud.truth, names));
  for (const std::string& spec : specs) {
    INFO(spec);
    // One pass, after which every one of them has seen the same rows.
    const MadeLearner made =
        registry.make(spec + (spec.find(':') == std::string::npos ? ":" : ",") + "passes=1");
    const Trained trained = made.inductive().fit(data);
    const Block scores = trained.model->scores(fresh.points);
    REQUIRE(scores.columns() == 4);
    double mistakes = 0.0;
    for (const int k : {0, 1, 3}) {
      std::vector<int> is_k;
      for (const int truth : cloud.truth) is_k.push_back(truth == k ? 1 : 0);
      const Trained alone = made.inductive().fit(
          make_dataset(cloud.points, Targets::classes(is_k, {"rest", names[std::size_t(k)]})));
      mistakes += alone.report.certificates[0].values[0];
      const Block two = alone.model->scores(fresh.points);
      for (std::int64_t r = 0; r < rows; ++r) REQUIRE(scores(r, k) == two(r, 1));
    }
    CHECK(trained.report.certificates[0].values[0] == mistakes);
    for (const int decided : decide(scores, trained.model->score_kind())) REQUIRE(decided != 2);
    Record record;
    trained.model->save(record);
    CHECK(made.entry->load_model(record)->scores(fresh.points) == scores);
  }
}

TEST_CASE("passes over rows of many classes end when none is mistaken",
          "[online][one_against_rest]") {
  const Cloud cloud = three_clouds(3), fresh = three_clouds(4);
  const MadeLearner made = builtin_learners().make("perceptron:passes=1000");
  const Trained trained =
      made.inductive().fit(make_dataset(cloud.points, Targets::classes(cloud.truth, names)));
  const std::vector<double>& mistakes = trained.report.certificates[0].values;
  CHECK(mistakes.back() == 0.0);
  CHECK(mistakes.size() < 1000);
  const auto decided = decide(trained.model->scores(fresh.points), trained.model->score_kind());
  int wrong = 0;
  for (std::size_t r = 0; r < decided.size(); ++r) wrong += decided[r] != fresh.truth[r] ? 1 : 0;
  CHECK(wrong <= 2);
}

TEST_CASE("many classes of which one has rows, and damaged models, are refused",
          "[online][one_against_rest]") {
  const Cloud cloud = three_clouds(5);
  const LearnerRegistry registry = builtin_learners();
  const MadeLearner made = registry.make("perceptron");
  const std::vector<int> one(static_cast<std::size_t>(rows), 2);
  const auto error = error_of(
      [&] { made.inductive().fit(make_dataset(cloud.points, Targets::classes(one, names))); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::bad_data);
  Record record;
  record.put("classes_apart", std::vector<std::int32_t>{0, 0, 1});
  CHECK_THROWS_AS(made.entry->load_model(record), Error);
}
