// Speed of online learners: share updates, and sparse rows in memory and from text. Processor time
// of one thread.

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/rng.hpp"
#include "gssl/io/trial_reader.hpp"
#include "gssl/learn/registry.hpp"
#include "harness/measure.hpp"
#include "harness/program.hpp"

using namespace gssl;

namespace {

using bench::Results;

double seconds_of(const std::function<void()>& work) {
  const bench::Stopwatch watch;
  work();
  return watch.elapsed().cpu;
}

enum class Advice { any, binary };

// Fixed share of square loss as it is written, a pass for each formula.
double seconds_of_plain_share(const std::vector<std::vector<double>>& advice, int trials) {
  constexpr double eta = 0.5, alpha = 0.01;
  const std::size_t experts = advice.front().size();
  const auto n = static_cast<double>(experts);
  std::vector<double> weights(experts, 1.0 / n);
  double loss = 0.0;
  const double seconds = seconds_of([&] {
    for (int t = 0; t < trials; ++t) {
      const std::vector<double>& x = advice[static_cast<std::size_t>(t) % advice.size()];
      const double y = t % 3 == 0 ? 1.0 : 0.0;
      double predicted = 0.0, sum = 0.0;
      for (std::size_t i = 0; i < experts; ++i) predicted += weights[i] * x[i];
      loss += (predicted - y) * (predicted - y);
      for (std::size_t i = 0; i < experts; ++i) {
        weights[i] *= std::exp(-eta * (x[i] - y) * (x[i] - y));
        sum += weights[i];
      }
      for (double& w : weights) w = (1.0 - alpha) * w / sum + alpha / n;
    }
  });
  std::printf("    plain loop: loss %g\n", loss);
  return seconds;
}

void share(Results& results, const char* spec, std::size_t experts, int trials, Advice kind) {
  const LearnerRegistry registry = builtin_learners();
  const auto session = registry.make(spec).online().start({.width = std::int64_t(experts)});
  Rng rng(1);
  std::vector<std::vector<double>> advice(64, std::vector<double>(experts));
  for (auto& row : advice)
    for (double& x : row) x = kind == Advice::any ? rng.uniform() : double(rng.below(2));
  const double seconds = seconds_of([&] {
    for (int t = 0; t < trials; ++t) {
      session->predict({.values = advice[static_cast<std::size_t>(t) % 64]});
      session->update({.value = t % 3 == 0 ? 1.0 : 0.0});
    }
  });
  results.value(spec, static_cast<double>(experts) * trials / seconds, "weights/s");
  if (std::string_view(spec) == "fixed-share:alpha=0.01")
    results.beside(spec, "a plain loop", seconds, seconds_of_plain_share(advice, trials));
}

struct Rows {
  std::vector<std::int64_t> offsets = {0};
  std::vector<std::int32_t> columns;
  std::vector<double> values;
  std::vector<double> outcomes;
};

Rows made_up(std::int64_t count) {
  Rng rng(2);
  Rows rows;
  for (std::int64_t r = 0; r < count; ++r) {
    std::int32_t column = 0;
    double score = 0.0;
    for (int i = 0; i < 14; ++i) {
      column += 1 + static_cast<std::int32_t>(rng.below(16));
      rows.columns.push_back(column);
      rows.values.push_back(static_cast<double>(rng.below(1000)) / 1000.0);
      score += column % 3 == 0 ? rows.values.back() : -0.5 * rows.values.back();
    }
    rows.offsets.push_back(static_cast<std::int64_t>(rows.columns.size()));
    rows.outcomes.push_back(score > 0.0 ? 1.0 : 0.0);
  }
  return rows;
}

Instance row_of(const Rows& rows, std::size_t r) {
  const auto begin = static_cast<std::size_t>(rows.offsets[r]),
             count = static_cast<std::size_t>(rows.offsets[r + 1]) - begin;
  return {.values = std::span(rows.values).subspan(begin, count),
          .columns = std::span(rows.columns).subspan(begin, count)};
}

double seconds_in_memory(OnlineSession& session, const Rows& rows) {
  return seconds_of([&] {
    for (std::size_t r = 0; r < rows.outcomes.size(); ++r) {
      session.predict(row_of(rows, r));
      session.update({.value = rows.outcomes[r]});
    }
  });
}

void in_memory(Results& results, const char* spec, const Rows& rows) {
  const LearnerRegistry registry = builtin_learners();
  const auto session = registry.make(spec).online().start({.class_names = {"-1", "+1"}});
  const double seconds = seconds_in_memory(*session, rows);
  results.value(spec, 1e-6 * static_cast<double>(rows.outcomes.size()) / seconds, "M rows/s");
  std::printf("    %lld mistakes\n", static_cast<long long>(session->report().mistakes));
}

// scikit-learn's one pass over as many rows drawn in the same way, beside ours.
void beside_sgd(Results& results, const std::string& python, const std::string& loss,
                const Rows& rows) {
  const auto found = bench::output_of(python + " " GSSL_BENCH_DIR "/sgd_peer.py " + loss + " " +
                                      std::to_string(rows.outcomes.size()) + " 2>/dev/null");
  const std::string peer = "SGDClassifier, loss=" + loss;
  if (!found) return results.absent(peer, "python3-sklearn");
  const char* spec = loss == "hinge" ? "gradient-descent" : "perceptron";
  const LearnerRegistry registry = builtin_learners();
  const auto session = registry.make(spec).online().start({.class_names = {"-1", "+1"}});
  results.beside(spec, peer, seconds_in_memory(*session, rows), std::stod(*found));
}

void from_text(Results& results, const char* spec, const std::string& path, std::size_t count) {
  const LearnerRegistry registry = builtin_learners();
  const auto session = registry.make(spec).online().start({.class_names = {"-1", "+1"}});
  const double seconds = seconds_of([&] {
    TrialReader reader(LineStream(path), {});
    for (OnlineTrial trial; reader.next(trial);) {
      session->predict({.values = trial.values, .columns = trial.columns});
      session->update({.value = trial.outcome.starts_with('-') ? 0.0 : 1.0});
    }
  });
  results.value(spec, 1e-6 * static_cast<double>(count) / seconds, "M rows/s");
  std::printf("    %.3g MB/s\n",
              1e-6 * static_cast<double>(std::filesystem::file_size(path)) / seconds);
}

void write_text(const Rows& rows, const std::string& path) {
  std::ofstream out(path);
  for (std::size_t r = 0; r < rows.outcomes.size(); ++r) {
    out << (rows.outcomes[r] > 0.0 ? "+1" : "-1");
    for (auto e = static_cast<std::size_t>(rows.offsets[r]);
         e < static_cast<std::size_t>(rows.offsets[r + 1]); ++e)
      out << ' ' << rows.columns[e] + 1 << ':' << rows.values[e];
    out << '\n';
  }
}

constexpr const char* row_learners[] = {"perceptron", "perceptron:form=averaged",
                                        "winnow:threshold=127", "gradient-descent"};

}  // namespace

int main(int argc, char** argv) {
  bench::Program program("bench_online", "Speed of online learners, one thread");
  for (const Advice kind : {Advice::any, Advice::binary})
    program.add(kind == Advice::any ? "share" : "share01",
                kind == Advice::any ? "1000 experts, 100,000 trials"
                                    : "the same with predictions of 0 and 1",
                [kind](Results& results) {
                  for (const char* spec :
                       {"weighted-average", "fixed-share:alpha=0.01",
                        "fixed-share:alpha=0.01,prediction=vovk", "variable-share:alpha=0.01"})
                    share(results, spec, 1000, 100000, kind);
                });
  std::string python = "python3";
  program.options().add_option("--python", python, "for scikit-learn")->capture_default_str();
  program.add("memory", "1M sparse rows of 14 values in memory", [&python](Results& results) {
    const Rows rows = made_up(1000000);
    for (const char* spec : row_learners) in_memory(results, spec, rows);
    for (const char* loss : {"perceptron", "hinge"}) beside_sgd(results, python, loss, rows);
  });
  program.add("text", "the same rows from a file", [](Results& results) {
    const Rows rows = made_up(1000000);
    const std::string path = std::filesystem::temp_directory_path() / "bench_online.libsvm";
    write_text(rows, path);
    for (const char* spec : row_learners) from_text(results, spec, path, rows.outcomes.size());
    std::filesystem::remove(path);
  });
  return program.run(argc, argv);
}
