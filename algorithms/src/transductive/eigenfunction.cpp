#include "gssl/transductive/eigenfunction.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "gssl/core/dense.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/core/stopwatch.hpp"
#include "support/finish_fit.hpp"
#include "support/largest.hpp"
#include "support/vertex_status.hpp"
#include "transductive/support/basis_fit.hpp"
#include "transductive/support/learner_options.hpp"

namespace gssl {
namespace {

constexpr std::int64_t most_columns = 5000;
// Of the points of an axis, this share at either end lies outside the histogram and is moved to its
// border.
constexpr double outside = 0.01;
// Every bin gets so much of the mean density, so that empty ones do not cut the axis.
constexpr double density_floor = 0.05;
// Of rows, each of which costs O(d²) at most.
constexpr std::int64_t rows_between_stops = 16;
// A third moment beside its absolute one that is rounding: the points are symmetric on the axis.
constexpr double symmetric = 1e-9;
// A σ beside the largest that is rounding: the constant.
constexpr double constant_function = 1e-10;

std::vector<double> raw_row(const Points& points, VertexId r) {
  std::vector<double> row(static_cast<std::size_t>(points.columns()));
  if (points.is_sparse()) {
    for (std::int64_t e = points.offsets()[static_cast<std::size_t>(r)];
         e < points.offsets()[static_cast<std::size_t>(r) + 1]; ++e) {
      const auto at = static_cast<std::size_t>(e);
      row[static_cast<std::size_t>(points.column_ids()[at])] =
          points.is_float() ? static_cast<double>(points.floats()[at]) : points.doubles()[at];
    }
    return row;
  }
  for (std::int64_t j = 0; j < points.columns(); ++j)
    row[static_cast<std::size_t>(j)] = points.value(r, j);
  return row;
}

// The points over the power of two above their largest entry: the same labels to the last bit, and
// no square that a double does not hold.
class ScaledRows {
 public:
  ScaledRows(const Points& points, int threads) : points_(points) {
    const double largest =
        blocked_sum(points.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
          detail::Largest own;
          for (std::int64_t r = begin; r < end; ++r)
            for (const double x : raw_row(points, static_cast<VertexId>(r)))
              own.value = std::max(own.value, std::abs(x));
          return own;
        }).value;
    std::frexp(largest, &exponent_);
  }

  std::vector<double> operator[](std::int64_t r) const {
    std::vector<double> row = raw_row(points_, static_cast<VertexId>(r));
    for (double& x : row) x = std::ldexp(x, -exponent_);
    return row;
  }

 private:
  const Points& points_;
  int exponent_ = 0;
};

struct Sums {
  std::vector<double> values;
  Sums& operator+=(const Sums& other) {
    if (values.empty()) values.assign(other.values.size(), 0.0);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += other.values[i];
    return *this;
  }
};

// Rows of blocks, few enough that one d×d sum for each fits the memory.
std::int64_t block_rows(std::int64_t rows) { return std::max<std::int64_t>(4096, rows / 16 + 1); }

// The sign of an axis is arbitrary. Taken so that the third moment of the points on it is positive,
// or that their farthest is where rounding leaves nothing of the moment, it does not depend on the
// order and the signs of the columns.
void fix_sign(Block& coordinates, std::int64_t a) {
  double moment = 0.0, size = 0.0, farthest = 0.0;
  for (std::int64_t r = 0; r < coordinates.rows(); ++r) {
    const double x = coordinates(r, a);
    moment += x * x * x;
    size += std::abs(x * x * x);
    if (std::abs(x) > (1.0 + symmetric) * std::abs(farthest)) farthest = x;
  }
  const double sign = std::abs(moment) > symmetric * size ? moment : farthest;
  if (sign >= 0.0) return;
  for (std::int64_t r = 0; r < coordinates.rows(); ++r) coordinates(r, a) = 0.0 - coordinates(r, a);
}

// The points on their `count` axes of largest variance; nothing if the run was stopped.
std::optional<Block> principal_coordinates(const Points& points, std::int64_t count,
                                           const RunContext& run) {
  const std::int64_t n = points.rows(), d = points.columns();
  const int threads = run.thread_count();
  const auto stop = [&] { return run.should_stop(); };
  if (count == 0) return Block(n, 0);
  const ScaledRows rows(points, threads);
  const auto stops_at = [&](std::int64_t r) { return r % rows_between_stops == 0 && stop(); };
  const Sums total = blocked_sum(n, threads, [&](std::int64_t begin, std::int64_t end) {
    Sums sum{std::vector<double>(static_cast<std::size_t>(d), 0.0)};
    for (std::int64_t r = begin; r < end && !stops_at(r); ++r) {
      const std::vector<double> row = rows[r];
      for (std::size_t j = 0; j < row.size(); ++j) sum.values[j] += row[j];
    }
    return sum;
  });
  std::vector<double> mean = total.values;
  for (double& m : mean) m /= static_cast<double>(n);
  const Sums squares = blocked_sum(
      n, threads,
      [&](std::int64_t begin, std::int64_t end) {
        Sums sum{std::vector<double>(static_cast<std::size_t>(d * d), 0.0)};
        for (std::int64_t r = begin; r < end && !stops_at(r); ++r) {
          std::vector<double> row = rows[r];
          for (std::size_t j = 0; j < row.size(); ++j) row[j] -= mean[j];
          for (std::int64_t i = 0; i < d; ++i)
            for (std::int64_t j = 0; j <= i; ++j)
              sum.values[static_cast<std::size_t>(i * d + j)] +=
                  row[static_cast<std::size_t>(i)] * row[static_cast<std::size_t>(j)];
        }
        return sum;
      },
      block_rows(n));
  if (stop()) return std::nullopt;
  Block covariance(d, d);  // its lower triangle
  for (std::int64_t i = 0; i < d; ++i)
    for (std::int64_t j = 0; j <= i; ++j)
      covariance(i, j) =
          squares.values[static_cast<std::size_t>(i * d + j)] / static_cast<double>(n);
  const DenseEigen axes = dense_eigen(covariance);
  Block coordinates(n, count);
  parallel_blocks(n, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end && !stops_at(r); ++r) {
      const std::vector<double> row = rows[r];
      for (std::int64_t a = 0; a < count; ++a) {
        double sum = 0.0;
        for (std::int64_t j = 0; j < d; ++j)
          sum += (row[static_cast<std::size_t>(j)] - mean[static_cast<std::size_t>(j)]) *
                 axes.vectors(j, d - 1 - a);
        coordinates(r, a) = sum;
      }
    }
  });
  if (stop()) return std::nullopt;
  for (std::int64_t a = 0; a < count; ++a) fix_sign(coordinates, a);
  return coordinates;
}

// The values of one axis between its outer quantiles.
struct Axis {
  std::vector<double> value;  // of each point, moved into [low, high]
  double low = 0.0;
  double high = 0.0;
};

Axis axis_of(const Block& coordinates, std::int64_t a) {
  Axis axis;
  for (std::int64_t r = 0; r < coordinates.rows(); ++r) axis.value.push_back(coordinates(r, a));
  std::vector<double> sorted = axis.value;
  const auto quantile = [&](double share) {
    const auto place = sorted.begin() +
                       static_cast<std::ptrdiff_t>(share * static_cast<double>(sorted.size() - 1));
    std::nth_element(sorted.begin(), place, sorted.end());
    return *place;
  };
  axis.low = quantile(outside);
  axis.high = quantile(1.0 - outside);
  for (double& v : axis.value) v = std::clamp(v, axis.low, axis.high);
  return axis;
}

// One eigenfunction of one axis, on the middles of its bins.
struct AxisFunction {
  double sigma = 0.0;
  std::int64_t axis = 0;
  std::vector<double> at_bin;
};

void add_functions(const Axis& axis, std::int64_t number, int bins, double epsilon,
                   std::vector<AxisFunction>& functions) {
  const double width = (axis.high - axis.low) / bins;
  if (!(width > 0.0)) return;
  const auto count = static_cast<std::size_t>(bins);
  std::vector<double> p(count, density_floor / bins);
  for (const double v : axis.value)
    p[std::min(count - 1, static_cast<std::size_t>((v - axis.low) / width))] +=
        1.0 / static_cast<double>(axis.value.size());
  std::vector<double> kernel(count);  // of two bins, by how far apart they are
  for (std::size_t i = 0; i < count; ++i) {
    const double distance = width / epsilon * static_cast<double>(i);
    kernel[i] = std::exp(-0.5 * distance * distance);
  }
  // D^{-1/2} (row sums of PWP - PWP) D^{-1/2} with D the diagonal of P(Wp).
  std::vector<double> root(count);
  Block m(bins, bins);
  for (std::size_t i = 0; i < count; ++i) {
    double around = 0.0;
    for (std::size_t j = 0; j < count; ++j) around += kernel[i > j ? i - j : j - i] * p[j];
    root[i] = 1.0 / std::sqrt(p[i] * around);
    m(static_cast<std::int64_t>(i), static_cast<std::int64_t>(i)) = p[i] * around;
  }
  for (int i = 0; i < bins; ++i)
    for (int j = 0; j < bins; ++j) {
      const auto r = static_cast<std::size_t>(i), c = static_cast<std::size_t>(j);
      m(i, j) = (m(i, j) - p[r] * kernel[r > c ? r - c : c - r] * p[c]) * root[r] * root[c];
    }
  const DenseEigen pairs = dense_eigen(m);
  for (int j = 1; j < bins; ++j) {  // the first is the constant
    const double sigma = pairs.values[static_cast<std::size_t>(j)];
    if (sigma <= constant_function * pairs.values.back()) continue;
    AxisFunction function{sigma, number, root};
    for (int i = 0; i < bins; ++i)
      function.at_bin[static_cast<std::size_t>(i)] *= pairs.vectors(i, j);
    functions.push_back(std::move(function));
  }
}

// Between the middles of two bins a straight line, beyond the outer ones their value.
double read_off(const std::vector<double>& at_bin, const Axis& axis, double value) {
  const auto bins = static_cast<double>(at_bin.size());
  const double place =
      std::clamp((value - axis.low) / (axis.high - axis.low) * bins - 0.5, 0.0, bins - 1.0);
  const auto below = std::min(static_cast<std::size_t>(place), at_bin.size() - 2);
  const double share = place - static_cast<double>(below);
  return (1.0 - share) * at_bin[below] + share * at_bin[below + 1];
}

// What labels are fitted in: functions at the points, the constant first, and their energies.
struct AxisBasis {
  Block functions;
  std::vector<double> energy;
  std::int64_t axes = 0;
};

AxisBasis constant_basis(std::int64_t n) {
  AxisBasis basis{Block(n, 1), {0.0}};
  for (std::int64_t r = 0; r < n; ++r) basis.functions(r, 0) = 1.0;
  return basis;
}

// The functions of least energy, each with mean square one at the points; nothing if the run was
// stopped.
std::optional<AxisBasis> smoothest_functions(const Points& points,
                                             const EigenfunctionOptions& options,
                                             const RunContext& run) {
  const std::int64_t n = points.rows();
  const auto stop = [&] { return run.should_stop(); };
  const std::optional<Block> coordinates =
      principal_coordinates(points, std::min<std::int64_t>(points.columns(), options.k), run);
  if (!coordinates) return std::nullopt;
  std::vector<Axis> axes;
  std::vector<AxisFunction> functions;
  for (std::int64_t a = 0; a < coordinates->columns(); ++a) {
    run.report_progress("eigenfunctions",
                        static_cast<double>(a) / static_cast<double>(coordinates->columns()));
    axes.push_back(axis_of(*coordinates, a));
    const double epsilon = options.scale * (axes[0].high - axes[0].low);
    if (stop()) return std::nullopt;
    if (epsilon > 0.0) add_functions(axes.back(), a, options.bins, epsilon, functions);
  }
  std::stable_sort(functions.begin(), functions.end(),
                   [](const AxisFunction& a, const AxisFunction& b) { return a.sigma < b.sigma; });
  if (functions.size() > static_cast<std::size_t>(options.k))
    functions.resize(static_cast<std::size_t>(options.k));
  AxisBasis basis{Block(n, std::ssize(functions) + 1), {0.0}, std::ssize(axes)};
  for (std::int64_t r = 0; r < n; ++r) basis.functions(r, 0) = 1.0;
  for (const AxisFunction& function : functions) {
    if (stop()) return std::nullopt;
    const Axis& axis = axes[static_cast<std::size_t>(function.axis)];
    const auto column = std::ssize(basis.energy);
    double squares = 0.0;
    for (std::int64_t r = 0; r < n; ++r) {
      const double g = read_off(function.at_bin, axis, axis.value[static_cast<std::size_t>(r)]);
      basis.functions(r, column) = g;
      squares += g * g;
    }
    const double scale = squares > 0.0 ? std::sqrt(static_cast<double>(n) / squares) : 0.0;
    for (std::int64_t r = 0; r < n; ++r) basis.functions(r, column) *= scale;
    basis.energy.push_back(function.sigma);
  }
  return basis;
}

const OptionBinding<EigenfunctionOptions>& eigenfunction_binding() {
  static const auto options =
      OptionBinding<EigenfunctionOptions>("eigenfunction")
          .integer(&EigenfunctionOptions::k, "k", {.low = 1, .high = 100'000},
                   "eigenfunctions beside the constant")
          .integer(&EigenfunctionOptions::bins, "bins", {.low = 3, .high = 2000},
                   "of the histogram of each axis")
          .real(&EigenfunctionOptions::scale, "scale", detail::positive,
                "width of the weights over the spread of the first axis")
          .real(&EigenfunctionOptions::weight, "weight", detail::positive,
                "of the given labels beside the energy");
  return options;
}

}  // namespace

// A program may ask for more than there are; the limit is of what is typed.
void EigenfunctionOptions::validate() const {
  EigenfunctionOptions typed = *this;
  typed.k = std::min(k, 100'000);
  eigenfunction_binding().validate(typed);
}

EigenfunctionLearner::EigenfunctionLearner(EigenfunctionOptions options) : options_(options) {
  options_.validate();
}

Fit EigenfunctionLearner::fit(const Points& points, const LabeledSet& labeled,
                              const RunContext& run) const {
  labeled.check_against(points.rows());
  if (labeled.is_regression())
    throw Error(ErrorCode::usage,
                "eigenfunction: real targets: this learner needs classes; use harmonic");
  if (points.columns() > most_columns)
    throw Error(ErrorCode::usage, "eigenfunction: points of " + std::to_string(points.columns()) +
                                      " columns: must be at most " + std::to_string(most_columns) +
                                      "; project them first");
  Report report;
  const Stopwatch setup;
  std::optional<AxisBasis> basis = smoothest_functions(points, options_, run);
  report.setup_seconds = setup.seconds();

  const Stopwatch solve;
  const std::vector<std::int64_t> rows(labeled.vertices().begin(), labeled.vertices().end());
  Block scores(points.rows(), labeled.class_count());
  const auto fit_in = [&](const AxisBasis& in, const std::function<bool()>& stop) {
    return detail::fit_in_basis(
        in.functions, in.energy, rows,
        std::vector<double>(rows.size(), options_.weight / static_cast<double>(rows.size())),
        labeled.target_block(), run.thread_count(), scores, {}, stop);
  };
  Ending& how = report;
  how.requested = how.used = "eigenfunctions";
  if (!basis || !fit_in(*basis, [&] { return run.should_stop(); })) {
    basis = constant_basis(points.rows());
    fit_in(*basis, {});
    how.outcome = run.stop_reason();
    how.sentence = "stopped: the constant function alone";
  } else {
    how.sentence = std::to_string(basis->energy.size() - 1) + " eigenfunctions on " +
                   std::to_string(basis->axes) + " principal axes";
  }
  report.solve_seconds = solve.seconds();
  report.certificates = {{"sigma", {basis->energy.begin() + 1, basis->energy.end()}}};
  return detail::finish_fit(std::move(scores), detail::vertex_status(points.rows(), labeled, {}),
                            labeled, detail::GivenLabels::soft, std::move(report));
}

LearnerEntry eigenfunction_entry() {
  LearnerEntry entry;
  entry.name = "eigenfunction";
  entry.summary = "labels from points without a graph, by functions on their principal axes";
  entry.reference =
      "R. Fergus, Y. Weiss, A. Torralba. Semi-supervised learning in gigantic image collections. "
      "NIPS 2009, 522-530";
  entry.options = eigenfunction_binding().table();
  entry.traits.keeps_given = false;
  entry.make_on_points = [](const OptionValues& values) {
    return std::make_unique<EigenfunctionLearner>(eigenfunction_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
