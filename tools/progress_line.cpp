#include "progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace gssl::tool {
namespace {

constexpr double interval = 0.1;  // seconds between two lines

// Of the lines a terminal shows, only a short one is sure not to wrap.
constexpr std::size_t longest_stage = 40;
constexpr std::size_t longest_line = 78;

// Earlier than that nobody can say how long a stage takes.
constexpr double first_seconds = 1.0;
constexpr double first_share = 0.02;

std::string duration(double seconds) {
  if (seconds < 99.5) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5970.0) return fmt::format("{:.0f} min", seconds / 60.0);
  return fmt::format("{:.1f} h", seconds / 3600.0);
}

}  // namespace

void StageShare::tell(std::string_view stage, double fraction, double seconds) {
  stage = stage.substr(0, longest_stage);
  const double now = std::min(fraction, 1.0);
  const std::size_t comma = std::min(stage.find(','), stage.size());
  detail_ = stage.substr(comma);
  stage = stage.substr(0, comma);
  if (stage != stage_ || (now >= 0.0 && now < 0.5 * share_)) {
    stage_ = stage;
    share_ = -1.0;
    begun_ = seconds;
  }
  share_ = std::max(share_, now);
}

std::string StageShare::text(double seconds) const {
  std::string text = stage_;
  if (share_ >= 0.0) text += fmt::format(" {:.0f}%", std::floor(100.0 * share_));
  text += ", " + duration(seconds);
  const double so_far = seconds - begun_;
  if (share_ >= first_share && share_ < 1.0 && so_far >= first_seconds)
    text += ", " + duration(so_far * (1.0 - share_) / share_) + " left";
  return text + detail_;
}

ProgressLine::ProgressLine(bool wanted) : enabled_(wanted && isatty(STDERR_FILENO) == 1) {
  const char* no_color = std::getenv("NO_COLOR");
  color_ = no_color == nullptr || *no_color == '\0';
}

RunContext::ProgressSink ProgressLine::sink() {
  if (!enabled_) return {};
  return [this](std::string_view stage, double fraction) { show(stage, fraction); };
}

void ProgressLine::show(std::string_view stage, double fraction) {
  const double now = watch_.seconds();
  share_.tell(stage, fraction, now);
  if (now < next_) return;
  next_ = now + interval;
  const std::string text = share_.text(now);
  const std::string line = color_ ? fmt::format("\r\x1b[K\x1b[2m{}\x1b[0m", text)
                                  : fmt::format("\r{:<{}}", text, longest_line);
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::clear() {
  if (!shown_) return;
  std::fputs(color_ ? "\r\x1b[K" : fmt::format("\r{:<{}}\r", "", longest_line).c_str(), stderr);
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace gssl::tool
