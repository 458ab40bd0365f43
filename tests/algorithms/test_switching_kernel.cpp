// Switching prediction in the space of a kernel: against matrix exponentiated gradient on matrices
// that are written out, memory, the bound, odd input.

#include <cmath>

#include "gssl/core/rng.hpp"
#include "gssl/kernel/path_tree.hpp"
#include "gssl/learn/kernel.hpp"
#include "gssl/online/meg.hpp"
#include "gssl/online/switching_kernel.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

constexpr std::int64_t trials = 60;

// Two functions, sign(a) and sign(b), by turns.
struct Stream {
  Points rows;
  std::vector<int> outcome;
};

Stream stream(std::int64_t length, std::int64_t turn, std::uint64_t seed) {
  Rng rng(seed, 0);
  std::vector<double> values;
  Stream s;
  for (std::int64_t t = 0; t < length; ++t) {
    const double a = rng.normal(), b = rng.normal();
    values.insert(values.end(), {a, b});
    s.outcome.push_back(((t / turn) % 2 == 0 ? a : b) > 0.0 ? 1 : 0);
  }
  s.rows = Points::dense(length, 2, std::move(values));
  return s;
}

std::vector<double> row_of(const Points& points, VertexId r) {
  std::vector<double> row;
  for (std::int64_t c = 0; c < points.columns(); ++c) row.push_back(points.value(r, c));
  return row;
}

OnlineSetting setting(std::int64_t horizon) {
  return {.class_names = {"-", "+"}, .horizon = horizon};
}

}  // namespace

TEST_CASE("switching-kernel is meg on the matrix of times by rows", "[switching-kernel]") {
  const Stream s = stream(trials, 15, 1);
  for (const bool conservative : {true, false}) {
    const SwitchingKernelLearner learner({.kernel = "gaussian(beta=0.5)",
                                          .modes = 2,
                                          .switches = 3,
                                          .norm = 8.0,
                                          .conservative = conservative});
    const auto session = learner.start(setting(trials));
    const double depth = 6.0, complexity = 8.0 + 2.0 * 3.0 * 2.0 * depth * depth + 2.0 * 4.0;
    const PathTreeKernel times(trials);
    Block p(trials, trials);
    for (std::int64_t i = 0; i < trials; ++i)
      for (std::int64_t j = 0; j < trials; ++j) p(i, j) = times(i, j);
    const MegLearner twin({.margin = 1.0 / std::sqrt(2.0),
                           .quasi_dimension = complexity / 2.0,
                           .conservative = conservative,
                           .horizon = trials},
                          matrix_side(p),
                          matrix_side(make_kernel("gaussian(beta=0.5)")->block(s.rows, s.rows)));
    const auto other = twin.start({.width = trials, .width2 = trials, .class_names = {"-", "+"}});
    for (std::int64_t t = 0; t < trials; ++t) {
      CAPTURE(t, conservative);
      const std::vector<double> row = row_of(s.rows, static_cast<VertexId>(t));
      CHECK(session->predict({.values = row}) == other->predict({.first = t, .second = t}));
      const double outcome = s.outcome[static_cast<std::size_t>(t)];
      session->update({.value = outcome});
      other->update({.value = outcome});
    }
    CHECK(session->report().mistakes == other->report().mistakes);
  }
}

TEST_CASE("switching-kernel remembers: coming back costs less than the first time",
          "[switching-kernel]") {
  const std::int64_t length = 480, turn = 80;
  const Stream s = stream(length, turn, 2);
  const SwitchingKernelLearner learner(
      {.kernel = "linear", .modes = 2, .switches = 5, .norm = 8.0, .conservative = true});
  const auto session = learner.start(setting(length));
  std::int64_t first = 0, last = 0;
  for (std::int64_t t = 0; t < length; ++t) {
    const std::vector<double> row = row_of(s.rows, static_cast<VertexId>(t));
    session->predict({.values = row});
    const bool mistake = session->update({.value = double(s.outcome[std::size_t(t)])}) > 0.0;
    if (t < 2 * turn) first += mistake;
    if (t >= length - 2 * turn) last += mistake;
  }
  CHECK(last < first);
}

TEST_CASE("a saved switching-kernel session goes on with the same bits", "[switching-kernel]") {
  const Stream s = stream(trials, 20, 3);
  const SwitchingKernelLearner learner({.kernel = "linear", .tasks = 2, .switches = 2});
  const auto whole = learner.start(setting(trials));
  auto part = learner.start(setting(trials));
  for (std::int64_t t = 0; t < trials; ++t) {
    if (t == 30) {
      Record record;
      part->save(record);
      part = learner.resume({}, record);
    }
    std::vector<double> row = row_of(s.rows, static_cast<VertexId>(t));
    row.insert(row.begin(), static_cast<double>(t % 2));
    CHECK(part->predict({.values = row}) == whole->predict({.values = row}));
    for (const auto& one : {part.get(), whole.get()})
      one->update({.value = double(s.outcome[std::size_t(t)])});
  }
  Record a, b;
  part->save(a);
  whole->save(b);
  CHECK(a.entries() == b.entries());
  CHECK(whole->report().certificates.back().name == "regret_bound");
}

TEST_CASE("what switching-kernel refuses", "[switching-kernel]") {
  const auto code = [](auto&& call) { return error_of(call)->code(); };
  CHECK(code([] { SwitchingKernelLearner({.kernel = "gausian"}); }) == ErrorCode::usage);
  CHECK(code([] { SwitchingKernelLearner({.modes = 0}); }) == ErrorCode::usage);
  CHECK(code([] { SwitchingKernelLearner().start(setting(0)); }) == ErrorCode::usage);
  CHECK(code([] { SwitchingKernelLearner().start({.horizon = 5}); }) == ErrorCode::usage);
  const auto two = SwitchingKernelLearner({.tasks = 2}).start(setting(1));
  const std::vector<double> wrong = {2.0, 1.0}, right = {1.0, 0.5};
  CHECK(code([&] { two->predict({.values = wrong}); }) == ErrorCode::bad_data);
  two->predict({.values = right});
  two->update({.value = 1});
  CHECK(code([&] { two->predict({.values = right}); }) == ErrorCode::bad_data);  // beyond T
  // Rows of another kind, and what a refused row leaves.
  const auto refuses = [&](OnlineSession& session, const Instance& instance) {
    Record before, after;
    session.save(before);
    CHECK(code([&] { session.predict(instance); }) == ErrorCode::bad_data);
    session.save(after);
    CHECK(before.entries() == after.entries());
  };
  const std::vector<double> three = {0.0, 1.0, 2.0}, four = {0.0, 1.0, 2.0, 3.0}, odd = {7.0, 1.0};
  const std::vector<std::int32_t> columns = {1, 4, 6};
  const SwitchingKernelLearner learner({.tasks = 2});
  const auto dense = learner.start(setting(9)), sparse = learner.start(setting(9));
  refuses(*dense, {.values = odd});
  refuses(*dense, {.values = std::vector<double>{0.0, std::nan("")}});
  refuses(*sparse, {.values = three, .columns = std::vector<std::int32_t>{4, 6, 1}});
  dense->predict({.values = three});
  refuses(*dense, {.values = three, .columns = columns});
  refuses(*dense, {.values = four});
  dense->update({.value = 1});
  refuses(*dense, {.values = three, .columns = columns});
  sparse->predict({.values = three, .columns = columns});
  refuses(*sparse, {.values = three});
  sparse->update({.value = 1});
  refuses(*sparse, {.values = three});
  CHECK_NOTHROW(sparse->predict({.values = right, .columns = std::vector<std::int32_t>{0, 9}}));
}
