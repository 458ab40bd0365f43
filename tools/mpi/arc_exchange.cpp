#include "arc_exchange.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "gssl/core/error.hpp"
#include "together.hpp"

namespace gssl::mpi {
namespace {

// An arc as it travels: the row within its owner's range, and the neighbor with the direction in
// which the edge was given, as in row_sort.hpp. Together they have 64 bits up to 2^32 vertices.
constexpr std::int64_t most_packed = std::int64_t{1} << 32;
constexpr int entry_bits = 33;
bool is_packed(const DistributedGraph& graph) { return graph.vertices() <= most_packed; }

struct Arcs {
  Parcels<std::uint64_t> entries;  // with the rows above them where `rows` is empty
  Parcels<std::uint32_t> rows;
  Parcels<double> weights;  // none: all are 1
};

// Both arcs of each edge, by the owners of their rows; what is sent is given back.
class ArcSender {
 public:
  ArcSender(LocalEdges& edges, const Numbering& numbering, const DistributedGraph& graph,
            bool weighted, int ranks)
      : edges_(edges),
        graph_(graph),
        weighted_(weighted),
        packed_(is_packed(graph)),
        ranks_(static_cast<std::size_t>(ranks)) {
    ends_.reserve(numbering.vertex_of.size());
    for (const std::int64_t vertex : numbering.vertex_of) {
      const int owner = graph.owner_of(vertex);
      ends_.push_back(
          {static_cast<std::uint32_t>(vertex - graph.first[static_cast<std::size_t>(owner)]),
           static_cast<std::uint32_t>(owner)});
    }
  }

  bool is_done() const { return next_ == edges_.runs.size(); }

  Arcs next(std::size_t runs) {
    const std::size_t end = next_ + std::min(runs, edges_.runs.size() - next_);
    std::vector<std::size_t> count(ranks_, 0);
    found_.clear();
    for (std::size_t r = next_; r < end; ++r)
      for (const auto& [u, v] : edges_.runs[r].pairs) {
        const auto& [a, b] = found_.emplace_back(ends_[static_cast<std::size_t>(u)],
                                                 ends_[static_cast<std::size_t>(v)]);
        ++count[a.owner];
        ++count[b.owner];
      }
    const std::vector<std::size_t> none(ranks_, 0);
    Arcs arcs{Parcels<std::uint64_t>(count), Parcels<std::uint32_t>(packed_ ? none : count),
              Parcels<double>(weighted_ ? count : none)};
    std::vector<std::size_t> slots = arcs.entries.begin;
    auto ends = found_.begin();
    for (; next_ < end; ++next_) {
      const EdgeRun run = std::move(edges_.runs[next_]);
      for (std::size_t i = 0; i < run.pairs.size(); ++i, ++ends) {
        const auto& [a, b] = *ends;
        const std::int64_t u = graph_.first[a.owner] + a.row, v = graph_.first[b.owner] + b.row;
        const std::uint64_t reversed = u > v ? 1 : 0;
        const double weight = run.weight(i);
        put(a, v, reversed, weight, arcs, slots);
        put(b, u, reversed, weight, arcs, slots);
      }
    }
    return arcs;
  }

 private:
  struct End {
    std::uint32_t row;  // within its owner's range
    std::uint32_t owner;
  };

  void put(const End& end, std::int64_t neighbor, std::uint64_t reversed, double weight, Arcs& arcs,
           std::vector<std::size_t>& slots) const {
    const std::size_t slot = slots[end.owner]++;
    std::uint64_t& entry = arcs.entries.items[slot];
    entry = static_cast<std::uint64_t>(neighbor) << 1 | reversed;
    if (packed_)
      entry |= static_cast<std::uint64_t>(end.row) << entry_bits;
    else
      arcs.rows.items[slot] = end.row;
    if (weighted_) arcs.weights.items[slot] = weight;
  }

  LocalEdges& edges_;
  const DistributedGraph& graph_;
  const bool weighted_;
  const bool packed_;
  const std::size_t ranks_;
  std::vector<End> ends_;                   // of each name of this rank
  std::vector<std::pair<End, End>> found_;  // of the edges at work
  std::size_t next_ = 0;                    // run
};

// Puts arcs into their rows as they come: graph.neighbors holds entries of row_sort.hpp.
class ArcPlacer {
 public:
  ArcPlacer(DistributedGraph& graph, bool weighted)
      : graph_(graph),
        packed_(is_packed(graph)),
        entry_mask_(packed_ ? (std::uint64_t{1} << entry_bits) - 1 : ~std::uint64_t{0}),
        next_(graph.offsets.begin(), graph.offsets.end() - 1) {
    const auto arcs = static_cast<std::size_t>(graph.offsets.back());
    graph.neighbors.resize(arcs);
    const std::int64_t n = graph.vertices();
    if (n < most_local && std::cmp_less_equal(n, arcs))
      number_of_.assign(static_cast<std::size_t>(n), 0);
    if (weighted) graph.weights.take(std::vector<double>(arcs));
  }

  void place(Arcs arcs) {
    if (number_of_.empty()) number_ghosts(arcs.entries.items);
    for (std::size_t i = 0; i < arcs.entries.items.size(); i += batch)
      place_batch(arcs, i, std::min(batch, arcs.entries.items.size() - i));
  }

  // Ghosts ascend from here on.
  void finish() {
    if (number_of_.empty())
      sort_ghosts();
    else
      number_all();
  }

 private:
  static constexpr std::size_t batch = 64;

  // Rows lie apart: the slots of a batch are fetched together.
  void place_batch(const Arcs& arcs, std::size_t begin, std::size_t count) {
    const std::uint64_t* const entries = arcs.entries.items.data() + begin;
    std::array<std::size_t, batch> slots;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t row = packed_ ? entries[i] >> entry_bits : arcs.rows.items[begin + i];
      slots[i] = static_cast<std::size_t>(next_[row]++);
      __builtin_prefetch(&graph_.neighbors[slots[i]], 1);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t entry = entries[i] & entry_mask_;
      if (!number_of_.empty()) number_of_[entry >> 1] = 1;
      graph_.neighbors[slots[i]] = static_cast<VertexId>(entry);
    }
    if (!graph_.weights.are_doubles()) return;
    for (std::size_t i = 0; i < count; ++i)
      graph_.weights.doubles()[slots[i]] = arcs.weights.items[begin + i];
  }

  // From marks of what is a neighbor, where a list of all vertices is no larger than the graph.
  void number_all() {
    const auto own = number_of_.begin() + graph_.begin;
    const auto rows = static_cast<std::uint32_t>(graph_.rows());
    std::fill(own, own + graph_.rows(), 0);
    for (std::size_t v = 0; v < number_of_.size(); ++v) {
      if (number_of_[v] == 0) continue;
      number_of_[v] = rows + static_cast<std::uint32_t>(graph_.ghosts.size());
      graph_.ghosts.push_back(static_cast<std::int64_t>(v));
    }
    std::iota(own, own + graph_.rows(), 0U);
    for (VertexId& neighbor : graph_.neighbors) {
      const auto entry = static_cast<std::uint32_t>(neighbor);
      neighbor = static_cast<VertexId>(number_of_[entry >> 1] << 1 | (entry & 1));
    }
  }

  void sort_ghosts() {
    ghosts_ = {};
    std::vector<std::pair<std::int64_t, VertexId>> sorted;
    sorted.reserve(vertex_of_.size());
    for (const std::int64_t vertex : vertex_of_)
      sorted.emplace_back(vertex, static_cast<VertexId>(sorted.size()));
    vertex_of_ = {};
    std::ranges::sort(sorted);
    std::vector<std::uint32_t> place(sorted.size());
    graph_.ghosts.reserve(sorted.size());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      graph_.ghosts.push_back(sorted[i].first);
      place[static_cast<std::size_t>(sorted[i].second)] =
          static_cast<std::uint32_t>(graph_.rows()) + static_cast<std::uint32_t>(i);
    }
    const auto rows = static_cast<std::uint32_t>(graph_.rows());
    for (VertexId& neighbor : graph_.neighbors) {
      const auto entry = static_cast<std::uint32_t>(neighbor);
      if (entry >> 1 >= rows)
        neighbor = static_cast<VertexId>(place[(entry >> 1) - rows] << 1 | (entry & 1));
    }
  }

  void set_neighbor(std::uint64_t& entry, std::int64_t local) const {
    entry = (entry & ~entry_mask_) | static_cast<std::uint64_t>(local) << 1 | (entry & 1);
  }

  // Own numbers of neighbors: rows for own vertices, then ghosts as they come.
  void number_ghosts(std::vector<std::uint64_t>& entries) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const std::uint64_t vertex = (entries[i] & entry_mask_) >> 1;
      const std::int64_t own = static_cast<std::int64_t>(vertex) - graph_.begin;
      if (own >= 0 && own < graph_.rows()) {
        set_neighbor(entries[i], own);
        continue;
      }
      vertices_.push_back(vertex);
      places_.push_back(i);
      if (vertices_.size() == batch) number_batch(entries);
    }
    number_batch(entries);
    if (std::int64_t{graph_.rows()} + ghosts_.size() >= most_local)
      throw Error(ErrorCode::out_of_memory,
                  "a rank sees more than 2^31 vertices: start the job on more ranks");
  }

  void number_batch(std::vector<std::uint64_t>& entries) {
    ghosts_.insert(vertices_, std::span(numbers_).first(vertices_.size()));
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (std::ssize(vertex_of_) == numbers_[i])
        vertex_of_.push_back(static_cast<std::int64_t>(vertices_[i]));
      set_neighbor(entries[places_[i]], std::int64_t{graph_.rows()} + numbers_[i]);
    }
    vertices_.clear();
    places_.clear();
  }

  DistributedGraph& graph_;
  const bool packed_;
  const std::uint64_t entry_mask_;
  std::vector<EdgeIndex> next_;           // free slot of each row
  std::vector<std::uint32_t> number_of_;  // of all vertices; none: ghosts are numbered as they come
  VertexNames ghosts_;
  std::vector<std::int64_t> vertex_of_;  // of the ghosts by their numbers
  std::vector<std::uint64_t> vertices_;  // of a batch of ghosts
  std::vector<std::size_t> places_;
  std::array<VertexId, batch> numbers_;
};

}  // namespace

void send_arcs(LocalEdges& edges, const Numbering& numbering, bool weighted, bool in_file_order,
               DistributedGraph& graph, const Communicator& ranks) {
  const std::size_t at_once = in_file_order ? edges.runs.size() : 1;
  std::optional<ArcSender> sender;
  std::optional<ArcPlacer> placer;
  together(ranks, [&] {
    sender.emplace(edges, numbering, graph, weighted, ranks.size());
    placer.emplace(graph, weighted);
  });
  while (ranks.any(!sender->is_done())) {
    Arcs arcs;
    together(ranks, [&] { arcs = sender->next(at_once); });
    arcs.entries = ranks.exchange(arcs.entries);
    if (!is_packed(graph)) arcs.rows = ranks.exchange(arcs.rows);
    if (weighted) arcs.weights = ranks.exchange(arcs.weights);
    together(ranks, [&] { placer->place(std::move(arcs)); });
  }
  edges.runs = {};
  together(ranks, [&] { placer->finish(); });
}

}  // namespace gssl::mpi
