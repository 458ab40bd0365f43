#pragma once
// A learned thing taken apart into named numbers and texts, to be stored and put together again: a
// model, or an online session between two trials.
//
//   gssl::Record record;
//   record.put("bias", bias);
//   record.put("weights", w);
//   gssl::Record child; … record.put("tree/0", child);   // all of it under "tree/0/…"
//   double bias = record.real("bias");                   // throws if it is not there
//
// Names are unique; every number comes back with the bits it had. The file formats of records are
// in gssl/io/record_file.hpp. What reads a record must check what it finds (lengths, ranges): a
// damaged file is told by its checksum, a forged one is not.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/data/points.hpp"

namespace gssl {

class Record {
 public:
  using Value = std::variant<std::string, std::vector<double>, std::vector<float>,
                             std::vector<std::int32_t>, std::vector<std::int64_t>>;

  // Throws ErrorCode::internal where the name is taken or empty.
  void put(const std::string& name, double value) { put_value(name, std::vector{value}); }
  void put(const std::string& name, std::int64_t value) { put_value(name, std::vector{value}); }
  void put(const std::string& name, std::string_view text) { put_value(name, std::string(text)); }
  void put(const std::string& name, std::vector<double> list) { put_value(name, std::move(list)); }
  void put(const std::string& name, std::vector<float> list) { put_value(name, std::move(list)); }
  void put(const std::string& name, std::vector<std::int32_t> list) {
    put_value(name, std::move(list));
  }
  void put(const std::string& name, std::vector<std::int64_t> list) {
    put_value(name, std::move(list));
  }
  void put(const std::string& name, const std::vector<std::string>& texts);
  void put(const std::string& name, const Block& block);
  void put(const std::string& name, const Points& points);
  void put(const std::string& name, const Record& child);  // its values as "name/…"
  void put_value(std::string name, Value value);

  bool has(std::string_view name) const { return find(name) != nullptr; }
  // Each throws ErrorCode::bad_data "no NAME in it", or that it is of another type or length.
  double real(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  const std::string& text(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  const std::vector<double>& reals(std::string_view name) const;
  const std::vector<float>& floats(std::string_view name) const;
  const std::vector<std::int32_t>& integers(std::string_view name) const;
  const std::vector<std::int64_t>& long_integers(std::string_view name) const;
  // The same, and of that length.
  const std::vector<double>& reals(std::string_view name, std::int64_t length) const;
  const std::vector<std::int32_t>& integers(std::string_view name, std::int64_t length) const;
  Block block(std::string_view name) const;
  Points points(std::string_view name) const;
  Record child(std::string_view name) const;  // what is under "name/"; throws where nothing is
  // The same two without a copy: what was taken is empty here.
  Block take_block(std::string_view name);
  Record take_child(std::string_view name);

  // In the order in which they were put.
  const std::vector<std::pair<std::string, Value>>& entries() const { return entries_; }

 private:
  const Value* find(std::string_view name) const;
  template <class T>
  const T& get(std::string_view name, const char* type) const;

  std::vector<std::pair<std::string, Value>> entries_;
};

}  // namespace gssl
