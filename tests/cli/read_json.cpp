#include "read_json.hpp"

#include "support/support.hpp"

namespace gssl::test {

nlohmann::json read_json(const std::filesystem::path& path) {
  return nlohmann::json::parse(read_file(path));
}

}  // namespace gssl::test
