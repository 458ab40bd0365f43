#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace gssl::tool {
namespace {

constexpr std::chrono::milliseconds interval{100};

// Of the lines a terminal shows, only a short one is sure not to wrap.
constexpr std::size_t longest_stage = 60;

}  // namespace

ProgressLine::ProgressLine(bool wanted)
    : enabled_(wanted && isatty(STDERR_FILENO) == 1), next_(std::chrono::steady_clock::now()) {
  const char* no_color = std::getenv("NO_COLOR");
  color_ = no_color == nullptr || *no_color == '\0';
}

RunContext::ProgressSink ProgressLine::sink() {
  if (!enabled_) return {};
  return [this](std::string_view stage, double fraction) { show(stage, fraction); };
}

void ProgressLine::show(std::string_view stage, double fraction) {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + interval;
  std::string text(stage.substr(0, longest_stage));
  if (fraction >= 0.0) text += fmt::format(" {:3.0f}%", 100.0 * std::min(fraction, 1.0));
  const std::string line = color_ ? fmt::format("\r\x1b[K\x1b[2m{}\x1b[0m", text)
                                  : fmt::format("\r{:<{}}", text, longest_stage + 5);
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::clear() {
  if (!shown_) return;
  std::fputs(color_ ? "\r\x1b[K" : fmt::format("\r{:<{}}\r", "", longest_stage + 5).c_str(),
             stderr);
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace gssl::tool
