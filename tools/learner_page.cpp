#include "learner_page.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gssl::tool {
namespace {

std::string yes_no(bool value) { return value ? "yes" : "no"; }

// Columns are padded by characters a terminal shows, not by bytes: ranges hold "≥" and "∞".
std::size_t shown_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string padded(std::string text, std::size_t width) {
  text.append(width - std::min(width, shown_width(text)), ' ');
  return text;
}

}  // namespace

// "inductive, transductive"
std::string kinds_of(const LearnerEntry& entry) {
  std::string all;
  for (const LearnerKind kind : entry.kinds())
    all += (all.empty() ? "" : ", ") + std::string(to_string(kind));
  return all;
}

std::string spec_usage(const LearnerEntry& entry) {
  if (entry.is(LearnerKind::kernel)) return "kernel=" + entry.name + "(key=value,key=value)";
  const char* option = entry.is(LearnerKind::criterion) ? "--criterion " : "--method ";
  return option + entry.name + ":key=value,key=value";
}

std::string learner_page(const LearnerEntry& entry) {
  std::string text =
      fmt::format("{}: {}\nReference: {}\n", entry.name, entry.summary, entry.reference);
  text += fmt::format("Kind: {}.\n", kinds_of(entry));
  if (entry.learns())
    text += fmt::format("Classification: {}. Regression: {}. Same bytes at any thread count: {}.\n",
                        yes_no(entry.traits.classification), yes_no(entry.traits.regression),
                        yes_no(entry.traits.deterministic));
  const OptionTable options = entry.all_options();
  if (options.specs().empty()) return text + "No options.\n";
  std::size_t name_width = 6;
  std::size_t range_width = 5;
  std::size_t default_width = 7;
  for (const OptionSpec& spec : options.specs()) {
    name_width = std::max(name_width, shown_width(spec.name));
    range_width = std::max(range_width, shown_width(spec.range_text()));
    default_width = std::max(default_width, shown_width(spec.default_value));
  }
  const auto row = [&](const std::string& name, const std::string& range,
                       const std::string& default_value, const std::string& help) {
    text += fmt::format("  {}  {}  {}  {}\n", padded(name, name_width), padded(range, range_width),
                        padded(default_value, default_width), help);
  };
  text += fmt::format("Options, as {}\n", spec_usage(entry));
  row("option", "range", "default", "meaning");
  for (const OptionSpec& spec : options.specs()) {
    row(spec.name, spec.range_text(), spec.default_value, spec.help);
  }
  return text;
}

}  // namespace gssl::tool
