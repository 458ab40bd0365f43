// The batch kernel perceptron: by hand, XOR, the bound, graphs, odd data.

#include <cmath>

#include "algorithms/fixtures.hpp"
#include "algorithms/learner_data.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/online/batch_kernel_perceptron.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

std::vector<double> mistakes(const Report& report) { return report.certificates.front().values; }

}  // namespace

TEST_CASE("a kernel perceptron takes the steps that a person takes", "[batch-perceptron]") {
  // Rows 1 (b), 2 (a), −1 (a): all scores are 0 at first, so that row 1 is mistaken for a; then
  // f_b = x, −f_a, and row 2 is mistaken for b: f_b = x − 2x = −x. In pass 2 row 1 is mistaken, and
  // so on.
  const Points x = Points::dense(3, 1, std::vector<double>{1, 2, -1});
  const Dataset data = make_dataset(x, Targets::classes({1, 0, 0}, {"a", "b"}));
  const Trained trained = BatchKernelPerceptronLearner({.kernel = "linear", .passes = 1}).fit(data);
  // Row −1: f_b = −(−1) = 1 > f_a: mistaken too, f_b = −x + x = 0.
  CHECK(mistakes(trained.report) == std::vector{3.0});
  CHECK(trained.report.outcome == Outcome::iteration_limit);
  CHECK(trained.model->scores(x) == Block(3, 2, 0.0));
}

TEST_CASE("XOR is separated by products of columns", "[batch-perceptron]") {
  const Points x = Points::dense(4, 2, std::vector<double>{1, 1, 1, -1, -1, 1, -1, -1});
  const Dataset data = make_dataset(x, Targets::classes({1, 0, 0, 1}, {"no", "yes"}));
  const Trained trained = BatchKernelPerceptronLearner({.kernel = "anova"}).fit(data);
  CHECK(trained.report.converged());
  CHECK(mistakes(trained.report).back() == 0.0);
  const Block scores = trained.model->scores(x);
  CHECK(decide(scores, trained.model->score_kind()) == data.targets.class_of());
  for (int i = 0; i < 4; ++i) CHECK(scores(i, 0) == -scores(i, 1));
  Record record;
  trained.model->save(record);
  CHECK(load_kernel_model("kernel-perceptron", record)->scores(x) == scores);
}

TEST_CASE("rows that a kernel makes far longer than others are told", "[batch-perceptron]") {
  // exp(x²) of the last row is e^99 of the first: it takes e^99 steps on one to outweigh the other.
  const Points x = Points::dense(3, 1, std::vector<double>{1, 2, 10});
  const Dataset data = make_dataset(x, Targets::classes({1, 0, 1}, {"a", "b"}));
  const auto learned = [&](const std::string& kernel) {
    return BatchKernelPerceptronLearner({.kernel = kernel}).fit(data).report;
  };
  const Report plain = learned("exponential");
  CHECK_FALSE(plain.converged());
  CHECK_THAT(plain.warnings,
             Catch::Matchers::VectorContains(
                 std::string("kernel-perceptron: in the space of the kernel the longest row is "
                             "3.14e+21 times as long as the shortest, and decides for all: take "
                             "kernel=normalize(…)")));
  const Report normal = learned("normalize(exponential)");
  CHECK(normal.converged());
  CHECK(normal.warnings.empty());
}

TEST_CASE("mistakes stay within R²/γ² on separable rows, at any thread count",
          "[batch-perceptron]") {
  Rng rng(3, 0);
  std::vector<double> values;
  std::vector<int> class_of;
  double square = 0.0, margin = 1e300;
  while (class_of.size() < 200) {
    const double a = rng.normal(), b = rng.normal(), f = 0.6 * a + 0.8 * b;
    if (std::abs(f) < 0.2) continue;
    values.insert(values.end(), {a, b});
    class_of.push_back(f > 0 ? 1 : 0);
    square = std::max(square, a * a + b * b);
    margin = std::min(margin, std::abs(f));
  }
  const Dataset data =
      make_dataset(Points::dense(200, 2, values), Targets::classes(class_of, {"a", "b"}));
  RunContext four;
  four.threads = 4;
  const BatchKernelPerceptronLearner learner({.kernel = "linear", .passes = 1000});
  const Trained trained = learner.fit(data), again = learner.fit(data, four);
  double all = 0.0;
  for (const double m : mistakes(trained.report)) all += m;
  CHECK(trained.report.converged());
  CHECK(all <= square / (margin * margin));
  CHECK(trained.model->scores(data.points) == again.model->scores(data.points));
}

TEST_CASE("the registry has the kernel perceptron for batches and trial by trial",
          "[batch-perceptron]") {
  const LearnerRegistry registry = builtin_learners();
  const MadeLearner made = registry.make("kernel-perceptron:kernel=anova,passes=5");
  CHECK(made.online().instance_kind() == InstanceKind::row);
  const Points x = Points::dense(4, 2, std::vector<double>{1, 1, 1, -1, -1, 1, -1, -1});
  const Dataset data = make_dataset(x, Targets::classes({1, 0, 0, 1}, {"no", "yes"}));
  const Trained trained = made.inductive().fit(data);
  Record record;
  trained.model->save(record);
  CHECK(registry.find("kernel-perceptron")->load_model(record)->scores(x) ==
        trained.model->scores(x));
}

TEST_CASE("a budget keeps the last mistakes of a batch, as it does trial by trial",
          "[batch-perceptron]") {
  // Whole numbers, so that no sum is rounded; a tie is a mistake of the batch.
  Rng rng(5);
  constexpr std::int64_t n = 60;
  std::vector<double> values;
  std::vector<int> class_of;
  for (std::int64_t i = 0; i < n; ++i) {
    for (int c = 0; c < 3; ++c) values.push_back(static_cast<double>(rng.below(7)) - 3.0);
    class_of.push_back(rng.uniform() < 0.5 ? 1 : 0);
  }
  const Points x = Points::dense(n, 3, values);
  const Dataset data = make_dataset(x, Targets::classes(class_of, {"a", "b"}));
  const LearnerRegistry registry = builtin_learners();
  const std::string spec =
      "kernel-perceptron:kernel=polynomial(a=1,r=2),ties=true,passes=4,budget=";
  std::vector<Block> found;
  for (const char* budget : {"1", "5", "20", "0"}) {
    INFO(budget);
    const MadeLearner made = registry.make(spec + budget);
    const auto session = made.online().start({.width = 3, .class_names = {"a", "b"}});
    for (int pass = 0; pass < 4; ++pass)
      for (std::int64_t i = 0; i < n; ++i) {
        session->predict({.values = std::span(values).subspan(static_cast<std::size_t>(3 * i), 3)});
        session->update({.value = double(class_of[static_cast<std::size_t>(i)])});
      }
    const Trained trained = made.inductive().fit(data);
    const Block batch = trained.model->scores(x), online = session->model()->scores(x);
    for (std::int64_t i = 0; i < n; ++i) CHECK(batch(i, 1) == Approx(online(i, 1)).margin(1e-6));
    found.push_back(batch);
  }
  CHECK_FALSE(found[1] == found[3]);
  CHECK_THROWS_AS(BatchKernelPerceptronLearner({.budget = -1}), Error);
  CHECK_THROWS_AS(BatchKernelPerceptronLearner({.budget = 2, .form = HypothesisForm::averaged}),
                  Error);
}

TEST_CASE("a row far longer than the others leaves their ties to their own rounding",
          "[batch-perceptron]") {
  Rng rng(8);
  constexpr std::int64_t n = 40;
  std::vector<double> values = {1e6, 0.0};
  std::vector<int> class_of = {1};
  for (std::int64_t i = 1; i < n; ++i) {
    values.insert(values.end(), {0.0, 0.5 + static_cast<double>(rng.below(8))});
    class_of.push_back(i % 2 == 0 ? 1 : 0);
    if (i % 2 == 0) values.back() = -values.back();
  }
  const Points x = Points::dense(n, 2, values);
  const Dataset data = make_dataset(x, Targets::classes(class_of, {"a", "b"}));
  const LearnerRegistry registry = builtin_learners();
  for (const char* budget : {"1", "3", "0"}) {
    INFO(budget);
    const MadeLearner made = registry.make(
        std::string("kernel-perceptron:kernel=linear,ties=true,passes=3,budget=") + budget);
    const auto session = made.online().start({.width = 2, .class_names = {"a", "b"}});
    for (int pass = 0; pass < 3; ++pass)
      for (std::int64_t i = 0; i < n; ++i) {
        session->predict({.values = std::span(values).subspan(static_cast<std::size_t>(2 * i), 2)});
        session->update({.value = double(class_of[static_cast<std::size_t>(i)])});
      }
    const Block batch = made.inductive().fit(data).model->scores(x);
    const Block online = session->model()->scores(x);
    for (std::int64_t i = 0; i < n; ++i) CHECK(batch(i, 1) == Approx(online(i, 1)).margin(1e-6));
  }
}

TEST_CASE("a budget of three classes leaves no more rows than it says", "[batch-perceptron]") {
  Rng rng(11);
  std::vector<double> values;
  std::vector<int> class_of;
  for (int i = 0; i < 90; ++i) {
    values.insert(values.end(), {rng.normal(), rng.normal()});
    class_of.push_back(static_cast<int>(rng.below(3)));
  }
  const Dataset data =
      make_dataset(Points::dense(90, 2, values), Targets::classes(class_of, {"a", "b", "c"}));
  const Trained trained =
      BatchKernelPerceptronLearner({.kernel = "gaussian", .passes = 5, .budget = 7}).fit(data);
  Record record;
  trained.model->save(record);
  CHECK(record.block("coefficients").rows() <= 7);
  CHECK(record.block("coefficients").rows() > 0);
}

TEST_CASE("one class, a class without rows and bad options of a kernel perceptron",
          "[batch-perceptron]") {
  const Points x = Points::dense(2, 1, std::vector<double>{1, 2});
  const Dataset one = make_dataset(x, Targets::classes({1, 1}, {"a", "b", "c"}));
  const Trained trained = BatchKernelPerceptronLearner({.kernel = "linear"}).fit(one);
  CHECK(decide(trained.model->scores(x), ScoreKind::decision) == std::vector{1, 1});
  CHECK_THROWS_WITH(BatchKernelPerceptronLearner({.passes = 0}),
                    Catch::Matchers::Contains("kernel-perceptron: option passes=0: must be"));
}

TEST_CASE("on a graph all labels are told apart, and shares follow the functions",
          "[batch-perceptron]") {
  const Graph graph = random_graph(60, 90, 3);
  const LabeledSet labeled = gssl::test::classes({1, 8, 20, 33, 47, 52}, {0, 1, 2, 0, 1, 2}, 3);
  const MadeLearner made = builtin_learners().make("kernel-perceptron");
  const Fit fit = made.transductive().fit(graph, labeled, on_threads(1));
  CHECK(fit.report.converged());
  CHECK(mistakes(fit.report).back() == 0.0);
  // By the definition, from the matrix of the kernel: f of all vertices from the same mistakes.
  const GraphKernel kernel(std::make_shared<const Graph>(graph),
                           {.kind = KernelKind::regularized, .normalized = true, .epsilon = 0.01});
  const Block k = kernel.columns(labeled.vertices(), on_threads(1)).values;
  Block f(60, 3, 0.0);
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t i = 0; i < labeled.size(); ++i) {
      const int truth = labeled.class_of()[i];
      const auto row = f.row(labeled.vertices()[i]);
      std::vector<int> rivals;
      for (int c = 0; c < 3; ++c) {
        if (c == truth || row[static_cast<std::size_t>(c)] < row[static_cast<std::size_t>(truth)])
          continue;
        const double best = rivals.empty() ? -1e300 : row[static_cast<std::size_t>(rivals[0])];
        if (row[static_cast<std::size_t>(c)] > best) rivals.clear();
        if (row[static_cast<std::size_t>(c)] >= best) rivals.push_back(c);
      }
      if (rivals.empty()) continue;
      moved = true;
      for (VertexId v = 0; v < 60; ++v) {
        f(v, truth) += k(v, static_cast<std::int64_t>(i));
        for (const int c : rivals)
          f(v, c) -= k(v, static_cast<std::int64_t>(i)) / static_cast<double>(rivals.size());
      }
    }
  }
  double unit = 0.0;
  for (const VertexId v : labeled.vertices())
    unit += std::max({std::abs(f(v, 0)), std::abs(f(v, 1)), std::abs(f(v, 2))}) / 6.0;
  for (VertexId v = 0; v < 60; ++v) {
    double sum = 0.0;
    for (int c = 0; c < 3; ++c) sum += std::exp(f(v, c) / unit);
    for (int c = 0; c < 3; ++c)
      CHECK(fit.scores.values(v, c) == Approx(std::exp(f(v, c) / unit) / sum).epsilon(1e-7));
  }
}

TEST_CASE("a kernel of graphs is refused trial by trial", "[batch-perceptron]") {
  const MadeLearner made = builtin_learners().make("kernel-perceptron:kernel=diffusion(time=2)");
  const auto error = error_of([&] { made.online().start({.class_names = {"0", "1"}}, {}); });
  REQUIRE(error);
  CHECK_THAT(error->what(), Catch::Matchers::Contains("kernel diffusion(time=2) is of graphs"));
  CHECK(made.transductive()
            .fit(random_graph(10, 10, 5), gssl::test::classes({0, 5}, {0, 1}, 2), on_threads(1))
            .report.converged());
}

namespace {

// Two classes, linear kernel, w of class b; class a has −w. The mean of w after each row, w of the
// longest run without a mistake, and w in the end.
struct SlowPerceptron {
  std::vector<double> mean, survivor, last;
};

SlowPerceptron slow_perceptron(const Points& x, const std::vector<int>& class_of, int passes) {
  const auto width = static_cast<std::size_t>(x.columns());
  std::vector<double> w(width, 0.0), sum(width, 0.0), best;
  int run = 0, longest = 0, trials = 0;
  for (int pass = 0; pass < passes; ++pass) {
    bool any = false;
    for (VertexId r = 0; r < x.rows(); ++r) {
      const double sign = class_of[static_cast<std::size_t>(r)] == 1 ? 1.0 : -1.0;
      double score = 0.0;
      x.visit_row(r,
                  [&](std::int64_t c, double v) { score += w[static_cast<std::size_t>(c)] * v; });
      if (sign * score > 1e-9) {
        ++run;
      } else {
        if (run > longest) {
          longest = run;
          best = w;
        }
        run = 0;
        any = true;
        x.visit_row(r,
                    [&](std::int64_t c, double v) { w[static_cast<std::size_t>(c)] += sign * v; });
      }
      ++trials;
      for (std::size_t c = 0; c < width; ++c) sum[c] += w[c];
    }
    if (!any) break;
  }
  if (run > longest) best = w;
  for (double& s : sum) s /= trials;
  return {sum, best, w};
}

}  // namespace

TEST_CASE("the form of a batch kernel perceptron is the one that was asked for",
          "[batch-perceptron]") {
  Rng rng(8, 0);
  std::vector<double> values;
  std::vector<int> class_of;
  for (int i = 0; i < 60; ++i) {
    const double a = rng.normal(), b = rng.normal();
    values.insert(values.end(), {a, b, 1.0});
    class_of.push_back(0.8 * a - 0.6 * b + 0.3 + 0.5 * rng.normal() > 0.0 ? 1 : 0);
  }
  const Points x = Points::dense(60, 3, values);
  const Dataset data = make_dataset(x, Targets::classes(class_of, {"a", "b"}));
  const SlowPerceptron slow = slow_perceptron(x, class_of, 4);
  const auto margins = [&](HypothesisForm form) {
    const BatchKernelPerceptronLearner learner({.kernel = "linear", .passes = 4, .form = form});
    const Block scores = learner.fit(data).model->scores(x);
    std::vector<double> all;
    for (std::int64_t r = 0; r < 60; ++r) all.push_back(scores(r, 1));
    return all;
  };
  const auto expect = [&](const std::vector<double>& found, const std::vector<double>& w) {
    for (VertexId r = 0; r < 60; ++r) {
      double score = 0.0;
      x.visit_row(r,
                  [&](std::int64_t c, double v) { score += w[static_cast<std::size_t>(c)] * v; });
      CHECK(found[static_cast<std::size_t>(r)] == Approx(score).margin(1e-9));
    }
  };
  expect(margins(HypothesisForm::last), slow.last);
  expect(margins(HypothesisForm::averaged), slow.mean);
  expect(margins(HypothesisForm::survivor), slow.survivor);
  CHECK(slow.last != slow.survivor);
  // Of the registry, too, and the same at each call.
  const LearnerRegistry registry = builtin_learners();
  const auto made = registry.make("kernel-perceptron:kernel=linear,passes=4,form=averaged");
  const Block scores = made.inductive().fit(data).model->scores(x);
  const std::vector<double> mean = margins(HypothesisForm::averaged);
  for (std::int64_t r = 0; r < 60; ++r) CHECK(scores(r, 1) == mean[static_cast<std::size_t>(r)]);
  CHECK(margins(HypothesisForm::random) == margins(HypothesisForm::random));
}
