#include "constants.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>

#include "../harness/measure.hpp"
#include "constant_cases.hpp"
#include "gssl/core/error.hpp"
#include "gssl/solve/cost_model.hpp"
#include "race.hpp"

namespace gssl::bench {
namespace {

constexpr double most_ratio = 2.0;
// A run that takes no more than this, beside the usual one, is not repeated.
constexpr double near_enough = 1.25;
// Work that takes less is done several times at once, as the clock has only so many digits.
constexpr double least_seconds = 5e-3;
constexpr double most_rounds = 200.0;
// Seconds of the clock after which a run is stopped: it has failed by then.
constexpr double first_patience = 120.0;
constexpr double usual_runs_of_patience = 40.0;

struct Timed {
  double seconds = HUGE_VAL;
  std::string decided;
};

struct UsualCase {
  ConstantCase work;
  int rounds = 1;
  Timed usual;
};

// Of one round.
Timed time_of(const ConstantCase& work, int threads, int rounds, double patience) {
  const RunContext run = run_context(threads, patience);
  Timed timed;
  const Stopwatch watch;
  try {
    for (int i = 0; i < rounds; ++i) timed.decided = work.work(run);
  } catch (const Error&) {
    if (!run.should_stop()) throw;
    timed.decided = "was stopped";
  }
  timed.seconds = watch.elapsed().cpu / rounds;
  return timed;
}

// The fastest of so many runs, or of fewer if one takes no more than `enough`.
Timed fastest_of(const UsualCase& one, const ConstantRace& race, double patience, double enough) {
  Timed best;
  for (int r = 0; r < race.repeats && best.seconds > enough; ++r) {
    Timed again = time_of(one.work, race.threads, one.rounds, patience);
    if (again.seconds < best.seconds) best = std::move(again);
  }
  return best;
}

UsualCase usual_case(ConstantCase work, const ConstantRace& race) {
  UsualCase one{.work = std::move(work), .usual = {}};
  const double once = time_of(one.work, race.threads, 1, first_patience).seconds;
  one.rounds = static_cast<int>(std::clamp(std::ceil(least_seconds / once), 1.0, most_rounds));
  one.usual = fastest_of(one, race, first_patience, 0.0);
  return one;
}

// The constants that are varied here.
std::vector<CostConstant> chosen_constants(const ConstantRace& race) {
  if (race.part < 1 || race.part > race.parts)
    throw Error(ErrorCode::usage, "part " + std::to_string(race.part) + ": must be in 1 … " +
                                      std::to_string(race.parts));
  const auto all = cost_constants();
  for (const std::string& name : race.only)
    if (std::ranges::count(all, name, &CostConstant::name) == 0)
      throw Error(ErrorCode::usage, "constant '" + name + "': not known");
  std::vector<CostConstant> chosen;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool named = race.only.empty() || std::ranges::count(race.only, all[i].name) > 0;
    if (named && static_cast<int>(i) % race.parts == race.part - 1) chosen.push_back(all[i]);
  }
  return chosen;
}

bool concerns(const CostConstant& constant, const UsualCase& one) {
  return constant.use == CostUse::systems || constant.use == one.work.use;
}

// One constant times a factor.
class Variation {
 public:
  Variation(Results& results, const ConstantRace& race, const CostConstant& constant, double factor)
      : results_(results),
        race_(race),
        name_(std::string(constant.name) + (factor < 1.0 ? " halved" : " doubled")) {
    CostModel model;
    model.*constant.value *= factor;
    set_cost_model(model);
  }
  ~Variation() { set_cost_model({}); }
  Variation(const Variation&) = delete;
  Variation& operator=(const Variation&) = delete;

  void time(const UsualCase& one) {
    const double usual = one.usual.seconds;
    const Timed found = fastest_of(one, race_, 1.0 + usual_runs_of_patience * usual * one.rounds,
                                   near_enough * usual);
    const double ratio = found.seconds / usual;
    double& most_here = one.work.small ? most_of_small_ : most_of_set_;
    most_here = std::max(most_here, ratio);
    differs_ = differs_ || found.decided != one.usual.decided || ratio > near_enough;
    if (worst_ != nullptr && ratio <= most_ && ratio > most_ratio) row(one, found.seconds);
    if (worst_ != nullptr && ratio <= most_) return;
    if (most_ > most_ratio) row(*worst_, seconds_);
    worst_ = &one;
    most_ = ratio;
    seconds_ = found.seconds;
  }

  // The row of the case that suffers most.
  void conclude() const {
    if (worst_ != nullptr) row(*worst_, seconds_);
  }
  // The largest ratio of the bench set, and of small graphs.
  double most_of_set() const { return most_of_set_; }
  double most_of_small() const { return most_of_small_; }
  // Whether anything was decided otherwise.
  bool differs() const { return differs_; }
  const std::string& name() const { return name_; }

 private:
  void row(const UsualCase& one, double seconds) const {
    results_.beside(name_ + ", " + one.work.name, "as it is", seconds, one.usual.seconds);
  }

  Results& results_;
  const ConstantRace& race_;
  std::string name_;
  const UsualCase* worst_ = nullptr;
  double most_ = 0.0, seconds_ = 0.0;
  double most_of_set_ = 0.0, most_of_small_ = 0.0;
  bool differs_ = false;
};

std::vector<UsualCase> usual_cases(const ConstantRace& race) {
  std::vector<UsualCase> cases;
  for (ConstantCase& work : constant_cases(race.sizes, race.columns)) {
    cases.push_back(usual_case(std::move(work), race));
    const UsualCase& one = cases.back();
    std::printf("    %-50s %.3g s: %.200s\n", one.work.name.c_str(), one.usual.seconds,
                one.usual.decided.c_str());
  }
  return cases;
}

// Processor seconds of a run of each case that a constant concerns, in both directions.
double expected_seconds(const std::vector<CostConstant>& constants,
                        const std::vector<UsualCase>& cases) {
  double seconds = 0.0;
  for (const CostConstant& constant : constants)
    for (const UsualCase& one : cases)
      if (concerns(constant, one)) seconds += 2.0 * one.usual.seconds * one.rounds;
  return seconds;
}

}  // namespace

bool vary_constants(Results& results, const ConstantRace& race) {
  const std::vector<CostConstant> constants = chosen_constants(race);
  const std::vector<UsualCase> cases = usual_cases(race);
  results.value("expected at least", expected_seconds(constants, cases), "s");
  double largest = 0.0, largest_of_small = 0.0;
  std::string of, without;
  for (const CostConstant& constant : constants) {
    bool differs = false;
    for (const double factor : {0.5, 2.0}) {
      Variation variation(results, race, constant, factor);
      for (const UsualCase& one : cases)
        if (concerns(constant, one)) variation.time(one);
      variation.conclude();
      differs = differs || variation.differs();
      if (variation.most_of_set() > largest)
        largest = variation.most_of_set(), of = variation.name();
      largest_of_small = std::max(largest_of_small, variation.most_of_small());
    }
    if (!differs) without += " " + std::string(constant.name);
  }
  std::printf("decide nothing here:%s\n", without.empty() ? " none" : without.c_str());
  std::printf("the largest ratio of the bench set is of %s\n", of.c_str());
  results.beside("largest ratio, bench set", "allowed", largest, most_ratio, "");
  results.value("largest ratio, small graphs", largest_of_small, "");
  return largest <= most_ratio;
}

}  // namespace gssl::bench
