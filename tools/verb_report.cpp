// gssl report: stored results as a page to look at.

#include <fstream>
#include <iterator>
#include <memory>

#include "gssl/core/error.hpp"
#include "report_page.hpp"
#include "session.hpp"

namespace gssl::tool {

Verb add_report(CLI::App& app, CommonOptions& common) {
  CLI::App& verb =
      add_verb(app, "report", "A page to look at, from results that were stored as JSON.",
               {"gssl evaluate datasets/iris/edges.tsv datasets/iris/truth.tsv --results iris.json",
                "gssl report iris.json -o iris.html"});
  const auto path = std::make_shared<std::string>();
  verb.add_option("RESULTS", *path, "what --results of gssl evaluate wrote")
      ->required()
      ->type_name("FILE.json");
  verb.add_option("-o,--output", common.output, "write to FILE ('-': standard output)")
      ->type_name("FILE")
      ->capture_default_str()
      ->group("Output");
  add_run_options(verb, common);
  return [path](Session& session) {
    session.prepare({*path}, {session.options().output});
    session.check_inputs();
    OutputFile out(session.options().output);
    std::ifstream in(*path, std::ios::binary);
    const std::string stored{std::istreambuf_iterator<char>(in), {}};
    const Json results = Json::parse(stored, nullptr, false);
    if (results.is_discarded()) throw Error(ErrorCode::bad_data, *path + ": no JSON");
    const std::string page = report_page(results);
    if (!results.contains("comparisons") || !results["comparisons"].is_array())
      throw Error(ErrorCode::bad_data,
                  *path +
                      ": no comparisons, so nothing to show; write them with --results of gssl "
                      "evaluate");
    out.write(page);
    out.commit();
    return 0;
  };
}

}  // namespace gssl::tool
