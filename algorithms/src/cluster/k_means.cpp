#include "gssl/cluster/k_means.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl {
namespace {

constexpr std::uint64_t first_stream = 5'000'000;

double squared_distance(const double* a, const double* b, std::int64_t d) {
  double sum = 0.0;
  for (std::int64_t j = 0; j < d; ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return sum;
}

// One start: its centers, who belongs to whom, and how far.
class Lloyd {
 public:
  Lloyd(const Block& rows, const KMeansOptions& options, const RunContext& run, Rng rng)
      : rows_(rows),
        k_(options.clusters),
        options_(options),
        run_(run),
        rng_(rng),
        distance_(static_cast<std::size_t>(rows.rows()), std::numeric_limits<double>::infinity()) {
    found_.centers = Block(k_, rows.columns());
    found_.cluster_of.assign(distance_.size(), 0);
  }

  KMeans result() {
    seed();
    found_.outcome = Outcome::iteration_limit;
    for (int round = 0;; ++round) {
      const bool moved = assign();
      found_.inertia_by_round.push_back(found_.inertia);
      if (!moved && round > 0) found_.outcome = Outcome::converged;
      if (found_.outcome == Outcome::converged || round == options_.max_rounds) break;
      if (const auto why = run_.stop()) {
        found_.outcome = *why;
        break;
      }
      move_centers();
    }
    return std::move(found_);
  }

 private:
  std::int64_t columns() const { return rows_.columns(); }

  // Writes the distance of every row to its nearest center, if row `candidate` were one more center;
  // returns the sum.
  double distances_with(std::int64_t candidate, std::vector<double>& into) const {
    return blocked_sum(
        rows_.rows(), run_.thread_count(), [&](std::int64_t begin, std::int64_t end) {
          double sum = 0.0;
          for (std::int64_t i = begin; i < end; ++i) {
            const auto at = static_cast<std::size_t>(i);
            into[at] = std::min(
                distance_[at],
                squared_distance(rows_.row(i).data(), rows_.row(candidate).data(), columns()));
            sum += into[at];
          }
          return sum;
        });
  }

  // A row with chance in proportion to its distance.
  std::int64_t draw(double total) {
    double left = rng_.uniform() * total;
    for (std::size_t i = 0; i < distance_.size(); ++i) {
      left -= distance_[i];
      if (left < 0.0) return static_cast<std::int64_t>(i);
    }
    return static_cast<std::int64_t>(distance_.size()) - 1;
  }

  void seed() {
    const int candidates = 2 + static_cast<int>(std::log(static_cast<double>(k_)));
    std::vector<double> trial(distance_.size()), best(distance_.size());
    auto center = static_cast<std::int64_t>(rng_.below(distance_.size()));
    double total = distances_with(center, best);
    for (int c = 0;; ++c) {
      std::ranges::copy(rows_.row(center), found_.centers.row(c).begin());
      distance_.swap(best);
      if (c + 1 == k_) return;
      double least = std::numeric_limits<double>::infinity();
      for (int t = 0; t < candidates; ++t) {
        const std::int64_t row = draw(total);
        const double sum = distances_with(row, trial);
        if (sum >= least) continue;
        least = sum;
        center = row;
        trial.swap(best);
      }
      total = least;
    }
  }

  // Everyone to the nearest center, the first on a tie; whether anyone moved.
  bool assign() {
    struct Change {
      double inertia = 0.0;
      std::int64_t moved = 0;
      Change& operator+=(const Change& other) {
        inertia += other.inertia;
        moved += other.moved;
        return *this;
      }
    };
    const Change change =
        blocked_sum(rows_.rows(), run_.thread_count(), [&](std::int64_t begin, std::int64_t end) {
          Change own;
          for (std::int64_t i = begin; i < end; ++i) {
            const auto at = static_cast<std::size_t>(i);
            double nearest = std::numeric_limits<double>::infinity();
            int cluster = 0;
            for (int c = 0; c < k_; ++c) {
              const double d =
                  squared_distance(rows_.row(i).data(), found_.centers.row(c).data(), columns());
              if (d < nearest) {
                nearest = d;
                cluster = c;
              }
            }
            own.moved += cluster != found_.cluster_of[at] ? 1 : 0;
            found_.cluster_of[at] = cluster;
            distance_[at] = nearest;
            own.inertia += nearest;
          }
          return own;
        });
    found_.inertia = change.inertia;
    return change.moved > 0;
  }

  // Sums by cluster of one block of rows: columns and a count.
  struct Sums {
    std::vector<double> values;
    Sums& operator+=(const Sums& other) {
      if (values.empty()) values.assign(other.values.size(), 0.0);
      for (std::size_t i = 0; i < other.values.size(); ++i) values[i] += other.values[i];
      return *this;
    }
  };

  void move_centers() {
    const std::int64_t d = columns();
    const Sums sums =
        blocked_sum(rows_.rows(), run_.thread_count(), [&](std::int64_t begin, std::int64_t end) {
          Sums own{std::vector<double>(static_cast<std::size_t>(k_ * (d + 1)), 0.0)};
          for (std::int64_t i = begin; i < end; ++i) {
            double* sum =
                own.values.data() + found_.cluster_of[static_cast<std::size_t>(i)] * (d + 1);
            for (std::int64_t j = 0; j < d; ++j) sum[j] += rows_(i, j);
            sum[d] += 1.0;
          }
          return own;
        });
    for (int c = 0; c < k_; ++c) {
      const double* sum = sums.values.data() + c * (d + 1);
      if (sum[d] == 0.0) {
        take_farthest(c);
        continue;
      }
      for (std::int64_t j = 0; j < d; ++j) found_.centers(c, j) = sum[j] / sum[d];
    }
  }

  // The row that costs most becomes the center of the empty cluster.
  void take_farthest(int cluster) {
    const auto farthest = std::max_element(distance_.begin(), distance_.end());
    const std::int64_t row = farthest - distance_.begin();
    *farthest = 0.0;
    std::ranges::copy(rows_.row(row), found_.centers.row(cluster).begin());
  }

  const Block& rows_;
  int k_;
  const KMeansOptions& options_;
  const RunContext& run_;
  Rng rng_;
  std::vector<double> distance_;  // squared, to the center of the row
  KMeans found_;
};

}  // namespace

void KMeansOptions::validate() const {
  const auto refuse = [](const char* option, int value) {
    throw Error(ErrorCode::usage, std::string("k-means: option ") + option + "=" +
                                      std::to_string(value) + ": must be >= 1");
  };
  if (clusters < 1) refuse("clusters", clusters);
  if (restarts < 1) refuse("restarts", restarts);
  if (max_rounds < 1) refuse("max_rounds", max_rounds);
}

KMeans k_means(const Block& rows, const KMeansOptions& options, const RunContext& run) {
  options.validate();
  if (options.clusters > rows.rows())
    throw Error(ErrorCode::usage, "k-means: option clusters=" + std::to_string(options.clusters) +
                                      ": must be at most the " + std::to_string(rows.rows()) +
                                      " rows");
  if (!std::ranges::all_of(rows.values(), [](double value) { return std::isfinite(value); }))
    throw Error(ErrorCode::bad_data, "k-means: every value of the rows must be finite");
  KMeans best;
  for (int start = 0; start < options.restarts; ++start) {
    KMeans found =
        Lloyd(rows, options, run, run.rng(first_stream + static_cast<std::uint64_t>(start)))
            .result();
    if (start == 0 || found.inertia < best.inertia) best = std::move(found);
    if (run.should_stop()) break;
  }
  return best;
}

}  // namespace gssl
