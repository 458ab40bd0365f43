// Online learners in the space of a kernel, and votes that are drawn.

#include <algorithm>
#include <cmath>
#include <sstream>

#include "algorithms/certificates.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/io/line_stream.hpp"
#include "gssl/learn/registry.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

std::unique_ptr<OnlineSession> session_of(const std::string& spec, std::uint64_t seed = 1) {
  static const LearnerRegistry registry = builtin_learners();
  RunContext run;
  run.seed = seed;
  run.threads = 1;
  return registry.make(spec).online().start({.class_names = {"0", "1"}}, run);
}

struct Row {
  std::vector<double> values;
  double outcome = 0.0;
};

void pass_over(OnlineSession& session, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    session.predict({.values = row.values});
    session.update({.value = row.outcome});
  }
}

}  // namespace

TEST_CASE("mistakes of the kernel perceptron on digits 3 and 8 are the reference's", "[online]") {
  const auto path = shared_path("data/points/usps/plain/zip.train.gz");
  if (!path) {
    WARN("skipped: ../shared is absent");
    return;
  }
  std::vector<Row> rows;
  LineStream lines(path->string());
  while (const auto line = lines.next()) {
    std::istringstream text{std::string(*line)};
    double digit = 0.0;
    text >> digit;
    if (digit != 3.0 && digit != 8.0) continue;
    Row row{{}, digit == 3.0 ? 1.0 : 0.0};
    for (double x = 0.0; text >> x;) row.values.push_back(x);
    rows.push_back(std::move(row));
  }
  CHECK(rows.size() == 1200);
  // The first of the three passes of the reference.
  const std::vector<double> expected = {64, 56, 45};
  for (std::size_t d = 1; d <= 3; ++d) {
    const auto session =
        session_of("kernel-perceptron:ties=true,kernel=polynomial(r=" + std::to_string(d) + ")");
    pass_over(*session, rows);
    CHECK(certified(session->report(), "updates") == expected[d - 1]);
    CHECK(certified(session->report(), "weight_square") <=
          certified(session->report(), "added_square") * (1.0 + 1e-12));
  }
}

TEST_CASE("with the linear kernel the perceptron predicts as without one", "[online]") {
  Rng rng(8);
  std::vector<Row> rows;
  for (int t = 0; t < 200; ++t) {
    Row row{{rng.normal(), rng.normal(), rng.normal()}, 0.0};
    row.outcome = row.values[0] - row.values[2] + 0.3 * rng.normal() > 0.0 ? 1.0 : 0.0;
    rows.push_back(std::move(row));
  }
  const auto plain = session_of("perceptron:bias=false");
  const auto kernel = session_of("kernel-perceptron:kernel=linear");
  for (const Row& row : rows) {
    CHECK(plain->predict({.values = row.values}) == kernel->predict({.values = row.values}));
    plain->update({.value = row.outcome});
    kernel->update({.value = row.outcome});
  }
  CHECK(certified(plain->report(), "weight_square") ==
        Approx(certified(kernel->report(), "weight_square")));
}

TEST_CASE("the anova kernel learns a disjunction of conjunctions that no line separates",
          "[online]") {
  std::vector<Row> rows;  // x1 x2 or x3 x4, over all 64 rows of six features
  for (int code = 0; code < 64; ++code) {
    Row row;
    for (int i = 0; i < 6; ++i) row.values.push_back((code >> i) % 2);
    const auto& x = row.values;
    row.outcome = x[0] * x[1] + x[2] * x[3] > 0.0 ? 1.0 : 0.0;
    rows.push_back(std::move(row));
  }
  const auto session = session_of("kernel-perceptron:kernel=anova");
  std::int64_t before = -1;
  for (int pass = 0; pass < 100 && session->report().mistakes != before; ++pass) {
    before = session->report().mistakes;
    pass_over(*session, rows);
  }
  CHECK(session->report().mistakes == before);
  // Coordinates are conjunctions: u is 2 at x1x2 and x3x4, −2 at their product, −1 at the empty one.
  CHECK(static_cast<double>(before) <= 13.0 * 64.0);
  const auto model = session->model();
  std::vector<double> values;
  for (const Row& row : rows) values.insert(values.end(), row.values.begin(), row.values.end());
  const auto decided = decide(model->scores(Points::dense(64, 6, values)), model->score_kind());
  for (std::size_t r = 0; r < rows.size(); ++r) CHECK(decided[r] == rows[r].outcome);
}

TEST_CASE("rows of one kind follow each other in the space of a kernel", "[online]") {
  const std::vector<double> dense = {1.0, 0.0, 2.0}, two = {1.0, 2.0}, one = {1.0};
  const std::vector<std::int32_t> columns = {0, 2};
  for (const char* spec : {"kernel-perceptron", "randomized-kernel-descent"}) {
    INFO(spec);
    const auto first_sparse = session_of(spec), first_dense = session_of(spec);
    const std::vector<double> wide(9, 1.0);
    const std::vector<std::int32_t> far = {0, 8};
    const auto refuses = [](OnlineSession& session, const Instance& instance) {
      Record before, after;
      session.save(before);
      CHECK_THROWS_AS(session.predict(instance), Error);
      session.save(after);
      CHECK(before.entries() == after.entries());
    };
    // Nothing was mistaken yet, and no row kept.
    first_sparse->predict({.values = two, .columns = columns});
    refuses(*first_sparse, {.values = dense});
    refuses(*first_sparse, {.values = wide});
    first_dense->predict({.values = dense});
    refuses(*first_dense, {.values = two, .columns = columns});
    refuses(*first_dense, {.values = two, .columns = far});
    CHECK_THROWS_AS(first_dense->predict({.values = one}), Error);
  }
  // A row of zeros may come without entries, also as the first one, and before a save.
  const auto plain = session_of("kernel-perceptron:kernel=polynomial(a=1,r=2)");
  const auto saved = session_of("kernel-perceptron:kernel=polynomial(a=1,r=2)");
  const std::vector<double> zeros(3, 0.0);
  for (OnlineSession* session : {plain.get(), saved.get()}) {
    session->predict({});
    session->update({.value = 0.0});
  }
  Record record;
  saved->save(record);
  const LearnerRegistry registry = builtin_learners();
  const auto again =
      registry.make("kernel-perceptron:kernel=polynomial(a=1,r=2)").online().resume({}, record);
  for (OnlineSession* session : {plain.get(), again.get()}) {
    CHECK(session->predict({.values = two, .columns = columns}) == 0.0);
    session->update({.value = 1.0});
    CHECK(session->predict({}) == 1.0);  // −1 + 1 = 0 is positive
    CHECK(session->predict({.values = one, .columns = std::vector<std::int32_t>{1}}) == 1.0);
  }
}

TEST_CASE("zeros that were kept take the kind of the first row with entries", "[online]") {
  const std::vector<double> two = {1.0, 2.0}, all = {1.0, 0.0, 2.0};
  const std::vector<std::int32_t> columns = {0, 2};
  for (const bool sparse : {true, false}) {
    INFO(sparse);
    static const LearnerRegistry registry = builtin_learners();
    const auto session = registry.make("kernel-perceptron:kernel=polynomial(a=1,r=2)")
                             .online()
                             .start({.width = 3, .class_names = {"0", "1"}});
    session->predict({});
    session->update({.value = 0.0});  // keeps it, with −1
    CHECK(session->predict(sparse ? Instance{.values = two, .columns = columns}
                                  : Instance{.values = all}) == 0.0);
    Record record;
    session->save(record);
    CHECK(record.child("expansion").points("support").is_sparse() == sparse);
  }
}

TEST_CASE("a budget keeps the last rows only", "[online]") {
  Rng rng(3);
  const auto session = session_of("kernel-perceptron:budget=5,kernel=gaussian(beta=2)");
  for (int t = 0; t < 100; ++t) {
    const std::vector<double> x = {rng.normal(), rng.normal()};
    session->predict({.values = x});
    session->update({.value = rng.uniform() < 0.5 ? 1.0 : 0.0});
  }
  CHECK(certified(session->report(), "rows_kept") == 5.0);
  CHECK(certified(session->report(), "updates") > 20.0);
  CHECK_FALSE(session->report().bound);
  CHECK_THROWS_AS(session_of("kernel-perceptron:kernel=none"), Error);
  CHECK_THROWS_AS(session_of("kernel-perceptron:budget=-1"), Error);
}

TEST_CASE("draws of randomized learners stay below their bounds in the mean of 200 seeds",
          "[online]") {
  constexpr int seeds = 200;
  Rng rng(6);
  std::vector<Row> advice, points;
  for (int t = 0; t < 120; ++t) {
    const double truth = rng.uniform() < 0.5 ? 1.0 : 0.0;
    advice.push_back({{rng.uniform() < 0.15 ? 1.0 - truth : truth, 0.0, 1.0, 1.0 - truth}, truth});
    points.push_back({{rng.normal(), rng.normal()}, 0.0});
    points.back().outcome = points.back().values[0] > 0.3 * rng.normal() ? 1.0 : 0.0;
  }
  for (const auto& [spec, rows] :
       {std::pair("weighted-majority:vote=random,beta=0.7", &advice),
        std::pair("randomized-kernel-descent:kernel=gaussian(beta=1),budget=40", &points)}) {
    INFO(spec);
    double sum = 0.0, squares = 0.0, bound = 0.0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const auto session = session_of(spec, seed);
      pass_over(*session, *rows);
      const OnlineReport report = session->report();
      CHECK(report.bound_in_expectation);
      bound = *report.bound;  // the same for all seeds: only predictions are drawn
      sum += report.loss;
      squares += report.loss * report.loss;
    }
    const double mean = sum / seeds;
    const double error = 3.0 * std::sqrt(std::max(0.0, squares / seeds - mean * mean) / seeds);
    CHECK(mean - error <= bound);
  }
}
