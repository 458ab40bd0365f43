#include "distributed_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "binary_slice.hpp"
#include "fields.hpp"
#include "graph_input.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/io/binary_graph.hpp"
#include "label_taker.hpp"
#include "local_edges.hpp"
#include "together.hpp"
#include "unknown_ids.hpp"

namespace gssl::mpi {
namespace {

// Each rank's introduced ids to the ranks that have their rows.
VertexNames names_of_rows(const LocalEdges& edges, const Numbering& numbering,
                          const DistributedGraph& graph, const Communicator& ranks) {
  Parcels<char> out;
  together(ranks, [&] {
    std::string name;
    out.begin.assign(1, 0);
    std::int64_t vertex = numbering.first[static_cast<std::size_t>(ranks.rank())];
    auto next = numbering.introduced.begin();
    for (int r = 0; r < ranks.size(); ++r) {
      for (; next != numbering.introduced.end() &&
             vertex < graph.first[static_cast<std::size_t>(r) + 1];
           ++next, ++vertex) {
        name.clear();
        edges.names.append_name(*next, name);
        append_text(name, out.items);
      }
      out.begin.push_back(out.items.size());
    }
  });
  const Parcels<char> in = ranks.exchange(out);
  VertexNames names;
  together(ranks, [&] {
    std::span<const char> rest(in.items);
    while (!rest.empty()) names.insert(take_text(rest));
    GSSL_ASSERT(names.size() == graph.rows());
  });
  return names;
}

void check_edge_list(const tool::Session& session, const std::string& path) {
  const GraphFormat format = parse_graph_format(session.options().input_format);
  const auto named = [&](std::string_view end) {
    return path.ends_with(end) || path.ends_with(std::string(end) + ".gz") ||
           path.ends_with(std::string(end) + ".zst");
  };
  const bool other = format == GraphFormat::automatic
                         ? named(".mtx") || named(".graph") || named(".metis")
                         : format != GraphFormat::edge_list;
  if (other)
    throw Error(
        ErrorCode::usage,
        path + ": gssl-mpi reads edge lists; make one with 'gssl convert " + path + " edges.tsv'");
}

void record_graph(tool::Session& session, const DistributedInput& input, InputStats stats) {
  const DistributedGraph& graph = input.graph;
  session.summary.add_input(stats);
  session.summary.set("n", graph.vertices());
  session.summary.set("m", graph.edges);
  session.summary.set("edges_given", stats.edges_given);
  session.summary.set("self_loops_dropped", stats.self_loops_dropped);
  session.summary.set("duplicates_merged", stats.duplicates_merged);
  session.summary.set("reversed_merged", stats.reversed_merged);
  session.summary.set("opposite_differ", stats.opposite_differ);
  session.summary.set("zero_weights_dropped", stats.zero_weights_dropped);
  session.say(fmt::format(
      "gssl-mpi {}: {}: {} vertices, {} edges ({} given; dropped {} self-loops and {} zero "
      "weights; merged {} duplicates and {} reversed)",
      session.command(), stats.path, graph.vertices() - input.unknown_added, graph.edges,
      stats.edges_given, stats.self_loops_dropped, stats.zero_weights_dropped,
      stats.duplicates_merged, stats.reversed_merged));
  tool::warn_of_input(session, stats);
}

// How evenly the rows lie, and the hub that limits it.
void record_shares(tool::Session& session, const DistributedGraph& graph,
                   const Communicator& ranks) {
  const auto arcs = static_cast<std::int64_t>(graph.neighbors.size());
  EdgeIndex widest = 0;
  for (VertexId v = 0; v < graph.rows(); ++v)
    widest = std::max(widest, graph.offsets[static_cast<std::size_t>(v) + 1] -
                                  graph.offsets[static_cast<std::size_t>(v)]);
  const std::int64_t most = ranks.max(arcs), hub = ranks.max(widest);
  const std::int64_t all = ranks.sum(arcs);
  session.summary.set("ranks", ranks.size());
  session.summary.set("most_arcs_of_a_rank", most);
  session.summary.set("ghosts", ranks.sum(static_cast<std::int64_t>(graph.ghosts.size())));
  if (hub > all / ranks.size() && ranks.size() > 1)
    session.say(
        fmt::format("one vertex has {} of {} arcs: its row lies on one rank, so more than "
                    "{} ranks gain nothing",
                    hub, all, std::max<std::int64_t>(1, all / hub)));
}

}  // namespace

namespace {

// Graph, names and directory of an edge list.
InputStats read_edges(tool::Session& session, const std::string& path, const ReadOptions& options,
                      const std::vector<std::string>& added, DistributedInput& input,
                      const Communicator& ranks) {
  LocalEdges edges;
  Numbering numbering;
  InputStats stats;
  session.timed("read", [&] {
    EdgeText text(path, options.table.skip_lines, ranks, session.run);
    for (bool no_header : {false, true}) {
      edges = read_local_edges(text, options, no_header, ranks);
      const VertexId own = edges.names.size();
      if (ranks.is_last())
        together(ranks, [&] {
          for (const std::string& id : added) edges.names.insert(id);
        });
      else
        together(ranks, [] {});
      input.directory = {};
      numbering = input.directory.number(edges.names, ranks);
      const auto late = std::ranges::lower_bound(numbering.introduced, own);
      input.unknown_added = ranks.is_last() ? numbering.introduced.end() - late : std::ptrdiff_t{0};
      input.unknown_added = ranks.broadcast(input.unknown_added, ranks.size() - 1);
      if (no_header || edges.header_words.empty()) break;
      const std::vector<std::int64_t> found = input.directory.find(edges.header_words, ranks);
      if (std::ranges::max(found) < 0) break;  // a header after all
    }
    stats = text.stats();
  });
  session.timed("build", [&] {
    GraphBuilderCounts counts;
    stats.lines = ranks.sum(edges.lines) + options.table.skip_lines;
    stats.notes = edges.notes;
    if (!edges.header_note.empty()) stats.notes.push_back(edges.header_note);
    stats.zero_weights_dropped = ranks.sum(edges.zeros);
    input.graph = build_graph(edges, numbering,
                              {.duplicates = options.duplicates, .opposite = options.opposite},
                              stats.path, counts, ranks);
    stats.edges_given = counts.edges_given;
    stats.self_loops_dropped = counts.self_loops_dropped;
    stats.duplicates_merged = counts.duplicates_merged;
    stats.reversed_merged = counts.reversed_merged;
    stats.opposite_differ = counts.opposite_differ;
    input.names = names_of_rows(edges, numbering, input.graph, ranks);
    edges = {};
  });
  return stats;
}

// The same of a binary file.
InputStats read_binary(tool::Session& session, const std::string& path, DistributedInput& input,
                       const Communicator& ranks) {
  BinarySlice slice =
      session.timed("read", [&] { return read_binary_slice(path, session.run, ranks); });
  input.graph = std::move(slice.graph);
  together(ranks, [&] {
    std::string name;
    for (VertexId v = 0; v < input.graph.rows(); ++v) {
      name.clear();
      slice.names.append_name(static_cast<VertexId>(input.graph.begin + v), name);
      input.names.insert(name);
    }
  });
  input.directory = VertexDirectory(std::move(slice.names));
  return slice.stats;
}

}  // namespace

DistributedInput read_distributed_graph(tool::Session& session, const std::string& path,
                                        const std::vector<std::string>& added,
                                        const Communicator& ranks) {
  DistributedInput input;
  ReadOptions options;
  bool binary = false;
  together(ranks, [&] {
    options = session.options().read_options();
    binary = path != "-" && is_binary_graph(path, options);
    if (!binary) check_edge_list(session, path);
    if (binary && !added.empty())
      throw Error(ErrorCode::usage,
                  "--unknown-labels add: a binary graph has all its vertices; use ignore");
  });
  binary = ranks.all(binary);
  const InputStats stats = binary ? read_binary(session, path, input, ranks)
                                  : read_edges(session, path, options, added, input, ranks);
  session.timed("build", [&] { input.components = connected_components(input.graph, ranks); });
  record_graph(session, input, stats);
  record_shares(session, input.graph, ranks);
  session.summary.set("components", input.components.count);
  return input;
}

std::vector<std::string> header_words_among(const DistributedInput& input,
                                            const Communicator& ranks) {
  std::vector<std::string> words;
  for (const char* word : detail::node_words) {
    std::string text = word;
    words.push_back(text);
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
    words.push_back(text);
    for (char& c : text)
      if (c >= 'a') c = static_cast<char>(c - 'a' + 'A');
    words.push_back(text);
  }
  const std::vector<std::int64_t> found = input.directory.find(words, ranks);
  std::vector<std::string> present;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (found[i] >= 0) present.push_back(words[i]);
  return present;
}

namespace {

// A word over a number, which is a header if that one is a vertex and the word is none.
bool may_have_header(const LabelLines& lines) {
  std::uint64_t ignored = 0;
  return lines.file.first_may_be_header && lines.ids.size() > 1 &&
         parse_canonical_integer(lines.ids[1], ignored);
}

std::string header_note(const LabelLines& lines) {
  return detail::label_header_note(lines.file.line_of[0], lines.ids[0]);
}

}  // namespace

void drop_header(LabelLines& lines) {
  if (!may_have_header(lines)) return;
  lines.file.stats.notes.push_back(header_note(lines));
  lines.file.first_may_be_header = false;
  lines.file.vertices.erase(lines.file.vertices.begin());
  lines.file.labels.erase(lines.file.labels.begin());
  lines.file.line_of.erase(lines.file.line_of.begin());
  lines.ids.erase(lines.ids.begin());
}

LabelLines read_label_lines(const tool::Session& session, const std::string& path,
                            const std::vector<std::string>& known, const Communicator& ranks) {
  LabelLines lines;
  together(ranks, [&] {
    if (!ranks.is_first()) return;
    for (const std::string& name : known) lines.names.insert(name);
    // What says that there is no label is left out later: an unknown id counts all the same.
    lines.file = read_labels(path, lines.names,
                             {.unknown = UnknownLabels::add,
                              .missing = MissingMarks::none(),
                              .columns = session.options().columns_of_labels()});
    const std::string& format = lines.file.stats.format;
    if (format == "npy" || format == "npz" || format == "idx")
      throw Error(ErrorCode::usage,
                  path + ": gssl-mpi reads labels as lines 'node label'; write the array so");
    for (const VertexId v : lines.file.vertices) lines.ids.push_back(lines.names.name(v));
  });
  return lines;
}

namespace {

// A label on its way to the rank that has its vertex.
struct Label {
  std::int64_t vertex;
  double target;
  int class_of;
};

std::vector<Label> distribute(const std::vector<Label>& labels, const DistributedGraph& graph,
                              const Communicator& ranks) {
  std::vector<std::size_t> count(static_cast<std::size_t>(ranks.size()), 0);
  for (const Label& label : labels) ++count[static_cast<std::size_t>(graph.owner_of(label.vertex))];
  Parcels<Label> out(count);
  std::vector<std::size_t> next = out.begin;
  for (const Label& label : labels)
    out.items[next[static_cast<std::size_t>(graph.owner_of(label.vertex))]++] = label;
  return ranks.exchange(out).items;
}

// The lines whose vertices the graph has, in a file as read_labels() makes it.
LabelFile known_lines(const LabelLines& lines, const std::vector<std::int64_t>& vertices,
                      UnknownLabels policy, std::vector<std::int64_t>& kept) {
  LabelFile file = lines.file;
  file.vertices.clear();
  file.labels.clear();
  file.line_of.clear();
  file.unknown_added = 0;
  file.unknown.clear();
  detail::UnknownIds unknown;
  const bool header = may_have_header(lines) && vertices[0] < 0 && vertices[1] >= 0;
  if (header) file.stats.notes.push_back(header_note(lines));
  const std::size_t first = header ? 1 : 0;
  for (std::size_t i = first; i < vertices.size(); ++i) {
    if (vertices[i] < 0) {
      unknown.add(lines.ids[i], lines.file.line_of[i]);
      continue;
    }
    file.vertices.push_back(lines.file.vertices[i]);
    file.labels.push_back(lines.file.labels[i]);
    file.line_of.push_back(lines.file.line_of[i]);
    kept.push_back(vertices[i]);
  }
  const auto all = static_cast<std::int64_t>(vertices.size() - first) + file.duplicates_merged;
  if (policy == UnknownLabels::error)
    unknown.check(file.stats.path, all, "labels", tool::unknown_labels_remedy);
  file.unknown_ignored = unknown.count();
  file.unknown = unknown.first();
  return file;
}

void drop_missing(const MissingMarks& marks, LabelFile& file, std::vector<std::int64_t>& vertices) {
  MissingCount empty = std::move(file.missing);  // found when the file was read
  file.missing = blank_missing(file.labels, marks);
  file.missing.total += empty.total;
  file.missing.marks.insert(file.missing.marks.begin(), empty.marks.begin(), empty.marks.end());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < file.labels.size(); ++i) {
    if (file.labels[i].empty()) continue;
    vertices[kept] = vertices[i];
    file.vertices[kept] = file.vertices[i];
    file.line_of[kept] = file.line_of[i];
    if (kept != i) file.labels[kept] = std::move(file.labels[i]);
    ++kept;
  }
  vertices.resize(kept);
  file.vertices.resize(kept);
  file.line_of.resize(kept);
  file.labels.resize(kept);
}

void record_labels(tool::Session& session, const LabelFile& file, const LabeledSet& labeled) {
  session.summary.add_input(file.stats);
  tool::warn_of_notes(session, file.stats);
  session.summary.set("labels_unknown_ignored", file.unknown_ignored);
  session.summary.set("labels_unknown_added", file.unknown_added);
  session.summary.set("labels_duplicates_merged", file.duplicates_merged);
  tool::report_missing(session, file.stats.path, file.missing, "labels_missing");
  if (file.unknown_ignored > 0)
    session.warn(fmt::format("{}: ignored {} labels on vertices that are not in the graph",
                             file.stats.path, file.unknown_ignored));
  if (file.unknown_added > 0)
    session.warn(fmt::format("{}: added {} vertices that are not in the graph", file.stats.path,
                             file.unknown_added));
  session.summary.set("classes", labeled.class_count());
  session.summary.set("labelled", static_cast<std::int64_t>(labeled.size()));
}

}  // namespace

DistributedLabels place_labels(tool::Session& session, LabelLines lines, bool regression,
                               const DistributedInput& input, const Communicator& ranks) {
  const UnknownLabels policy = parse_unknown_labels(session.options().unknown_labels);
  const std::vector<std::int64_t> vertices = input.directory.find(lines.ids, ranks);
  std::vector<Label> labels;
  std::vector<std::string> class_names;
  DistributedLabels given;
  together(ranks, [&] {
    if (!ranks.is_first()) return;
    std::vector<std::int64_t> kept;
    LabelFile file = known_lines(lines, vertices, policy, kept);
    file.unknown_added = input.unknown_added;
    drop_missing(tool::missing_marks(session, regression), file, kept);
    const LabeledSet all = to_labeled_set(file, regression, &lines.names);
    if (all.size() == 0)
      throw Error(ErrorCode::bad_data, "labels: none given; at least one is needed");
    for (std::size_t i = 0; i < kept.size(); ++i)
      labels.push_back(
          {kept[i], regression ? all.target_of()[i] : 0.0, regression ? 0 : all.class_of()[i]});
    if (!regression) class_names = all.class_names();
    record_labels(session, file, all);
    if (regression) {
      given.lowest = std::ranges::min(all.target_of());
      given.highest = std::ranges::max(all.target_of());
    }
  });
  lines = {};
  ranks.broadcast(class_names);
  std::vector<double> range{given.lowest, given.highest};
  ranks.broadcast(range);
  given.lowest = range[0];
  given.highest = range[1];
  labels = distribute(labels, input.graph, ranks);
  given.total = ranks.sum(static_cast<std::int64_t>(labels.size()));
  given.class_counts.assign(class_names.size(), 0.0);
  std::vector<VertexId> rows;
  std::vector<int> class_of;
  std::vector<double> targets;
  for (const Label& label : labels) {
    rows.push_back(static_cast<VertexId>(label.vertex - input.graph.begin));
    class_of.push_back(label.class_of);
    targets.push_back(label.target);
    if (!regression) given.class_counts[static_cast<std::size_t>(label.class_of)] += 1.0;
  }
  given.own = regression ? LabeledSet::targets(std::move(rows), std::move(targets))
                         : LabeledSet::classes(std::move(rows), std::move(class_of), class_names);
  ranks.sum(std::span<double>(given.class_counts));
  return given;
}

std::vector<int> place_truth(tool::Session& session, const std::string& path,
                             const std::vector<std::string>& class_names,
                             const DistributedInput& input, const Communicator& ranks) {
  LabelLines lines = read_label_lines(session, path, header_words_among(input, ranks), ranks);
  const std::vector<std::int64_t> vertices = input.directory.find(lines.ids, ranks);
  std::vector<Label> labels;
  together(ranks, [&] {
    if (!ranks.is_first()) return;
    std::vector<std::int64_t> kept;
    LabelFile file = known_lines(lines, vertices, UnknownLabels::ignore, kept);
    MissingMarks marks = tool::missing_marks(session, false);
    if (std::ranges::count(class_names, "-1") > 0)
      marks.minus_one = MissingMarks::MinusOne::is_label;
    drop_missing(marks, file, kept);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const auto found = std::ranges::find(class_names, file.labels[i]);
      labels.push_back({kept[i], 0.0,
                        found == class_names.end()
                            ? other_class
                            : static_cast<int>(found - class_names.begin())});
    }
    session.summary.add_input(file.stats);
    session.summary.set("truth_unknown_ignored", file.unknown_ignored);
    tool::report_missing(session, file.stats.path, file.missing, "truth_missing");
  });
  std::vector<int> truth(static_cast<std::size_t>(input.graph.rows()), no_truth);
  for (const Label& label : distribute(labels, input.graph, ranks))
    truth[static_cast<std::size_t>(label.vertex - input.graph.begin)] = label.class_of;
  return truth;
}

}  // namespace gssl::mpi
