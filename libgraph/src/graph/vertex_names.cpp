#include "gssl/graph/vertex_names.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <limits>
#include <utility>

#include "gssl/core/error.hpp"

namespace gssl {

namespace {

using detail::hash_of;

// Look-ups that wait for memory together.
constexpr std::size_t batch = 128;

// Inlined, since GCC drops calls of functions that do nothing but fetch.
inline __attribute__((always_inline)) void prefetch(const void* at) { __builtin_prefetch(at); }

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

VertexNames::VertexNames(std::shared_ptr<const StoredNames> stored)
    : form_(Form::stored), stored_(std::move(stored)) {}

VertexId VertexNames::size() const {
  switch (form_) {
    case Form::stored: return stored_->size();
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
  return form_ == Form::strings ? hash_of(string_at(v))
                                : hash_of(integers_[static_cast<std::size_t>(v)]);
}

bool VertexNames::has_name(VertexId v, std::uint64_t name) const {
  return integers_[static_cast<std::size_t>(v)] == name;
}

bool VertexNames::has_name(VertexId v, std::string_view name) const { return string_at(v) == name; }

template <class Name>
detail::NameSlots::Seen VertexNames::look_up(Name name, std::uint32_t hash) const {
  return slots_.view().find(hash, [&](VertexId v) { return has_name(v, name); });
}

void VertexNames::check_room() const {
  if (size() == std::numeric_limits<VertexId>::max())
    throw Error(ErrorCode::bad_data,
                "vertex names: more than 2^31 - 1 distinct ids; a graph cannot have more vertices");
}

VertexId VertexNames::insert(std::string_view name) {
  if (form_ == Form::stored) {
    if (const VertexId v = stored_->find(name); v != no_vertex) return v;
    to_own();
  }
  if (form_ != Form::strings) {
    std::uint64_t integer = 0;
    if (parse_canonical_integer(name, integer)) return insert(integer);
    check_room();
    to_strings();
  }
  return insert_hashed(name);
}

VertexId VertexNames::insert(std::uint64_t name) {
  if (form_ == Form::stored) return insert(Digits(name).text());
  if (form_ == Form::strings) return insert_hashed(Digits(name).text());
  if (form_ == Form::numbered) {
    if (const VertexId v = find_numbered(name); v != no_vertex) return v;
    check_room();
    to_integers();
  }
  if (name >= direct_.size()) return insert_hashed(name);
  VertexId& vertex = direct_[name];
  if (vertex == no_vertex) detail::publish(vertex, append(name));
  return vertex;
}

// Calls each(i, vertex) in order, where the vertex is the first of that hash, whose name is likely
// the one: its name was asked for a few names before.
template <class Each>
void VertexNames::each_likely(std::span<const HashedName> names, Each&& each) const {
  std::array<VertexId, batch> likely;
  for (std::size_t first = 0; first < names.size(); first += batch) {
    const std::span<const HashedName> some =
        names.subspan(first, std::min(batch, names.size() - first));
    likely.fill(no_vertex);
    if (form_ == Form::strings && !slots_.empty()) {
      const detail::NameSlots::View slots = slots_.view();
      const std::uint64_t* const ends = ends_.data();
      const char* const arena = arena_.data();
      for (const HashedName& name : some) prefetch(slots.home(name.hash));
      for (std::size_t i = 0; i < some.size(); ++i) {
        likely[i] = slots.first(some[i].hash);
        if (likely[i] != no_vertex) prefetch(ends + likely[i]);
      }
      for (std::size_t i = 0; i < some.size(); ++i)
        if (likely[i] > 0) prefetch(arena + ends[likely[i] - 1]);
    }
    for (std::size_t i = 0; i < some.size(); ++i) each(first + i, likely[i]);
  }
}

void VertexNames::insert(std::span<const std::uint64_t> names, std::span<VertexId> vertices) {
  for (std::size_t first = 0; first < names.size(); first += batch) {
    const std::size_t end = std::min(first + batch, names.size());
    find(names.subspan(first, end - first), vertices.subspan(first));
    for (std::size_t i = first; i < end; ++i)
      if (vertices[i] == no_vertex) vertices[i] = insert(names[i]);
  }
}

// Of integers that are looked up in `slots`, since they are not in the directory.
void VertexNames::find_hashed(std::span<const std::uint64_t> names,
                              std::span<VertexId> vertices) const {
  const std::size_t direct_size = direct_.size();
  const detail::NameSlots::View slots = slots_.view();
  const std::uint64_t* const integers = integers_.data();
  std::array<std::uint32_t, batch> hashes;
  std::array<std::uint32_t, batch> places;
  std::array<VertexId, batch> likely;
  std::size_t some = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] < direct_size) continue;
    places[some] = static_cast<std::uint32_t>(i);
    hashes[some] = hash_of(names[i]);
    prefetch(slots.home(hashes[some++]));
  }
  for (std::size_t k = 0; k < some; ++k) {
    likely[k] = slots.first(hashes[k]);
    if (likely[k] != no_vertex) prefetch(integers + likely[k]);
  }
  for (std::size_t k = 0; k < some; ++k) {
    const std::uint64_t name = names[places[k]];
    const bool other = likely[k] != no_vertex && integers[likely[k]] != name;
    vertices[places[k]] = other ? look_up(name, hashes[k]).vertex : likely[k];
  }
}

// The directory first: its look-ups are so short that the processor has many of them under way.
void VertexNames::find(std::span<const std::uint64_t> names, std::span<VertexId> vertices) const {
  const VertexId* const direct = direct_.data();
  const std::size_t direct_size = form_ == Form::integers ? direct_.size() : 0;
  for (std::size_t first = 0; first < names.size(); first += batch) {
    const std::size_t end = std::min(first + batch, names.size());
    std::size_t found = 0;
    for (std::size_t i = first; i < end; ++i) {
      const bool here = names[i] < direct_size;
      // A vertex alone: what else is known of it is not looked at.
      vertices[i] =
          here ? detail::published(direct[names[i]], std::memory_order_relaxed) : no_vertex;
      found += here ? 1 : 0;
    }
    if (found == end - first) continue;
    if (form_ == Form::integers) {
      if (!slots_.empty()) find_hashed(names.subspan(first, end - first), vertices.subspan(first));
      continue;
    }
    for (std::size_t i = first; i < end; ++i) vertices[i] = find(names[i]);
  }
}

VertexId VertexNames::insert(const HashedName& name) {
  return form_ == Form::strings ? insert_hashed(name) : insert(name.name);
}

void VertexNames::insert(std::span<const HashedName> names, std::span<VertexId> vertices) {
  each_likely(names, [&](std::size_t i, VertexId likely) {
    const bool known = likely != no_vertex && has_name(likely, names[i]);
    vertices[i] = known ? likely : insert(names[i]);
  });
}

void VertexNames::find(std::span<const HashedName> names, std::span<VertexId> vertices) const {
  const bool tables = form_ == Form::strings && !slots_.empty();
  each_likely(names, [&](std::size_t i, VertexId likely) {
    const HashedName& name = names[i];
    if (likely != no_vertex && !has_name(likely, name)) likely = look_up(name, name.hash).vertex;
    vertices[i] = tables ? likely : find(name.name);
  });
}

// The tables grow for new names alone, so that they are the same whoever looked up what is known.
template <class Name>
VertexId VertexNames::insert_hashed(Name name) {
  const std::uint32_t hash = hash_of(name);
  detail::NameSlots::Seen seen;
  if (!slots_.empty()) seen = look_up(name, hash);
  if (seen.vertex != no_vertex) return seen.vertex;
  if (!slots_.has_room(1)) {
    rehash();
    return insert(name);  // an integer may be one of the directory now
  }
  seen.vertex = append(name);
  slots_.add(seen, hash, seen.vertex);
  return seen.vertex;
}

VertexId VertexNames::append(std::uint64_t name) {
  check_room();
  integers_.push_back(name);
  return size() - 1;
}

// ends_ grows last: it is what size() counts, so a failed allocation leaves the names as they were.
VertexId VertexNames::append(std::string_view name) {
  check_room();
  arena_.resize(ends_.empty() ? 0 : ends_.back());
  arena_.insert(arena_.end(), name.begin(), name.end());
  ends_.push_back(arena_.size());
  return size() - 1;
}

VertexId VertexNames::find(std::string_view name) const {
  if (form_ == Form::stored) return stored_->find(name);
  if (form_ != Form::strings) {
    std::uint64_t integer = 0;
    return parse_canonical_integer(name, integer) ? find(integer) : no_vertex;
  }
  if (slots_.empty()) return no_vertex;
  return look_up(name, hash_of(name)).vertex;
}

VertexId VertexNames::find(std::uint64_t name) const {
  if (form_ == Form::numbered) return find_numbered(name);
  if (form_ == Form::strings || form_ == Form::stored) return find(Digits(name).text());
  if (name < direct_.size()) return detail::published(direct_[name]);
  if (slots_.empty()) return no_vertex;
  return look_up(name, hash_of(name)).vertex;
}

std::string VertexNames::name(VertexId v) const {
  std::string text;
  append_name(v, text);
  return text;
}

void VertexNames::append_name(VertexId v, std::string& out) const {
  if (v < 0 || v >= size())
    throw Error(ErrorCode::usage, "vertex " + std::to_string(v) + " has no name: must be in [0, " +
                                      std::to_string(size()) + ")");
  switch (form_) {
    case Form::numbered: out += Digits(static_cast<std::uint64_t>(first_ + v)).text(); break;
    case Form::integers: out += Digits(integers_[static_cast<std::size_t>(v)]).text(); break;
    case Form::strings: out += string_at(v); break;
    case Form::stored: stored_->append_name(v, out); break;
  }
}

std::size_t VertexNames::memory_bytes() const {
  if (form_ == Form::stored) return stored_->memory_bytes();
  return arena_.capacity() + integers_.capacity() * sizeof(std::uint64_t) +
         ends_.capacity() * sizeof(std::uint64_t) + direct_.capacity() * sizeof(VertexId) +
         slots_.memory_bytes();
}

void VertexNames::to_own() {
  VertexNames own;
  const VertexId n = size();
  std::string name;
  for (VertexId v = 0; v < n; ++v) {
    name.clear();
    stored_->append_name(v, name);
    own.insert(name);
  }
  *this = std::move(own);
}

void VertexNames::to_integers() {
  VertexNames converted;
  converted.integers_.reserve(static_cast<std::size_t>(count_) + 1);
  for (VertexId v = 0; v < count_; ++v)
    converted.integers_.push_back(static_cast<std::uint64_t>(first_ + v));
  converted.rehash();
  *this = std::move(converted);
}

void VertexNames::to_strings() {
  VertexNames converted;
  converted.form_ = Form::strings;
  const VertexId n = size();
  for (VertexId v = 0; v < n; ++v) {
    const Digits digits(form_ == Form::numbered ? static_cast<std::uint64_t>(first_ + v)
                                                : integers_[static_cast<std::size_t>(v)]);
    converted.append(digits.text());
  }
  converted.rehash();
  *this = std::move(converted);
}

}  // namespace gssl
