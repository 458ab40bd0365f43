#include "stream_passes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "gssl/core/number_text.hpp"

namespace gssl::tool {
namespace {

constexpr std::int64_t most_passes_said = 100;

std::optional<double> updates_of(const OnlineReport& report) {
  for (const Certificate& certificate : report.certificates)
    if (certificate.name == "updates") return certificate.values.front();
  return std::nullopt;
}

}  // namespace

std::string PassCounts::text() const {
  std::string line =
      fmt::format("pass {}: {} mistakes", mistakes.size(), to_brief_text(mistakes.back()));
  if (!updates.empty()) line += fmt::format(", {} updates", to_brief_text(updates.back()));
  return line;
}

PassCounts run_passes(const OnlineVerbOptions& options, Session& session,
                      const TrialReadOptions& read, TrialLoop& loop) {
  PassCounts counts;
  // A session that goes on has counted before.
  double mistakes = 0.0, updates = 0.0;
  if (options.passes > 1 && loop.has_begun()) {
    const OnlineReport before = loop.report();
    mistakes = static_cast<double>(before.mistakes);
    updates = updates_of(before).value_or(0.0);
  }
  for (std::int64_t pass = 0; pass < options.passes; ++pass) {
    TrialReader reader(LineStream(options.stream, session.run), read);
    loop.pass(reader);
    if (session.run.should_stop() || options.passes == 1) break;
    const OnlineReport now = loop.report();
    counts.mistakes.push_back(static_cast<double>(now.mistakes) - mistakes);
    mistakes = static_cast<double>(now.mistakes);
    if (const auto all = updates_of(now)) {
      counts.updates.push_back(*all - updates);
      updates = *all;
    }
    if (pass < most_passes_said) session.say(counts.text());
    if (options.until_consistent && counts.mistakes.back() == 0.0) break;
  }
  return counts;
}

void look_again(Session& session, const OnlineVerbOptions& options, const TrialReadOptions& read,
                const PassCounts& counts, TrialLoop& loop) {
  if (session.run.should_stop() || !loop.has_begun()) return;
  const bool file = is_file(options.stream);
  if (!file || !options.resume.empty()) {
    if (loop.wants_second_look())
      session.say(
          file ? "the trials before --resume cannot be looked at again, as more of the bound needs"
               : "a stream that is no file cannot be looked at again, as more of the bound needs");
    return;
  }
  session.timed("solve", [&] {
    TrialReader reader(LineStream(options.stream, session.run), read);
    // Passes are counted where there is more than one.
    loop.look_again(reader, std::max<std::int64_t>(1, std::ssize(counts.mistakes)));
    return 0;
  });
}

}  // namespace gssl::tool
