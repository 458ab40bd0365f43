#include "cluster_points.hpp"

#include <fmt/format.h>

#include <map>

#include "estimate.hpp"
#include "feature_input.hpp"
#include "gssl/cluster/kernel_k_means.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/data/column_encoding.hpp"
#include "gssl/evaluate/partition_agreement.hpp"

namespace gssl::tool {
namespace {

// On the rows that have a label.
void compare(Session& session, const std::vector<int>& cluster_of,
             const std::vector<std::string>& labels) {
  std::map<std::string, int> number;
  std::vector<int> found, given;
  for (std::size_t r = 0; r < labels.size(); ++r) {
    if (labels[r].empty()) continue;
    found.push_back(cluster_of[r]);
    given.push_back(number.try_emplace(labels[r], static_cast<int>(number.size())).first->second);
  }
  if (found.empty()) return;
  const PartitionAgreement a = partition_agreement(found, given);
  session.summary.set("truth_measured", static_cast<std::int64_t>(found.size()));
  session.summary.set("nmi", a.nmi);
  session.summary.set("ari", a.ari);
  session.say(
      fmt::format("label column: NMI {:.4f}, ARI {:.4f} on {} rows", a.nmi, a.ari, found.size()));
}

}  // namespace

void add_cluster_points_options(CLI::App& verb, ClusterPointsOptions& options) {
  const std::string group = "Points";
  CLI::Option* points = verb.add_option("--points", options.points,
                                        "cluster the rows of this file in place of a graph, by "
                                        "k-means in the space of a kernel")
                            ->type_name("FILE")
                            ->group(group);
  verb.add_option(
          "--kernel", options.kernel,
          "of rows: linear (plain k-means), gaussian(beta=0.5), another expression, or auto")
      ->type_name("KERNEL")
      ->needs(points)
      ->capture_default_str()
      ->group(group);
  verb.add_flag("--standardize", options.standardize,
                "columns of numbers to mean 0 and standard deviation 1 first")
      ->needs(points)
      ->group(group);
  add_points_input(verb, options.input, "--points-format");
}

int cluster_rows(Session& session, const ClusterPointsOptions& options, const std::string& count) {
  if (count.empty() || count == "auto")
    throw Error(ErrorCode::usage, "--count: --points needs a number of clusters");
  session.prepare({options.points}, {session.options().output});
  OutputFile out(session.options().output);
  FeatureOptions input;
  static_cast<PointsInputOptions&>(input) = options.input;
  const FeaturesFile file =
      read_features_file(session, options.points, feature_read_options(session, input, false));
  const Points points =
      ColumnEncoding::fit(file.table, {.standardize = options.standardize}).encode(file.table);
  const auto clustered = [&](const RunContext& run) {
    return cluster_points(options.kernel, points, *parse_number<int>(count), {}, run);
  };
  const Work work = table_work(points.rows(), static_cast<double>(points.columns()), true);
  if (const auto status = estimated(session, work, clustered)) return *status;
  const Partition partition = clustered(session.run);
  session.record_report(partition.report);
  session.summary.set("method", partition.report.used);
  session.summary.set("clusters", partition.count);
  session.say(fmt::format("{}; kernel {}", partition.report.sentence, partition.report.used));
  for (const std::string& warning : partition.report.warnings) session.warn(warning);
  compare(session, partition.cluster_of, file.labels);
  session.timed("write", [&] {
    TableWriter table(out, session.options().table_format(), {"node", "cluster"});
    for (VertexId r = 0; r < points.rows(); ++r) {
      if (r % 65536 == 0) session.check_cancelled();
      table.text(file.names.name(r));
      table.integer(partition.cluster_of[static_cast<std::size_t>(r)] + 1);
      table.end_row();
    }
    out.commit();
  });
  session.say_time();
  return partition.report.converged() ? 0 : 1;
}

}  // namespace gssl::tool
