#include "gssl/batch/bagging.hpp"

#include "batch/bootstrap.hpp"
#include "batch/nested_learner.hpp"
#include "batch/out_of_bag.hpp"
#include "gssl/core/option_binding.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl {

namespace {

const OptionBinding<BaggingOptions>& bagging_binding() {
  static const auto binding =
      OptionBinding<BaggingOptions>("bagging")
          .integer(&BaggingOptions::rounds, "rounds", {.low = 1}, "models")
          .real(&BaggingOptions::sample, "sample", {.low = 0.0, .high = 1.0, .low_open = true},
                "rows drawn for each model, as a share of the rows")
          .text(&BaggingOptions::learner, "learner",
                "what learns each model, as NAME(option=value,…)");
  return binding;
}

struct Member {
  Trained trained;
  std::vector<std::int32_t> out_of_bag;
  Block answers;  // for those rows: shares of one class, or values
};

// A vote as shares: all for the class decided for.
Block as_votes(const Block& scores, ScoreKind kind) {
  if (kind == ScoreKind::value) return scores;
  const std::vector<int> decision = decide(scores, kind);
  Block votes(scores.rows(), scores.columns());
  for (std::int64_t r = 0; r < votes.rows(); ++r)
    votes(r, decision[static_cast<std::size_t>(r)]) = 1.0;
  return votes;
}

Member learn_member(const Dataset& data, const MadeLearner& learner,
                    const detail::Bootstrap& bootstrap, const RunContext& run, int number) {
  Rng rng = run.rng(static_cast<std::uint64_t>(number));
  Dataset drawn = data;
  drawn.weights = bootstrap.draw(rng);
  RunContext alone = run;
  alone.threads = 1;
  alone.progress = {};
  alone.seed = rng();  // the models' own random numbers differ
  Member member;
  member.trained = learner.inductive().fit(drawn, alone);
  for (std::size_t r = 0; r < drawn.weights.size(); ++r)
    if (drawn.weights[r] == 0.0) member.out_of_bag.push_back(static_cast<std::int32_t>(r));
  const Model& model = *member.trained.model;
  member.answers =
      as_votes(model.scores(select(data.points, member.out_of_bag), alone), model.score_kind());
  return member;
}

}  // namespace

void BaggingOptions::validate() const { bagging_binding().validate(*this); }

BaggingLearner::BaggingLearner(BaggingOptions options) : options_(std::move(options)) {
  options_.validate();
  detail::make_nested("bagging", options_.learner);
}

Trained BaggingLearner::fit(const Dataset& data, const RunContext& run) const {
  const MadeLearner learner = detail::make_nested("bagging", options_.learner);
  const detail::Bootstrap bootstrap(data, options_.sample);
  const std::int64_t outputs =
      data.targets.is_regression() ? 1 : std::max(1, data.targets.class_count());
  auto model =
      std::make_unique<detail::VoteModel>("bagging", learner.entry->name, data.points.columns(),
                                          outputs, detail::VoteModel::Rule::share);
  detail::OutOfBag bag(data);
  Trained trained;
  Report& report = trained.report;
  constexpr int together = 8;  // members held at a time
  for (int first = 0; first < options_.rounds && report.converged(); first += together) {
    const int count = std::min(together, options_.rounds - first);
    std::vector<Member> members(static_cast<std::size_t>(count));
    parallel_blocks(
        count, run.thread_count(),
        [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t m = begin; m < end; ++m)
            members[static_cast<std::size_t>(m)] =
                learn_member(data, learner, bootstrap, run, first + static_cast<int>(m));
        },
        1);
    if (const auto why = run.stop()) {
      report.outcome = *why;
      if (first > 0) break;
    }
    for (Member& member : members) {
      for (std::size_t i = 0; i < member.out_of_bag.size(); ++i)
        bag.add(member.out_of_bag[i], member.answers.row(static_cast<std::int64_t>(i)));
      report.outcome = worse(report.outcome, member.trained.report.outcome);
      model->add(std::move(member.trained.model), 1.0);
    }
    run.report_progress("models", static_cast<double>(first + count) / options_.rounds);
  }
  std::vector<std::pair<std::string, std::string>> facts;
  bag.certify(report, facts);
  report.iterations = static_cast<std::int64_t>(model->size());
  report.sentence = std::to_string(model->size()) + " models of " + learner.spec;
  trained.model = std::move(model);
  return trained;
}

LearnerEntry bagging_entry() {
  LearnerEntry entry;
  entry.name = "bagging";
  entry.summary = "one learner on many draws of the rows, by majority";
  entry.reference =
      "L. Breiman. Bagging predictors. Machine Learning 24, 1996, doi:10.1007/BF00058655";
  entry.options = bagging_binding().table();
  entry.traits.regression = true;
  entry.make_inductive = [](const OptionValues& values) {
    return std::make_unique<BaggingLearner>(bagging_binding().from(values));
  };
  entry.load_model = [](const Record& record) {
    return detail::VoteModel::load("bagging", record);
  };
  return entry;
}

}  // namespace gssl
