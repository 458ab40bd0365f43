#include "online_streams.hpp"

#include <array>
#include <utility>

#include "algorithms/tested_learners.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/graph/graph_builder.hpp"

namespace gssl::test {
namespace {

constexpr int features = 6, experts = 5, actions = 4, rows = 6, columns = 5;

// Two paths of eight vertices with a weak edge between, and a pair apart.
std::shared_ptr<const Graph> small_graph() {
  GraphBuilder builder(18);
  for (VertexId v = 0; v + 1 < 16; ++v) builder.add(v, v + 1, v == 7 ? 0.1 : 1.0 + 0.1 * v);
  builder.add(16, 17);
  return std::make_shared<const Graph>(std::move(builder).finish());
}

class Maker {
 public:
  Maker(const MadeLearner& made, const StreamOptions& options)
      : options_(options),
        tasks_(made.spec.find("tasks=3") != std::string::npos ? 3 : 1),
        classes_(made.entry->traits.classification),
        rng_(options.seed),
        kind_(made.online().instance_kind()) {}

  OnlineStream make() {
    OnlineStream stream{.kind = kind_, .setting = {}, .trials = {}};
    stream.setting.horizon = options_.trials;
    if (classes_ && kind_ != InstanceKind::losses && kind_ != InstanceKind::arm)
      stream.setting.class_names = {"-1", "+1"};
    set_size(stream.setting);
    for (int t = 0; t < options_.trials; ++t) stream.trials.push_back(trial(t));
    return stream;
  }

 private:
  void set_size(OnlineSetting& setting) const {
    switch (kind_) {
      case InstanceKind::row: setting.width = features; break;
      case InstanceKind::advice:
      case InstanceKind::task_row: setting.width = experts; break;
      case InstanceKind::losses:
      case InstanceKind::arm: setting.width = actions; break;
      case InstanceKind::vertex: setting.graph = small_graph(); break;
      case InstanceKind::cell:
        setting.width = rows;
        setting.width2 = columns;
        break;
    }
  }

  // The truth, or one of two classes at random, or a real.
  double noisy(bool truth) {
    const bool noise = rng_.uniform() < options_.noise;
    const bool answer = noise ? rng_.uniform() < 0.5 : truth;
    if (classes_) return answer ? 1.0 : 0.0;
    return answer ? 0.6 + 0.4 * rng_.uniform() : 0.3 * rng_.uniform();
  }

  StreamTrial trial(int t) {
    StreamTrial one;
    switch (kind_) {
      case InstanceKind::row: row(one); break;
      case InstanceKind::advice: advice(one, t / 20); break;
      case InstanceKind::losses:
      case InstanceKind::arm:
        for (int i = 0; i < actions; ++i)
          one.losses.push_back(rng_.uniform() * (i == 2 ? 0.4 : 1.0));
        break;
      case InstanceKind::vertex:
        one.first = (t * 7) % 18;
        one.outcome = one.first < 8 ? 0.0 : 1.0;
        break;
      case InstanceKind::task_row:
        one.first = t % tasks_;
        advice(one, t % tasks_ + t / 20);
        break;
      case InstanceKind::cell:
        one.first = static_cast<std::int64_t>(rng_.below(rows));
        one.second = static_cast<std::int64_t>(rng_.below(columns));
        one.outcome = noisy((one.first < 3) == (one.second < 2));
        break;
    }
    return one;
  }

  void row(StreamTrial& one) {
    std::array<bool, features> on{};
    for (int i = 0; i < features; ++i) {
      on[static_cast<std::size_t>(i)] = rng_.uniform() < 0.3;
      const double value = on[static_cast<std::size_t>(i)] ? 1.0 : 0.0;
      if (options_.sparse && value == 0.0) continue;
      one.values.push_back(value);
      if (options_.sparse) one.columns.push_back(i);
    }
    if (options_.sparse && one.values.empty()) {
      one.values = {1.0};
      one.columns = {5};
    }
    one.outcome = noisy(on[0] || on[3]);
  }

  // Expert (shift mod experts) says the truth, the others what they like.
  void advice(StreamTrial& one, int shift) {
    const bool truth = rng_.uniform() < 0.5;
    for (int i = 0; i < experts; ++i) {
      const bool says = i == shift % experts ? truth : rng_.uniform() < 0.5;
      one.values.push_back(classes_ ? (says ? 1.0 : 0.0)
                                    : (says ? 0.6 : 0.05) + 0.3 * rng_.uniform());
    }
    one.outcome = noisy(truth);
  }

  StreamOptions options_;
  int tasks_;
  bool classes_;
  Rng rng_;
  InstanceKind kind_;
};

}  // namespace

std::vector<std::string> online_specs() {
  std::vector<std::string> all;
  const LearnerRegistry registry = tested_learners();
  for (const LearnerEntry* entry : registry.of_kinds({LearnerKind::online}))
    all.push_back(entry->name);
  for (std::string& spec : tested_online_forms()) all.push_back(std::move(spec));
  return all;
}

std::vector<OnlineCase> online_cases() {
  const LearnerRegistry registry = tested_learners();
  std::vector<OnlineCase> all;
  for (const std::string& spec : online_specs()) {
    all.push_back({.spec = spec});
    if (registry.make(spec).online().instance_kind() == InstanceKind::row)
      all.push_back({.spec = spec, .sparse = true});
  }
  return all;
}

OnlineStream stream_of(const MadeLearner& made, const StreamOptions& options) {
  return Maker(made, options).make();
}

Instance instance_of(const OnlineStream& stream, std::size_t trial) {
  const StreamTrial& one = stream.trials.at(trial);
  return {.values = one.values, .columns = one.columns, .first = one.first, .second = one.second};
}

Revealed outcome_of(const OnlineStream& stream, std::size_t trial, double predicted) {
  const StreamTrial& one = stream.trials.at(trial);
  if (stream.kind == InstanceKind::losses) return {.losses = one.losses};
  if (stream.kind == InstanceKind::arm)
    return {.value = one.losses.at(static_cast<std::size_t>(predicted))};
  return {.value = one.outcome};
}

Played play(OnlineSession& session, const OnlineStream& stream, std::size_t begin,
            std::size_t end) {
  Played played;
  for (std::size_t t = begin; t < end; ++t) {
    played.predictions.push_back(session.predict(instance_of(stream, t)));
    played.losses.push_back(session.update(outcome_of(stream, t, played.predictions.back())));
  }
  return played;
}

}  // namespace gssl::test
