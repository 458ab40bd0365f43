#include "evaluation_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gssl::tool {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

// Empty where there is no number, as the interval of one pair has no ends.
void number_cell(TableWriter& table, double value) {
  if (!std::isfinite(value))
    table.text("");
  else
    table.number(value);
}

// The measure, and how sure it is.
std::string measured_text(const Comparison& c, bool real) {
  const bool spread = !std::isnan(c.value.sd);
  if (real)
    return fmt::format("rmse {:.6g}", c.value.mean) +
           (spread ? fmt::format(" ± {:.2g}", c.value.sd) : "");
  std::string share = fmt::format("{:6.2f}%", 100.0 * c.value.mean);
  if (spread) return share + fmt::format(" ± {:.2f}", 100.0 * c.value.sd);
  if (std::isnan(c.mean_interval.low)) return share;
  return share + fmt::format(" ({:.2f} to {:.2f})", 100.0 * c.mean_interval.low,
                             100.0 * c.mean_interval.high);
}

// Whether a method of the group left rows without an answer.
bool has_gaps(const std::vector<Comparison>& all, const std::string& group) {
  return std::ranges::any_of(
      all, [&](const Comparison& c) { return c.group == group && c.unanswered > 0; });
}

std::string common_text(const CommonRows& common, bool real) {
  if (common.rows == 0) return ", no row that the best answers, too";
  if (real)
    return fmt::format(", {:.6g} against {:.6g} on the {} rows that the best answers, too",
                       common.value, common.best, common.rows);
  return fmt::format(", {:.2f}% against {:.2f}% on the {} rows that the best answers, too",
                     100.0 * common.value, 100.0 * common.best, common.rows);
}

std::string verdict_text(const Comparison& c) {
  switch (c.verdict) {
    case Verdict::best:
      return c.against_second ? fmt::format("best (against the second: p = {:.2g}, binomial)",
                                            c.against_second->p_value)
                              : "best";
    case Verdict::same:
      return fmt::format("not distinguishable from the best (p = {:.2g})", c.p_adjusted);
    case Verdict::worse: return fmt::format("worse (p = {:.2g})", c.p_adjusted);
    case Verdict::unknown: return "too few trials to tell";
    case Verdict::failed: return "";
  }
  return "";
}

}  // namespace

void write_comparisons(OutputFile& out, TableFormat format, const std::vector<Comparison>& all,
                       const std::vector<std::string>& names, const EvaluateOptions& options) {
  const std::string measure = options.regression ? "rmse" : "accuracy";
  std::vector<std::string> columns = {
      "method", "labels",  "trials",    measure, "sd",      "difference", "low",        "high",
      "p",      "verdict", "unreached", "tied",  "seconds", "chosen",     "unanswered", "common"};
  const bool clusters =
      std::ranges::any_of(all, [](const Comparison& c) { return c.nmi.has_value(); });
  if (clusters) columns.insert(columns.end(), {"nmi", "ari", "cut", "modularity"});
  if (options.memory) columns.emplace_back("memory");
  TableWriter table(out, format, columns);
  for (const Comparison& c : all) {
    table.text(names[static_cast<std::size_t>(c.method)]);
    table.text(c.group);
    table.integer(c.trials);
    number_cell(table, c.value.mean);
    number_cell(table, c.value.sd);
    number_cell(table, c.test ? c.test->difference : nothing);
    number_cell(table, c.test ? c.test->low : nothing);
    number_cell(table, c.test ? c.test->high : nothing);
    number_cell(table, c.test && c.verdict != Verdict::unknown ? c.p_adjusted : nothing);
    table.text(to_string(c.verdict));
    table.integer(c.unreached);
    table.integer(c.tied);
    number_cell(table, c.seconds.mean);
    table.text(c.chosen);
    table.integer(c.unanswered);
    if (c.common)
      table.integer(c.common->rows);
    else
      table.text("");
    if (clusters) {
      number_cell(table, c.nmi.value_or(nothing));
      number_cell(table, c.ari.value_or(nothing));
      number_cell(table, c.cut.value_or(nothing));
      number_cell(table, c.modularity.value_or(nothing));
    }
    if (options.memory) table.integer(c.memory);
    table.end_row();
  }
}

// The same for a person, best first.
void say_table(Session& session, std::vector<Comparison> all, const std::vector<std::string>& names,
               const EvaluateOptions& options) {
  const bool real = options.regression;
  std::stable_sort(all.begin(), all.end(), [&](const Comparison& a, const Comparison& b) {
    if (a.group != b.group) return false;
    if (a.trials == 0 || b.trials == 0) return a.trials > b.trials;
    if (a.verdict == Verdict::best || b.verdict == Verdict::best) return b.verdict != Verdict::best;
    return real ? a.value.mean < b.value.mean : a.value.mean > b.value.mean;
  });
  for (const Comparison& c : all) {
    const std::string& name = names[static_cast<std::size_t>(c.method)];
    if (c.verdict == Verdict::failed) {
      session.say(fmt::format("{:>6}  {}: no result, all {} trials failed: {}", c.group, name,
                              c.failed, c.error));
      continue;
    }
    const std::string measured = measured_text(c, real);
    std::string more;
    if (c.unanswered > 0) more += fmt::format(", {} rows without an answer", c.unanswered);
    if (c.common && has_gaps(all, c.group)) more += common_text(*c.common, real);
    if (c.failed > 0)
      more += fmt::format(", {} of {} trials failed", c.failed, c.trials + c.failed);
    if (c.nmi)
      more += fmt::format(", NMI {:.3f}, ARI {:.3f}, cut {:.4g}, modularity {:.3f}", *c.nmi,
                          c.ari.value_or(nothing), c.cut.value_or(nothing),
                          c.modularity.value_or(nothing));
    if (c.memory >= 0) more += fmt::format(", {:.1f} MB", 1e-6 * static_cast<double>(c.memory));
    session.say(fmt::format("{:>6}  {}  {}  {:.3g} s{}: {}", c.group, measured, name,
                            c.seconds.mean, more, verdict_text(c)));
  }
}

}  // namespace gssl::tool
