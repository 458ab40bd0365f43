#pragma once
// Points of a few lines, and the edges of the graphs made from them.

#include <cstdint>
#include <sstream>
#include <string>

namespace gssl::test {

// The five points of the lecture example: 0 and 4 stand apart, 1, 2, 3 lie on a diagonal.
inline constexpr const char* five = "-2,0\n-1,-1\n0,0\n1,1\n2,0\n";
// Two pairs far apart.
inline constexpr const char* pairs = "name,x,class\na,0,l\nb,1,\nc,10,r\nd,11,\n";

// Of an edge list with a header.
inline std::int64_t edges_in(const std::string& text) {
  std::istringstream lines(text);
  std::int64_t count = -1;  // the header
  for (std::string line; std::getline(lines, line);) count += line.starts_with('#') ? 0 : 1;
  return count;
}

}  // namespace gssl::test
