#include "gssl/online/switching_kernel.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/option_binding.hpp"
#include "gssl/kernel/path_tree.hpp"
#include "gssl/learn/kernel.hpp"
#include "online/cell_exponential.hpp"
#include "online/counted_session.hpp"
#include "online/exponential_bound.hpp"
#include "online/linear_row.hpp"
#include "online/switching_kernel_look.hpp"

namespace gssl {

namespace {

const OptionBinding<SwitchingKernelOptions>& switching_kernel_binding() {
  static const auto options =
      OptionBinding<SwitchingKernelOptions>("switching-kernel")
          .text(&SwitchingKernelOptions::kernel, "kernel",
                "of features: gaussian(beta=1), linear, …")
          .integer(
              &SwitchingKernelOptions::tasks, "tasks", {.low = 1, .high = 1'000'000},
              "more than one: the first value of a row is the number of its task, from 0; names "
              "are for switching-multitask")
          .integer(&SwitchingKernelOptions::modes, "modes", {.low = 1, .high = 1'000'000},
                   "functions that the tasks choose from")
          .integer(&SwitchingKernelOptions::switches, "switches", {.low = 0},
                   "changes of all tasks together that are expected")
          .real(&SwitchingKernelOptions::norm, "norm",
                {.low = 0.0, .high = 1e100, .low_open = true},
                "sum of the squared norms of the modes")
          .flag(&SwitchingKernelOptions::conservative, "conservative",
                "update on mistakes only, and draw nothing at random")
          .integer(&SwitchingKernelOptions::horizon, "horizon", {.low = 0},
                   "trials to come; 0: the horizon of the run, or the lines of the file");
  return options;
}

[[noreturn]] void refuse_switching_kernel(const std::string& what) {
  throw Error(ErrorCode::usage, "switching-kernel: " + what);
}

// The constants of the theorem.
struct SwitchingKernelRates {
  double margin = 0.0;      // γ = 1/√modes
  double complexity = 0.0;  // C
  double lambda = 0.0;
  double eta = 0.0;
  double log_size = 0.0;  // ln 2T
  double log_start = 0.0;
};

SwitchingKernelRates switching_kernel_rates(const SwitchingKernelOptions& options,
                                            std::int64_t horizon) {
  const auto modes = static_cast<double>(options.modes);
  const auto trials = static_cast<double>(horizon);
  const auto depth =
      static_cast<double>(std::bit_width(static_cast<std::uint64_t>(horizon) - 1));  // ⌈log₂T⌉
  SwitchingKernelRates rates;
  rates.margin = 1.0 / std::sqrt(modes);
  rates.complexity =
      options.norm +
      2.0 * static_cast<double>(options.tasks + options.switches - 1) * modes * depth * depth +
      2.0 * modes * modes;
  rates.log_size = std::log(2.0 * trials);
  rates.lambda = rates.complexity / modes;
  rates.eta = options.conservative ? rates.margin
                                   : std::sqrt(rates.lambda * rates.log_size / (2.0 * trials));
  rates.log_start = std::log(rates.lambda) - rates.log_size;
  return rates;
}

class SwitchingKernelSession final : public detail::CountedSession {
 public:
  SwitchingKernelSession(const SwitchingKernelOptions& options, std::int64_t horizon,
                         std::int64_t width, const RunContext& run, const Record* record)
      : options_(options),
        horizon_(horizon),
        width_(width),
        rates_(switching_kernel_rates(options, horizon)),
        run_(run),
        kernel_(make_kernel("normalize(" + options.kernel + ")")),
        times_(options.tasks * horizon),
        next_time_(static_cast<std::size_t>(options.tasks), 0),
        w_(record == nullptr
               ? detail::CellExponential(rates_.log_start, products())
               : detail::CellExponential(rates_.log_start, products(), record->child("w"))) {
    if (record == nullptr) return;
    resume_counts(*record);
    next_time_ = record->long_integers("times");
    kept_ = record->points("kept");
    updates_ = record->integer("updates");
    if (record->has("width")) width_ = record->integer("width");
    const std::int64_t rows = record->has("rows") ? record->integer("rows") : 0;
    if (rows < 0 || rows > 2)
      throw Error(ErrorCode::bad_data, "switching-kernel: rows: must be 0, 1 or 2");
    rows_ = static_cast<Rows>(rows);
    if (std::ssize(next_time_) != options_.tasks || kept_.rows() != w_.dimension())
      throw Error(ErrorCode::bad_data, "switching-kernel: tasks or rows differ in number");
  }

  double predict(const Instance& instance) override {
    hold(instance);
    value_ =
        w_.look_at({task_ * horizon_ + next_time_[static_cast<std::size_t>(task_)], kept_.rows()});
    double threshold = 0.0;
    // The generator of the trial: a trial without outcome draws nothing that lasts.
    if (!options_.conservative)
      threshold =
          rates_.margin * (2.0 * run_.rng(static_cast<std::uint64_t>(trials())).uniform() - 1.0);
    return expect(value_ >= threshold ? 1.0 : 0.0);
  }

  double update(const Revealed& outcome) override {
    const int truth = detail::checked_class(outcome.value, 2);
    const double predicted = take();
    const double sign = truth == 1 ? 1.0 : -1.0;
    const bool learns = options_.conservative ? predicted != truth : sign * value_ <= rates_.margin;
    if (learns) {
      const std::int64_t before = w_.dimension();
      w_.add(sign * rates_.eta);
      if (w_.dimension() > before) keep();
      ++updates_;
    }
    ++next_time_[static_cast<std::size_t>(task_)];
    return count_class(predicted, truth);
  }

  OnlineReport report() const override {
    OnlineReport report = counted("mistakes");
    detail::prove_exponential(report, exponential_run(),
                              {"the function 0", 4.0, 0.5 * static_cast<double>(report.trials)});
    report.bound_in_expectation = !options_.conservative;
    report.certificates = {{"updates", {static_cast<double>(updates_)}},
                           {"dimension", {static_cast<double>(w_.dimension())}},
                           {"rate", {rates_.eta}},
                           {"complexity", {rates_.complexity}},
                           {"eigenpair_residual", {w_.eigen().residual()}}};
    if (!options_.conservative)
      report.certificates.push_back(
          {"regret_bound",
           {4.0 *
            std::sqrt(2.0 * rates_.complexity * static_cast<double>(horizon_) * rates_.log_size)}});
    return report;
  }

  std::unique_ptr<SecondLook> second_look() const override {
    return detail::switching_kernel_look(exponential_run(), kernel_, options_.tasks > 1, run_);
  }

  void save(Record& record) const override {
    save_counts(record);
    record.put("horizon", horizon_);
    record.put("width", width_);
    record.put("rows", static_cast<std::int64_t>(rows_));
    record.put("times", next_time_);
    record.put("kept", kept_);
    record.put("updates", updates_);
    Record w;
    w_.save(w);
    record.put("w", w);
  }

 private:
  // Of the space no more directions than times and rows are met, and one that all times share.
  detail::ExponentialRun exponential_run() const {
    return {.margin = rates_.margin,
            .rate = rates_.eta,
            .lambda = rates_.lambda,
            .size = 2.0 * static_cast<double>(horizon_),
            .dimension = 2.0 * static_cast<double>(trials()) + 1.0,
            .conservative = options_.conservative,
            .updates = updates_};
  }

  // Places are (time, number of the row kept); that of the trial that has begun is the next number.
  detail::CellExponential::Products products() {
    return [this](const detail::CellPlace& a, const detail::CellPlace& b) {
      const double alike = times_(a.row, b.row) / (2.0 * times_.largest());
      const std::int64_t last = kept_.rows();
      if (a.column == last && b.column == last) return alike + 0.5 * own_;
      return alike + 0.5 * products_(a.column == last ? b.column : a.column, 0);
    };
  }

  // The values of a row; a sparse one is as wide as the widest so far.
  std::vector<double> values_of(const Instance& instance) const {
    const std::int64_t before = kept_.columns() + (options_.tasks > 1 ? 1 : 0);
    // A row of zeros may come without entries.
    if (instance.values.empty())
      return std::vector<double>(static_cast<std::size_t>(std::max(before, width_)), 0.0);
    std::vector<double> none;
    detail::LinearRow checked;
    checked.set_width(width_);
    checked.hold("switching-kernel", instance, none);
    if (instance.columns.empty()) return {instance.values.begin(), instance.values.end()};
    std::vector<double> values(
        static_cast<std::size_t>(std::max<std::int64_t>(before, instance.columns.back() + 1)), 0.0);
    for (std::size_t i = 0; i < instance.columns.size(); ++i)
      values[static_cast<std::size_t>(instance.columns[i])] = instance.values[i];
    return values;
  }

  // Takes the task away.
  std::int64_t task_of(std::vector<double>& values) const {
    if (options_.tasks == 1) return 0;
    const double task = values.empty() ? -1.0 : values.front();
    if (!(task >= 0.0 && task < options_.tasks && task == std::floor(task)))
      throw Error(
          ErrorCode::bad_data,
          "switching-kernel: the first value of a row must be its task, an integer in 0 … " +
              std::to_string(options_.tasks - 1));
    values.erase(values.begin());
    return static_cast<std::int64_t>(task);
  }

  void hold(const Instance& instance) {
    Rows rows = rows_;
    if (!instance.values.empty()) rows = instance.columns.empty() ? Rows::dense : Rows::sparse;
    if (rows_ != Rows::unknown && rows != rows_)
      throw Error(ErrorCode::bad_data, rows == Rows::dense
                                           ? "switching-kernel: a dense row after sparse ones"
                                           : "switching-kernel: a sparse row after dense ones");
    std::vector<double> values = values_of(instance);
    const std::int64_t task = task_of(values);
    if (next_time_[static_cast<std::size_t>(task)] >= horizon_)
      throw Error(ErrorCode::bad_data,
                  "switching-kernel: more trials than the horizon, " + std::to_string(horizon_));
    // Rows kept are narrower after sparse ones, or where zeros without entries were all.
    const std::int64_t width = std::ssize(values);
    if (kept_.rows() > 0 && kept_.columns() > width)
      throw Error(ErrorCode::bad_data, "switching-kernel: " + std::to_string(width) +
                                           " features: there were " +
                                           std::to_string(kept_.columns()) + " before");
    if (kept_.rows() > 0 && kept_.columns() < width) widen(width);
    if (rows == Rows::dense && !instance.values.empty()) width_ = std::ssize(instance.values);
    rows_ = rows;
    task_ = task;
    row_ = Points::dense(1, width, std::move(values));
    own_ = kernel_->diagonal(row_, run_).front();
    products_ = kept_.rows() > 0 ? kernel_->block(kept_, row_, run_) : Block();
  }

  void widen(std::int64_t width) {
    std::vector<double> values(static_cast<std::size_t>(kept_.rows() * width), 0.0);
    for (VertexId r = 0; r < kept_.rows(); ++r)
      kept_.visit_row(r, [&](std::int64_t c, double x) {
        values[static_cast<std::size_t>(r * width + c)] = x;
      });
    kept_ = Points::dense(kept_.rows(), width, std::move(values));
  }

  void keep() {
    std::vector<double> values(kept_.doubles().begin(), kept_.doubles().end());
    values.insert(values.end(), row_.doubles().begin(), row_.doubles().end());
    kept_ = Points::dense(kept_.rows() + 1, row_.columns(), std::move(values));
  }

  enum class Rows { unknown, dense, sparse };  // unknown: no row had an entry

  SwitchingKernelOptions options_;
  std::int64_t horizon_;
  std::int64_t width_;  // of dense rows; 0: not known
  Rows rows_ = Rows::unknown;
  SwitchingKernelRates rates_;
  RunContext run_;
  std::shared_ptr<const Kernel> kernel_;
  PathTreeKernel times_;
  std::vector<std::int64_t> next_time_;  // of each task
  Points kept_;                          // rows that added a dimension, in their order
  // Of the trial that has begun.
  std::int64_t task_ = 0;
  Points row_;
  double own_ = 1.0;  // K(x, x): 1, or 0 where normalize() gives nothing
  Block products_;    // with the rows kept
  double value_ = 0.0;
  std::int64_t updates_ = 0;
  detail::CellExponential w_;
};

}  // namespace

void SwitchingKernelOptions::validate() const {
  switching_kernel_binding().validate(*this);
  make_kernel(kernel);
}

SwitchingKernelLearner::SwitchingKernelLearner(SwitchingKernelOptions options)
    : options_(std::move(options)) {
  options_.validate();
}

std::unique_ptr<OnlineSession> SwitchingKernelLearner::start(const OnlineSetting& setting,
                                                             const RunContext& run) const {
  detail::check_two_classes("switching-kernel", setting);
  const std::int64_t horizon = options_.horizon > 0 ? options_.horizon : setting.horizon;
  if (horizon < 1) refuse_switching_kernel("needs a horizon, the number of trials to come");
  return std::make_unique<SwitchingKernelSession>(options_, horizon, setting.width, run, nullptr);
}

std::unique_ptr<OnlineSession> SwitchingKernelLearner::resume(const OnlineSetting&,
                                                              const Record& record,
                                                              const RunContext& run) const {
  const std::int64_t horizon = record.integer("horizon");
  if (horizon < 1) throw Error(ErrorCode::bad_data, "switching-kernel: horizon: must be >= 1");
  return std::make_unique<SwitchingKernelSession>(options_, horizon, 0, run, &record);
}

LearnerEntry switching_kernel_entry() {
  LearnerEntry entry;
  entry.name = "switching-kernel";
  entry.summary =
      "tasks that change among a few functions of a kernel, and come back to them; time grows with "
      "the cube of the trials";
  entry.reference =
      "M. Herbster, S. Pasteris, L. Tse. Online multitask learning with long-term memory. NeurIPS "
      "2020";
  entry.options = switching_kernel_binding().table();
  entry.make_online = [](const OptionValues& values) {
    return std::make_unique<SwitchingKernelLearner>(switching_kernel_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
