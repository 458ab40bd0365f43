#pragma once
// The JSON summary of one run, written on success and on failure alike.
//
//   gssl::Summary summary;
//   summary.set("n", graph.vertex_count());
//   summary.set("solver.outcome", "converged");     // a dot opens a nested object
//   summary.write("run.json");                      // atomic

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/report.hpp"
#include "gssl/io/graph_reader.hpp"

namespace gssl {

class Summary {
 public:
  Summary();
  ~Summary();
  Summary(const Summary&) = delete;
  Summary& operator=(const Summary&) = delete;

  void set(std::string_view key, std::int64_t value);
  void set(std::string_view key, double value);  // not finite → null
  void set(std::string_view key, bool value);
  void set(std::string_view key, std::string_view value);
  void set(std::string_view key, const char* value) { set(key, std::string_view(value)); }
  void set(std::string_view key, const std::vector<std::string>& values);
  void set(std::string_view key, const std::vector<double>& values);  // not finite → null
  void set(std::string_view key, int value) { set(key, static_cast<std::int64_t>(value)); }
  void append(std::string_view key, std::string_view value);  // to an array of strings
  void add_input(const InputStats& stats);                    // appends to "inputs"
  void add_solver(const SolveReport& report);                 // "solver": {used, iterations, …}
  void add_certificate(const Certificate& certificate);       // a number, or an array of them

  std::string json() const;                   // two-space indent, keys in order of setting
  void write(const std::string& path) const;  // via OutputFile

 private:
  struct Document;
  std::unique_ptr<Document> document_;
};

}  // namespace gssl
