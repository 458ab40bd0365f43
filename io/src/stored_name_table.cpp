#include "stored_name_table.hpp"

#include <algorithm>
#include <limits>

namespace gssl::detail {
namespace {

// The finalizer of SplitMix64 (Steele, Lea and Flood 2014, doi:10.1145/2714064.2660195).
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31U);
}

std::uint64_t stored_hash(std::uint64_t number) { return mix(number + 0x9e3779b97f4a7c15ULL); }

// FNV-1a, mixed: its upper bits are poor for short names.
std::uint64_t stored_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return mix(hash);
}

std::size_t home_slot(std::uint64_t hash, std::size_t slots) {
  return static_cast<std::size_t>((hash >> 32U) * slots >> 32U);
}

template <class HashOf>
std::vector<std::uint32_t> slots_of(std::size_t names, HashOf&& hash_of_name) {
  std::vector<std::uint32_t> slots(names + names / 2 + 1, empty_slot);
  for (std::size_t v = 0; v < names; ++v) {
    std::size_t at = home_slot(hash_of_name(v), slots.size());
    while (slots[at] != empty_slot) at = at + 1 == slots.size() ? 0 : at + 1;
    slots[at] = static_cast<std::uint32_t>(v);
  }
  return slots;
}

// Whether the names are numbers; then they are taken.
bool take_numbers(const VertexNames& names, std::vector<std::uint64_t>& numbers) {
  std::string name;
  numbers.reserve(static_cast<std::size_t>(names.size()));
  for (VertexId v = 0; v < names.size(); ++v) {
    name.clear();
    names.append_name(v, name);
    std::uint64_t number = 0;
    if (!parse_canonical_integer(name, number)) return false;
    numbers.push_back(number);
  }
  return true;
}

void take_text(const VertexNames& names, NameArrays& arrays) {
  arrays.ends.reserve(static_cast<std::size_t>(names.size()));
  for (VertexId v = 0; v < names.size(); ++v) {
    names.append_name(v, arrays.text);
    arrays.ends.push_back(arrays.text.size());
  }
}

}  // namespace

NameArrays name_arrays(const VertexNames& names) {
  NameArrays arrays;
  std::vector<std::uint64_t> numbers;
  if (!take_numbers(names, numbers)) {
    arrays.form = NameForm::text;
    take_text(names, arrays);
    const std::string_view text = arrays.text;
    arrays.slots = slots_of(arrays.ends.size(), [&](std::size_t v) {
      const std::size_t begin = v == 0 ? 0 : arrays.ends[v - 1];
      return stored_hash(text.substr(begin, arrays.ends[v] - begin));
    });
    return arrays;
  }
  constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  bool numbered = numbers.empty() || numbers.front() <= largest - numbers.size();
  for (std::size_t v = 0; numbered && v < numbers.size(); ++v)
    numbered = numbers[v] == numbers.front() + v;
  if (numbered) {
    arrays.first = numbers.empty() ? 0 : static_cast<std::int64_t>(numbers.front());
    return arrays;
  }
  arrays.form = NameForm::numbers;
  arrays.slots = slots_of(numbers.size(), [&](std::size_t v) { return stored_hash(numbers[v]); });
  arrays.numbers = std::move(numbers);
  return arrays;
}

VertexId StoredNameTable::size() const {
  return static_cast<VertexId>(arrays_.form == NameForm::text ? arrays_.ends.size()
                                                              : arrays_.numbers.size());
}

std::string_view StoredNameTable::text_of(std::size_t v) const {
  const std::size_t begin = v == 0 ? 0 : arrays_.ends[v - 1];
  const std::size_t end = arrays_.ends[v];
  if (begin > end || end > arrays_.text.size()) return {};  // of a file that was not checked
  return arrays_.text.substr(begin, end - begin);
}

// A damaged table may be full, or hold what is no vertex.
template <class Is>
VertexId StoredNameTable::probe(std::uint64_t hash, Is&& is) const {
  const std::span<const std::uint32_t> slots = arrays_.slots;
  const auto n = static_cast<std::uint32_t>(size());
  std::size_t at = home_slot(hash, slots.size());
  for (std::size_t tries = 0; tries < slots.size() && slots[at] < n; ++tries) {
    if (is(slots[at])) return static_cast<VertexId>(slots[at]);
    at = at + 1 == slots.size() ? 0 : at + 1;
  }
  return no_vertex;
}

VertexId StoredNameTable::find(std::string_view name) const {
  if (arrays_.form == NameForm::text)
    return probe(stored_hash(name), [&](std::uint32_t v) { return text_of(v) == name; });
  std::uint64_t number = 0;
  if (!parse_canonical_integer(name, number)) return no_vertex;
  return probe(stored_hash(number), [&](std::uint32_t v) { return arrays_.numbers[v] == number; });
}

void StoredNameTable::append_name(VertexId v, std::string& out) const {
  const auto at = static_cast<std::size_t>(v);
  if (arrays_.form == NameForm::text)
    out += text_of(at);
  else
    out += std::to_string(arrays_.numbers[at]);
}

std::size_t StoredNameTable::memory_bytes() const {
  return arrays_.numbers.size_bytes() + arrays_.ends.size_bytes() + arrays_.text.size() +
         arrays_.slots.size_bytes();
}

}  // namespace gssl::detail
