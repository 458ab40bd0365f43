#pragma once
// What the work of a verb would take: memory at its peak and time, between two bounds, from the
// sizes of what was read. `--estimate` prints it and ends; without it, work that cannot fit is
// refused before it begins.
//
//   if (const auto status = estimated(session, graph, column_work(graph, 1))) return *status;
//
// The low bound is the arrays that the work cannot do without; the high one allows for the dearest
// way that may be chosen. Memory that the input took while it was read is measured, not guessed.

#include <optional>
#include <string>

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
};

// info, convert: some numbers of each vertex.
Work listing_work(const NetworkSize& size);
// Systems of `columns` right-hand sides, solved in blocks of 16 at most: explain, kernel,
// resistance.
Work column_work(const NetworkSize& size, double columns);
// Resistances of all edges, by a factor or a sketch.
Work edge_resistance_work(const NetworkSize& size);
// k eigenpairs, by products alone or by solves.
Work spectrum_work(const NetworkSize& size, double k);
// A maximum flow, or the cheapest of all cuts.
Work flow_work(const NetworkSize& size);
Work global_cut_work(const NetworkSize& size);
// A graph of k neighbors of each of n points.
Work neighbor_work(double points, double dimensions, double neighbors);
Work points_work(const PointsFile& file, const PointsGraphOptions& options);
// Columns of the system, and eigenpairs where candidates are many.
Work question_work(const NetworkSize& size, int classes);
// A fit by that learner, which keeps n×K scores, or the best `top` classes of each
// vertex, or neither.
Work label_work(const Session& session, const MadeLearner& learner, const NetworkSize& size,
                const LabeledSet& labeled, bool scores, int top);

// With --estimate: tells the work and returns the exit status 0. Else nothing, unless the low bound
// is above the limit: throws MemoryError.
std::optional<int> estimated(Session& session, const Graph& graph, const Work& work);
// The same of compressed rows.
std::optional<int> estimated(Session& session, const CompressedGraph& graph, const Work& work);
// Tells these bounds, as --estimate does, and returns the exit status 0.
int tell_estimate(Session& session, const MemoryRange& peak, const MemoryRange& seconds);

}  // namespace gssl::tool
