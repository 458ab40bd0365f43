#include "refined_sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "linalg/block_kernels.hpp"

namespace gssl::solve {
namespace {

// How far beyond its goal a column may go while it waits for others.
constexpr double most_beyond = 1e-3;
// What is believed of a norm may be off by so much.
constexpr double safe_share = 0.85;
// A residual that is so many times what was believed has drifted: floats do not go that far here. A
// column that is not much nearer all the same has stalled, or drifts again, and so has one that has
// not come nearer where it believed to be done.
constexpr double most_apart = 2.0;
constexpr double least_nearer = 0.01;
constexpr double least_progress = 0.5;
// Directions go on with a true residual that is no further from the one believed, of its square.
constexpr double most_turned = 0.01;
// Nor is a column that takes so many stages for floats, or a share of columns that others left behind.
constexpr double most_stages = 8.0;
constexpr std::int64_t left_behind = 4;
// Of the digits that were gained when it drifted, so many are tried next.
constexpr double next_share = 0.7;
// Conjugate gradients may raise a residual for a while, but hardly by so much.
constexpr double most_growth = 100.0;
// Powers of two by which a residual is scaled at most.
constexpr int most_scaled = 400;

}  // namespace

RefinedSweeps::RefinedSweeps(const GroundedLaplacian& system, const FloatSplit& split,
                             const Block& b, Block& x, const std::vector<double>& targets,
                             std::vector<double>& error, std::int64_t first, std::int64_t width)
    : system_(system),
      split_(split),
      b_(b),
      x_out_(x),
      error_(error),
      first_(first),
      columns_(index(width)),
      x_(b.rows(), width),
      floats_(split.size()) {
  for (std::int64_t v = 0; v < rows(); ++v)
    for (std::int64_t k = 0; k < width; ++k) x_(v, k) = x(v, first + k);
  for (std::size_t k = 0; k < columns_.size(); ++k) columns_[k].target = targets[index(first) + k];
  std::vector<double> norms = measure_residuals();
  level(norms);
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    columns_[k].norm = columns_[k].measured = columns_[k].begun = norms[k];
    judge(k, norms[k]);
  }
  load_residuals();
}

bool RefinedSweeps::done() const {
  return std::ranges::none_of(columns_, [](const Column& c) { return c.at_work != 0.0; });
}

double RefinedSweeps::worst() const {
  double worst = 0.0;
  for (const Column& c : columns_)
    if (c.at_work != 0.0) worst = std::max(worst, c.norm / c.target);
  return worst;
}

void RefinedSweeps::append_coefficients(CgCoefficients& to) const {
  const auto c =
      std::ranges::find_if(columns_, [](const Column& one) { return one.at_work != 0.0; });
  to.alpha.push_back(c->alpha);
  to.beta.push_back(c->beta);
  to.residual.push_back(std::sqrt(c->rz) / c->scale);
}

LaneFactors RefinedSweeps::factors(double Column::*number) const {
  LaneFactors list{};
  for (std::size_t k = 0; k < columns_.size(); ++k)
    list[k] = static_cast<float>(columns_[k].*number);
  return list;
}

void RefinedSweeps::step(bool replace) {
  split_.move(factors(&Column::pending), factors(&Column::beta), floats_);
  const LaneSums pq = split_.multiply(floats_);
  bool broken = false;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    Column& c = columns_[k];
    c.alpha = c.at_work != 0.0 ? c.rz / pq[k] : 0.0;
    if (c.at_work == 0.0 || (pq[k] > 0.0 && std::isfinite(c.alpha))) continue;
    c.alpha = 0.0;
    broken = true;
  }
  for (Column& c : columns_) c.pending = c.alpha;
  const FloatSplit::Norms now = split_.reduce(factors(&Column::alpha), floats_);
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    Column& c = columns_[k];
    if (c.at_work == 0.0) continue;
    c.gains.push_back(std::ldexp(c.alpha * c.rz / (c.scale * c.scale), -split_.exponent()));
    c.beta = c.rz > 0.0 ? now.rz[k] / c.rz : 0.0;
    c.rz = now.rz[k];
    // Nothing that can be believed is left of a column that could not take a step.
    c.norm = c.alpha > 0.0 ? c.unit * std::sqrt(now.rr[k]) : 0.0;
  }
  if (replace || broken || is_due()) replace_residuals();
}

// Whether columns are to be measured: all have come as far as they should, or one further than
// floats go.
bool RefinedSweeps::is_due() const {
  bool all = true;
  for (const Column& c : columns_) {
    if (c.at_work == 0.0) continue;
    if (!std::isfinite(c.norm) || c.norm <= most_beyond * c.goal) return true;
    all = all && c.norm <= c.goal;
  }
  return all;
}

// Adds the steps of the floats, which begin at 0 again, to x.
void RefinedSweeps::add_steps() {
  float* steps = floats_.x();
  const float* p = floats_.p();
  const LaneFactors alpha = factors(&Column::pending);
  for (std::int64_t v = 0; v < rows(); ++v)
    for (std::int64_t k = 0; k < float_lanes; ++k)
      steps[v * float_lanes + k] += alpha[index(k)] * p[v * float_lanes + k];
  split_.backward(steps);
  std::vector<double> back;
  for (const Column& c : columns_) back.push_back(std::ldexp(1.0 / c.scale, -split_.exponent()));
  for (VertexId row = 0; row < split_.size(); ++row) {
    double* x = x_.row(split_.vertex(row)).data();
    float* own = steps + std::int64_t{row} * float_lanes;
    for (std::size_t k = 0; k < back.size(); ++k)
      if (std::isfinite(own[k])) x[k] += back[k] * double{own[k]};
    std::fill_n(own, float_lanes, 0.0F);
  }
  for (Column& c : columns_) c.pending = 0.0;
}

// b − Ax in doubles, where floats have their scratch; returns its norms.
std::vector<double> RefinedSweeps::measure_residuals() {
  const std::int64_t width = x_.columns();
  const bool is_zero = std::ranges::all_of(x_.values(), [](double one) { return one == 0.0; });
  double* residual = floats_.doubles();
  if (is_zero) std::fill_n(residual, rows() * width, 0.0);
  std::vector<double> norms;
  column_sums(rows(), width, 1, norms, [&](std::int64_t begin, std::int64_t end, double* sum) {
    if (!is_zero) system_.apply_rows(x_.data(), residual, width, begin, end);
    for (std::int64_t v = begin; v < end; ++v) {
      double* r = residual + v * width;
      const double* b = b_.row(v).data() + first_;
      for (std::int64_t k = 0; k < width; ++k) {
        r[k] = b[k] - r[k];
        sum[k] += r[k] * r[k];
      }
    }
  });
  for (double& norm : norms) norm = std::sqrt(norm);
  return norms;
}

// To doubles.
void RefinedSweeps::leave(std::size_t k) {
  stalled_.push_back(first_ + static_cast<std::int64_t>(k));
  columns_[k].at_work = 0.0;
}

// Of a column: whether it is done, has stalled, or goes on and how far.
void RefinedSweeps::judge(std::size_t k, double norm) {
  Column& c = columns_[k];
  const double nearer = norm / std::exchange(c.measured, norm);
  const double believed = std::exchange(c.norm, norm);
  if (norm <= c.target) {
    c.at_work = 0.0;
    return;
  }
  const bool drifted = !(norm <= most_apart * believed);
  const bool claimed = believed <= safe_share * c.target;
  if (!(nearer <= most_growth) || (drifted && (c.drifted != 0.0 || nearer > least_nearer)) ||
      (claimed && nearer > least_progress) || ++c.stages > most_stages) {
    leave(k);
    return;
  }
  if (drifted) {
    c.drifted = 1.0;
    c.digits = -next_share * std::log10(nearer);
    c.rz = 0.0;
  }
  const double digits = std::log10(norm / (safe_share * c.target));
  c.goal = norm * std::pow(10.0, -digits / std::ceil(digits / c.digits));
}

// Lifts each component to the height at which no current is left over in all, unless that raises
// the residual: where the ground is weak, floats lose much of that height in their products.
void RefinedSweeps::level(std::vector<double>& norms) {
  const std::vector<VertexId>& component = system_.components().of;
  const std::vector<double>& ground = system_.ground();
  const std::size_t width = columns_.size();
  const auto count = index(system_.components().count);
  std::vector<double> grounds(count, 0.0), squares(count, 0.0);
  std::vector<double> lift(count * width, 0.0), products(count * width, 0.0);
  double* residual = floats_.doubles();
  for (std::size_t v = 0; v < ground.size(); ++v) {
    const auto c = index(component[v]);
    grounds[c] += ground[v];
    squares[c] += ground[v] * ground[v];
    for (std::size_t k = 0; k < width; ++k) {
      lift[c * width + k] += residual[v * width + k];
      products[c * width + k] += ground[v] * residual[v * width + k];
    }
  }
  std::vector<double> change(width, 0.0);
  for (std::size_t i = 0; i < lift.size(); ++i) {
    const std::size_t c = i / width;
    lift[i] = grounds[c] > 0.0 ? lift[i] / grounds[c] : 0.0;
    change[i % width] += lift[i] * (lift[i] * squares[c] - 2.0 * products[i]);
  }
  for (std::size_t k = 0; k < width; ++k) {
    const double square = norms[k] * norms[k] + change[k];
    if (columns_[k].at_work == 0.0 || !(change[k] <= 0.0 && square > 0.0)) {
      for (std::size_t c = 0; c < count; ++c) lift[c * width + k] = 0.0;
    } else {
      norms[k] = std::sqrt(square);
    }
  }
  double* x = x_.data();
  for (std::size_t v = 0; v < ground.size(); ++v)
    for (std::size_t k = 0; k < width; ++k) {
      const double by = lift[index(component[v]) * width + k];
      x[v * width + k] += by;
      residual[v * width + k] -= by * ground[v];
    }
}

// Measures all columns and takes their true residuals into the floats.
void RefinedSweeps::replace_residuals() {
  add_steps();
  std::vector<double> norms = measure_residuals();
  level(norms);
  for (std::size_t k = 0; k < columns_.size(); ++k)
    if (columns_[k].at_work != 0.0) judge(k, norms[k]);
  const auto left =
      std::ranges::count_if(columns_, [](const Column& c) { return c.at_work != 0.0; });
  if (left_behind * left <= std::ssize(columns_)) leave_all();
  load_residuals();
}

// The floats' r, each column of it around 1, and what the last directions are to be multiplied by.
void RefinedSweeps::load_residuals() {
  LaneFactors change{};
  std::vector<double> scale;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    Column& c = columns_[k];
    const bool works = c.at_work != 0.0;
    const int exponent = works ? std::clamp(std::ilogb(c.norm), -most_scaled, most_scaled) : 0;
    const double old_scale = std::exchange(c.scale, std::ldexp(1.0, -exponent));
    scale.push_back(works ? c.scale : 0.0);
    change[k] = static_cast<float>(c.scale / old_scale);
  }
  const std::int64_t length = rows() * float_lanes;
  const double* residual = floats_.doubles();
  float* to = floats_.r();
  std::copy_n(to, length, floats_.x());
  for (VertexId row = 0; row < split_.size(); ++row) {
    const double* r = residual + std::int64_t{split_.vertex(row)} * x_.columns();
    for (std::size_t k = 0; k < scale.size(); ++k)
      to[std::int64_t{row} * float_lanes + static_cast<std::int64_t>(k)] =
          static_cast<float>(scale[k] * r[k]);
  }
  std::fill_n(floats_.q(), length, 0.0F);
  split_.forward(to);
  const FloatSplit::Norms now = split_.reduce({}, floats_);
  LaneSums apart{};
  const float* before = floats_.x();
  for (std::int64_t i = 0; i < length; i += float_lanes)
    for (std::size_t k = 0; k < float_lanes; ++k) {
      const float by = to[i + static_cast<std::int64_t>(k)] -
                       change[k] * before[i + static_cast<std::int64_t>(k)];
      apart[k] += double{by * by};
    }
  std::fill_n(floats_.x(), length, 0.0F);
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    Column& c = columns_[k];
    const bool keeps = c.rz > 0.0 && c.at_work != 0.0 && apart[k] <= most_turned * now.rr[k];
    c.unit = c.norm / std::sqrt(now.rr[k]);
    c.beta = keeps ? c.beta * (now.rz[k] / c.rz) / double{change[k]} : 0.0;
    c.rz = now.rz[k];
  }
}

void RefinedSweeps::leave_all() {
  for (std::size_t k = 0; k < columns_.size(); ++k)
    if (columns_[k].at_work != 0.0) leave(k);
}

void RefinedSweeps::give_up() {
  add_steps();
  leave_all();
}

void RefinedSweeps::flush() {
  if (!done()) add_steps();
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const std::int64_t j = first_ + static_cast<std::int64_t>(k);
    error_[index(j)] = estimated_error(columns_[k].gains);
    if (!(columns_[k].measured <= columns_[k].begun)) continue;
    for (std::int64_t v = 0; v < rows(); ++v) x_out_(v, j) = x_(v, static_cast<std::int64_t>(k));
  }
}

ColumnNumbers<RefinedSweeps::Column> RefinedSweeps::numbers() {
  return {
      {"target", &Column::target},   {"goal", &Column::goal},         {"scale", &Column::scale},
      {"unit", &Column::unit},       {"norm", &Column::norm},         {"rz", &Column::rz},
      {"alpha", &Column::alpha},     {"beta", &Column::beta},         {"pending", &Column::pending},
      {"digits", &Column::digits},   {"drifted", &Column::drifted},   {"stages", &Column::stages},
      {"at_work", &Column::at_work}, {"measured", &Column::measured}, {"begun", &Column::begun}};
}

Record RefinedSweeps::state() const {
  Record record;
  record.put("refined", x_);
  const std::span<const float> floats = floats_.kept();
  record.put("floats", std::vector<float>(floats.begin(), floats.end()));
  put_columns(record, columns_, numbers());
  record.put("stalled", std::vector<std::int64_t>(stalled_));
  return record;
}

void RefinedSweeps::put_back(const Record& record) {
  Block refined = record.block("refined");
  const std::vector<float>& floats = record.floats("floats");
  const std::span<float> to = floats_.kept();
  if (refined.rows() != x_.rows() || refined.columns() != x_.columns() ||
      floats.size() != to.size())
    throw Error(ErrorCode::bad_data, "record: refined: of another size");
  x_ = std::move(refined);
  std::ranges::copy(floats, to.begin());
  take_columns(record, columns_, numbers());
  stalled_ = record.long_integers("stalled");
}

}  // namespace gssl::solve
