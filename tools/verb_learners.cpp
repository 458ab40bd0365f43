// gssl learners: what --method takes, from the same tables that parse it.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "gssl/core/error.hpp"
#include "session.hpp"

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

// "inductive, transductive"
std::string kinds_of(const LearnerEntry& entry) {
  std::string all;
  for (const LearnerKind kind : entry.kinds())
    all += (all.empty() ? "" : ", ") + std::string(to_string(kind));
  return all;
}

std::string describe(const LearnerEntry& entry) {
  std::string text =
      fmt::format("{}: {}\nReference: {}\n", entry.name, entry.summary, entry.reference);
  text += fmt::format("Kind: {}.\n", kinds_of(entry));
  text += fmt::format("Classification: {}. Regression: {}. Same bytes at any thread count: {}.\n",
                      yes_no(entry.traits.classification), yes_no(entry.traits.regression),
                      yes_no(entry.traits.deterministic));
  if (entry.options.specs().empty()) return text + "No options.\n";
  std::size_t name_width = 6;
  std::size_t range_width = 5;
  std::size_t default_width = 7;
  for (const OptionSpec& spec : entry.options.specs()) {
    name_width = std::max(name_width, shown_width(spec.name));
    range_width = std::max(range_width, shown_width(spec.range_text()));
    default_width = std::max(default_width, shown_width(spec.default_value));
  }
  const auto row = [&](const std::string& name, const std::string& range,
                       const std::string& default_value, const std::string& help) {
    text += fmt::format("  {}  {}  {}  {}\n", padded(name, name_width), padded(range, range_width),
                        padded(default_value, default_width), help);
  };
  text += fmt::format("Options, as --method {}:key=value,key=value\n", entry.name);
  row("option", "range", "default", "meaning");
  for (const OptionSpec& spec : entry.options.specs()) {
    row(spec.name, spec.range_text(), spec.default_value, spec.help);
  }
  return text;
}

void write_all(OutputFile& out, TableFormat format, const LearnerRegistry& registry) {
  TableWriter table(out, format, {"name", "kind", "summary"});
  for (const auto& entry : registry.entries()) {
    table.text(entry->name);
    table.text(kinds_of(*entry));
    table.text(entry->summary);
    table.end_row();
  }
}

void write_options(OutputFile& out, TableFormat format, const LearnerEntry& entry) {
  TableWriter table(out, format, {"option", "range", "default", "meaning"});
  for (const OptionSpec& spec : entry.options.specs()) {
    table.text(spec.name);
    table.text(spec.range_text());
    table.text(spec.default_value);
    table.text(spec.help);
    table.end_row();
  }
}

}  // namespace

Verb add_learners(CLI::App& app, CommonOptions& common) {
  CLI::App& verb =
      add_verb(app, "learners", "The learners, or one of them with its options.",
               {"gssl learners", "gssl learners harmonic", "gssl learners harmonic --format csv"});
  const auto name = std::make_shared<std::string>();
  verb.add_option("NAME", *name, "learner to describe")->type_name("NAME");
  add_output_options(verb, common);
  const CLI::Option* format_option = verb.get_option("--format");
  add_run_options(verb, common);
  return [name, format_option](Session& session) {
    session.prepare({}, {session.options().output});
    OutputFile out(session.options().output);
    const TableFormat format = session.options().table_format();
    if (name->empty()) {
      write_all(out, format, session.registry);
    } else {
      const LearnerEntry* entry = session.registry.find(*name);
      if (entry == nullptr) {
        session.registry.make(*name);  // throws: the message lists near names
        throw Error(ErrorCode::usage, *name + ": give the name alone, without options");
      }
      if (format_option->count() > 0) {
        write_options(out, format, *entry);
      } else {
        out.write(describe(*entry));
      }
    }
    out.commit();
    return 0;
  };
}

}  // namespace gssl::tool
