#include "foreign_files.hpp"

#include <algorithm>
#include <array>

#include "fields.hpp"
#include "foreign_graphs.hpp"
#include "graph_sniffing.hpp"
#include "gssl/core/error.hpp"

namespace gssl::detail {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t looked_at = 4096;  // bytes from the start that decide

struct Kind {
  std::size_t at;  // where the magic stands
  std::string_view magic;
  const char* name;
  const char* remedy;
  bool is_text = false;  // and not told by what text does not have
};

constexpr const char* with_pandas_parquet =
    "convert it with python3 -c \"import pandas; "
    "pandas.read_parquet('FILE').to_csv('FILE.csv', index=False)\"";
constexpr const char* with_pandas_feather =
    "convert it with python3 -c \"import pandas; "
    "pandas.read_feather('FILE').to_csv('FILE.csv', index=False)\"";
constexpr const char* with_h5py =
    "save the data set as .npy: python3 -c \"import h5py, numpy; "
    "numpy.save('X.npy', h5py.File('FILE')['NAME'][:])\"";
constexpr const char* with_scipy_mat =
    "save the matrix as .npy: python3 -c \"import scipy.io, numpy; "
    "numpy.save('X.npy', scipy.io.loadmat('FILE')['NAME'])\"";
constexpr const char* with_tar = "unpack it with 'tar -xf FILE' and give one of its files";
constexpr const char* with_csv_export = "save it as CSV";
constexpr const char* with_r = "write it from R with write.csv(readRDS('FILE'), row.names = FALSE)";
constexpr const char* as_pixels = "write the pixels of all images, a row each, as .npy or CSV";

constexpr std::array kinds = {
    Kind{0, "\x04\x22\x4D\x18"sv, "packed by lz4", "unpack it, as in 'lz4 -dc FILE | gssl … -'"},
    Kind{0, "LZIP\1"sv, "packed by lzip", "unpack it, as in 'lzip -dc FILE | gssl … -'"},
    Kind{0, "\x1F\x9D"sv, "packed by compress", "unpack it, as in 'gzip -dc FILE | gssl … -'"},
    Kind{0, "\x1F\x8B"sv, "packed twice", "unpack it once, as in 'gzip -dc FILE | gssl … -'"},
    Kind{0, "\x28\xB5\x2F\xFD"sv, "packed twice",
         "unpack it once, as in 'zstd -dc FILE | gssl … -'"},
    Kind{0,
         "\xFD"
         "7zXZ\0"sv,
         "packed twice", "unpack it once, as in 'xz -dc FILE | gssl … -'"},
    Kind{4, "1AY&SY"sv, "packed twice", "unpack it once, as in 'bzip2 -dc FILE | gssl … -'"},
    Kind{0, "7z\xBC\xAF\x27\x1C"sv, "a 7-Zip archive",
         "unpack it with '7z x FILE' and give one of its files"},
    Kind{0, "Rar!\x1A\x07"sv, "a RAR archive",
         "unpack it with 'unrar x FILE' and give one of its files"},
    Kind{257, "ustar"sv, "a tar archive", with_tar},
    Kind{0, "#gssl-record "sv, "a model of gssl fit or a session of gssl online",
         "give it to gssl predict, gssl info or, to resume it, gssl online", true},
    Kind{0, "PAR1"sv, "a Parquet file", with_pandas_parquet},
    Kind{0, "ARROW1"sv, "an Arrow (Feather) file", with_pandas_feather},
    Kind{0, "FEA1"sv, "a Feather file", with_pandas_feather},
    Kind{0, "\x89HDF\r\n\x1A\n"sv, "an HDF5 file", with_h5py},
    Kind{0, "MATLAB 7.3 MAT-file"sv, "a MATLAB file, which is HDF5", with_h5py},
    Kind{0, "MATLAB 5.0 MAT-file"sv, "a MATLAB file", with_scipy_mat},
    Kind{0, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, "an old Office document", with_csv_export},
    Kind{0, "SQLite format 3\0"sv, "an SQLite database",
         "export it with sqlite3 -csv -header FILE 'SELECT * FROM NAME'"},
    Kind{0, "RDX2\n"sv, "an R data file", with_r},
    Kind{0, "RDX3\n"sv, "an R data file", with_r},
    Kind{0, "X\n\0\0"sv, "an R data file", with_r},
    Kind{0, "\x80\2"sv, "a Python pickle", "write it from Python with numpy.save"},
    Kind{0, "\x80\3"sv, "a Python pickle", "write it from Python with numpy.save"},
    Kind{0, "\x80\4\x95"sv, "a Python pickle", "write it from Python with numpy.save"},
    Kind{0, "\x80\5\x95"sv, "a Python pickle", "write it from Python with numpy.save"},
    Kind{0, "%PDF-"sv, "a PDF document", "export its table as CSV", true},
    Kind{0, "\x89PNG\r\n"sv, "a picture", as_pixels},
    Kind{0, "\xFF\xD8\xFF"sv, "a picture", as_pixels},
    Kind{0, "GIF87a"sv, "a picture", as_pixels},
    Kind{0, "GIF89a"sv, "a picture", as_pixels},
    Kind{0,
         "\x7F"
         "ELF"sv,
         "a program", "give the file of data"},
    Kind{0, "version https://git-lfs"sv, "a pointer to a file in Git LFS",
         "fetch the file itself with 'git lfs pull'", true},
    Kind{0, "%%MatrixMarket"sv, "a Matrix Market file, which is a graph or a matrix",
         "save a matrix of points as .npy: python3 -c \"import scipy.io, numpy; m = "
         "scipy.io.mmread('FILE'); numpy.save('X.npy', m.toarray() if hasattr(m, 'toarray') else "
         "m)\"",
         true}};

[[noreturn]] void refuse(const std::string& name, const std::string& kind, Wanted wanted,
                         const std::string& remedy, Remedies remedies = {}) {
  const auto expected_by = [&] {
    switch (wanted) {
      case Wanted::table: return "a table of numbers, .npy, .npz, libsvm or idx";
      case Wanted::labels: return "lines 'node label', .npy, .npz or idx";
      case Wanted::graph: break;
    }
    return "an edge list, Matrix Market, METIS, GraphML, GEXF, GML, DOT, Pajek, DIMACS, Galois, a "
           "sparse matrix of SciPy, N-Triples or a folder of OGB";
  };
  throw Error(ErrorCode::bad_data,
              name + ": is " + kind + "; expected " + expected_by() + "; " + remedy, remedies);
}

bool has_word(std::string_view text, std::string_view lower_case) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::search(text.begin(), text.end(), lower_case.begin(), lower_case.end(),
                     [&](char a, char b) { return lower(a) == b; }) != text.end();
}

// Weka's format: comments, then "@relation NAME".
bool is_arff(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = trimmed(take_line(text));
    if (is_skipped(line)) continue;
    return equal_ignoring_case(line.substr(0, 9), "@relation");
  }
  return false;
}

// "a GML graph"; nullptr where the text begins as none that has a format of its own.
const char* graph_by_name(std::string_view text) {
  if (is_graphml(text)) return "a GraphML graph";
  if (is_gexf(text)) return "a GEXF graph";
  if (is_gml(text)) return "a GML graph";
  if (is_pajek(text)) return "a Pajek graph";
  if (is_dimacs(text)) return "a DIMACS graph";
  if (is_dot(text)) return "a Graphviz (DOT) graph";
  return nullptr;
}

void refuse_foreign_text(std::string_view text, const std::string& name, Wanted wanted) {
  if (wanted != Wanted::graph)
    if (const char* graph = graph_by_name(text))
      refuse(name, graph, wanted,
             "give it where a command takes a GRAPH, or write its edges with 'gssl convert FILE "
             "edges.tsv'");
  const ForeignGraph graph = foreign_graph(text);
  if (!graph.kind.empty() && wanted == Wanted::graph)
    refuse(name, graph.kind, wanted, graph.remedy, graph.remedies);
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return;
  const std::string_view data = text.substr(begin);
  if (data.starts_with("<!") || data.starts_with("<?xml") || data.starts_with("<html")) {
    if (has_word(data, "<html") || has_word(data, "<!doctype html")) {
      refuse(name, "a web page", wanted, "fetch the file of data itself");
    }
    refuse(name, "XML", wanted, "write it as a table");
  }
  const std::size_t second = data.find_first_not_of(" \t\r\n", 1);
  const char next = second == std::string_view::npos ? '\0' : data[second];
  const bool is_object = data.front() == '{' && next == '"';
  const bool is_list =
      data.front() == '[' && "[{\"-0123456789"sv.find(next) != std::string_view::npos;
  // Ids and labels may begin with a bracket; numbers do not.
  if (is_object || (is_list && wanted == Wanted::table)) {
    refuse(name, "JSON", wanted,
           "convert it with python3 -c \"import pandas; pandas.read_json('FILE').to_csv('FILE.csv',"
           " index=False)\" (JSON lines: lines=True)");
  }
  if (is_arff(text)) {
    refuse(name, "an ARFF file", wanted,
           "convert it with sed '1,/^@data/Id' FILE > FILE.csv, and tell which column holds labels "
           "by its number");
  }
}

}  // namespace

void refuse_foreign(std::string_view text, const std::string& name, Wanted wanted) {
  text = text.substr(0, looked_at);
  const bool binary = is_binary(text);
  for (const Kind& kind : kinds) {
    const bool begins = kind.at <= text.size() && text.substr(kind.at).starts_with(kind.magic);
    if (!begins) continue;
    // A table may have a column PAR1.
    const auto letter = [](char c) { return static_cast<unsigned char>(c) - 0x20U < 0x5FU; };
    const bool a_word = std::ranges::all_of(kind.magic, letter) && kind.at == 0;
    if (wanted == Wanted::graph && kind.magic.starts_with("%%")) continue;
    if (!a_word || binary || kind.is_text) refuse(name, kind.name, wanted, kind.remedy);
  }
  refuse_foreign_text(text, name, wanted);
}

void refuse_archive(std::string_view members, const std::string& name) {
  if (has_word(members, "xl/workbook") || has_word(members, "content.xml")) {
    refuse(name, "a workbook of a spreadsheet", Wanted::table, with_csv_export);
  }
  refuse(name, "a zip archive without .npy arrays", Wanted::table,
         "unpack it, as in 'unzip -p FILE | gssl … -'");
}

bool is_binary(std::string_view text) {
  return std::ranges::any_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r' && byte != '\f' &&
           byte != 0x1B;
  });
}

void refuse_binary(std::string_view text, const std::string& name, Wanted wanted) {
  text = text.substr(0, looked_at);
  if (!is_binary(text)) return;
  for (std::int64_t line = 1;; ++line) {
    if (!is_binary(take_line(text))) continue;
    bad_line(name, line,
             wanted == Wanted::table
                 ? "binary data; expected a table of numbers; check the file"
                 : "binary data; expected lines 'node label', .npy, .npz or idx");
  }
}

}  // namespace gssl::detail
