#include "node_table.hpp"

#include "fields.hpp"

namespace gssl::detail {

void NodeTable::Texts::set(VertexId v, std::string_view text) {
  const auto at = static_cast<std::size_t>(v);
  if (of.size() <= at) of.resize(at + 1);
  of[at] = text;
}

VertexId NodeTable::refer(std::string_view id, std::int64_t line) {
  const VertexId v = ids_.insert(id);
  if (static_cast<std::size_t>(v) == declared_.size()) {
    declared_.push_back(0);
    referred_.push_back(line);
  }
  return v;
}

VertexId NodeTable::declare(std::string_view id, std::int64_t line) {
  const VertexId v = refer(id, line);
  std::int64_t& declared = declared_[static_cast<std::size_t>(v)];
  if (declared > 0)
    bad_line(file_, line,
             "node id '" + shown(id) + "' is there again, first on line " +
                 std::to_string(declared) + "; give each node an id of its own");
  declared = line;
  return v;
}

bool NodeTable::take(const Texts& texts, const char* kind, std::vector<std::string>& notes,
                     VertexNames& names) const {
  if (texts.of.empty()) return false;
  const auto n = static_cast<std::size_t>(ids_.size());
  const auto give_up = [&](const std::string& why) {
    notes.push_back(std::string("the ") + kind + "s of its nodes do not tell them apart (" + why +
                    "), so they are not their names");
    return false;
  };
  for (std::size_t v = 0; v < n; ++v) {
    const std::string& text = v < texts.of.size() ? texts.of[v] : std::string();
    if (text.empty())
      return give_up("node " + shown(ids_.name(static_cast<VertexId>(v))) + " has none");
    if (names.insert(text) != static_cast<VertexId>(v))
      return give_up("'" + shown(text) + "' is there twice");
  }
  return true;
}

VertexNames NodeTable::finish(std::vector<std::string>& notes) && {
  for (std::size_t v = 0; v < declared_.size(); ++v) {
    if (declared_[v] > 0) continue;
    bad_line(file_, referred_[v],
             "an edge of node '" + shown(ids_.name(static_cast<VertexId>(v))) +
                 "', which is nowhere declared; declare it or mend the edge");
  }
  VertexNames names;
  if (take(names_, "name", notes, names)) return names;
  names = VertexNames();
  if (take(labels_, "label", notes, names)) return names;
  return std::move(ids_);
}

}  // namespace gssl::detail
