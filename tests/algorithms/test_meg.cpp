// Matrix exponentiated gradient: a dense exponential every trial, eigenpairs after many changes,
// and what side information is worth.

#include <atomic>
#include <cmath>

#include "algorithms/online_graph_support.hpp"
#include "evaluate/online_answers.hpp"
#include "gssl/core/dense.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/online/meg.hpp"
#include "online/rank_one_eigen.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

OnlineSetting matrix(std::int64_t rows, std::int64_t columns, std::int64_t horizon) {
  OnlineSetting setting;
  setting.width = rows;
  setting.width2 = columns;
  setting.class_names = {"-", "+"};
  setting.horizon = horizon;
  return setting;
}

// Edges join items of a block, and of two blocks, with these probabilities; neighbors by number
// always, so that the graph is connected.
Graph block_graph(const std::vector<int>& block, double inside, double across, std::uint64_t seed) {
  const auto n = static_cast<VertexId>(block.size());
  Rng rng(seed);
  GraphBuilder builder(n);
  for (VertexId u = 0; u < n; ++u)
    for (VertexId v = u + 1; v < n; ++v)
      if (rng.uniform() < (block[u] == block[v] ? inside : across) || v == u + 1) builder.add(u, v);
  return std::move(builder).finish();
}

struct Bicluster {
  std::vector<int> row, column;
  std::vector<std::vector<int>> cell;
};

Bicluster bicluster(int n, int blocks, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::vector<int>> state(blocks, std::vector<int>(blocks));
  for (auto& line : state)
    for (int& s : line) s = static_cast<int>(rng.below(2));
  Bicluster found{std::vector<int>(n), std::vector<int>(n), {}};
  for (int i = 0; i < n; ++i) found.row[i] = found.column[i] = i * blocks / n;
  found.cell.assign(n, std::vector<int>(n));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) found.cell[i][j] = state[found.row[i]][found.column[j]];
  return found;
}

std::int64_t mistakes(OnlineSession& session, const Bicluster& world, int trials) {
  Rng rng(77);
  const auto n = world.row.size();
  for (int t = 0; t < trials; ++t) {
    const auto i = static_cast<std::int64_t>(rng.below(n));
    const auto j = static_cast<std::int64_t>(rng.below(n));
    session.predict({.first = i, .second = j});
    session.update({.value = static_cast<double>(world.cell[i][j])});
  }
  return session.report().mistakes;
}

}  // namespace

TEST_CASE("eigenpairs follow changes of rank one", "[meg]") {
  Rng rng(6);
  detail::RankOneEigen pairs;
  for (int round = 0; round < 120; ++round) {
    if (round % 4 == 0) pairs.pad();
    std::vector<double> z(static_cast<std::size_t>(pairs.size()), 0.0);
    for (double& x : z) x = rng.uniform() < 0.3 ? 0.0 : rng.normal();
    if (round % 10 == 9) std::ranges::fill(z, 0.0);
    pairs.add(rng.uniform() < 0.5 ? 0.3 : -0.3, z);
    const DenseEigen expected = dense_eigen(pairs.matrix());
    double norm = 1.0;
    for (const double v : expected.values) norm = std::max(norm, std::abs(v));
    for (std::int64_t i = 0; i < pairs.size(); ++i)
      REQUIRE(pairs.values()[i] == Approx(expected.values[i]).margin(1e-11 * norm));
    REQUIRE(pairs.residual() <= 1e-11 * norm);
    double skew = 0.0;
    for (std::int64_t a = 0; a < pairs.size(); ++a)
      for (std::int64_t b = 0; b <= a; ++b) {
        double product = a == b ? -1.0 : 0.0;
        for (std::int64_t r = 0; r < pairs.size(); ++r)
          product += pairs.vectors()(r, a) * pairs.vectors()(r, b);
        skew = std::max(skew, std::abs(product));
      }
    REQUIRE(skew <= 1e-11);
  }
}

TEST_CASE("every prediction of meg is that of a full matrix exponential", "[meg]") {
  const int n = 9;
  const Graph graph = random_graph(n, 8, 3);
  const SideInformation side = graph_side(std::make_shared<const Graph>(graph));
  const SideInformation none = no_side();
  const auto session =
      MegLearner({.margin = 0.4, .conservative = true}, side, none).start(matrix(n, n, 0));
  // Vectors with these inner products: rows of the Cholesky factor of the kernel, and unit vectors.
  Block m(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) m(i, j) = side.value(i, j) / (2.0 * side.largest);
  const DenseEigen root = dense_eigen(m);
  const auto vector_of = [&](std::int64_t i, std::int64_t j) {
    std::vector<double> x(2 * n, 0.0);
    for (int k = 0; k < n; ++k)
      x[k] = root.vectors(i, k) * std::sqrt(std::max(0.0, root.values[k]));
    x[static_cast<std::size_t>(n + j)] = std::sqrt(0.5);
    return x;
  };
  Block h(2 * n, 2 * n);
  Rng rng(5);
  for (int t = 0; t < 120; ++t) {
    const auto i = static_cast<std::int64_t>(rng.below(n)),
               j = static_cast<std::int64_t>(rng.below(n));
    const DenseEigen pairs = dense_eigen(h);
    const std::vector<double> x = vector_of(i, j);
    double value = -1.0;  // λ/(m + n) = 1
    for (int k = 0; k < 2 * n; ++k) {
      double along = 0.0;
      for (int r = 0; r < 2 * n; ++r) along += pairs.vectors(r, k) * x[r];
      value += std::exp(pairs.values[k]) * along * along;
    }
    const double predicted = session->predict({.first = i, .second = j});
    if (std::abs(value) > 1e-9) REQUIRE(predicted == (value > 0.0 ? 1.0 : 0.0));
    const double truth = rng.uniform() < 0.2 ? 1.0 - predicted : (i + 2 * j) % 3 == 0 ? 1.0 : 0.0;
    session->update({.value = truth});
    if (truth == predicted) continue;
    for (int a = 0; a < 2 * n; ++a)
      for (int b = 0; b < 2 * n; ++b) h(a, b) += (truth == 1.0 ? 0.4 : -0.4) * x[a] * x[b];
  }
  CHECK(certified(session->report(), "eigenpair_residual") <= 1e-10);
}

TEST_CASE("mistakes fall as side information improves", "[meg]") {
  // A (5, 5)-biclustered 50×50 matrix.
  const Bicluster world = bicluster(50, 5, 8);
  const MegOptions options{.margin = 1.0 / std::sqrt(5.0), .rate = 10.0, .conservative = true};
  const auto run = [&](double inside, double across) {
    const auto rows = std::make_shared<const Graph>(block_graph(world.row, inside, across, 1));
    const auto columns =
        std::make_shared<const Graph>(block_graph(world.column, inside, across, 2));
    const auto session =
        MegLearner(options, graph_side(rows, on_threads(1)), graph_side(columns, on_threads(1)))
            .start(matrix(50, 50, 0));
    return std::pair(block_quasi_dimension(*rows, world.row, *columns, world.column, on_threads(1)),
                     mistakes(*session, world, 400));
  };
  const std::int64_t none = mistakes(*MegLearner(options).start(matrix(50, 50, 0)), world, 400);
  const auto random = run(0.2, 0.2), fair = run(0.4, 0.1), good = run(0.8, 0.0);
  INFO("none " << none << " random " << random.second << " fair " << fair.second << " good "
               << good.second);
  CHECK(fair.second < random.second);
  CHECK(good.second < fair.second);
  CHECK(3 * good.second < none);
  CHECK(good.first < fair.first);
  CHECK(fair.first < random.first);
}

TEST_CASE("drawn predictions of meg keep the regret bound", "[meg]") {
  const Bicluster world = bicluster(30, 3, 4);
  const int trials = 250, seeds = 2;
  double mean = 0.0, bound = 0.0;
  for (int seed = 0; seed < seeds; ++seed) {
    RunContext run = on_threads(1);
    run.seed = static_cast<std::uint64_t>(seed);
    const auto session =
        MegLearner({.margin = 1.0 / std::sqrt(3.0)}).start(matrix(30, 30, trials), run);
    mean += static_cast<double>(mistakes(*session, world, trials)) / seeds;
    bound = certified(session->report(), "regret_bound");
  }
  CHECK(mean <= bound);
  CHECK(mean < 0.5 * trials);
}

TEST_CASE("a saved meg session goes on with the same bits", "[meg]") {
  const Bicluster world = bicluster(12, 3, 4);
  const MegLearner learner({.column_side = Side::path_tree});
  const OnlineSetting setting = matrix(12, 12, 100);
  const auto undisturbed = learner.start(setting);
  auto session = learner.start(setting);
  Rng rng(2);
  for (int t = 0; t < 100; ++t) {
    if (t % 10 == 5) {
      Record record;
      session->save(record);
      session = learner.resume({}, record);
    }
    const Instance cell{.first = static_cast<std::int64_t>(rng.below(12)),
                        .second = static_cast<std::int64_t>(rng.below(12))};
    REQUIRE(session->predict(cell) == undisturbed->predict(cell));
    const Revealed truth{.value = static_cast<double>(world.cell[cell.first][cell.second])};
    session->update(truth);
    undisturbed->update(truth);
  }
  Record a, b;
  session->save(a);
  undisturbed->save(b);
  CHECK(a.entries() == b.entries());
}

TEST_CASE("what meg refuses", "[meg]") {
  const auto code = [](auto&& call) { return error_of(call)->code(); };
  CHECK(code([] { MegLearner({.margin = 0.0}); }) == ErrorCode::usage);
  CHECK(code([] { MegLearner().start(matrix(0, 5, 10)); }) == ErrorCode::usage);
  CHECK(code([] { MegLearner().start(matrix(5, 5, 0)); }) == ErrorCode::usage);
  CHECK(code([] { MegLearner({.row_side = Side::graph}).start(matrix(5, 5, 9)); }) ==
        ErrorCode::usage);
  OnlineSetting other = matrix(5, 5, 9);
  other.graph = std::make_shared<const Graph>(path_graph(4));
  CHECK(code([&] { MegLearner({.row_side = Side::graph}).start(other); }) == ErrorCode::usage);
  const auto session = MegLearner().start(matrix(5, 5, 9));
  CHECK(code([&] { session->predict({.first = 5, .second = 0}); }) == ErrorCode::bad_data);
  CHECK(code([&] { session->predict({.first = 0}); }) == ErrorCode::bad_data);
  CHECK(code([] { matrix_side(Block(2, 2)); }) == ErrorCode::bad_data);
  CHECK(code([] { matrix_side(Block(2, 3, 1.0)); }) == ErrorCode::bad_data);
}

namespace {

// Raises the flag of the run with the last label that it is told, and counts what it is asked.
struct StopsAfterTelling final : OnlineLearner {
  struct Session final : OnlineSession {
    const StopsAfterTelling& own;
    explicit Session(const StopsAfterTelling& learner) : own(learner) {}
    double predict(const Instance&) override { return ++own.asked, 0.0; }
    double update(const Revealed&) override {
      if (++own.told == own.labels) own.cancel = true;
      return 0.0;
    }
    OnlineReport report() const override { return {}; }
    void save(Record&) const override {}
  };

  explicit StopsAfterTelling(int count) : labels(count) {}
  InstanceKind instance_kind() const override { return InstanceKind::cell; }
  std::unique_ptr<OnlineSession> start(const OnlineSetting&, const RunContext&) const override {
    return std::make_unique<Session>(*this);
  }
  std::unique_ptr<OnlineSession> resume(const OnlineSetting& setting, const Record&,
                                        const RunContext& run) const override {
    return start(setting, run);
  }

  int labels;
  mutable int asked = 0, told = 0;
  mutable std::atomic<bool> cancel = false;
};

}  // namespace

TEST_CASE("a run that is stopped looks for no level between the classes", "[meg]") {
  const StopsAfterTelling learner(2);
  RunContext run;
  run.cancel = &learner.cancel;
  const LabeledSet given = LabeledSet::classes({0, 3}, {0, 1}, {"a", "b"});
  const auto error =
      error_of([&] { detail::answers_by_trials("cells", learner, path_graph(4), given, {}, run); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::cancelled);
  CHECK(learner.asked == 2);
}
