#include "gssl/io/change_reader.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "graph_formats.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "list_lines.hpp"

namespace gssl {
namespace {

using namespace detail;

constexpr const char* forms =
    "'+ u v [w]', '- u v', '= u v w', '+ u', 'label u CLASS' or 'unlabel u'";

class ChangeLines {
 public:
  ChangeLines(const TextSource& source, const Graph& graph, VertexNames& names)
      : source_(source), graph_(graph), names_(names) {
    start_stats(source, "changes", file_.stats);
  }

  ChangeFile read() {
    file_.stats.lines = walk_list_lines(source_, forms,
                                        [&](const FieldSplitter& fields, std::size_t count,
                                            std::string_view line, std::int64_t number, bool) {
                                          line_ = line;
                                          number_ = number;
                                          take(fields, count);
                                        });
    for (const auto& [pair, weight] : weights_)
      file_.edges.push_back({pair.first, pair.second, weight});
    for (auto& [v, change] : labels_) {
      file_.labels.emplace_back(v, std::move(change.label));
      file_.label_lines.push_back(change.line);
    }
    return std::move(file_);
  }

 private:
  using Pair = std::pair<VertexId, VertexId>;

  [[noreturn]] void refuse(const std::string& what) const {
    bad_line(source_.name(), number_, "'" + shown(line_) + "': " + what);
  }

  VertexId vertex(std::string_view name) const {
    const VertexId v = names_.find(name);
    const bool takes_new = action_ != "-" && action_ != "unlabel";
    if (v == no_vertex)
      refuse("no vertex '" + shown(name) + "' in the graph" +
             (takes_new ? "; a new one needs a line '+ " + shown(name) + "' before" : ""));
    return v;
  }

  Pair edge(const FieldSplitter& fields) const {
    const VertexId u = vertex(fields[1]), v = vertex(fields[2]);
    if (u == v) refuse("both ends are one vertex; expected two");
    return {std::min(u, v), std::max(u, v)};
  }

  // Of the pair so far; 0: no edge.
  double weight_of(const Pair& pair) const {
    if (const auto found = weights_.find(pair); found != weights_.end()) return found->second;
    return pair.second < graph_.vertex_count() ? graph_.weight(pair.first, pair.second) : 0.0;
  }

  double weight(std::string_view text) const {
    const double w = parse_weight(text, source_.name(), number_);
    if (!(w > 0.0)) refuse("weight " + shown(text) + "; expected one above 0, or a line '- u v'");
    return w;
  }

  void take(const FieldSplitter& fields, std::size_t count) {
    const std::string_view what = action_ = fields[0];
    if (what == "+" && count == 2)
      add_vertex(fields[1]);
    else if (what == "+" && (count == 3 || count == 4))
      add_edge(edge(fields), count == 4 ? weight(fields[3]) : 1.0);
    else if (what == "-" && count == 3)
      remove_edge(edge(fields));
    else if (what == "=" && count == 4)
      reweight_edge(edge(fields), weight(fields[3]));
    else if (what == "label" && count == 3)
      labels_[vertex(fields[1])] = {std::string(fields[2]), number_};
    else if (what == "unlabel" && count == 2)
      labels_[vertex(fields[1])] = {std::string(), number_};
    else
      refuse(std::string("expected ") + forms + ", separated by " + to_string(fields.separator()) +
             " as the first line is; quote what holds them");
  }

  void add_vertex(std::string_view name) {
    if (names_.find(name) != no_vertex) refuse("the vertex is there already; leave the line out");
    names_.insert(name);
    ++file_.vertices_added;
  }
  void add_edge(const Pair& pair, double w) {
    if (weight_of(pair) > 0.0)
      refuse("the edge is there already; another weight is a line '= u v w'");
    weights_[pair] = w;
    ++file_.edges_added;
  }
  void remove_edge(const Pair& pair) {
    if (!(weight_of(pair) > 0.0)) refuse("no such edge; leave the line out");
    weights_[pair] = 0.0;
    ++file_.edges_removed;
  }
  void reweight_edge(const Pair& pair, double w) {
    if (!(weight_of(pair) > 0.0)) refuse("no such edge; a new one is a line '+ u v w'");
    weights_[pair] = w;
    ++file_.edges_reweighted;
  }

  const TextSource& source_;
  const Graph& graph_;
  VertexNames& names_;
  std::string_view line_, action_;
  std::int64_t number_ = 0;
  std::map<Pair, double> weights_;
  struct LabelChange {
    std::string label;
    std::int64_t line = 0;
  };
  std::map<VertexId, LabelChange> labels_;
  ChangeFile file_;
};

}  // namespace

ChangeFile read_changes(const std::string& path, const Graph& graph, VertexNames& names,
                        std::size_t most_held) {
  const TextSource source = TextSource::open(path, most_held);
  return source.read_whole([&] { return ChangeLines(source, graph, names).read(); });
}

LabeledSet with_label_changes(const LabeledSet& labeled, const ChangeFile& changes,
                              const VertexNames& names, const MissingMarks& marks) {
  if (changes.labels.empty()) return labeled;
  std::unordered_map<VertexId, std::string> change(changes.labels.begin(), changes.labels.end());
  const auto refuse = [&](VertexId v, const std::string& what, Remedies remedies = {}) {
    std::size_t i = 0;
    while (i + 1 < changes.labels.size() && changes.labels[i].first != v) ++i;
    bad_line(changes.stats.path, i < changes.label_lines.size() ? changes.label_lines[i] : 0,
             "label of '" + names.name(v) + "': " + what, remedies);
  };
  const bool real = labeled.is_regression();
  std::vector<std::string> all = labeled.class_names();
  const std::size_t before = all.size();
  for (const auto& [v, text] : changes.labels) all.push_back(text);
  blank_missing(all, marks);
  for (std::size_t i = 0; i < changes.labels.size(); ++i) {
    const auto& [v, text] = changes.labels[i];
    if (!text.empty() && all[before + i].empty())
      refuse(v,
             shown(text) + " says that there is none; write a line 'unlabel " + names.name(v) +
                 "', or let such words be classes",
             Remedy::missing);
  }
  std::vector<VertexId> vertices;
  std::vector<std::string> classes;
  std::vector<double> values;
  const auto put = [&](VertexId v, const std::string& text) {
    vertices.push_back(v);
    if (!real) {
      classes.push_back(text);
      return;
    }
    const auto value = parse_number<double>(text);
    if (!value || !std::isfinite(*value)) refuse(v, shown(text) + "; expected a finite number");
    values.push_back(value.value_or(0.0));
  };
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    const VertexId v = labeled.vertices()[i];
    const auto found = change.find(v);
    if (found != change.end()) {
      if (!found->second.empty()) put(v, found->second);
      change.erase(found);
    } else if (real) {
      vertices.push_back(v);
      values.push_back(labeled.target_of()[i]);
    } else {
      put(v, labeled.class_names()[static_cast<std::size_t>(labeled.class_of()[i])]);
    }
  }
  for (const auto& [v, text] : changes.labels) {
    if (!change.contains(v)) continue;
    if (text.empty()) refuse(v, "it has none; leave the line 'unlabel' out");
    put(v, text);
  }
  if (vertices.empty())
    throw Error(ErrorCode::bad_data, changes.stats.path + ": no label is left; keep at least one");
  return real ? LabeledSet::targets(std::move(vertices), std::move(values))
              : LabeledSet::classes(std::move(vertices), classes);
}

}  // namespace gssl
