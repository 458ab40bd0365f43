#include <cstddef>
#include <cstdint>

#include "entry_points.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gssl::fuzz::binary_graph_bytes({reinterpret_cast<const char*>(data), size});
  return 0;
}
