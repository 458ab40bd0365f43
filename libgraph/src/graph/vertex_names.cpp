#include "gssl/graph/vertex_names.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>

#include "gssl/core/error.hpp"

namespace gssl {

namespace {

constexpr std::size_t smallest_table = 16;

// Both halves of a 128-bit product folded together: every bit of x reaches every bit of the result.
std::uint64_t fold(std::uint64_t x, std::uint64_t y) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(x) * y;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint32_t hash_of(std::uint64_t name) {
  return static_cast<std::uint32_t>(fold(name ^ 0x9e3779b97f4a7c15ULL, 0xd6e8feb86659fd93ULL));
}

std::uint32_t hash_of(std::string_view name) {
  std::uint64_t hash = name.size() ^ 0xa0761d6478bd642fULL;
  while (name.size() > 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, name.data(), 8);
    hash = fold(hash ^ word, 0xe7037ed1a0b428dbULL);
    name.remove_prefix(8);
  }
  std::uint64_t tail = 0;
  if (!name.empty()) std::memcpy(&tail, name.data(), name.size());
  hash = fold(hash ^ tail, 0x8ebc6af09c88c6e3ULL);
  return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

// Decimal digits of a 64-bit integer, on the stack.
class Digits {
 public:
  explicit Digits(std::uint64_t value)
      : end_(std::to_chars(buffer_, buffer_ + sizeof buffer_, value).ptr) {}
  std::string_view text() const { return {buffer_, static_cast<std::size_t>(end_ - buffer_)}; }

 private:
  char buffer_[20];
  char* end_;
};

}  // namespace

bool parse_canonical_integer(std::string_view text, std::uint64_t& value) {
  if (text.empty() || text.size() > 20 || (text.front() == '0' && text.size() > 1)) return false;
  std::uint64_t sum = 0;
  if (text.size() < 20) {  // 19 digits cannot overflow
    for (const char c : text) {
      const auto digit = static_cast<unsigned>(c - '0');
      if (digit > 9) return false;
      sum = sum * 10 + digit;
    }
    value = sum;
    return true;
  }
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, sum);
  if (error != std::errc{} || end != last) return false;
  value = sum;
  return true;
}

VertexNames VertexNames::numbered(VertexId vertex_count, std::int64_t first) {
  if (vertex_count < 0 || first < 0)
    throw Error(ErrorCode::usage, "vertex names: " + std::to_string(vertex_count) +
                                      " vertices from " + std::to_string(first) +
                                      ": both must be >= 0");
  VertexNames names;
  names.form_ = Form::numbered;
  names.count_ = vertex_count;
  names.first_ = first;
  return names;
}

VertexId VertexNames::size() const {
  switch (form_) {
    case Form::numbered: return count_;
    case Form::integers: return static_cast<VertexId>(integers_.size());
    case Form::strings: return static_cast<VertexId>(ends_.size());
  }
  return 0;
}

VertexId VertexNames::find_numbered(std::uint64_t name) const {
  const std::uint64_t position = name - static_cast<std::uint64_t>(first_);  // wraps below first_
  return position < static_cast<std::uint64_t>(count_) ? static_cast<VertexId>(position)
                                                       : no_vertex;
}

std::string_view VertexNames::string_at(VertexId v) const {
  const auto at = static_cast<std::size_t>(v);
  const std::uint64_t begin = at == 0 ? 0 : ends_[at - 1];
  return {arena_.data() + begin, ends_[at] - begin};
}

std::uint32_t VertexNames::hash_at(VertexId v) const {
  const auto at = static_cast<std::size_t>(v);
  return form_ == Form::strings ? hashes_[at] : hash_of(integers_[at]);
}

// The slot that holds the name, or the free slot where it belongs. The table is never full.
std::size_t VertexNames::slot_of(std::uint64_t name, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (slots_[slot] != no_vertex && integers_[static_cast<std::size_t>(slots_[slot])] != name)
    slot = (slot + 1) & mask;
  return slot;
}

std::size_t VertexNames::slot_of(std::string_view name, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  for (; slots_[slot] != no_vertex; slot = (slot + 1) & mask) {
    const VertexId v = slots_[slot];
    if (hashes_[static_cast<std::size_t>(v)] == hash && string_at(v) == name) break;
  }
  return slot;
}

void VertexNames::check_room() const {
  if (size() == std::numeric_limits<VertexId>::max())
    throw Error(ErrorCode::bad_data,
                "vertex names: more than 2^31 - 1 distinct ids; a graph cannot have more vertices");
}

// Before a look-up that may insert: there is a free slot, and there still is one after the
// insertion.
void VertexNames::make_room() {
  if ((static_cast<std::size_t>(size()) + 1) * 8 > slots_.size() * 5)
    rehash(std::max(smallest_table, slots_.size() * 2));
}

void VertexNames::rehash(std::size_t slots) {
  slots_ = {};  // before the new table is made, to keep the peak low
  slots_.assign(slots, no_vertex);
  const std::size_t mask = slots - 1;
  const VertexId n = size();
  for (VertexId v = 0; v < n; ++v) {
    std::size_t slot = hash_at(v) & mask;
    while (slots_[slot] != no_vertex) slot = (slot + 1) & mask;
    slots_[slot] = v;
  }
}

VertexId VertexNames::insert(std::string_view name) {
  if (form_ != Form::strings) {
    std::uint64_t integer = 0;
    if (parse_canonical_integer(name, integer)) return insert(integer);
    check_room();
    to_strings();
  }
  return insert_string(name);
}

VertexId VertexNames::insert(std::uint64_t name) {
  if (form_ == Form::strings) return insert_string(Digits(name).text());
  if (form_ == Form::numbered) {
    if (const VertexId v = find_numbered(name); v != no_vertex) return v;
    check_room();
    to_integers();
  }
  make_room();
  VertexId& slot = slots_[slot_of(name, hash_of(name))];
  if (slot == no_vertex) {
    check_room();
    const VertexId v = size();
    integers_.push_back(name);
    slot = v;
  }
  return slot;
}

VertexId VertexNames::insert_string(std::string_view name) {
  make_room();
  const std::uint32_t hash = hash_of(name);
  VertexId& slot = slots_[slot_of(name, hash)];
  if (slot == no_vertex) {
    check_room();
    const VertexId v = size();
    append_string(name, hash);
    slot = v;
  }
  return slot;
}

// ends_ grows last: it is what size() counts, so a failed allocation leaves the names as they were.
void VertexNames::append_string(std::string_view name, std::uint32_t hash) {
  const auto known = static_cast<std::size_t>(size());
  const std::uint64_t end = known == 0 ? 0 : ends_.back();
  arena_.resize(end);
  hashes_.resize(known);
  arena_.append(name);
  hashes_.push_back(hash);
  ends_.push_back(arena_.size());
}

VertexId VertexNames::find(std::string_view name) const {
  if (form_ != Form::strings) {
    std::uint64_t integer = 0;
    return parse_canonical_integer(name, integer) ? find(integer) : no_vertex;
  }
  if (slots_.empty()) return no_vertex;
  return slots_[slot_of(name, hash_of(name))];
}

VertexId VertexNames::find(std::uint64_t name) const {
  if (form_ == Form::numbered) return find_numbered(name);
  if (form_ == Form::strings) return find(Digits(name).text());
  if (slots_.empty()) return no_vertex;
  return slots_[slot_of(name, hash_of(name))];
}

std::string VertexNames::name(VertexId v) const {
  std::string text;
  append_name(v, text);
  return text;
}

void VertexNames::append_name(VertexId v, std::string& out) const {
  GSSL_ASSERT(v >= 0 && v < size());
  switch (form_) {
    case Form::numbered: out += Digits(static_cast<std::uint64_t>(first_ + v)).text(); break;
    case Form::integers: out += Digits(integers_[static_cast<std::size_t>(v)]).text(); break;
    case Form::strings: out += string_at(v); break;
  }
}

std::size_t VertexNames::memory_bytes() const {
  // Short strings live inside the object and take nothing from the heap.
  const std::size_t arena = arena_.capacity() > std::string().capacity() ? arena_.capacity() : 0;
  return arena + integers_.capacity() * sizeof(std::uint64_t) +
         ends_.capacity() * sizeof(std::uint64_t) + hashes_.capacity() * sizeof(std::uint32_t) +
         slots_.capacity() * sizeof(VertexId);
}

void VertexNames::to_integers() {
  VertexNames converted;
  converted.integers_.reserve(static_cast<std::size_t>(count_) + 1);
  for (VertexId v = 0; v < count_; ++v)
    converted.integers_.push_back(static_cast<std::uint64_t>(first_ + v));
  std::size_t slots = smallest_table;
  while ((static_cast<std::size_t>(count_) + 1) * 8 > slots * 5) slots *= 2;
  converted.rehash(slots);
  *this = std::move(converted);
}

void VertexNames::to_strings() {
  VertexNames converted;
  converted.form_ = Form::strings;
  const VertexId n = size();
  for (VertexId v = 0; v < n; ++v) {
    const Digits digits(form_ == Form::numbered ? static_cast<std::uint64_t>(first_ + v)
                                                : integers_[static_cast<std::size_t>(v)]);
    converted.append_string(digits.text(), hash_of(digits.text()));
  }
  std::size_t slots = smallest_table;
  while ((static_cast<std::size_t>(n) + 1) * 8 > slots * 5) slots *= 2;
  converted.rehash(slots);
  *this = std::move(converted);
}

}  // namespace gssl
