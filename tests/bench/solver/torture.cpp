#include "torture.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "../harness/measure.hpp"
#include "race.hpp"

namespace gssl::bench {
namespace {

// Seconds that a child may take beside the solve: making the graph, checking the answer.
constexpr double grace = 60.0;
// Systems within this factor in non-zeros count as of like size.
constexpr double like_size = 4.0;
// Slower than this, in units of the median of its like, a trial is run again, so often at most.
constexpr double lagging = 1.5;
constexpr int most_repeats = 2;

struct Trial {
  double seconds = 0.0;
  double cpu_seconds = 0.0;
  double nonzeros = 1.0;
  double reported = 0.0;
  double recomputed = 0.0;
  double attainable = 0.0;  // what rounding alone may leave
  std::string outcome;
  std::string used;
  std::string sentence;
  std::string failure;  // empty: all is well
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Trial, seconds, cpu_seconds, nonzeros, reported, recomputed,
                                   attainable, outcome, used, sentence, failure)

// ε‖|A||x| + |b|‖₂/‖b‖₂: what rounding alone may leave.
double rounding_floor(const System& system, const Block& x) {
  double sum = 0.0, norm = 0.0;
  for (VertexId v = 0; v < system.matrix.size(); ++v) {
    double row = system.matrix.diagonal()[static_cast<std::size_t>(v)] * std::abs(x(v, 0)) +
                 std::abs(system.b(v, 0));
    system.matrix.graph().visit_row(v, [&](VertexId u, double w) { row += w * std::abs(x(u, 0)); });
    sum += row * row;
    norm += system.b(v, 0) * system.b(v, 0);
  }
  return norm > 0.0 ? std::numeric_limits<double>::epsilon() * std::sqrt(sum / norm) : 0.0;
}

std::string find_failure(const SolveReport& report, const System& system, const Block& x,
                         double recomputed, double tolerance, double attainable) {
  for (const double value : x.values())
    if (!std::isfinite(value)) return "the answer is not finite";
  const double floor = rounding_floor(system, x);
  if (!(std::abs(report.relative_residual.value_or(HUGE_VAL) - recomputed) <=
        0.01 * recomputed + 8.0 * floor))
    return "reports a residual that is not true";
  if (report.outcome == Outcome::converged) return {};
  if (attainable >= 0.1 * tolerance) return {};
  return "did not converge though rounding would allow " + std::to_string(-std::log10(attainable)) +
         " digits: " + report.sentence;
}

Trial run(const Family& family, std::uint64_t seed, SolverKind kind,
          const TortureOptions& options) {
  Rng rng(seed, 4);
  const System system = family.make(options.scale, rng);
  const RunContext context = run_context(options.threads, 4.0 * options.time_limit);
  Block x;
  const Stopwatch watch;
  const auto solver =
      make_solver(system.matrix, {.kind = kind, .tolerance = options.tolerance}, context);
  const SolveReport report = solver->solve(system.b, x, context);
  Trial trial;
  const Seconds spent = watch.elapsed();
  trial.seconds = spent.wall;
  trial.cpu_seconds = spent.cpu;
  trial.nonzeros = 2.0 * static_cast<double>(system.matrix.graph().edge_count()) +
                   static_cast<double>(system.matrix.size());
  // JSON has no NaN; find_failure sees it.
  const double reported = report.relative_residual.value_or(HUGE_VAL);
  trial.reported = std::isfinite(reported) ? reported : 1e300;
  trial.recomputed = residuals(system.matrix, system.b, x)[0];
  trial.outcome = to_string(report.outcome);
  trial.used = report.used;
  trial.sentence = report.sentence;
  // The exact answers of all families lie in [0, 1]; that of a solver astray proves nothing.
  trial.attainable = rounding_floor(system, Block(x.rows(), 1, 1.0));
  trial.failure =
      find_failure(report, system, x, trial.recomputed, options.tolerance, trial.attainable);
  return trial;
}

// CPU microseconds a non-zero: pieces differ in size by design, their cost for each should not.
double pace(const Trial& trial) { return 1e6 * trial.cpu_seconds / trial.nonzeros; }

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values.empty() ? 0.0 : values[values.size() / 2];
}

// The pace of a trial in units of the median pace of its family, among those of like size.
double slowdown(const Trial& trial, const std::vector<Trial>& family) {
  std::vector<double> paces;
  for (const Trial& other : family)
    if (other.nonzeros <= like_size * trial.nonzeros &&
        trial.nonzeros <= like_size * other.nonzeros)
      paces.push_back(pace(other));
  return pace(trial) / median(paces);
}

// What became of one family.
struct Tally {
  std::uint64_t converged = 0;
  double worst_residual = 0.0;  // of those that converged
  double worst_seconds = 0.0;
  double median_pace = 0.0;
  double worst_pace = 0.0;
  double worst_slowdown = 0.0;
  std::string worst_sentence;  // seed and report of the one that lags most
  std::vector<std::string> failures;
};

Trial run_apart(const Family& family, std::uint64_t seed, SolverKind kind,
                const TortureOptions& options) {
  const ChildReport child =
      run_in_child({options.threads * options.time_limit + grace, 4.0 * options.time_limit + grace,
                    options.gigabytes},
                   [&] { return nlohmann::json(run(family, seed, kind, options)).dump(); });
  if (child.fate == Fate::finished) return nlohmann::json::parse(child.text).get<Trial>();
  Trial trial;
  trial.failure = child.text;
  return trial;
}

// Who lags runs again, lest the machine be blamed on the solver: the fastest run counts, and a
// failure of any.
void repeat_slow(const Family& family, SolverKind kind, const TortureOptions& options,
                 std::vector<Trial>& trials) {
  for (int repeat = 0; repeat < most_repeats; ++repeat)
    for (std::size_t i = 0; i < trials.size(); ++i) {
      if (!trials[i].failure.empty() || slowdown(trials[i], trials) <= lagging) continue;
      const Trial again = run_apart(family, i + 1, kind, options);
      if (!again.failure.empty() || again.cpu_seconds < trials[i].cpu_seconds) trials[i] = again;
    }
}

std::string describe(const Family& family, const std::string& seed, const Trial& trial) {
  char residual[32];
  std::snprintf(residual, sizeof residual, "%.2e", trial.recomputed);
  return family.name + ", " + seed + " (" + trial.used + ", residual " + residual +
         "): " + trial.failure;
}

Tally tally_of(const Family& family, const std::vector<Trial>& trials) {
  Tally tally;
  std::vector<double> paces;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const Trial& trial = trials[i];
    const std::string seed = "seed " + std::to_string(i + 1);
    if (trial.outcome == to_string(Outcome::converged)) {
      ++tally.converged;
      tally.worst_residual = std::max(tally.worst_residual, trial.recomputed);
    }
    paces.push_back(pace(trial));
    if (const double slow = slowdown(trial, trials); slow > tally.worst_slowdown) {
      tally.worst_slowdown = slow;
      tally.worst_sentence = seed + ": " + trial.sentence;
    }
    tally.worst_seconds = std::max(tally.worst_seconds, trial.seconds);
    if (!trial.failure.empty()) tally.failures.push_back(describe(family, seed, trial));
  }
  tally.median_pace = median(paces);
  tally.worst_pace = std::ranges::max(paces);
  return tally;
}

void print(const Tally& tally, const std::string& kind, const TortureOptions& options) {
  std::printf("%s: %llu of %llu converged, residual up to %.1e, %.2f s at most; %d threads\n",
              kind.c_str(), static_cast<unsigned long long>(tally.converged),
              static_cast<unsigned long long>(options.seeds), tally.worst_residual,
              tally.worst_seconds, options.threads);
  std::printf("  lags most, %s\n", tally.worst_sentence.c_str());
  for (const std::string& failure : tally.failures) std::printf("FAILED %s\n", failure.c_str());
}

}  // namespace

bool torture(Results& results, const Family& family, SolverKind kind,
             const TortureOptions& options) {
  std::vector<Trial> trials;
  for (std::uint64_t seed = 1; seed <= options.seeds; ++seed)
    trials.push_back(run_apart(family, seed, kind, options));
  repeat_slow(family, kind, options, trials);
  const Tally tally = tally_of(family, trials);
  const std::string name(to_string(kind));
  print(tally, name, options);
  results.value(name + ", failures", static_cast<double>(tally.failures.size()), "");
  results.beside(name + ", slowest non-zero", "the median", tally.worst_pace, tally.median_pace,
                 "us");
  results.value(name + ", slowest to its like", tally.worst_slowdown, "");
  return tally.failures.empty();
}

}  // namespace gssl::bench
