#pragma once
// What the work of a verb would take: memory at its peak and time, between two bounds. `--estimate`
// prints it and ends; without it, work that cannot fit is refused before it begins.
//
//   const auto work = [&](const RunContext& run) { solve_all(graph, run); };
//   if (const auto status = estimated(session, graph, column_work(graph, 1), work)) return *status;
//
// Work that may be done within two seconds is begun, and its answer thrown away: chooser, ordering
// and count of the factor are then those of the run. If it ends in that time, its peak and its time
// were measured; if not, what it took is the least. The rest is a model of the sizes: the low bound
// is the arrays that the work cannot do without; the high one allows for the dearest way that may be
// chosen. Memory that the input took while it was read is measured, too.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "gssl/data/labels.hpp"
#include "gssl/graph/compressed_graph.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/solve/solver_memory.hpp"
#include "points_graph.hpp"
#include "session.hpp"

namespace gssl::tool {

struct Work {
  MemoryRange bytes;   // beside the input
  MemoryRange sweeps;  // passes over all arcs, in time
  // Once this stage of the progress was told, with no comma behind it, the work has all its memory
  // but for bytes that it goes on to fill; empty: nobody knows when.
  std::string_view at_work = {};
  double filled = 0.0;
  double filled_later = 0.0;  // of these, once that stage has a share that is done
};

// info, convert: some numbers of each vertex.
Work listing_work(const NetworkSize& size);
// Systems of `columns` right-hand sides, solved in blocks of 16 at most: explain, kernel,
// resistance.
Work column_work(const NetworkSize& size, double columns);
// What an exact factor of the whole graph may answer: resistances, diagonals of kernels. It is
// ordered and its entries are counted where --estimate asks.
struct FactorUse {
  bool inverse = false;     // also its selected inverse
  bool certain = false;     // nothing else would answer
  bool may_sketch = false;  // or projections of the edges
};
Work factor_work(const Session& session, const Graph& graph, const FactorUse& use);
// k eigenpairs, by products alone or by solves.
Work spectrum_work(const NetworkSize& size, double k);
// A maximum flow, or the cheapest of all cuts.
Work flow_work(const NetworkSize& size);
Work global_cut_work(const NetworkSize& size);
// A spanning tree, or two and their union.
Work tree_work(const NetworkSize& size);
// A graph of k neighbors of each of n points.
Work neighbor_work(double points, double dimensions, double neighbors);
Work points_work(const PointsFile& file, const PointsGraphOptions& options);
// Columns of the system, and eigenpairs where candidates are many.
Work question_work(const NetworkSize& size, int classes);
// What learns from a table of these rows and encoded columns, and may make a matrix of
// rows × rows; or does something with each row alone.
Work table_work(double rows, double columns, bool gram);
// A fit by that learner, which keeps n×K scores, or the best `top` classes of each
// vertex, or neither.
Work label_work(const Session& session, const MadeLearner& learner, const NetworkSize& size,
                const LabeledSet& labeled, bool scores, int top);

// Does what the verb does between reading and writing, and looks at the clock of this run.
using Rehearsal = std::function<void(const RunContext& run)>;

// With --estimate: tells the work and returns the exit status 0. Else nothing, unless the low bound
// is above the limit: throws MemoryError.
std::optional<int> estimated(Session& session, const Graph& graph, const Work& work,
                             const Rehearsal& rehearsal = {});
// The same of compressed rows, and of rows of a table.
std::optional<int> estimated(Session& session, const CompressedGraph& graph, const Work& work,
                             const Rehearsal& rehearsal = {});
std::optional<int> estimated(Session& session, const Work& work, const Rehearsal& rehearsal);
// Tells these bounds, as --estimate does, and returns the exit status 0.
int tell_estimate(Session& session, const MemoryRange& peak, const MemoryRange& seconds);

}  // namespace gssl::tool
