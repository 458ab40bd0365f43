// What learn/online.hpp promises, of every online learner that is registered.

#include <cmath>
#include <numeric>

#include "algorithms/tested_learners.hpp"
#include "gssl/core/error.hpp"
#include "online_streams.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

constexpr std::size_t length = 60, middle = 23;

void check_equal(const OnlineReport& a, const OnlineReport& b) {
  CHECK(a.trials == b.trials);
  CHECK(a.mistakes == b.mistakes);
  CHECK(a.loss == b.loss);
  CHECK(a.comparator == b.comparator);
  CHECK(a.bound == b.bound);
  CHECK(a.bound_name == b.bound_name);
  REQUIRE(a.certificates.size() == b.certificates.size());
  for (std::size_t i = 0; i < a.certificates.size(); ++i)
    CHECK(a.certificates[i].values == b.certificates[i].values);
}

auto saved(const OnlineSession& session) {
  Record record;
  session.save(record);
  return record.entries();
}

template <class Body>
void for_each_case(Body&& body) {
  const LearnerRegistry registry = tested_learners();
  for (const auto& [spec, sparse] : online_cases()) {
    INFO(spec << (sparse ? ", sparse rows" : ""));
    const MadeLearner made = registry.make(spec);
    for (const std::uint64_t seed : {1U, 2U})
      body(made, stream_of(made, {.trials = length, .seed = seed, .sparse = sparse}));
  }
}

}  // namespace

TEST_CASE("a session that was saved goes on with the same bits", "[online][online_contract]") {
  for_each_case([](const MadeLearner& made, const OnlineStream& stream) {
    for (const std::size_t at : {std::size_t{0}, middle}) {
      const auto whole = made.online().start(stream.setting);
      const auto first = made.online().start(stream.setting);
      const Played before = play(*whole, stream, 0, at);
      play(*first, stream, 0, at);
      Record record;
      first->save(record);
      const OnlineSetting bare{.graph = stream.setting.graph};
      const auto second = made.online().resume(bare, record);
      check_equal(whole->report(), second->report());
      const Played a = play(*whole, stream, at, length), b = play(*second, stream, at, length);
      CHECK(a.predictions == b.predictions);
      CHECK(a.losses == b.losses);
      check_equal(whole->report(), second->report());
      Record end_a, end_b;
      whole->save(end_a);
      second->save(end_b);
      CHECK(end_a.entries() == end_b.entries());
    }
  });
}

TEST_CASE("a trial without outcome changes nothing", "[online][online_contract]") {
  for_each_case([](const MadeLearner& made, const OnlineStream& stream) {
    const auto plain = made.online().start(stream.setting);
    const auto asked = made.online().start(stream.setting);
    const Played expected = play(*plain, stream, 0, length);
    for (std::size_t t = 0; t < length; ++t) {
      asked->predict(instance_of(stream, (t + 11) % length));
      const double predicted = asked->predict(instance_of(stream, t));
      CHECK(predicted == expected.predictions[t]);
      CHECK(asked->update(outcome_of(stream, t, predicted)) == expected.losses[t]);
    }
    check_equal(plain->report(), asked->report());
  });
}

TEST_CASE("sessions count what they report, and stay below their bound",
          "[online][online_contract]") {
  for_each_case([](const MadeLearner& made, const OnlineStream& stream) {
    const auto session = made.online().start(stream.setting);
    CHECK(session->report().trials == 0);
    const Played played = play(*session, stream, 0, length);
    const OnlineReport report = session->report();
    CHECK(report.trials == static_cast<std::int64_t>(length));
    CHECK(report.loss == Approx(std::accumulate(played.losses.begin(), played.losses.end(), 0.0)));
    CHECK_FALSE(report.loss_name.empty());
    CHECK_FALSE(report.bound_name.empty());
    std::int64_t mistakes = 0;
    if (!stream.setting.class_names.empty())
      for (std::size_t t = 0; t < length; ++t)
        mistakes += played.predictions[t] != stream.trials[t].outcome ? 1 : 0;
    CHECK(report.mistakes == mistakes);
    if (report.bound && !report.bound_in_expectation)
      CHECK(report.loss <= *report.bound * (1.0 + 1e-12));
    if (report.comparator) CHECK(std::isfinite(*report.comparator));
  });
}

TEST_CASE("sessions do not depend on the number of threads", "[online][online_contract]") {
  for_each_case([](const MadeLearner& made, const OnlineStream& stream) {
    RunContext one, four;
    one.threads = 1;
    four.threads = 4;
    const auto a = made.online().start(stream.setting, one);
    const auto b = made.online().start(stream.setting, four);
    CHECK(play(*a, stream, 0, length).predictions == play(*b, stream, 0, length).predictions);
    check_equal(a->report(), b->report());
  });
}

TEST_CASE("sessions refuse wrong use and count nothing of it", "[online][online_contract]") {
  for_each_case([](const MadeLearner& made, const OnlineStream& stream) {
    const auto session = made.online().start(stream.setting);
    const auto early = error_of([&] { session->update(outcome_of(stream, 0, 0.0)); });
    REQUIRE(early);
    CHECK(early->code() == ErrorCode::usage);
    session->predict(instance_of(stream, 0));
    const std::vector<double> bad_losses(4, std::nan(""));
    const auto bad =
        error_of([&] { session->update({.value = std::nan(""), .losses = bad_losses}); });
    REQUIRE(bad);
    CHECK(bad->code() == ErrorCode::bad_data);
    CHECK(session->report().trials == 0);
    play(*session, stream, 0, 5);
    CHECK(session->report().trials == 5);
  });
}

TEST_CASE("an instance that does not fit the setting is refused before anything was learned",
          "[online][online_contract]") {
  for_each_case([](const MadeLearner& made, const OnlineStream& stream) {
    const auto session = made.online().start(stream.setting);
    const auto refuses = [&](const Instance& instance) {
      const auto error = error_of([&] { session->predict(instance); });
      return error && error->code() == ErrorCode::bad_data;
    };
    const auto before = saved(*session);
    const auto width = static_cast<std::size_t>(stream.setting.width);
    const std::vector<double> wide(width + 1, 0.25), narrow(width > 1 ? width - 1 : 2, 0.25);
    switch (stream.kind) {
      case InstanceKind::task_row:
        CHECK(refuses({.values = std::vector<double>(width, 1.0), .first = 99}));
        [[fallthrough]];
      case InstanceKind::row:
      case InstanceKind::advice:
        CHECK(refuses({.values = wide, .first = 0}));
        CHECK(refuses({.values = narrow, .first = 0}));
        break;
      case InstanceKind::vertex: CHECK(refuses({.first = 18})); break;
      case InstanceKind::cell:
        CHECK(refuses({.first = stream.setting.width, .second = 0}));
        CHECK(refuses({.first = 0, .second = stream.setting.width2}));
        break;
      case InstanceKind::losses:
      case InstanceKind::arm:
        session->predict({});
        if (stream.kind == InstanceKind::losses)
          CHECK(error_of([&] { session->update({.losses = wide}); }));
        break;
    }
    // None of it counts or is remembered.
    CHECK(saved(*session) == before);
    const auto untold = made.online().start(stream.setting);
    CHECK(play(*session, stream, 0, 20).predictions == play(*untold, stream, 0, 20).predictions);
  });
}

TEST_CASE("a session's model is loaded with the scores it had", "[online][online_contract]") {
  const LearnerRegistry registry = tested_learners();
  for (const std::string& spec : online_specs()) {
    INFO(spec);
    const MadeLearner made = registry.make(spec);
    if (made.online().instance_kind() != InstanceKind::row) continue;
    const OnlineStream stream = stream_of(made, {.trials = length});
    const auto session = made.online().start(stream.setting);
    play(*session, stream, 0, length);
    const auto model = session->model();
    if (model == nullptr) continue;
    std::vector<double> values;
    for (const StreamTrial& trial : stream.trials)
      values.insert(values.end(), trial.values.begin(), trial.values.end());
    const Points points = Points::dense(length, 6, values);
    const Block scores = model->scores(points);
    CHECK(scores.columns() == (stream.setting.class_names.empty() ? 1 : 2));
    Record record;
    model->save(record);
    REQUIRE(made.entry->load_model);
    CHECK(made.entry->load_model(record)->scores(points) == scores);
    CHECK_THROWS_AS(model->scores(Points::dense(1, 4, std::vector<double>(4))), Error);
  }
}
