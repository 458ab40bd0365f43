#pragma once
// Runs of gssl-mpi on several ranks, and their tables beside those of gssl.
//
//   const Result r = run_mpi(3, "label edges.tsv labels.tsv");
//   const TableDifference d = difference(one_machine.out, r.out);

#include <string>
#include <vector>

#include "gssl/graph/graph.hpp"
#include "run_gssl.hpp"
#include "support/support.hpp"

namespace gssl::test {

// Arguments as a shell takes them; `environment`: an assignment of a variable.
Result run_mpi(int ranks, const std::string& arguments, const RunSettings& settings = {},
               const std::string& environment = {});

// Its path, in that folder.
std::string write_edges(const TemporaryDirectory& folder, const Graph& graph);

struct TableDifference {
  bool same_rows = true;  // nodes and statuses, in the same order
  double largest = 0.0;   // of confidences
  int labels = 0;         // that differ though the confidence is no tie
};

// Of two outputs of `label`. A label may differ where the two best of `classes` scores are within
// 1e-7: there confidence does not tell.
TableDifference difference(const std::string& expected, const std::string& found);

// The largest difference of two tables of scores; infinity where nodes or columns differ.
double score_difference(const std::string& expected, const std::string& found);

// What `label` and its scores are on one machine and on 1, 2 and 3 ranks: nothing, or what differs.
// `graph` and `labels` are files; the method's tolerance should be 1e-12.
std::string compare_ranks(const std::string& graph, const std::string& labels,
                          const std::string& options, const std::string& folder,
                          const std::string& mpi_options = {});

}  // namespace gssl::test
