// The model that an online learner leaves, against the list of all hypotheses that it went through.

#include <cmath>
#include <set>

#include "gssl/core/rng.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/online/online_to_batch.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

constexpr std::int64_t trials = 80, features = 5;

struct Rows {
  std::vector<double> values;
  std::vector<int> outcome;

  Points points() const {
    return Points::dense(static_cast<std::int64_t>(outcome.size()), features, values);
  }
  Dataset data() const { return make_dataset(points(), Targets::classes(outcome, {"no", "yes"})); }
  std::span<const double> row(std::int64_t t) const {
    return std::span(values).subspan(static_cast<std::size_t>(t * features), features);
  }
};

// Features of 0 and 1, of which the first two tell the class, but for some noise.
Rows made_up(std::uint64_t seed, double noise = 0.1) {
  Rng rng(seed);
  Rows rows;
  for (std::int64_t t = 0; t < trials; ++t) {
    std::vector<double> x;
    for (std::int64_t c = 0; c < features; ++c) x.push_back(rng.uniform() < 0.4 ? 1.0 : 0.0);
    x.back() = 1.0;  // no mistake without a weight to change
    const int truth = x[0] + x[1] > 0.0 ? 1 : 0;
    rows.outcome.push_back(rng.uniform() < noise ? 1 - truth : truth);
    rows.values.insert(rows.values.end(), x.begin(), x.end());
  }
  return rows;
}

std::unique_ptr<OnlineSession> session_of(const std::string& spec, std::uint64_t seed = 1) {
  static const LearnerRegistry registry = builtin_learners();
  RunContext run;
  run.seed = seed;
  run.threads = 1;
  return registry.make(spec).online().start({.width = features, .class_names = {"no", "yes"}}, run);
}

std::string with_form(const std::string& spec, const std::string& form) {
  return spec + (spec.find(':') == std::string::npos ? ":form=" : ",form=") + form;
}

// The positive scores of the model on all rows, after each trial: that of no trial first.
using Column = std::vector<double>;
std::vector<Column> scores_after_each(OnlineSession& session, const Rows& rows) {
  const Points points = rows.points();
  const auto scores = [&] {
    const Block block = session.model()->scores(points);
    Column list;
    for (std::int64_t r = 0; r < block.rows(); ++r) list.push_back(block(r, 1));
    return list;
  };
  std::vector<Column> all = {scores()};
  for (std::int64_t t = 0; t < trials; ++t) {
    session.predict({.values = rows.row(t)});
    session.update({.value = static_cast<double>(rows.outcome[static_cast<std::size_t>(t)])});
    all.push_back(scores());
  }
  return all;
}

// The first hypothesis that stayed for the most trials.
std::size_t survivor(const std::vector<Column>& all) {
  std::size_t best = 0, longest = 0, begun = 0;
  for (std::size_t t = 1; t <= all.size(); ++t) {
    if (t < all.size() && all[t] == all[begun]) continue;
    if (t - begun > longest) {
      longest = t - begun;
      best = begun;
    }
    begun = t;
  }
  return best;
}

bool near(const Column& a, const Column& b) {
  for (std::size_t r = 0; r < a.size(); ++r)
    if (!(std::abs(a[r] - b[r]) <= 1e-9 * (1.0 + std::abs(b[r])))) return false;
  return true;
}

const std::vector<std::string> learners = {
    "perceptron", "perceptron:bias=false,rate=0.5", "winnow",
    "winnow:demotion=eliminate,threshold=2", "balanced-winnow",
    "gradient-descent:loss=logistic,radius=0.3",
    // Held on a small ball after large steps: the scale is taken into the weights again and again.
    "gradient-descent:radius=0.01,rate=1", "gradient-descent:domain=simplex", "kernel-perceptron",
    "randomized-kernel-descent:kernel=linear"};

}  // namespace

TEST_CASE("the averaged model scores as the mean of all hypotheses", "[online][online_to_batch]") {
  for (const std::string& spec : learners) {
    INFO(spec);
    const Rows rows = made_up(3);
    const std::vector<Column> all = scores_after_each(*session_of(spec), rows);
    const std::vector<Column> means =
        scores_after_each(*session_of(with_form(spec, "averaged")), rows);
    Column sum(static_cast<std::size_t>(trials), 0.0);
    for (std::size_t t = 1; t < all.size(); ++t) {
      for (std::size_t r = 0; r < sum.size(); ++r) sum[r] += all[t][r];
      Column mean = sum;
      for (double& x : mean) x /= static_cast<double>(t);
      INFO(t << ' ' << means[t][0] << ' ' << mean[0]);
      REQUIRE(near(means[t], mean));
    }
  }
}

TEST_CASE("the survivor is the hypothesis that stayed for the most trials",
          "[online][online_to_batch]") {
  for (const std::string& spec : learners) {
    INFO(spec);
    for (const std::uint64_t seed : {4U, 5U, 6U}) {
      const Rows rows = made_up(seed);
      std::vector<Column> all = scores_after_each(*session_of(spec), rows);
      const std::vector<Column> kept =
          scores_after_each(*session_of(with_form(spec, "survivor")), rows);
      // Linear kernels and losses of slope at every trial: no stretch is longer than another.
      while (all.size() > 1) {
        const std::size_t best = survivor(all);
        const bool stayed = best + 1 < all.size() && all[best + 1] == all[best];
        REQUIRE(near(kept[all.size() - 1], stayed ? all[best] : all.back()));
        all.pop_back();
      }
    }
  }
}

TEST_CASE("the random model is that after a trial, each as often as another",
          "[online][online_to_batch]") {
  for (const std::string& spec : learners) {
    INFO(spec);
    const Rows rows = made_up(7);
    const bool draws = spec.starts_with("randomized");
    std::set<std::size_t> found;
    std::vector<int> of_quarter(4, 0);
    constexpr int seeds = 120;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const std::vector<Column> all = scores_after_each(*session_of(spec, draws ? seed : 1), rows);
      const Column left =
          scores_after_each(*session_of(with_form(spec, "random"), seed), rows).back();
      std::size_t t = 1;
      while (t < all.size() && !near(left, all[t])) ++t;
      REQUIRE(t < all.size());
      found.insert(t);
      ++of_quarter[(t - 1) * 4 / static_cast<std::size_t>(trials)];
    }
    CHECK(found.size() > 5);
    // Of hypotheses that changed at every trial each quarter has 30 of 120 in the mean, sd 4.7.
    if (spec == "gradient-descent:radius=0.01,rate=1" || spec.find("logistic") != std::string::npos)
      for (const int count : of_quarter) CHECK((count > 11 && count < 49));
  }
}

TEST_CASE("a fit leaves the model of a session that saw the rows pass by pass",
          "[online][online_to_batch]") {
  const LearnerRegistry registry = builtin_learners();
  const Rows rows = made_up(8);
  const Dataset data = rows.data();
  for (const std::string& spec : learners) {
    if (spec.starts_with("kernel-perceptron")) continue;  // a fit of its own
    for (const char* form : {"last", "averaged", "survivor", "random"}) {
      INFO(spec << ' ' << form);
      const std::string full = with_form(spec, form) + ",passes=3";
      const Trained trained = registry.make(full).inductive().fit(data);
      const auto session = session_of(full);
      for (std::size_t pass = 0; pass < trained.report.certificates[0].values.size(); ++pass)
        for (std::int64_t t = 0; t < trials; ++t) {
          session->predict({.values = rows.row(t)});
          session->update(
              {.value = static_cast<double>(rows.outcome[static_cast<std::size_t>(t)])});
        }
      CHECK(trained.model->scores(data.points) == session->model()->scores(data.points));
    }
  }
  const Dataset half = make_dataset(data.points, data.targets, std::vector<double>(trials, 0.5));
  const auto error = error_of([&] { registry.make("perceptron").inductive().fit(half); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::bad_data);
  CHECK_THROWS_AS(registry.make("perceptron:passes=0"), Error);
  CHECK_THROWS_AS(registry.make("kernel-perceptron:budget=3,form=averaged"), Error);
}

TEST_CASE("values are learned by passes too", "[online][online_to_batch]") {
  Rng rng(2);
  std::vector<double> x, y;
  for (int r = 0; r < 400; ++r) {
    x.push_back(rng.normal());
    y.push_back(2.0 * x.back() - 0.5);
  }
  const Dataset data = make_dataset(Points::dense(400, 1, x), Targets::reals(y));
  const LearnerRegistry registry = builtin_learners();
  const Trained trained =
      registry.make("gradient-descent:radius=5,form=averaged,passes=20").inductive().fit(data);
  CHECK(trained.model->score_kind() == ScoreKind::value);
  const Block scores = trained.model->scores(data.points);
  double worst = 0.0;
  for (std::int64_t r = 0; r < 400; ++r)
    worst = std::max(worst, std::abs(scores(r, 0) - y[static_cast<std::size_t>(r)]));
  CHECK(worst < 0.5);
}

TEST_CASE("the error of the random perceptron is at most R²‖u‖²/m in the mean",
          "[online][online_to_batch]") {
  // u = (1, 1, 0, 0, 0) and bias −1/2, times 2: margin 1 on every row without noise.
  constexpr double bound = (5.0 + 1.0) * (4.0 + 4.0 + 1.0);
  constexpr int seeds = 100;
  const LearnerRegistry registry = builtin_learners();
  double errors = 0.0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Rows rows = made_up(seed, 0.0), fresh = made_up(1000 + seed, 0.0);
    RunContext run;
    run.seed = seed;
    const Trained trained =
        registry.make("perceptron:form=random,passes=1").inductive().fit(rows.data(), run);
    CHECK(trained.report.certificates[0].values[0] <= bound);
    const auto decided = decide(trained.model->scores(fresh.points()), trained.model->score_kind());
    for (std::size_t r = 0; r < decided.size(); ++r)
      errors += decided[r] != fresh.outcome[r] ? 1.0 : 0.0;
  }
  CHECK(errors / (seeds * trials) <= bound / trials);
  CHECK(errors > 0.0);
}
