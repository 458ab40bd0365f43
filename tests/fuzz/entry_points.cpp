#include "entry_points.hpp"

#include "gssl/core/error.hpp"
#include "label_format.hpp"
#include "points_formats.hpp"
#include "sniff_table.hpp"

namespace gssl::fuzz {
namespace {

constexpr VertexId most_vertices = 1000000;  // a head line may promise any number of them

template <class Read>
void tolerate_bad_input(Read&& read) {
  try {
    read();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_data && error.code() != ErrorCode::io_failure) throw;
  }
}

// A head line of a matrix or METIS file allocates by its promise, so big promises are left out.
bool promises_too_much(std::string_view bytes) {
  std::int64_t number = 0;
  for (const char c : bytes) {
    number = c >= '0' && c <= '9' ? number * 10 + (c - '0') : 0;
    if (number > most_vertices) return true;
  }
  return false;
}

}  // namespace

void graph_bytes(std::string_view bytes) {
  RunContext run;
  run.threads = 1;
  for (const GraphFormat format :
       {GraphFormat::edge_list, GraphFormat::matrix_market, GraphFormat::metis}) {
    if (format != GraphFormat::edge_list && promises_too_much(bytes)) continue;
    for (const DuplicatePolicy duplicates : {DuplicatePolicy::sum, DuplicatePolicy::error}) {
      tolerate_bad_input([&] {
        const auto source = detail::TextSource::from_memory(bytes, "fuzz");
        const ReadOptions options{format, duplicates};
        const GraphFile file = detail::parse_graph(source, options, run);
        GSSL_ASSERT(file.names.size() == file.graph.vertex_count());
        const auto span = [](const auto& s) { return std::vector(s.begin(), s.end()); };
        // The constructor checks every rule of the class.
        const Graph checked(span(file.graph.offset_array()), span(file.graph.neighbor_array()),
                            span(file.graph.weight_array()));
        GSSL_ASSERT(checked == file.graph);
      });
    }
  }
}

void label_bytes(std::string_view bytes) {
  tolerate_bad_input([&] {
    detail::parse_vertex_list(detail::TextSource::from_memory(bytes, "fuzz"),
                              VertexNames::numbered(10));
  });
  for (const UnknownLabels unknown :
       {UnknownLabels::error, UnknownLabels::ignore, UnknownLabels::add}) {
    tolerate_bad_input([&] {
      const auto source = detail::TextSource::from_memory(bytes, "fuzz");
      VertexNames names = VertexNames::numbered(10);
      const LabelFile file = detail::parse_labels(source, names, unknown);
      GSSL_ASSERT(file.vertices.size() == file.labels.size());
      tolerate_bad_input([&] { to_labeled_set(file, true); });
      to_labeled_set(file, false);
    });
    tolerate_bad_input([&] {
      detail::parse_class_priors(detail::TextSource::from_memory(bytes, "fuzz"), {"a", "b"});
    });
  }
}

void table_bytes(std::string_view bytes) {
  const bool has_bytes = !bytes.empty();
  const auto character = has_bytes ? bytes.front() : '\0';
  for (const detail::TableUse use : {detail::TableUse::edges, detail::TableUse::points}) {
    for (const char delimiter : {'\0', ' ', '\t', ',', ';', '|'}) {
      for (const char decimal : {'\0', '.', ','}) {
        const TableOptions given{
            .delimiter = delimiter,
            .decimal = decimal,
            .skip_lines = character & 1,
            .columns = character % 3 == 0 ? std::vector<int>{2, 1} : std::vector<int>{}};
        tolerate_bad_input([&] {
          const auto found = detail::sniff_table(bytes, 1, "fuzz", use, given);
          GSSL_ASSERT(delimiter == '\0' || static_cast<char>(found.separator) == delimiter);
          GSSL_ASSERT(decimal == '\0' || found.decimal == decimal);
        });
        RunContext run;
        run.threads = 1;
        tolerate_bad_input([&] {
          const auto source = detail::TextSource::from_memory(bytes, "fuzz");
          if (use == detail::TableUse::edges) {
            detail::parse_graph(source, {.format = GraphFormat::edge_list, .table = given}, run);
          } else {
            detail::parse_points(source, "", {.format = PointsFormat::table, .table = given}, run);
          }
        });
      }
    }
  }
}

void points_bytes(std::string_view bytes) {
  RunContext run;
  run.threads = 1;
  for (const PointsFormat format : {PointsFormat::automatic, PointsFormat::table, PointsFormat::npy,
                                    PointsFormat::npz, PointsFormat::libsvm, PointsFormat::idx}) {
    tolerate_bad_input([&] {
      const auto source = detail::TextSource::from_memory(bytes, "fuzz");
      const PointsFile file = detail::parse_points(source, "", {.format = format}, run);
      GSSL_ASSERT(file.names.size() == file.points.rows());
      GSSL_ASSERT(file.labels.empty() || std::int64_t(file.labels.size()) == file.points.rows());
    });
  }
}

}  // namespace gssl::fuzz
