#include "gssl/batch/elimination.hpp"
#include "linear_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// All 2^d rows of 0 and 1.
Points all_rows(int d) {
  std::vector<double> values;
  for (int row = 0; row < 1 << d; ++row)
    for (int c = 0; c < d; ++c) values.push_back(row >> c & 1);
  return Points::dense(1 << d, d, values);
}

bool holds(const Points& points, VertexId r, const Literal& literal) {
  return (points.value(r, literal.column) == 1.0) != literal.negated;
}

std::int64_t count(const Points& points, VertexId r, const std::vector<Literal>& literals) {
  std::int64_t held = 0;
  for (const Literal& literal : literals) held += holds(points, r, literal) ? 1 : 0;
  return held;
}

// "no" or "yes" as at least m of the literals hold.
Dataset table(const Points& points, const std::vector<Literal>& literals, std::int64_t m) {
  std::vector<int> class_of;
  for (VertexId r = 0; r < points.rows(); ++r)
    class_of.push_back(count(points, r, literals) >= m ? 1 : 0);
  return make_dataset(points, Targets::classes(class_of, {"no", "yes"}));
}

}  // namespace

TEST_CASE("elimination learns any conjunction and disjunction from all rows", "[elimination]") {
  const Points points = all_rows(6);
  Rng rng(71);
  for (int trial = 0; trial < 30; ++trial) {
    std::vector<Literal> target;
    for (std::int64_t c = 0; c < 6; ++c)
      if (rng.below(2) == 0) target.push_back({c, rng.below(2) == 0});
    const auto all = static_cast<std::int64_t>(target.size());
    for (const bool conjunction : {true, false}) {
      const Dataset data = table(points, target, conjunction ? all : 1);
      const std::string spec =
          std::string("elimination:rule=") + (conjunction ? "conjunction" : "disjunction");
      const Trained fitted = trained(spec, data);
      CHECK(accuracy_of(*fitted.model, data) == 1.0);
      CHECK(certificate_values(fitted.report, "mistakes")[0] == 0.0);
      // A conjunction of nothing holds always: then no row contradicts any literal of the other.
      if (!target.empty()) CHECK(certificate_values(fitted.report, "literals")[0] == double(all));
      CHECK(survives_saving("elimination", *fitted.model, points));
      Dataset sparse = data;
      sparse.points = as_sparse(points);
      CHECK(trained(spec, sparse).model->scores(points) == fitted.model->scores(points));
    }
  }
}

TEST_CASE("the example of the notes: some literals are left that are not of the target",
          "[elimination]") {
  // Target x1 ∧ x2; column 3 is 1 in both positive rows.
  const Dataset data = make_dataset(
      Points::dense(3, 4, std::vector<double>{1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 0}),
      Targets::classes(std::vector<int>{1, 1, 0}, {"no", "yes"}), {}, {"x1", "x2", "x3", "x4"});
  const Trained fitted = trained("elimination:negations=false", data);
  CHECK(fitted.report.sentence == "x1 and x2 and x3");
  CHECK(certificate_values(fitted.report, "literals")[0] == 3.0);
  CHECK(trained("elimination:rule=disjunction", data).report.sentence ==
        "not x1 or x2 or not x3 or x4");
}

TEST_CASE("at least m of n literals is a linear threshold", "[elimination]") {
  const Points points = all_rows(7);
  const std::vector<Literal> five = {{0, false}, {2, false}, {3, true}, {5, false}, {6, true}};
  for (std::int64_t m = 0; m <= 6; ++m) {
    const LinearFit rule = threshold_rule(7, five, m);
    for (VertexId r = 0; r < points.rows(); ++r) {
      double f = rule.bias[0];
      for (std::int64_t c = 0; c < 7; ++c) f += points.value(r, c) * rule.weights(c, 0);
      CHECK(f == static_cast<double>(count(points, r, five) - m) + 0.5);
    }
  }
  // So a learner of linear thresholds learns it, and elimination says that it cannot.
  const Dataset data = table(points, five, 3);
  CHECK(accuracy_of(*trained("linear-svm:c=100", data).model, data) == 1.0);
  const Trained wrong = trained("elimination", data);
  CHECK(certificate_values(wrong.report, "mistakes")[0] > 0.0);
  CHECK(wrong.report.warnings.size() == 1);
  CHECK(error_of([&] { threshold_rule(6, five, 3); })->code() == ErrorCode::usage);
}

TEST_CASE("rows of weight 0 are absent, and a lone class is always decided for", "[elimination]") {
  Dataset data = table(all_rows(3), {{0, false}, {1, true}}, 2);
  // A row that contradicts the target.
  data.targets = Targets::classes(
      [&] {
        std::vector<int> class_of = data.targets.class_of();
        class_of[0] = 1;
        return class_of;
      }(),
      {"no", "yes"});
  CHECK(certificate_values(trained("elimination", data).report, "mistakes")[0] > 0.0);
  data.weights.assign(8, 1.0);
  data.weights[0] = 0.0;
  CHECK(certificate_values(trained("elimination", data).report, "mistakes")[0] == 0.0);
  for (const int only : {0, 1}) {
    const Dataset one =
        make_dataset(all_rows(2), Targets::classes(std::vector<int>(4, only), {"no", "yes"}));
    for (const char* spec : {"elimination", "elimination:rule=disjunction"})
      CHECK(accuracy_of(*trained(spec, one).model, one) == 1.0);
  }
}

TEST_CASE("elimination wants two classes and columns of 0 and 1", "[elimination]") {
  const auto error = error_of([] { trained("elimination", random_classes(5, 2, 2, 1)); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::bad_data);
  CHECK_THAT(error->what(), Catch::Contains("row 0, column 1"));
  const Dataset three =
      make_dataset(all_rows(2), Targets::classes(std::vector<int>{0, 1, 2, 0}, {"a", "b", "c"}));
  CHECK(error_of([&] { trained("elimination", three); })->code() == ErrorCode::usage);
  CHECK(error_of([] { made("elimination:rule=maybe"); })->code() == ErrorCode::usage);
}
