// gssl learners: what --method takes, from the same tables that parse it.

#include <memory>

#include "gssl/core/error.hpp"
#include "learner_page.hpp"
#include "session.hpp"

namespace gssl::tool {
namespace {

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
  const OptionTable options = entry.all_options();
  for (const OptionSpec& spec : options.specs()) {
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
      add_verb(app, "learners", "Learners, criteria and kernels, or one of them with its options.",
               {"gssl learners", "gssl learners harmonic", "gssl learners harmonic --format csv",
                "gssl learners gaussian"});
  const auto name = std::make_shared<std::string>();
  verb.add_option("NAME", *name, "learner, criterion or kernel to describe")->type_name("NAME");
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
        out.write(learner_page(*entry));
      }
    }
    out.commit();
    return 0;
  };
}

}  // namespace gssl::tool
