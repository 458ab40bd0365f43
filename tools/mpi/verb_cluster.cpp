// gssl-mpi cluster: spectral clusters, by the eigenvectors that SLEPc finds.

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "distributed_partition.hpp"
#include "gssl/core/number_text.hpp"
#include "rank_output.hpp"
#include "together.hpp"
#include "verbs.hpp"

namespace gssl::mpi {
namespace {

struct ClusterCommand {
  std::string graph;
  int count = 0;
  double tolerance = 1e-6;
};

void record_objectives(tool::Session& session, const CutObjectives& o) {
  session.summary.set("objectives.cut", o.cut);
  session.summary.set("objectives.ratio_cut", o.ratio_cut);
  session.summary.set("objectives.ncut", o.ncut);
  session.summary.set("objectives.modularity", o.modularity);
  session.summary.set("objectives.conductance", o.conductance);
  session.say(fmt::format("cut {}, ratio cut {}, ncut {}, modularity {}, conductance {}",
                          to_brief_text(o.cut), to_brief_text(o.ratio_cut), to_brief_text(o.ncut),
                          to_brief_text(o.modularity), to_brief_text(o.conductance)));
}

int cluster(tool::Session& session, const ClusterCommand& command, const MpiOptions& options,
            const Communicator& ranks) {
  std::optional<OutputFile> out;
  Preconditioning kind = Preconditioning::automatic;
  together(ranks, [&] {
    SpectrumOptions{.count = command.count, .tolerance = command.tolerance}.validate();
    kind = parse_preconditioning(options.preconditioner);
    if (!ranks.is_first()) return;
    session.prepare({command.graph}, {session.options().output});
    session.check_inputs();
    out.emplace(session.options().output);
  });
  const DistributedInput input = read_distributed_graph(session, command.graph, {}, ranks);
  session.summary.set("method", "spectral");
  const DistributedPartition found = session.timed("solve", [&] {
    return spectral_clusters(input, command.count, command.tolerance, kind, session.run, ranks);
  });
  session.summary.add_solver(solve_report(found.report));
  for (const Certificate& certificate : found.report.certificates)
    session.summary.add_certificate(certificate);
  session.summary.set("clusters", found.count);
  session.say(found.report.sentence);
  record_objectives(session, cut_objectives(input.graph, found.cluster_of, found.count, ranks));
  session.timed("write", [&] {
    write_by_rank(out, session.options().table_format(), {"node", "cluster"}, ranks,
                  [&](TableWriter& table) {
                    for (VertexId v = 0; v < input.graph.rows(); ++v) {
                      table.text(input.names.name(v));
                      table.integer(found.cluster_of[static_cast<std::size_t>(v)] + 1);
                      table.end_row();
                    }
                  });
    together(ranks, [&] {
      if (out) out->commit();
    });
  });
  session.say(fmt::format("seed {}, {} ranks, {:.2f} s", session.run.seed, ranks.size(),
                          session.seconds()));
  return found.report.converged() ? 0 : 1;
}

}  // namespace

MpiVerb add_cluster(CLI::App& app, MpiOptions& options) {
  CLI::App& verb = tool::add_verb(app, "cluster", "Splits the vertices of a graph into clusters.",
                                  {"mpirun -n 4 gssl-mpi cluster edges.tsv -k 10 -o clusters.tsv"});
  const auto command = std::make_shared<ClusterCommand>();
  verb.add_option("GRAPH", command->graph, "edge list, plain, gzip or zstd ('-': standard input)")
      ->required()
      ->type_name("FILE");
  verb.add_option("-k,--count", command->count, "clusters")
      ->required()
      ->type_name("K")
      ->check(CLI::Validator(tool::at_least_one_error, ""));
  verb.add_option("--tolerance", command->tolerance, "residual of a good eigenpair")
      ->type_name("REAL")
      ->capture_default_str();
  tool::add_graph_options(verb, options.common);
  tool::add_output_options(verb, options.common);
  tool::add_time_limit(verb, options.common);
  add_rank_options(verb, options);
  return [command, &options](tool::Session& session, const Communicator& ranks) {
    return cluster(session, *command, options, ranks);
  };
}

}  // namespace gssl::mpi
