// The libraries speak of their own options: flags are of the command, which adds them to what an
// error says (core/remedy.hpp).

#include <cctype>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/catch.hpp"
#include "support/support.hpp"

namespace fs = std::filesystem;
using namespace gssl::test;

namespace {

// The string literals of a line, without their quotes; a comment ends it.
std::vector<std::string> literals_in(std::string_view line) {
  std::vector<std::string> found;
  bool within = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::string_view rest = line.substr(i);
    if (within) {
      if (rest.front() == '"') {
        within = false;
      } else {
        if (rest.front() == '\\' && rest.size() > 1) found.back() += line[i++];
        found.back() += line[i];
      }
    } else if (rest.starts_with("//")) {
      break;
    } else if (rest.starts_with("'\"'")) {
      i += 2;
    } else if (rest.front() == '"') {
      within = true;
      found.emplace_back();
    }
  }
  return found;
}

bool names_flag(std::string_view text) {
  for (std::size_t at = text.find("--"); at != std::string_view::npos; at = text.find("--", at + 1))
    if (at + 2 < text.size() && std::isalpha(static_cast<unsigned char>(text[at + 2])) != 0)
      return true;
  return false;
}

}  // namespace

TEST_CASE("literals are found between quotes, and not in comments") {
  CHECK(literals_in(R"(f("a", '"', "b \"c\" // d");  // "e")") ==
        std::vector<std::string>{"a", R"(b \"c\" // d)"});
  CHECK(names_flag("give --knn 10"));
  CHECK_FALSE(names_flag("a -- b, -1, --1"));
}

TEST_CASE("no text of the libraries names a flag of the command") {
  int files = 0;
  for (const char* library : {"libgraph", "algorithms", "io"}) {
    for (const auto& entry : fs::recursive_directory_iterator(source_path(library))) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".cpp" && extension != ".hpp") continue;
      ++files;
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);)
        for (const std::string& text : literals_in(line)) {
          INFO(entry.path().string() << ": " << text);
          CHECK_FALSE(names_flag(text));
        }
    }
  }
  CHECK(files > 300);
}
