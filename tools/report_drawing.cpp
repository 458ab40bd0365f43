#include "report_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <set>

#include "gssl/graph/graph_builder.hpp"
#include "report_html.hpp"
#include "spectral_layout.hpp"

namespace gssl::tool {
namespace {

constexpr double width = 720, height = 540, margin = 24;

// Given vertices and the least certain (up to 300 of each), then, breadth first around them, their
// neighbors until there are enough.
std::vector<VertexId> sample(const Graph& graph, const DrawnLabels& labels) {
  const VertexId n = graph.vertex_count();
  std::vector<VertexId> chosen;
  if (n <= most_drawn_vertices) {
    chosen.resize(static_cast<std::size_t>(n));
    std::iota(chosen.begin(), chosen.end(), 0);
    return chosen;
  }
  std::vector<char> taken(static_cast<std::size_t>(n), 0);
  std::deque<VertexId> queue;
  const auto take = [&](VertexId v) {
    if (taken[static_cast<std::size_t>(v)] != 0 ||
        chosen.size() == static_cast<std::size_t>(most_drawn_vertices))
      return;
    taken[static_cast<std::size_t>(v)] = 1;
    chosen.push_back(v);
    queue.push_back(v);
  };
  for (VertexId v = 0; v < n; ++v)
    if (labels.given[static_cast<std::size_t>(v)] != 0 && chosen.size() < 300) take(v);
  const std::vector<VertexId> doubtful = least_certain(labels);
  for (std::size_t i = 0; i < std::min<std::size_t>(300, doubtful.size()); ++i) take(doubtful[i]);
  for (VertexId next = 0;
       chosen.size() < static_cast<std::size_t>(most_drawn_vertices) && next < n;) {
    if (queue.empty()) {
      take(next++);
      continue;
    }
    const VertexId v = queue.front();
    queue.pop_front();
    for (const VertexId u : graph.neighbors(v)) take(u);
  }
  std::ranges::sort(chosen);
  return chosen;
}

Graph induced(const Graph& graph, const std::vector<VertexId>& vertices) {
  std::vector<VertexId> place(static_cast<std::size_t>(graph.vertex_count()), no_vertex);
  for (std::size_t i = 0; i < vertices.size(); ++i)
    place[static_cast<std::size_t>(vertices[i])] = static_cast<VertexId>(i);
  GraphBuilder builder(static_cast<VertexId>(vertices.size()));
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    graph.visit_row(vertices[i], [&](VertexId u, double w) {
      const VertexId to = place[static_cast<std::size_t>(u)];
      if (to > static_cast<VertexId>(i)) builder.add(static_cast<VertexId>(i), to, w);
    });
  }
  return std::move(builder).finish();
}

double rounded(double value) { return std::round(value * 10.0) / 10.0; }

// The strongest edge of each vertex first, then the rest, as many as may be drawn.
Json drawn_edges(const Graph& graph) {
  struct Edge {
    VertexId u, v;
    int rank;  // among the edges of one of its ends, by weight
  };
  std::vector<Edge> edges;
  for (VertexId u = 0; u < graph.vertex_count(); ++u) {
    std::vector<std::pair<double, VertexId>> row;
    graph.visit_row(u, [&](VertexId v, double w) { row.push_back({-w, v}); });
    std::ranges::sort(row);
    for (std::size_t i = 0; i < row.size(); ++i) {
      edges.push_back(
          {std::min(u, row[i].second), std::max(u, row[i].second), static_cast<int>(i)});
    }
  }
  std::ranges::stable_sort(edges, {}, &Edge::rank);
  Json list = Json::array();
  // Each is there twice, once from either end.
  std::set<std::pair<VertexId, VertexId>> drawn;
  for (const Edge& edge : edges) {
    if (list.size() == most_drawn_edges) break;
    if (drawn.insert({edge.u, edge.v}).second) list.push_back({edge.u, edge.v});
  }
  return list;
}

std::string vertex_mark(const Json& v, const Json& classes) {
  const int answer = v.at(2).get<int>();
  const bool given = v.at(4).get<bool>();
  const double x = v.at(0).get<double>(), y = v.at(1).get<double>();
  const std::string name = v.at(5).get<std::string>();
  if (answer < 0)
    return fmt::format(
        "<path d=\"M{0:.1f},{1:.1f}l5,5m0,-5l-5,5\" style=\"stroke:var(--muted);fill:none\">"
        "<title>{2}: no answer</title></path>\n",
        x - 2.5, y - 2.5, html_text(name));
  const std::string label = classes.at(static_cast<std::size_t>(answer)).get<std::string>();
  const std::string title =
      given ? fmt::format("{}: {} (given)", name, label)
            : fmt::format("{}: {}, {}", name, label, percent(v.at(3).get<double>(), 0));
  std::string mark;
  if (given)
    mark = fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"9\" "
        "style=\"fill:none;stroke:var(--text);stroke-width:1.5\"/>\n",
        x, y);
  return mark + marker(answer, x, y, given ? 5.0 : 3.5, title);
}

}  // namespace

std::vector<VertexId> least_certain(const DrawnLabels& labels) {
  std::vector<VertexId> order;
  const auto answers = [&](VertexId v) { return labels.answer[static_cast<std::size_t>(v)] >= 0; };
  const auto confidence = [&](VertexId v) {
    return labels.confidence[static_cast<std::size_t>(v)];
  };
  for (VertexId v = 0; v < static_cast<VertexId>(labels.answer.size()); ++v) {
    if (labels.given[static_cast<std::size_t>(v)] != 0) continue;
    if (answers(v) || confidence(v) > 0.0) order.push_back(v);
  }
  std::ranges::stable_sort(order, {},
                           [&](VertexId v) { return std::pair(answers(v), confidence(v)); });
  return order;
}

Json drawing_of(const Graph& graph, const VertexNames& names, const DrawnLabels& labels,
                const RunContext& run) {
  const std::vector<VertexId> vertices = sample(graph, labels);
  const Graph drawn = induced(graph, vertices);
  const std::vector<Place> places = spectral_layout(drawn, run);
  Json json = {{"of", graph.vertex_count()},
               {"edges_of", drawn.edge_count()},
               {"vertices", Json::array()},
               {"edges", drawn_edges(drawn)}};
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const auto v = static_cast<std::size_t>(vertices[i]);
    json["vertices"].push_back({rounded(margin + (width - 2 * margin) * places[i].x),
                                rounded(margin + (height - 2 * margin) * places[i].y),
                                labels.answer[v],
                                std::round(labels.confidence[v] * 1000.0) / 1000.0,
                                labels.given[v] != 0, names.name(vertices[i]).substr(0, 60)});
  }
  return json;
}

std::string drawing_figure(const Json& drawing, const Json& classes) {
  const Json& vertices = drawing.at("vertices");
  std::string same, crossing;
  for (const Json& edge : drawing.at("edges")) {
    const Json& u = vertices.at(edge.at(0).get<std::size_t>());
    const Json& v = vertices.at(edge.at(1).get<std::size_t>());
    (u.at(2) == v.at(2) ? same : crossing) +=
        fmt::format("M{:g},{:g}L{:g},{:g}", u.at(0).get<double>(), u.at(1).get<double>(),
                    v.at(0).get<double>(), v.at(1).get<double>());
  }
  std::string content =
      "<path class=\"edge\" d=\"" + same + "\"/>\n<path class=\"cross\" d=\"" + crossing + "\"/>\n";
  for (const Json& v : vertices)
    if (!v.at(4).get<bool>()) content += vertex_mark(v, classes);
  for (const Json& v : vertices)
    if (v.at(4).get<bool>()) content += vertex_mark(v, classes);
  std::string legend = "<ul class=\"legend\">";
  for (std::size_t k = 0; k < classes.size() && k < 48; ++k)
    legend += fmt::format(
        "<li><svg viewBox=\"0 0 14 14\" aria-hidden=\"true\">{}</svg><bdi>{}</bdi></li>",
        marker(static_cast<int>(k), 7, 7, 4.5), html_text(classes[k].get<std::string>()));
  const auto drawn = [&](const auto& is) { return std::ranges::any_of(vertices, is); };
  if (drawn([](const Json& v) { return v.at(4).get<bool>(); }))
    legend += "<li>◯ around a given label</li>";
  if (drawn([](const Json& v) { return v.at(2).get<int>() < 0; })) legend += "<li>× no answer</li>";
  legend += "</ul>\n";
  const std::string caption = fmt::format(
      "{} of {} vertices, {} of their {} edges. Near in the drawing is near in the graph (two "
      "eigenvectors of its Laplacian); darker edges join different classes.",
      vertices.size(), drawing.at("of").get<std::int64_t>(), drawing.at("edges").size(),
      drawing.at("edges_of").get<std::int64_t>());
  return "<div class=\"wide\">" +
         figure("The graph",
                svg(720, 540, "Drawing of the graph with its labels", content) + legend, caption) +
         "</div>\n";
}

}  // namespace gssl::tool
