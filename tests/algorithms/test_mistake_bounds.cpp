// Mistakes of online learners over many random streams, against the bounds of the theory for a
// vector or function that is known to the test.

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/certificates.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/learn/kernel.hpp"
#include "gssl/learn/registry.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

constexpr int streams_tried = 200;

// A session over one random stream. The random numbers are those of the stream.
struct BoundedRun {
  BoundedRun(const std::string& spec, std::uint64_t seed, std::int64_t horizon = 0) : rng(seed) {
    static const LearnerRegistry registry = builtin_learners();
    RunContext run;
    run.seed = seed;
    run.threads = 1;
    session =
        registry.make(spec).online().start({.class_names = {"0", "1"}, .horizon = horizon}, run);
  }

  // `score` > 0 is the second class; the outcome is turned round with this chance.
  double trial(const std::vector<double>& x, double score, double noise = 0.0) {
    session->predict({.values = x});
    const bool turned = rng.uniform() < noise;
    const double outcome = (score > 0.0) != turned ? 1.0 : 0.0;
    session->update({.value = outcome});
    rows.push_back({x, outcome});
    return outcome;
  }
  // The report with what a second look proves.
  OnlineReport proved() const {
    OnlineReport report = session->report();
    const auto look = session->second_look();
    for (const auto& [x, outcome] : rows) look->see({.values = x}, {.value = outcome}, 1);
    look->prove(report);
    return report;
  }
  std::vector<double> point(std::size_t columns) {
    std::vector<double> x;
    for (std::size_t i = 0; i < columns; ++i) x.push_back(rng.normal());
    return x;
  }
  double mistakes() const { return static_cast<double>(session->report().mistakes); }

  Rng rng;
  std::unique_ptr<OnlineSession> session;
  std::vector<std::pair<std::vector<double>, double>> rows;
};

double inner(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// ((R + D)/γ)² for a vector of norm 1, D² = Σ max(0, γ − y u·x)² (Freund and Schapire 1999).
struct MarginBound {
  double margin;
  double radius_square = 0.0;
  double misses = 0.0;

  void note(double norm_square, double score, double outcome) {
    radius_square = std::max(radius_square, norm_square);
    const double miss = std::max(0.0, margin - (outcome > 0.0 ? score : -score));
    misses += miss * miss;
  }
  double value() const {
    return std::pow((std::sqrt(radius_square) + std::sqrt(misses)) / margin, 2.0);
  }
};

// A function Σ a_j K(z_j, ·) of norm 1, of the gaussian kernel with beta = 0.5.
struct RandomFunction {
  RandomFunction(BoundedRun& run, std::size_t columns) {
    for (int j = 0; j < 4; ++j) {
      centers.push_back(run.point(columns));
      weights.push_back(run.rng.normal());
    }
    double square = 0.0;
    for (std::size_t i = 0; i < 4; ++i) square += weights[i] * (*this)(centers[i]);
    for (double& a : weights) a /= std::sqrt(square);
  }
  double operator()(const std::vector<double>& x) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < centers.size(); ++j) {
      double distance = 0.0;
      for (std::size_t i = 0; i < x.size(); ++i)
        distance += (x[i] - centers[j][i]) * (x[i] - centers[j][i]);
      sum += weights[j] * std::exp(-0.5 * distance);
    }
    return sum;
  }
  std::vector<std::vector<double>> centers;
  std::vector<double> weights;
};

double certificate_of(const OnlineSession& session, const std::string& name) {
  return certificate(session.report(), name).values.at(0);
}

}  // namespace

TEST_CASE("perceptron: mistakes stay below the margin bound, with noise and without",
          "[mistake-bounds]") {
  for (std::uint64_t seed = 1; seed <= streams_tried; ++seed) {
    CAPTURE(seed);
    const bool with_bias = seed % 2 == 0;
    const double noise = seed % 3 == 0 ? 0.1 : 0.0;
    BoundedRun run(std::string("perceptron:rate=0.7,bias=") + (with_bias ? "true" : "false"), seed);
    std::vector<double> u = run.point(6);
    const double norm = std::sqrt(inner(u, u));
    for (double& value : u) value /= norm;
    MarginBound bound{.margin = 0.2 + 0.1 * static_cast<double>(seed % 4)};
    for (int t = 0; t < 300; ++t) {
      const std::vector<double> x = run.point(6);
      const double score = inner(u, x);
      if (std::abs(score) < bound.margin) continue;
      bound.note(inner(x, x) + (with_bias ? 1.0 : 0.0), score, run.trial(x, score, noise));
    }
    CHECK(run.mistakes() <= bound.value());
    CHECK(certificate_of(*run.session, "weight_square") <=
          certificate_of(*run.session, "added_square") * (1.0 + 1e-12));
    const OnlineReport proved = run.proved();
    CHECK(run.mistakes() <= *proved.bound);
    CHECK(*proved.bound < static_cast<double>(proved.trials));  // it says something
  }
}

TEST_CASE("kernel-perceptron: mistakes stay below the margin bound of a function",
          "[mistake-bounds]") {
  for (std::uint64_t seed = 1; seed <= streams_tried; ++seed) {
    CAPTURE(seed);
    BoundedRun run("kernel-perceptron:kernel=gaussian(beta=0.5)", seed);
    const RandomFunction f(run, 2);
    MarginBound bound{.margin = 0.15};
    for (int t = 0; t < 400; ++t) {
      const std::vector<double> x = run.point(2);
      const double score = f(x);
      if (std::abs(score) < bound.margin) continue;
      bound.note(1.0, score, run.trial(x, score, seed % 3 == 0 ? 0.05 : 0.0));
    }
    CHECK(run.mistakes() <= bound.value());
    CHECK(certificate_of(*run.session, "weight_square") <=
          certificate_of(*run.session, "added_square") * (1.0 + 1e-12));
    CHECK(run.mistakes() <= *run.proved().bound);
  }
}

// With Σ|u_i| = 1, y u·x ≥ γ and x in [−1, 1], the relative entropy of the signed weights to u falls
// at each mistake by η γ − ln cosh η, η = ln alpha, from ln 2n.
TEST_CASE("balanced-winnow: mistakes stay below ln 2n/(η γ − ln cosh η)", "[mistake-bounds]") {
  constexpr std::size_t columns = 24;
  constexpr double margin = 0.3;
  for (std::uint64_t seed = 1; seed <= streams_tried; ++seed) {
    CAPTURE(seed);
    const double rate = seed % 2 == 0 ? margin : 0.4;
    BoundedRun run("balanced-winnow:alpha=" + std::to_string(std::exp(rate)), seed);
    std::vector<double> u(columns, 0.0);
    for (int k = 0; k < 3; ++k) u[run.rng.below(columns)] += run.rng.uniform() < 0.5 ? 1.0 : -1.0;
    double norm = 0.0;
    for (const double value : u) norm += std::abs(value);
    if (norm == 0.0) continue;
    for (double& value : u) value /= norm;
    double largest = 0.0;
    for (int t = 0; t < 400; ++t) {
      std::vector<double> x;
      for (std::size_t i = 0; i < columns; ++i) x.push_back(run.rng.uniform() < 0.5 ? 1.0 : 0.0);
      const double score = inner(u, x);
      if (std::abs(score) < margin) continue;
      run.trial(x, score);
      largest = std::max(largest, run.mistakes());
    }
    const double bound =
        std::log(2.0 * columns) / (rate * margin - std::log(std::cosh(rate))) * (1.0 + 1e-4);
    CHECK(largest <= bound);
    CHECK(largest <= *run.proved().bound);
  }
}

TEST_CASE("winnow and balanced-winnow: fractional features and levels keep the bound",
          "[mistake-bounds]") {
  for (const char* spec : {"winnow:threshold=4,alpha=1.3", "winnow:threshold=12",
                           "winnow:threshold=6,demotion=eliminate",
                           "balanced-winnow:alpha=1.2,threshold=1", "balanced-winnow"})
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      CAPTURE(spec, seed);
      BoundedRun run(spec, seed);
      const double noise = seed % 3 == 0 ? 0.1 : 0.0;
      for (int t = 0; t < 250; ++t) {
        std::vector<double> x;
        for (int i = 0; i < 12; ++i) x.push_back(run.rng.uniform() < 0.5 ? 0.0 : run.rng.uniform());
        const double score = x[1] + x[7] - (seed % 2 == 0 ? 0.5 : 0.5 * x[3] + 0.4);
        if (std::abs(score) < 0.1) continue;
        // Sometimes the adversary answers.
        if (seed % 5 != 0) {
          run.trial(x, score, noise);
        } else {
          const double predicted = run.session->predict({.values = x});
          run.session->update({.value = 1.0 - predicted});
          run.rows.push_back({x, 1.0 - predicted});
        }
      }
      const OnlineReport proved = run.proved();
      REQUIRE(proved.bound);
      CHECK(std::isfinite(*proved.bound));
      CHECK(run.mistakes() <= *proved.bound);
    }
}

namespace {

// h = size (K(z, ·) − K(−z, ·)) of the gaussian kernel with beta = 0.5, of norm² 2 size² (1 − K(z,
// −z)), and points about z and −z.
struct TwoSides {
  explicit TwoSides(Rng& rng) {
    const double angle = 6.0 * rng.uniform();
    z = {2.0 * std::cos(angle), 2.0 * std::sin(angle)};
  }
  std::vector<double> point(Rng& rng) const {
    const double side = rng.uniform() < 0.5 ? 1.0 : -1.0;
    return {side * z[0] + 0.2 * rng.normal(), side * z[1] + 0.2 * rng.normal()};
  }
  double operator()(const std::vector<double>& x) const {
    const auto near = [&](double sign) {
      return std::exp(-0.5 * (std::pow(x[0] - sign * z[0], 2) + std::pow(x[1] - sign * z[1], 2)));
    };
    return size * (near(1.0) - near(-1.0));
  }
  double size = 1.3;
  std::vector<double> z;
};

}  // namespace

// Where some function of that norm has |h| ≥ 1 at every row: mistakes ≤ 3.6 C ln 2T (Herbster,
// Pasteris, Tse 2020), C the certificate `complexity`.
TEST_CASE("switching-kernel: conservative mistakes stay below 3.6 C ln 2T", "[mistake-bounds]") {
  constexpr std::int64_t horizon = 300;
  for (std::uint64_t seed = 1; seed <= streams_tried; ++seed) {
    CAPTURE(seed);
    BoundedRun run("switching-kernel:kernel=gaussian(beta=0.5),modes=1,norm=3.4,conservative=true",
                   seed, horizon);
    const TwoSides h(run.rng);
    for (std::int64_t t = 0; t < horizon;) {
      const std::vector<double> x = h.point(run.rng);
      if (std::abs(h(x)) < 1.0) continue;
      run.trial(x, h(x));
      ++t;
    }
    const double bound = 3.6 * certificate_of(*run.session, "complexity") *
                         std::log(2.0 * static_cast<double>(horizon));
    CHECK(bound < static_cast<double>(horizon));  // it says something
    CHECK(run.mistakes() <= bound);
    CHECK(run.mistakes() <= *run.proved().bound);
  }
}

TEST_CASE("switching-kernel: mistakes stay below hinge loss and regret bound in the mean",
          "[mistake-bounds]") {
  constexpr std::int64_t horizon = 60;
  double mistakes = 0.0, bound = 0.0, printed = 0.0;
  for (std::uint64_t seed = 1; seed <= streams_tried; ++seed) {
    BoundedRun run("switching-kernel:kernel=gaussian(beta=0.5),modes=2,switches=2,norm=3.4", seed,
                   horizon);
    // Two functions by turns.
    const TwoSides first(run.rng), second(run.rng);
    for (std::int64_t t = 0; t < horizon; ++t) {
      const TwoSides& h = t / 20 % 2 == 0 ? first : second;
      const std::vector<double> x = h.point(run.rng);
      const double outcome = run.trial(x, h(x), 0.02);
      bound += std::max(0.0, 1.0 - (outcome > 0.0 ? h(x) : -h(x)));
    }
    mistakes += run.mistakes();
    bound += certificate_of(*run.session, "regret_bound");
    printed += *run.proved().bound;
    CHECK(run.session->report().bound_in_expectation);
  }
  CHECK(mistakes <= bound);
  CHECK(mistakes <= printed);
  CHECK(printed < bound);
}
