// gssl spectrum: the smallest eigenpairs of a graph's Laplacian, each with its residual.

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "estimate.hpp"
#include "graph_input.hpp"
#include "gssl/core/error.hpp"
#include "gssl/linalg/spectrum.hpp"
#include "session.hpp"
#include "spectrum_report.hpp"

namespace gssl::tool {
namespace {

struct SpectrumCommand {
  std::string graph;
  int count = 0;
  std::string laplacian = "symmetric";
  std::string method = "automatic";
  double tolerance = 1e-6;
  std::string vectors;
};

void write_values(OutputFile& out, TableFormat format, const Spectrum& spectrum) {
  TableWriter table(out, format, {"index", "eigenvalue", "residual"});
  for (std::size_t j = 0; j < spectrum.values.size(); ++j) {
    table.integer(static_cast<std::int64_t>(j) + 1);
    table.number(spectrum.values[j]);
    table.number(spectrum.residuals[j]);
    table.end_row();
  }
}

// node, then one column for each pair, named by its index.
void write_vectors(OutputFile& out, TableFormat format, const Spectrum& spectrum,
                   const VertexNames& names, const Session& session) {
  std::vector<std::string> columns{"node"};
  for (std::size_t j = 1; j <= spectrum.values.size(); ++j) columns.push_back(std::to_string(j));
  TableWriter table(out, format, std::move(columns));
  for (VertexId v = 0; v < names.size(); ++v) {
    if (v % 65536 == 0) session.check_cancelled();
    table.text(names.name(v));
    for (const double value : spectrum.vectors.row(v)) table.number(value);
    table.end_row();
  }
}

int spectrum(Session& session, const SpectrumCommand& command) {
  session.prepare({command.graph}, {session.options().output, command.vectors});
  const SpectrumOptions options{.count = command.count,
                                .kind = names_of<LaplacianKind>.value(command.laplacian),
                                .tolerance = command.tolerance,
                                .method = parse_spectrum_method(command.method)};
  options.validate();
  OutputFile out(session.options().output);
  std::optional<OutputFile> vectors_out;
  if (!command.vectors.empty()) vectors_out.emplace(command.vectors);

  const GraphFile file = read_graph_file(session, command.graph);
  const auto rehearsal = [&](const RunContext& run) {
    smallest_eigenpairs(file.graph, options, run);
  };
  if (const auto status =
          estimated(session, file.graph, spectrum_work(file.graph, command.count), rehearsal))
    return *status;

  const Spectrum found =
      session.timed("solve", [&] { return smallest_eigenpairs(file.graph, options, session.run); });
  const int status = report_spectrum(session, found, command.laplacian);
  session.timed("write", [&] {
    const TableFormat format = session.options().table_format();
    write_values(out, format, found);
    if (vectors_out) {
      write_vectors(*vectors_out, format, found, file.names, session);
      vectors_out->commit();
    }
    out.commit();
  });
  session.say_time();
  return status;
}

}  // namespace

Verb add_spectrum(CLI::App& app, CommonOptions& common) {
  CLI::App& verb =
      add_verb(app, "spectrum", "The smallest eigenvalues and eigenvectors of a graph's Laplacian.",
               {"gssl spectrum datasets/digits/edges.tsv -k 12",
                "gssl spectrum datasets/lesmis/lesmis.graph -k 5 --laplacian combinatorial "
                "--vectors lesmis.vectors.tsv",
                "gzip -c datasets/iris/edges.tsv | gssl spectrum - -k 4 --laplacian random-walk"});
  const auto command = std::make_shared<SpectrumCommand>();
  verb.add_option("GRAPH", command->graph, "graph file ('-': standard input)")
      ->required()
      ->type_name("FILE");
  verb.add_option("-k,--count", command->count, "pairs wanted; more than there are gives all")
      ->required()
      ->type_name("K")
      ->check(CLI::Validator(at_least_one_error, ""));
  verb.add_option(
          "--laplacian", command->laplacian,
          "combinatorial (D - W), symmetric (I - D^-1/2 W D^-1/2), random-walk (I - D^-1 W)")
      ->type_name("KIND")
      ->check(one_of(names_of<LaplacianKind>.all()))
      ->capture_default_str();
  verb.add_option("--method", command->method,
                  "automatic, dense, lanczos (products alone) or inversion (solves)")
      ->type_name("METHOD")
      ->check(one_of(spectrum_method_names()))
      ->capture_default_str();
  verb.add_option("--tolerance", command->tolerance,
                  "residual of a good pair, beside 1, or beside the mean degree if combinatorial")
      ->type_name("REAL")
      ->capture_default_str();
  verb.add_option("--vectors", command->vectors, "also write the eigenvectors: node, 1, 2, …")
      ->type_name("FILE")
      ->group("Output");
  add_graph_options(verb, common);
  add_output_options(verb, common);
  add_time_limit(verb, common);
  add_estimate(verb, common);
  add_run_options(verb, common);
  return [command](Session& session) { return spectrum(session, *command); };
}

}  // namespace gssl::tool
