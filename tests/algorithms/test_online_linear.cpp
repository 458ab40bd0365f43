// Linear online learners: outside counts of mistakes, bounds, projections, models that are left.

#include <algorithm>
#include <cmath>
#include <ctime>

#include "gssl/core/rng.hpp"
#include "gssl/io/trial_reader.hpp"
#include "gssl/learn/registry.hpp"
#include "online/allocation.hpp"
#include "online/simplex_weights.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

std::unique_ptr<OnlineSession> linear_session(const std::string& spec, OnlineSetting setting = {}) {
  static const LearnerRegistry registry = builtin_learners();
  if (setting.class_names.empty()) setting.class_names = {"0", "1"};
  return registry.make(spec).online().start(setting);
}

struct Row {
  std::vector<double> values;
  std::vector<std::int32_t> columns;
  double outcome = 0.0;

  Instance instance() const { return {.values = values, .columns = columns}; }
};

std::vector<Row> rows_of(const std::string& path) {
  std::vector<Row> rows;
  TrialReader reader(LineStream(path), {});
  for (OnlineTrial trial; reader.next(trial);)
    rows.push_back(
        {trial.values, trial.columns, std::stod(std::string(trial.outcome)) > 0 ? 1. : 0.});
  return rows;
}

void pass_over(OnlineSession& session, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    session.predict(row.instance());
    session.update({.value = row.outcome});
  }
}

// What `count` says after each pass, less what it said before.
template <class Count>
std::vector<double> by_pass(OnlineSession& session, const std::vector<Row>& rows, int passes,
                            Count&& count) {
  std::vector<double> all;
  for (int p = 0; p < passes; ++p) {
    const double before = count(session.report());
    pass_over(session, rows);
    all.push_back(count(session.report()) - before);
  }
  return all;
}

double mistakes(const OnlineReport& report) { return static_cast<double>(report.mistakes); }
double updates(const OnlineReport& report) { return report.certificates[0].values[0]; }

std::vector<double> weights_of(const OnlineSession& session) {
  Record record;
  session.model()->save(record);
  return record.reals("weights");
}

double most_apart(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return a.size() == b.size() ? most : 1e300;
}

// Σ over rows of the loss of fixed weights, for ±1 outcomes.
double hinge_of(const std::vector<double>& w, const std::vector<Row>& rows) {
  double sum = 0.0;
  for (const Row& row : rows) {
    double score = 0.0;
    for (std::size_t i = 0; i < row.values.size(); ++i) score += w[i] * row.values[i];
    sum += std::max(0.0, 1.0 - (row.outcome > 0 ? score : -score));
  }
  return sum;
}

}  // namespace

TEST_CASE("mistakes a pass on mushrooms and heart are the reference's", "[online]") {
  const auto mushrooms = shared_path("data/points/mushroom/agaricus.txt.train");
  const auto heart = shared_path("data/points/heart_scale/heart_scale");
  if (!mushrooms || !heart) {
    WARN("skipped: ../shared is absent");
    return;
  }
  const std::vector<Row> rows = rows_of(mushrooms->string());
  CHECK(rows.size() == 6513);
  // The reference counts w·x = 0 as a mistake whatever the outcome.
  CHECK(by_pass(*linear_session("perceptron:ties=true"), rows, 15, updates) ==
        std::vector<double>{61, 14, 14, 8, 8, 6, 4, 4, 4, 3, 5, 3, 3, 2, 0});
  CHECK(by_pass(*linear_session("perceptron:ties=true"), rows_of(heart->string()), 10, updates) ==
        std::vector<double>{69, 61, 60, 56, 54, 55, 57, 58, 61, 52});
  CHECK(by_pass(*linear_session("winnow:threshold=127"), rows, 7, mistakes) ==
        std::vector<double>{69, 17, 9, 5, 2, 3, 0});
  CHECK(by_pass(*linear_session("winnow:threshold=63.5"), rows, 6, mistakes) ==
        std::vector<double>{60, 13, 4, 2, 8, 0});
}

TEST_CASE("a disjunction of 5 in 200 features: winnow against perceptron", "[online]") {
  const auto path = shared_path("reference/online/disjunction_200_5.txt.gz");
  if (!path) {
    WARN("skipped: ../shared is absent");
    return;
  }
  std::vector<Row> rows;
  LineStream lines(path->string());
  while (const auto line = lines.next()) {
    Row row;
    const std::size_t blank = line->find(' ');
    row.outcome = line->starts_with("-") ? 0.0 : 1.0;
    for (const char c : line->substr(blank + 1)) row.values.push_back(c - '0');
    rows.push_back(std::move(row));
  }
  const OnlineSetting setting{.width = 200};
  const std::string relevant = "relevant=40/59/135/175/185";
  const auto winnow = linear_session("winnow:" + relevant, setting);
  const auto eliminate =
      linear_session("winnow:threshold=100.5,demotion=eliminate," + relevant, setting);
  const auto perceptron = linear_session("perceptron:ties=true", setting);
  for (OnlineSession* session : {winnow.get(), eliminate.get(), perceptron.get()})
    pass_over(*session, rows);
  CHECK(winnow->report().mistakes == 57);
  CHECK(winnow->report().comparator == 0.0);
  CHECK(*winnow->report().bound == Approx(3 * 5 * (std::log2(200) + 1) + 2));
  CHECK(eliminate->report().mistakes == 45);
  // The reference predicts 1 above 100, where weights are whole; its bound is 78.43856 for 100.
  CHECK(*eliminate->report().bound == Approx(2 * 5 * (std::log2(100.5) + 1) + 200 / 100.5));
  CHECK(updates(perceptron->report()) == 262);
}

TEST_CASE("winnow stays below its bound with attribute errors", "[online]") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Rng rng(seed);
    const auto session = linear_session(
        seed % 2 == 0 ? "winnow:relevant=1/2" : "winnow:alpha=1.5,threshold=4,relevant=1/2",
        {.width = 12});
    for (int t = 0; t < 120; ++t) {
      std::vector<double> x;
      for (int i = 0; i < 12; ++i) x.push_back(rng.uniform() < 0.2 ? 1.0 : 0.0);
      const double predicted = session->predict({.values = x});
      const double truth = x[0] + x[1] > 0 ? 1.0 : 0.0;
      session->update({.value = rng.uniform() < 0.15 ? 1.0 - predicted : truth});
      CHECK(session->report().loss <= *session->report().bound);
    }
  }
}

TEST_CASE("regret of gradient descent to any weights of the domain stays below its bound",
          "[online]") {
  for (const char* spec :
       {"gradient-descent:bias=false,radius=2", "gradient-descent:bias=false,radius=2,rate=0.1",
        "gradient-descent:domain=simplex"}) {
    INFO(spec);
    const bool simplex = std::string(spec).find("simplex") != std::string::npos;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      Rng rng(seed);
      std::vector<Row> rows;
      for (int t = 0; t < 200; ++t) {
        Row row;
        for (int i = 0; i < 4; ++i) row.values.push_back(rng.normal());
        row.outcome = row.values[0] + 0.2 * rng.normal() > 0 ? 1.0 : 0.0;
        rows.push_back(std::move(row));
      }
      const auto session = linear_session(spec, {.width = 4});
      pass_over(*session, rows);
      const OnlineReport report = session->report();
      const double regret = report.certificates[0].values[0];
      std::vector<std::vector<double>> others = {{2, 0, 0, 0}, {0, 0, 0, 0}};
      if (simplex) others = {{1, 0, 0, 0}, {0.25, 0.25, 0.25, 0.25}, {0.5, 0.5, 0, 0}};
      for (const auto& u : others) CHECK(report.loss <= hinge_of(u, rows) + regret);
    }
  }
}

TEST_CASE("the projection on the simplex is the nearest point of it", "[online]") {
  Rng rng(4);
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = 1 + rng.below(6);
    std::vector<double> from, p;
    for (std::size_t i = 0; i < n; ++i) from.push_back(3.0 * rng.normal());
    p = from;
    detail::project_on_simplex(p);
    double sum = 0.0;
    for (const double x : p) sum += x;
    CHECK(sum == Approx(1.0));
    // (from − p)·(q − p) ≤ 0 for every corner q.
    for (std::size_t q = 0; q < n; ++q) {
      double product = 0.0;
      for (std::size_t i = 0; i < n; ++i)
        product += (from[i] - p[i]) * ((i == q ? 1.0 : 0.0) - p[i]);
      CHECK(p[q] >= 0.0);
      CHECK(product <= 1e-12);
    }
  }
}

TEST_CASE("perceptron: models by form, on a run by hand", "[online]") {
  // x = 1, −1, −1, 2 without bias; outcomes −, −, +, −: w is 0, −1, −1 (right), −2 (wrong), −4 …
  const std::vector<Row> rows = {{{1}, {}, 0}, {{-1}, {}, 0}, {{-1}, {}, 1}, {{2}, {}, 0}};
  const auto weight_of = [&](const std::string& form) {
    const auto session = linear_session("perceptron:bias=false,form=" + form);
    pass_over(*session, rows);
    Record record;
    session->model()->save(record);
    return record.reals("weights")[0];
  };
  // w after each trial: −1 (mistake), 0 (mistake: −(−1)·…), …
  double w = 0.0, sum = 0.0;
  for (const Row& row : rows) {
    const double predicted = w * row.values[0] >= 0.0 ? 1.0 : 0.0;
    if (predicted != row.outcome) w += row.outcome > 0 ? row.values[0] : -row.values[0];
    sum += w;
  }
  CHECK(weight_of("last") == w);
  CHECK(weight_of("averaged") == Approx(sum / 4.0));
  CHECK(std::abs(weight_of("survivor")) <= 1.0);
}

TEST_CASE("rows of real outcomes need the square loss; winnow refuses features above 1",
          "[online]") {
  const LearnerRegistry registry = builtin_learners();
  CHECK_THROWS_AS(registry.make("gradient-descent:loss=hinge").online().start({.width = 2}), Error);
  const auto session = registry.make("gradient-descent:radius=3").online().start({.width = 2});
  for (int t = 0; t < 4000; ++t) {
    const std::vector<double> x = {static_cast<double>(t % 3) - 1.0, static_cast<double>(t % 2)};
    session->predict({.values = x});
    session->update({.value = 2.0 * x[0] - x[1] + 0.5});
  }
  const std::vector<double> x = {1.0, 1.0};
  CHECK(session->predict({.values = x}) == Approx(1.5).margin(0.05));
  const std::vector<double> high = {2.0};
  CHECK_THROWS_AS(linear_session("winnow", {.width = 1})->predict({.values = high}), Error);
  CHECK_THROWS_AS(linear_session("winnow"), Error);
  CHECK_THROWS_AS(linear_session("winnow:relevant=0/2", {.width = 3}), Error);
}

TEST_CASE("sparse steps on the simplex are those of dense rows", "[online]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Rng rng(seed);
    constexpr std::int64_t width = 40;
    // Not the survivor: whether a step at a corner changes nothing is for rounding to say.
    const char* const forms[] = {"last", "averaged", "random"};
    const std::string spec = std::string("gradient-descent:domain=simplex,loss=square,form=") +
                             forms[seed % 3] + ",rate=" + std::to_string(0.02 * double(seed));
    const OnlineSetting setting{.width = width};
    const LearnerRegistry registry = builtin_learners();
    const auto made = registry.make(spec);
    const auto sparse = made.online().start(setting), dense = made.online().start(setting);
    for (int t = 0; t < 3000; ++t) {
      std::vector<std::int32_t> columns;
      std::vector<double> values, all(width, 0.0);
      for (std::int32_t c = 0; c < width; ++c) {
        if (rng.uniform() > 0.1) continue;
        columns.push_back(c);
        values.push_back(rng.normal());
        all[static_cast<std::size_t>(c)] = values.back();
      }
      // What is aimed at moves, so that weights fall to 0 and come back.
      const double outcome = all[static_cast<std::size_t>(t / 300)] - all[20] * (t % 7 == 0);
      const double a = sparse->predict({.values = values, .columns = columns});
      const double b = dense->predict({.values = all});
      if (std::abs(a - b) > 1e-9) FAIL("trial " << t << ", seed " << seed << ": " << a - b);
      sparse->update({.value = outcome});
      dense->update({.value = outcome});
    }
    CHECK(sparse->report().loss == Approx(dense->report().loss));
    CHECK(*sparse->report().bound == Approx(*dense->report().bound));
    CHECK(most_apart(weights_of(*sparse), weights_of(*dense)) < 1e-9);
    // Goes on with the same bits after a save.
    Record saved;
    sparse->save(saved);
    const auto again = made.online().resume({}, saved);
    for (int t = 0; t < 50; ++t) {
      const std::int32_t columns[] = {t % 10, 20 + t % 20};
      const double values[] = {1.0, rng.normal()};
      CHECK(again->predict({.values = values, .columns = columns}) ==
            sparse->predict({.values = values, .columns = columns}));
      again->update({.value = 0.5});
      sparse->update({.value = 0.5});
    }
    CHECK(weights_of(*again) == weights_of(*sparse));
  }
}

TEST_CASE("the simplex leaves the mean, the survivor and the one drawn of its weights by trials",
          "[online]") {
  for (const char* form : {"averaged", "survivor", "random"}) {
    INFO(form);
    const OnlineSetting setting{.width = 12, .class_names = {"0", "1"}};
    const std::string spec = "gradient-descent:domain=simplex,rate=0.3,form=";
    const LearnerRegistry registry = builtin_learners();
    const auto left = registry.make(spec + form).online().start(setting);
    const auto last = registry.make(spec + "last").online().start(setting);
    Rng rng(9);
    std::vector<double> sum(12, 0.0);
    std::vector<std::vector<double>> all;
    constexpr int trials = 2500;  // past two renewals
    for (int t = 0; t < trials; ++t) {
      const auto a = static_cast<std::int32_t>(rng.below(11));
      const std::int32_t columns[] = {a, static_cast<std::int32_t>(a + 1 + rng.below(11 - a))};
      const double values[] = {3.0 * rng.normal(), 3.0 * rng.normal()};
      const double outcome = values[0] * (t < 1200 ? 1.0 : -1.0) > 0.2 ? 1.0 : 0.0;
      for (OnlineSession* one : {left.get(), last.get()}) {
        one->predict({.values = values, .columns = columns});
        one->update({.value = outcome});
      }
      all.push_back(weights_of(*last));
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += all.back()[i] / trials;
    }
    const std::vector<double> found = weights_of(*left);
    if (std::string(form) == "averaged")
      CHECK(most_apart(found, sum) < 1e-11);
    else
      CHECK(std::ranges::count(all, found) > 0);
    if (std::string(form) != "survivor") continue;
    std::size_t longest = 0, run = 0, end = 0;
    for (std::size_t t = 1; t < all.size(); ++t) {
      run = all[t] == all[t - 1] ? run + 1 : 0;
      if (run > longest) longest = run, end = t;
    }
    CHECK(found == all[end]);
  }
}

TEST_CASE("a survivor that steps leave where it is, is not copied for each of them", "[online]") {
  // At a corner of the simplex: a copy in each of the trials would be 10¹⁰ steps.
  constexpr std::int32_t width = 2'000'000;
  const LearnerRegistry registry = builtin_learners();
  const auto session = registry.make("gradient-descent:domain=simplex,rate=1,form=survivor")
                           .online()
                           .start({.width = width});
  const std::int32_t columns[] = {7};
  const double values[] = {5.0};
  const std::clock_t begin = std::clock();
  for (int t = 0; t < 5000; ++t) {
    session->predict({.values = values, .columns = columns});
    session->update({.value = 100.0});
  }
  CHECK(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC < 10.0);
}

TEST_CASE("predictions without outcome cost their non-zeros and change nothing on the simplex",
          "[online]") {
  constexpr std::int32_t width = 200'000;
  const LearnerRegistry registry = builtin_learners();
  const auto session =
      registry.make("gradient-descent:domain=simplex,rate=1").online().start({.width = width});
  const std::int32_t first[] = {0};
  const double one[] = {1.0};
  const std::clock_t begin = std::clock();
  // Turn by turn column 0 has all, or the others do: each time their group falls into another.
  for (int t = 0; t < width - 1; ++t) {
    session->predict({.values = one, .columns = first});
    session->update({.value = t % 2 == 0 ? 5.0 : -5.0});
  }
  Record before, after;
  session->save(before);
  const double asked = session->predict({.values = one, .columns = std::vector{width - 1}});
  for (std::int32_t c = 1; c < width; ++c)
    if (session->predict({.values = one, .columns = std::vector{c}}) != asked) FAIL(c);
  session->save(after);
  CHECK(before.entries() == after.entries());
  CHECK(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC < 5.0);
}

TEST_CASE("sums of weights on the simplex keep their digits over millions of trials", "[online]") {
  detail::SimplexWeights weights(4);
  const std::int32_t columns[] = {1, 3};
  const double x[] = {0.1, 0.3};
  weights.step(columns, x, 0.7);
  constexpr int trials = 3'000'000;
  for (int t = 0; t < trials; ++t) weights.end_trial();
  const std::vector<double> sums = weights.sums(), all = weights.all();
  for (std::size_t i = 0; i < sums.size(); ++i) CHECK(std::abs(sums[i] / trials - all[i]) < 1e-14);
}

TEST_CASE("how rows of the simplex are held is chosen by a row that fits, and saved", "[online]") {
  const OnlineSetting setting{.width = 3};
  const LearnerRegistry registry = builtin_learners();
  const auto made = registry.make("gradient-descent:domain=simplex");
  const std::vector<double> dense = {1.0, 2.0, 3.0}, value = {1.0};
  const auto refused = made.online().start(setting), plain = made.online().start(setting);
  CHECK_THROWS_AS(refused->predict({.values = value, .columns = std::vector<std::int32_t>{3}}),
                  Error);
  Record saved;
  refused->predict({.values = dense});
  refused->save(saved);
  const auto again = made.online().resume({}, saved);
  plain->predict({.values = dense});
  for (OnlineSession* session : {plain.get(), refused.get(), again.get()}) {
    session->predict({.values = value, .columns = std::vector<std::int32_t>{1}});
    session->update({.value = 0.4});
  }
  Record a, b, c;
  plain->save(a);
  refused->save(b);
  again->save(c);
  CHECK(a.entries() == b.entries());
  CHECK(a.entries() == c.entries());
}

TEST_CASE("a sparse row costs its non-zeros in every form", "[online]") {
  // A pass over all columns in each of the trials would be 10¹¹ steps.
  constexpr std::int32_t width = 2'000'000;
  constexpr int trials = 50'000;
  std::vector<std::string> specs = {"gradient-descent:rate=0.1,bias=false"};
  for (const char* learner :
       {"gradient-descent:domain=simplex", "gradient-descent:radius=1", "perceptron:bias=true",
        "winnow:threshold=1", "winnow:demotion=eliminate", "balanced-winnow:threshold=0"})
    for (const char* form : {"last", "averaged", "survivor", "random"})
      specs.push_back(std::string(learner) + ",form=" + form);
  for (const std::string& spec : specs) {
    INFO(spec);
    const auto session = linear_session(spec, {.width = width});
    Rng rng(2);
    const std::clock_t begin = std::clock();
    for (int t = 0; t < trials; ++t) {
      const auto a = static_cast<std::int32_t>(rng.below(width / 2));
      const std::int32_t columns[] = {a, a + width / 2};
      const double values[] = {1.0, rng.uniform()};
      session->predict({.values = values, .columns = columns});
      session->update({.value = values[1] > 0.5 ? 1.0 : 0.0});
    }
    CHECK(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC < 10.0);
  }
}
