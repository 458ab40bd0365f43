#pragma once
// Small data sets of ../shared that batch learners are compared on; nothing where it is absent.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "algorithms/certificates.hpp"
#include "gssl/core/report.hpp"
#include "gssl/data/dataset.hpp"
#include "support/support.hpp"

namespace gssl::test {

// Rows of numbers, the last of each a class number or a letter; 'g' counts as 1, 'b' as 0. The
// first line is left out where it is a header.
inline Dataset read_classes(const std::string& path, bool header, std::size_t most_rows = 1 << 30) {
  std::ifstream in(path);
  std::string line;
  if (header) std::getline(in, line);
  std::vector<double> values;
  std::vector<std::string> labels;
  while (labels.size() < most_rows && std::getline(in, line)) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    if (cells.empty()) continue;
    for (std::size_t c = 0; c + 1 < cells.size(); ++c) values.push_back(std::stod(cells[c]));
    const std::string& last = cells.back();
    labels.push_back(last == "g" ? "1" : last == "b" ? "0" : last);
  }
  const auto rows = std::ssize(labels);
  const auto columns = std::ssize(values) / rows;
  return make_dataset(Points::dense(rows, columns, std::move(values)), Targets::classes(labels));
}

// "label column:value …", columns from 1.
inline Dataset read_libsvm_rows(const std::string& path, std::int64_t columns,
                                std::int64_t most_rows = 1 << 30) {
  std::ifstream in(path);
  std::vector<std::int64_t> offsets = {0};
  std::vector<std::int32_t> ids;
  std::vector<double> values;
  std::vector<std::string> labels;
  for (std::string line; std::ssize(labels) < most_rows && std::getline(in, line);) {
    std::istringstream row(line);
    std::string cell;
    row >> cell;
    labels.push_back(cell);
    while (row >> cell) {
      const auto colon = cell.find(':');
      ids.push_back(std::stoi(cell.substr(0, colon)) - 1);
      values.push_back(std::stod(cell.substr(colon + 1)));
    }
    offsets.push_back(std::ssize(ids));
  }
  return make_dataset(Points::sparse(std::ssize(labels), columns, offsets, ids, values),
                      Targets::classes(labels));
}

// Columns of mean 0 and variance 1 (over n).
inline Dataset standardized(const Dataset& data) {
  const Points& p = data.points;
  std::vector<double> values(static_cast<std::size_t>(p.rows() * p.columns()));
  for (std::int64_t c = 0; c < p.columns(); ++c) {
    double sum = 0.0, square = 0.0;
    for (VertexId r = 0; r < p.rows(); ++r) sum += p.value(r, c);
    const double mean = sum / p.rows();
    for (VertexId r = 0; r < p.rows(); ++r)
      square += (p.value(r, c) - mean) * (p.value(r, c) - mean);
    const double deviation = std::sqrt(square / p.rows());
    for (VertexId r = 0; r < p.rows(); ++r)
      values[static_cast<std::size_t>(r * p.columns() + c)] = (p.value(r, c) - mean) / deviation;
  }
  return make_dataset(Points::dense(p.rows(), p.columns(), std::move(values)), data.targets);
}

inline std::optional<Dataset> heart_scale() {
  const auto path = shared_path("data/points/heart_scale/heart_scale");
  return path ? std::optional(read_libsvm_rows(path->string(), 13)) : std::nullopt;
}

// The numbers of one column.
inline std::vector<double> read_column(const std::string& path) {
  std::vector<double> all;
  for (const auto& row : read_numbers(path)) all.push_back(row.front());
  return all;
}

}  // namespace gssl::test
