// gssl-mpi spectrum: the smallest eigenpairs of a Laplacian, by SLEPc.

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "distributed_spectrum.hpp"
#include "rank_output.hpp"
#include "spectrum_report.hpp"
#include "together.hpp"
#include "verbs.hpp"

namespace gssl::mpi {
namespace {

struct SpectrumCommand {
  std::string graph;
  int count = 0;
  std::string laplacian = "symmetric";
  double tolerance = 1e-6;
  std::string vectors;
};

void write_vectors(std::optional<OutputFile>& out, tool::Session& session,
                   const DistributedInput& input, const Block& vectors, const Communicator& ranks) {
  std::vector<std::string> columns{"node"};
  for (std::int64_t j = 1; j <= vectors.columns(); ++j) columns.push_back(std::to_string(j));
  write_by_rank(out, session.options().table_format(), columns, ranks, [&](TableWriter& table) {
    for (VertexId v = 0; v < input.graph.rows(); ++v) {
      table.text(input.names.name(v));
      for (const double value : vectors.row(v)) table.number(value);
      table.end_row();
    }
  });
}

void write_values(OutputFile& out, TableFormat format, const Spectrum& spectrum) {
  TableWriter table(out, format, {"index", "eigenvalue", "residual"});
  for (std::size_t j = 0; j < spectrum.values.size(); ++j) {
    table.integer(static_cast<std::int64_t>(j) + 1);
    table.number(spectrum.values[j]);
    table.number(spectrum.residuals[j]);
    table.end_row();
  }
}

int spectrum(tool::Session& session, const SpectrumCommand& command, const MpiOptions& options,
             const Communicator& ranks) {
  std::optional<OutputFile> out, vectors_out;
  SpectrumOptions wanted;
  Preconditioning kind = Preconditioning::automatic;
  together(ranks, [&] {
    wanted = {.count = command.count,
              .kind = names_of<LaplacianKind>.value(command.laplacian),
              .tolerance = command.tolerance};
    wanted.validate();
    kind = parse_preconditioning(options.preconditioner);
    if (!ranks.is_first()) return;
    session.prepare({command.graph}, {session.options().output, command.vectors});
    session.check_inputs();
    out.emplace(session.options().output);
    if (!command.vectors.empty()) vectors_out.emplace(command.vectors);
  });
  const DistributedInput input = read_distributed_graph(session, command.graph, {}, ranks);
  const DistributedSpectrum found = session.timed(
      "solve", [&] { return smallest_eigenpairs(input, wanted, kind, session.run, ranks); });
  session.summary.add_solver(found.solver);
  if (found.pairs.outcome == Outcome::cancelled)
    refuse(ErrorCode::cancelled, "stopped by a signal");
  const int status = tool::report_spectrum(session, found.pairs, command.laplacian);
  session.timed("write", [&] {
    if (!command.vectors.empty()) write_vectors(vectors_out, session, input, found.vectors, ranks);
    together(ranks, [&] {
      if (!ranks.is_first()) return;
      write_values(*out, session.options().table_format(), found.pairs);
      if (vectors_out) vectors_out->commit();
      out->commit();
    });
  });
  session.say(fmt::format("seed {}, {} ranks, {:.2f} s", session.run.seed, ranks.size(),
                          session.seconds()));
  return status;
}

}  // namespace

MpiVerb add_spectrum(CLI::App& app, MpiOptions& options) {
  CLI::App& verb = tool::add_verb(
      app, "spectrum", "The smallest eigenvalues and eigenvectors of a graph's Laplacian.",
      {"mpirun -n 4 gssl-mpi spectrum edges.tsv -k 12",
       "mpirun -n 4 gssl-mpi spectrum edges.tsv -k 5 --laplacian random-walk --vectors out.tsv"});
  const auto command = std::make_shared<SpectrumCommand>();
  verb.add_option("GRAPH", command->graph, "edge list, plain, gzip or zstd ('-': standard input)")
      ->required()
      ->type_name("FILE");
  verb.add_option("-k,--count", command->count, "pairs wanted; more than there are gives all")
      ->required()
      ->type_name("K")
      ->check(CLI::Validator(tool::at_least_one_error, ""));
  verb.add_option("--laplacian", command->laplacian, "combinatorial, symmetric or random-walk")
      ->type_name("KIND")
      ->capture_default_str();
  verb.add_option("--tolerance", command->tolerance,
                  "residual of a good pair, beside 1, or beside the mean degree if combinatorial")
      ->type_name("REAL")
      ->capture_default_str();
  verb.add_option("--vectors", command->vectors, "also write the eigenvectors: node, 1, 2, …")
      ->type_name("FILE")
      ->group("Output");
  tool::add_graph_options(verb, options.common);
  tool::add_output_options(verb, options.common);
  tool::add_time_limit(verb, options.common);
  add_rank_options(verb, options);
  return [command, &options](tool::Session& session, const Communicator& ranks) {
    return spectrum(session, *command, options, ranks);
  };
}

}  // namespace gssl::mpi
