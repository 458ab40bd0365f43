#include "gssl/learn/fit_record.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "gssl/core/error.hpp"

namespace gssl {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

std::optional<double> maybe(double value) {
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

// A number of a record that stands for one of `count` things.
std::int64_t one_of(std::int64_t number, std::int64_t count, const char* what) {
  if (number < 0 || number >= count)
    throw Error(ErrorCode::bad_data, std::string("record: ") + what + ": out of range");
  return number;
}

}  // namespace

void put_report(const std::string& name, const SolveReport& report, Record& record) {
  record.put(name + "/outcome", static_cast<std::int64_t>(report.outcome));
  record.put(name + "/iterations", report.iterations);
  record.put(name + "/numbers",
             std::vector<double>{report.relative_residual.value_or(none),
                                 report.error_estimate.value_or(none), report.inconsistency});
  record.put(name + "/requested", std::string_view(report.requested));
  record.put(name + "/used", std::string_view(report.used));
  record.put(name + "/sentence", std::string_view(report.sentence));
}

SolveReport report_from(const std::string& name, const Record& record) {
  const auto outcomes = static_cast<std::int64_t>(Outcome::breakdown) + 1;
  const std::vector<double>& numbers = record.reals(name + "/numbers", 3);
  SolveReport report;
  report.outcome =
      static_cast<Outcome>(one_of(record.integer(name + "/outcome"), outcomes, "outcome"));
  report.iterations = record.integer(name + "/iterations");
  report.relative_residual = maybe(numbers[0]);
  report.error_estimate = maybe(numbers[1]);
  report.inconsistency = numbers[2];
  report.requested = record.text(name + "/requested");
  report.used = record.text(name + "/used");
  report.sentence = record.text(name + "/sentence");
  return report;
}

Record to_record(const Fit& fit) {
  Record record;
  record.put("scores", fit.scores.values);
  std::vector<std::int32_t> status;
  status.reserve(fit.scores.status.size());
  for (const VertexStatus one : fit.scores.status) status.push_back(static_cast<std::int32_t>(one));
  record.put("status", std::move(status));
  record.put("decision", std::vector<std::int32_t>(fit.decision.begin(), fit.decision.end()));
  record.put("confidence", std::vector<double>(fit.confidence));
  record.put("class_names", fit.class_names);
  put_report("solver", solve_report(fit.report), record);
  record.put("seconds", std::vector<double>{fit.report.setup_seconds, fit.report.solve_seconds});
  record.put("score_error", fit.report.score_error.value_or(none));
  record.put("warnings", fit.report.warnings);
  std::vector<std::string> names;
  for (const Certificate& certificate : fit.report.certificates) {
    record.put("certificate " + std::to_string(names.size()),
               std::vector<double>(certificate.values));
    names.push_back(certificate.name);
  }
  record.put("certificates", names);
  return record;
}

Fit fit_from(Record record) {
  Fit fit;
  fit.scores.values = record.take_block("scores");
  constexpr auto statuses = static_cast<std::int64_t>(VertexStatus::unfinished) + 1;
  for (const std::int32_t one : record.integers("status"))
    fit.scores.status.push_back(static_cast<VertexStatus>(one_of(one, statuses, "status")));
  const auto n = std::ssize(fit.scores.status);
  fit.class_names = record.texts("class_names");
  for (const std::int32_t one : record.integers("decision", n))
    fit.decision.push_back(
        static_cast<int>(one_of(one + 1, std::ssize(fit.class_names) + 1, "decision")) - 1);
  fit.confidence = record.reals("confidence", n);
  if (fit.scores.values.rows() != 0 && fit.scores.values.rows() != n)
    throw Error(ErrorCode::bad_data, "record: scores: must have a row for each vertex");
  take_solve(fit.report, report_from("solver", record));
  const std::vector<double>& seconds = record.reals("seconds", 2);
  fit.report.setup_seconds = seconds[0];
  fit.report.solve_seconds = seconds[1];
  fit.report.score_error = maybe(record.real("score_error"));
  fit.report.warnings = record.texts("warnings");
  for (const std::string& name : record.texts("certificates"))
    fit.report.certificates.push_back(
        {name, record.reals("certificate " + std::to_string(fit.report.certificates.size()))});
  return fit;
}

}  // namespace gssl
