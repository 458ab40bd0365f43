// gssl kernel: columns, or the diagonal, of a kernel matrix of a graph.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "estimate.hpp"
#include "graph_input.hpp"
#include "gssl/core/error.hpp"
#include "gssl/network/graph_kernel.hpp"
#include "session.hpp"

namespace gssl::tool {
namespace {

struct KernelCommand {
  std::string graph;
  std::string method = "pseudoinverse";
  std::vector<std::string> nodes;
  bool diagonal = false;
};

// node, then one column for each name in `columns`.
void write_rows(Session& session, OutputFile& out, const VertexNames& names,
                const std::vector<std::string>& columns, const Block& values) {
  std::vector<std::string> header{"node"};
  header.insert(header.end(), columns.begin(), columns.end());
  TableWriter table(out, session.options().table_format(), std::move(header));
  for (VertexId v = 0; v < values.rows(); ++v) {
    if (v % 65536 == 0) session.check_cancelled();
    table.text(names.name(v));
    for (const double value : values.row(v)) table.number(value);
    table.end_row();
  }
}

int kernel(Session& session, const KernelCommand& command) {
  session.prepare({command.graph}, {session.options().output});
  if (command.diagonal != command.nodes.empty()) {
    throw Error(ErrorCode::usage, command.diagonal
                                      ? "--diagonal is of all vertices: leave --node out"
                                      : "give --node, or --diagonal");
  }
  const GraphKernelOptions options = parse_kernel(command.method);
  OutputFile out(session.options().output);
  const GraphFile file = read_graph_file(session, command.graph);
  session.summary.set("method", command.method);
  const std::vector<VertexId> vertices = vertices_named(file, command.nodes, "--node");

  const double columns = command.diagonal ? 1.0 : static_cast<double>(vertices.size());
  if (const auto status = estimated(session, file.graph, column_work(file.graph, columns)))
    return *status;
  const GraphKernel made = session.timed("setup", [&] {
    return GraphKernel({std::shared_ptr<const Graph>(), &file.graph}, options, session.run);
  });
  if (options.kind == KernelKind::von_neumann) session.summary.set("alpha", made.options().alpha);
  if (options.kind == KernelKind::walk) session.summary.set("shift", made.options().shift);
  KernelProduct answer;
  if (command.diagonal) {
    const std::optional<std::vector<double>> found =
        session.timed("solve", [&] { return made.diagonal(session.run); });
    session.check_cancelled();
    if (!found)
      throw Error(ErrorCode::usage,
                  fmt::format("--diagonal: of {} is not available: give --node", command.method));
    if (found->empty() && file.graph.vertex_count() > 0)
      answer.report.solver.outcome = Outcome::time_limit;
    answer.report.solver.sentence = "diagonal by one factorization";
    answer.values = Block(static_cast<std::int64_t>(found->size()), 1);
    std::copy(found->begin(), found->end(), answer.values.data());
  } else {
    answer = made.columns(vertices, session.run);
    session.record_report(answer.report);
  }
  session.check_cancelled();
  session.timed("write", [&] {
    write_rows(session, out, file.names,
               command.diagonal ? std::vector<std::string>{"diagonal"} : command.nodes,
               answer.values);
    out.commit();
  });
  session.say("kernel: " + answer.report.solver.sentence);
  session.say_time();
  if (answer.report.converged()) return 0;
  session.warn(fmt::format("stopped before tolerance ({}): what was written is not final",
                           to_string(answer.report.solver.outcome)));
  return 1;
}

// The kernels and the keys of each, for the help.
std::string spec_text() {
  std::string text = "NAME[:key=value,…]:";
  for (const std::string& name : kernel_names()) {
    text += fmt::format("{} {}", text.back() == ':' ? "" : ";", name);
    std::string keys;
    const OptionTable options = kernel_options(parse_kernel(name).kind);
    for (const OptionSpec& spec : options.specs()) keys += (keys.empty() ? "" : ", ") + spec.name;
    text += " (" + keys + ")";
  }
  return text;
}

}  // namespace

Verb add_kernel(CLI::App& app, CommonOptions& common) {
  CLI::App& verb = add_verb(
      app, "kernel", "Columns of a kernel of a graph: how alike it finds vertices.",
      {"gssl kernel datasets/lesmis/lesmis.graph --node 12 --node 27",
       "gssl kernel datasets/digits/edges.tsv --method diffusion:time=0.5,normalized --node 17",
       "gssl kernel datasets/iris/edges.tsv --method regularized:epsilon=0.1 --diagonal"});
  const auto command = std::make_shared<KernelCommand>();
  verb.add_option("GRAPH", command->graph, "graph file ('-': standard input)")
      ->required()
      ->type_name("FILE");
  verb.add_option("--node", command->nodes, "the column of this vertex; repeatable")
      ->type_name("ID")
      ->allow_extra_args(false);
  verb.add_flag("--diagonal", command->diagonal,
                "the diagonal: of regularized, von-neumann and the plain pseudoinverse");
  verb.add_option("--method", command->method, spec_text())
      ->type_name("SPEC")
      ->capture_default_str();
  add_graph_options(verb, common);
  add_output_options(verb, common);
  add_time_limit(verb, common);
  add_estimate(verb, common);
  add_run_options(verb, common);
  return [command](Session& session) { return kernel(session, *command); };
}

}  // namespace gssl::tool
