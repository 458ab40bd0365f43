// gssl help: what --help prints, of the command or of one of its verbs.

#include <algorithm>
#include <memory>

#include "gssl/core/error.hpp"
#include "gssl/core/suggestion.hpp"
#include "gssl/io/output_file.hpp"
#include "help_text.hpp"
#include "session.hpp"

namespace gssl::tool {

Verb add_help(CLI::App& app, CommonOptions& common) {
  CLI::App& verb = add_verb(app, "help", "What a verb does and which options it takes.",
                            {"gssl help", "gssl help label"});
  const auto name = std::make_shared<std::string>();
  verb.add_option("VERB", *name, "verb to describe (default: lists them)")->type_name("VERB");
  verb.add_option("-o,--output", common.output, "write to FILE ('-': standard output)")
      ->type_name("FILE")
      ->capture_default_str()
      ->group("Output");
  return [name, &app](Session& session) {
    const std::vector<std::string> verbs = verb_names(app);
    if (!name->empty() && std::ranges::find(verbs, *name) == verbs.end())
      throw Error(ErrorCode::usage, "no verb '" + *name + "': " + suggestion(*name, verbs));
    session.prepare({}, {session.options().output});
    OutputFile out(session.options().output);
    out.write(name->empty() ? help_of(app) : help_of(app, *app.get_subcommand(*name)));
    out.commit();
    return 0;
  };
}

}  // namespace gssl::tool
