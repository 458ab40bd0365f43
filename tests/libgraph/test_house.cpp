// What CONTRIBUTING.md says of the size of files and functions and of names, over the whole tree.

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/support.hpp"

namespace fs = std::filesystem;
using namespace gssl::test;

namespace {

constexpr int most_file_lines = 450;
constexpr int most_function_lines = 60;

std::vector<fs::path> sources_under(const std::vector<std::string>& folders) {
  std::vector<fs::path> found;
  for (const std::string& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(source_path(folder))) {
      const std::string extension = entry.path().extension().string();
      if (extension == ".cpp" || extension == ".hpp" || extension == ".c" || extension == ".h")
        found.push_back(entry.path());
    }
  return found;
}

std::vector<std::string> lines_of(const fs::path& file) {
  std::vector<std::string> lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Whether what begins with this line may be a function, and no type, namespace or table.
bool begins_function(const std::string& text) {
  for (const char* other : {"namespace", "struct ", "class ", "enum ", "union ", "extern "})
    if (text.starts_with(other)) return false;
  return text.find('(') != std::string::npos && !text.ends_with("= {");
}

struct Function {
  std::string begins;
  int lines = 0;
};

// By the indentation that clang-format gives: a brace ends what began with the last line that is
// indented as much.
std::vector<Function> functions_in(const std::vector<std::string>& lines) {
  struct Line {
    int number;
    std::string text;
  };
  std::vector<Function> found;
  std::map<std::size_t, Line> open;  // by indentation
  bool raw = false;                  // within R"( … )"
  for (int number = 1; const std::string& line : lines) {
    const int here = number++;
    const bool was_raw = raw;
    const std::size_t begins = line.find("R\"(");
    if (raw ? line.find(")\"") != std::string::npos : begins != std::string::npos)
      raw = !raw && line.find(")\"", begins) == std::string::npos;
    const std::size_t indent = line.find_first_not_of(' ');
    if (was_raw || indent == std::string::npos) continue;
    const std::string text = line.substr(indent);
    if (text.starts_with('#') || text.starts_with("//") || text == "public:" ||
        text == "private:" || text == "protected:")
      continue;
    open.erase(open.upper_bound(indent), open.end());
    if (!text.starts_with('}')) {
      open[indent] = {here, text};
      continue;
    }
    const auto begun = open.find(indent);
    if (begun == open.end()) continue;
    if (begins_function(begun->second.text))
      found.push_back({begun->second.text, here - begun->second.number + 1});
    open.erase(begun);
  }
  return found;
}

const std::vector<std::string> all_folders = {"libgraph", "algorithms", "io",
                                              "tools",    "tests",      "docs"};

}  // namespace

TEST_CASE("a function ends where its brace is indented as its first line") {
  const std::vector<Function> found =
      functions_in({"namespace a {", "int f(int x,", "      int y) {", "  if (x) {", "    y();",
                    "  }", "}", "", "const int t[] = {", "  1,", "};", "}"});
  REQUIRE(found.size() == 2);
  CHECK(found[0].lines == 3);
  CHECK(found[1].begins == "int f(int x,");
  CHECK(found[1].lines == 6);
}

TEST_CASE("no source has more than 450 lines and no function more than 60") {
  std::size_t functions = 0;
  for (const fs::path& file : sources_under(all_folders)) {
    const std::vector<std::string> lines = lines_of(file);
    INFO(file.string());
    CHECK(static_cast<int>(lines.size()) <= most_file_lines);
    for (const Function& function : functions_in(lines)) {
      ++functions;
      INFO(function.begins);
      CHECK(function.lines <= most_function_lines);
    }
  }
  CHECK(functions > 5'000);
}

TEST_CASE("no two headers have one name") {
  std::map<std::string, fs::path> path_of;
  for (const fs::path& file : sources_under({"libgraph", "algorithms", "io", "tools"})) {
    if (file.extension() != ".hpp") continue;
    const auto [known, is_new] = path_of.emplace(file.filename().string(), file);
    INFO(file.string() << " and " << known->second.string());
    CHECK(is_new);
  }
  CHECK(path_of.size() > 300);
}

// Two structs of one name in two headers are one type to the linker, which keeps either's functions;
// to a reader they are one even in two namespaces.
TEST_CASE("no two headers define a type of one name") {
  std::map<std::string, fs::path> header_of;
  for (const fs::path& file : sources_under({"libgraph", "algorithms", "io", "tools"})) {
    if (file.extension() != ".hpp") continue;
    for (const std::string& line : lines_of(file)) {
      std::istringstream words(line);
      std::string keyword, name;
      words >> keyword >> name;
      if (keyword == "enum" && name == "class") words >> name;
      if (line.empty() || line.front() == ' ' || line.find('{') == std::string::npos) continue;
      if (keyword != "struct" && keyword != "class" && keyword != "enum") continue;
      if (name.find('<') != std::string::npos) continue;  // a specialization
      INFO(name << " in " << file.string() << " and " << header_of[name].string());
      CHECK(header_of[name].empty());
      header_of[name] = file;
    }
  }
  CHECK(header_of.size() > 500);
}

TEST_CASE("a page that maps a room has 30 lines") {
  for (const char* room : {"solve", "factor", "graph/knn"}) {
    const fs::path page = fs::path(source_path("libgraph/src")) / room / "README.md";
    INFO(page.string());
    const std::size_t lines = lines_of(page).size();
    CHECK((lines > 5 && lines <= 30));
  }
}

// Code points, as a reader counts; what goes on in columns is as wide as it is.
std::size_t width_of(const std::string& line) {
  return static_cast<std::size_t>(std::ranges::count_if(
      line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

TEST_CASE("a page of docs has at most 150 lines, of at most 120 columns") {
  int pages = 0;
  for (const fs::path& folder :
       {fs::path(source_path("docs")), fs::path(source_path("docs/examples"))}) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() != ".md") continue;
      ++pages;
      INFO(entry.path().string());
      const std::vector<std::string> lines = lines_of(entry.path());
      CHECK(lines.size() <= 150);
      bool fenced = false;
      for (const std::string& line : lines) {
        if (line.starts_with("```")) fenced = !fenced;
        if (fenced || line.starts_with('|') || line.starts_with("    ")) continue;
        INFO(line);
        CHECK(width_of(line) <= 120);
      }
    }
  }
  CHECK(pages > 30);
}
