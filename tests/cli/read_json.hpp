#pragma once
// The JSON that a run wrote: a machine-readable summary, mostly.

#include <filesystem>
#include <nlohmann/json.hpp>

namespace gssl::test {

// Parsed in a file of its own, as the parser takes seconds to compile.
nlohmann::json read_json(const std::filesystem::path& path);

}  // namespace gssl::test
