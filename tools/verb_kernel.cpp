// gssl kernel: columns, or the diagonal, of a kernel matrix of a graph.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

#include "estimate.hpp"
#include "graph_input.hpp"
#include "gssl/core/error.hpp"
#include "gssl/kernel/graph_expression.hpp"
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

// A kernel with its options behind a colon, or an expression with them in brackets.
bool is_single(const std::string& method) {
  return method.find(':') < method.find('(') || method.find_first_of("()+*^") == std::string::npos;
}

// Columns, or the diagonal; nothing where the kernel has none.
using KernelOfGraph = std::function<std::optional<KernelProduct>(const std::vector<VertexId>*)>;

KernelProduct of_diagonal(std::vector<double> diagonal) {
  KernelProduct answer;
  const auto rows = std::ssize(diagonal);
  answer.values = Block(rows, 1, std::move(diagonal));
  answer.report.sentence = "the diagonal";
  return answer;
}

KernelOfGraph single_kernel(const std::string& method, std::shared_ptr<const Graph> graph,
                            const RunContext& run, Summary* summary) {
  const GraphKernelOptions options = parse_kernel(method);
  const VertexId n = graph->vertex_count();
  const auto made = std::make_shared<const GraphKernel>(std::move(graph), options, run);
  if (summary != nullptr && options.kind == KernelKind::von_neumann)
    summary->set("alpha", made->options().alpha);
  if (summary != nullptr && options.kind == KernelKind::walk)
    summary->set("shift", made->options().shift);
  return [made, n, run](const auto* vertices) -> std::optional<KernelProduct> {
    if (vertices != nullptr) return made->columns(*vertices, run);
    auto found = made->diagonal(run);
    if (!found) return std::nullopt;
    const bool stopped = found->empty() && n > 0;
    KernelProduct answer = of_diagonal(*std::move(found));
    answer.report.sentence += " by one factorization";
    if (stopped) answer.report.outcome = Outcome::time_limit;
    return answer;
  };
}

KernelOfGraph composed_kernel(const std::string& method, std::shared_ptr<const Graph> graph,
                              const RunContext& run) {
  const auto made = std::make_shared<const GraphKernelExpression>(std::move(graph), method, run);
  return [made, run](const auto* vertices) -> std::optional<KernelProduct> {
    if (vertices != nullptr) return made->columns(*vertices, run);
    return of_diagonal(made->diagonal(run));
  };
}

// Where to say which value an option without one got; null: nowhere.
KernelOfGraph kernel_of(const std::string& method, std::shared_ptr<const Graph> graph,
                        const RunContext& run, Summary* summary) {
  return is_single(method) ? single_kernel(method, std::move(graph), run, summary)
                           : composed_kernel(method, std::move(graph), run);
}

// An expression that divides by the diagonal takes that of its parts, and a factor gives it.
Work work_of(const Session& session, const KernelCommand& command, const Graph& graph) {
  const auto columns = static_cast<double>(command.nodes.size());
  const bool whole = command.diagonal || !is_single(command.method) ||
                     command.method.find("normal") != std::string::npos;
  const Work alone = column_work(graph, std::max(1.0, columns));
  if (!whole) return alone;
  const Work diagonal = factor_work(session, graph, {.inverse = true});
  return {{alone.bytes.low, std::max(alone.bytes.high, diagonal.bytes.high)},
          {alone.sweeps.low, std::max(alone.sweeps.high, diagonal.sweeps.high)}};
}

int kernel(Session& session, const KernelCommand& command) {
  session.prepare({command.graph}, {session.options().output});
  if (command.diagonal != command.nodes.empty()) {
    throw Error(ErrorCode::usage, command.diagonal
                                      ? "--diagonal is of all vertices: leave --node out"
                                      : "give --node, or --diagonal");
  }
  if (is_single(command.method))
    parse_kernel(command.method);
  else
    GraphKernelExpression::check(command.method);
  OutputFile out(session.options().output);
  const GraphFile file = read_graph_file(session, command.graph);
  session.summary.set("method", command.method);
  const std::vector<VertexId> vertices = vertices_named(file, command.nodes, "--node");

  const std::vector<VertexId>* wanted = command.diagonal ? nullptr : &vertices;
  const std::shared_ptr<const Graph> graph{std::shared_ptr<const Graph>(), &file.graph};
  if (const auto status = estimated(
          session, file.graph, work_of(session, command, file.graph),
          [&](const RunContext& run) { kernel_of(command.method, graph, run, nullptr)(wanted); }))
    return *status;
  const KernelOfGraph made = session.timed(
      "setup", [&] { return kernel_of(command.method, graph, session.run, &session.summary); });
  const std::optional<KernelProduct> answer = session.timed("solve", [&] { return made(wanted); });
  session.check_cancelled();
  if (!answer)
    throw Error(ErrorCode::usage,
                fmt::format("--diagonal: of {} is not available: give --node", command.method));
  if (!command.diagonal) session.record_report(answer->report);
  session.timed("write", [&] {
    write_rows(session, out, file.names,
               command.diagonal ? std::vector<std::string>{"diagonal"} : command.nodes,
               answer->values);
    out.commit();
  });
  session.say("kernel: " + answer->report.sentence);
  session.say_time();
  if (answer->report.converged()) return 0;
  session.warn(fmt::format("stopped before tolerance ({}): what was written is not final",
                           to_string(answer->report.outcome)));
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
  text +=
      "; or an expression of them with options in brackets, as "
      "normalize(diffusion(time=2))+0.1*pseudoinverse";
  return text;
}

}  // namespace

Verb add_kernel(CLI::App& app, CommonOptions& common) {
  CLI::App& verb = add_verb(
      app, "kernel", "Columns of a kernel of a graph: how alike it finds vertices.",
      {"gssl kernel datasets/lesmis/lesmis.graph --node 12 --node 27",
       "gssl kernel datasets/digits/edges.tsv --method diffusion:time=0.5,normalized --node 17",
       "gssl kernel datasets/iris/edges.tsv --method regularized:epsilon=0.1 --diagonal",
       "gssl kernel datasets/iris/edges.tsv --node 3 --method 'normalize(diffusion(time=2)^2)'"});
  const auto command = std::make_shared<KernelCommand>();
  verb.add_option("GRAPH", command->graph, "graph file ('-': standard input)")
      ->required()
      ->type_name("FILE");
  verb.add_option("--node", command->nodes, "the column of this vertex; repeatable")
      ->type_name("ID")
      ->allow_extra_args(false);
  verb.add_flag(
      "--diagonal", command->diagonal,
      "the diagonal: of regularized, von-neumann, the plain pseudoinverse and expressions");
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
