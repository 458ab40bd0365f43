#include "gssl/data/record.hpp"

#include <algorithm>

#include "gssl/core/error.hpp"

namespace gssl {

namespace {

[[noreturn]] void refuse(std::string_view name, const std::string& what) {
  throw Error(ErrorCode::bad_data, "record: " + std::string(name) + ": " + what);
}

template <class T>
const std::vector<T>& of_length(const std::vector<T>& list, std::string_view name,
                                std::int64_t length) {
  if (static_cast<std::int64_t>(list.size()) != length)
    refuse(name, std::to_string(list.size()) + " numbers where " + std::to_string(length) +
                     " are expected");
  return list;
}

}  // namespace

void Record::put_value(std::string name, Value value) {
  GSSL_ASSERT(!name.empty() && find(name) == nullptr);
  entries_.emplace_back(std::move(name), std::move(value));
}

void Record::put(const std::string& name, const std::vector<std::string>& texts) {
  std::string all;
  std::vector<std::int64_t> ends;
  for (const std::string& text : texts) {
    all += text;
    ends.push_back(static_cast<std::int64_t>(all.size()));
  }
  put(name + "/text", std::string_view(all));
  put(name + "/ends", std::move(ends));
}

void Record::put(const std::string& name, const Block& block) {
  put(name + "/shape", std::vector<std::int64_t>{block.rows(), block.columns()});
  put(name + "/values", std::vector<double>(block.values().begin(), block.values().end()));
}

void Record::put(const std::string& name, const Points& points) {
  put(name + "/shape", std::vector<std::int64_t>{points.rows(), points.columns()});
  if (points.is_sparse()) {
    put(name + "/offsets",
        std::vector<std::int64_t>(points.offsets().begin(), points.offsets().end()));
    put(name + "/columns",
        std::vector<std::int32_t>(points.column_ids().begin(), points.column_ids().end()));
  }
  if (points.is_float())
    put(name + "/values", std::vector<float>(points.floats().begin(), points.floats().end()));
  else
    put(name + "/values", std::vector<double>(points.doubles().begin(), points.doubles().end()));
}

void Record::put(const std::string& name, const Record& child) {
  const std::string folder = name + "/";
  for (const auto& [key, value] : child.entries_) put_value(folder + key, value);
}

const Record::Value* Record::find(std::string_view name) const {
  const auto found =
      std::ranges::find(entries_, name, [](const auto& e) -> std::string_view { return e.first; });
  return found == entries_.end() ? nullptr : &found->second;
}

template <class T>
const T& Record::get(std::string_view name, const char* type) const {
  const Value* value = find(name);
  if (value == nullptr) refuse(name, "is missing");
  const T* typed = std::get_if<T>(value);
  if (typed == nullptr) refuse(name, std::string("is not ") + type);
  return *typed;
}

double Record::real(std::string_view name) const { return reals(name, 1).front(); }

std::int64_t Record::integer(std::string_view name) const {
  return of_length(long_integers(name), name, 1).front();
}

const std::string& Record::text(std::string_view name) const {
  return get<std::string>(name, "text");
}

std::vector<std::string> Record::texts(std::string_view name) const {
  const std::string& all = text(std::string(name) + "/text");
  std::vector<std::string> texts;
  std::int64_t begin = 0;
  for (const std::int64_t end : long_integers(std::string(name) + "/ends")) {
    if (end < begin || end > static_cast<std::int64_t>(all.size()))
      refuse(name, "an end that is out of order");
    texts.push_back(
        all.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
    begin = end;
  }
  return texts;
}

const std::vector<double>& Record::reals(std::string_view name) const {
  return get<std::vector<double>>(name, "a list of doubles");
}
const std::vector<float>& Record::floats(std::string_view name) const {
  return get<std::vector<float>>(name, "a list of floats");
}
const std::vector<std::int32_t>& Record::integers(std::string_view name) const {
  return get<std::vector<std::int32_t>>(name, "a list of 32-bit integers");
}
const std::vector<std::int64_t>& Record::long_integers(std::string_view name) const {
  return get<std::vector<std::int64_t>>(name, "a list of 64-bit integers");
}
const std::vector<double>& Record::reals(std::string_view name, std::int64_t length) const {
  return of_length(reals(name), name, length);
}
const std::vector<std::int32_t>& Record::integers(std::string_view name,
                                                  std::int64_t length) const {
  return of_length(integers(name), name, length);
}

Block Record::block(std::string_view name) const {
  const std::string key(name);
  const auto& shape = of_length(long_integers(key + "/shape"), name, 2);
  return {shape[0], shape[1], reals(key + "/values")};
}

Block Record::take_block(std::string_view name) {
  const std::string key(name);
  const auto& shape = of_length(long_integers(key + "/shape"), name, 2);
  reals(key + "/values");  // is there, and a list of doubles
  const auto stored =
      std::ranges::find(entries_, key + "/values", &std::pair<std::string, Value>::first);
  return {shape[0], shape[1], std::move(std::get<std::vector<double>>(stored->second))};
}

Points Record::points(std::string_view name) const {
  const std::string key(name);
  const auto& shape = of_length(long_integers(key + "/shape"), name, 2);
  const Value* stored = find(key + "/values");
  Points::Values values;
  if (stored != nullptr && std::holds_alternative<std::vector<float>>(*stored))
    values = std::get<std::vector<float>>(*stored);
  else
    values = reals(key + "/values");
  if (!has(key + "/offsets")) return Points::dense(shape[0], shape[1], std::move(values));
  return Points::sparse(shape[0], shape[1], long_integers(key + "/offsets"),
                        integers(key + "/columns"), std::move(values));
}

Record Record::child(std::string_view name) const {
  const std::string prefix = std::string(name) + "/";
  Record part;
  for (const auto& [key, value] : entries_)
    if (key.starts_with(prefix)) part.put_value(key.substr(prefix.size()), value);
  if (part.entries_.empty()) refuse(name, "is missing");
  return part;
}

Record Record::take_child(std::string_view name) {
  const std::string prefix = std::string(name) + "/";
  Record part;
  for (auto& [key, value] : entries_)
    if (key.starts_with(prefix))
      part.put_value(key.substr(prefix.size()), std::exchange(value, {}));
  if (part.entries_.empty()) refuse(name, "is missing");
  return part;
}

}  // namespace gssl
