#include "vertex_directory.hpp"

#include <cstring>
#include <functional>
#include <numeric>
#include <string_view>

#include "gssl/core/error.hpp"
#include "together.hpp"

namespace gssl::mpi {
namespace {

std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// An id has one owner, whether or not the other ids of a rank let it be held as a number.
int owner_of(std::string_view id, int ranks) {
  std::uint64_t value = 0;
  const std::uint64_t hash =
      parse_canonical_integer(id, value) ? value : std::hash<std::string_view>{}(id);
  return static_cast<int>(mixed(hash) % static_cast<std::uint64_t>(ranks));
}

int owner_of(std::uint64_t id, int ranks) {
  return static_cast<int>(mixed(id) % static_cast<std::uint64_t>(ranks));
}

// The ids as numbers, or nothing if one of them is none.
std::vector<std::uint64_t> as_integers(const VertexNames& names) {
  std::vector<std::uint64_t> integers(static_cast<std::size_t>(names.size()));
  std::string name;
  for (std::size_t v = 0; v < integers.size(); ++v) {
    name.clear();
    names.append_name(static_cast<VertexId>(v), name);
    if (!parse_canonical_integer(name, integers[v])) return {};
  }
  return integers;
}

// Positions 0 … count−1 in the order of their ranks; those of rank r start at begin[r].
struct ByRank {
  std::vector<std::size_t> order;
  std::vector<std::size_t> begin;
};

ByRank order_by_rank(const std::vector<int>& rank_of, int ranks) {
  ByRank by{std::vector<std::size_t>(rank_of.size()),
            std::vector<std::size_t>(static_cast<std::size_t>(ranks) + 1, 0)};
  for (const int r : rank_of) ++by.begin[static_cast<std::size_t>(r) + 1];
  std::partial_sum(by.begin.begin(), by.begin.end(), by.begin.begin());
  std::vector<std::size_t> next = by.begin;
  for (std::size_t i = 0; i < rank_of.size(); ++i)
    by.order[next[static_cast<std::size_t>(rank_of[i])]++] = i;
  return by;
}

// Owned ids are inserted in the order of the ranks, so the first rank that has one asks first.
template <class Take>
void take_texts(const Parcels<char>& bytes, int ranks, Take&& take) {
  for (int r = 0; r < ranks; ++r) {
    std::span<const char> rest = bytes.of(r);
    while (!rest.empty()) take(r, take_text(rest));
  }
}

}  // namespace

void append_text(std::string_view text, std::vector<char>& bytes) {
  const auto length = static_cast<std::uint32_t>(text.size());
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof length + text.size());
  std::memcpy(bytes.data() + at, &length, sizeof length);
  if (!text.empty()) std::memcpy(bytes.data() + at + sizeof length, text.data(), text.size());
}

std::string_view take_text(std::span<const char>& bytes) {
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  const std::string_view text(bytes.data() + sizeof length, length);
  bytes = bytes.subspan(sizeof length + length);
  return text;
}

namespace {

// Which names of this rank go to which owner, and what the owner was asked by whom.
struct NameQuestions {
  ByRank by;                // names of this rank, by their owners
  Parcels<VertexId> asked;  // the owned id that each question is about, by the rank that asks
};

NameQuestions ask_integers(const std::vector<std::uint64_t>& integers, VertexNames& owned,
                           const Communicator& ranks) {
  NameQuestions found;
  Parcels<std::uint64_t> questions;
  together(ranks, [&] {
    std::vector<int> owner(integers.size());
    for (std::size_t v = 0; v < owner.size(); ++v) owner[v] = owner_of(integers[v], ranks.size());
    found.by = order_by_rank(owner, ranks.size());
    questions.begin = found.by.begin;
    for (const std::size_t v : found.by.order) questions.items.push_back(integers[v]);
  });
  const Parcels<std::uint64_t> received = ranks.exchange(questions);
  together(ranks, [&] {
    std::vector<std::size_t> counts;
    for (std::size_t r = 0; r + 1 < received.begin.size(); ++r)
      counts.push_back(received.begin[r + 1] - received.begin[r]);
    found.asked = Parcels<VertexId>(counts);
    owned.insert(received.items, found.asked.items);
  });
  return found;
}

NameQuestions ask_names(const VertexNames& names, VertexNames& owned, const Communicator& ranks) {
  const int p = ranks.size();
  NameQuestions found;
  Parcels<char> questions;
  together(ranks, [&] {
    std::vector<int> owner(static_cast<std::size_t>(names.size()));
    std::string name;
    for (std::size_t v = 0; v < owner.size(); ++v) {
      name.clear();
      names.append_name(static_cast<VertexId>(v), name);
      owner[v] = owner_of(name, p);
    }
    found.by = order_by_rank(owner, p);
    questions.begin.assign(1, 0);
    for (int r = 0; r < p; ++r) {
      for (std::size_t i = found.by.begin[static_cast<std::size_t>(r)];
           i < found.by.begin[static_cast<std::size_t>(r) + 1]; ++i) {
        name.clear();
        names.append_name(static_cast<VertexId>(found.by.order[i]), name);
        append_text(name, questions.items);
      }
      questions.begin.push_back(questions.items.size());
    }
  });
  const Parcels<char> received = ranks.exchange(questions);
  together(ranks, [&] {
    std::vector<std::size_t> counts(static_cast<std::size_t>(p), 0);
    std::vector<VertexId> ids;
    take_texts(received, p, [&](int r, std::string_view text) {
      ++counts[static_cast<std::size_t>(r)];
      ids.push_back(owned.insert(text));
    });
    found.asked = Parcels<VertexId>(counts);
    found.asked.items = std::move(ids);
  });
  return found;
}

// Of each name of this rank, in the order of its questions: whether no earlier rank has it.
Parcels<char> who_is_new(const Parcels<VertexId>& asked, const Communicator& ranks) {
  Parcels<char> is_new;
  is_new.begin = asked.begin;
  together(ranks, [&] {
    VertexId seen = 0;
    for (const VertexId id : asked.items) {
      is_new.items.push_back(id == seen ? 1 : 0);
      if (id == seen) ++seen;
    }
  });
  return ranks.exchange(is_new);
}

// Numbers the names that this rank introduces, after those of the ranks before it.
Numbering number_introduced(const ByRank& by, const Parcels<char>& news,
                            const Communicator& ranks) {
  const std::size_t count = by.order.size();
  Numbering numbering;
  std::vector<char> introduces(count, 0);
  together(ranks, [&] {
    for (std::size_t i = 0; i < count; ++i) introduces[by.order[i]] = news.items[i];
    for (std::size_t v = 0; v < count; ++v)
      if (introduces[v] != 0) numbering.introduced.push_back(static_cast<VertexId>(v));
  });
  const auto mine = static_cast<std::int64_t>(numbering.introduced.size());
  numbering.first = ranks.gather(mine);
  numbering.first.insert(numbering.first.begin(), 0);
  std::partial_sum(numbering.first.begin(), numbering.first.end(), numbering.first.begin());
  numbering.vertices = numbering.first.back();
  together(ranks, [&] {
    numbering.vertex_of.assign(count, -1);
    std::int64_t next = numbering.first[static_cast<std::size_t>(ranks.rank())];
    for (const VertexId v : numbering.introduced)
      numbering.vertex_of[static_cast<std::size_t>(v)] = next++;
  });
  return numbering;
}

// Tells each owner the vertices of the names that this rank introduces; returns those of the ids
// that this rank owns, in the order in which it has seen them.
std::vector<std::int64_t> tell_owners(const Numbering& numbering, const ByRank& by,
                                      const Parcels<char>& news, const Communicator& ranks) {
  Parcels<std::int64_t> told;
  together(ranks, [&] {
    told.begin.assign(1, 0);
    for (std::size_t r = 0; r + 1 < by.begin.size(); ++r) {
      for (std::size_t i = by.begin[r]; i < by.begin[r + 1]; ++i)
        if (news.items[i] != 0) told.items.push_back(numbering.vertex_of[by.order[i]]);
      told.begin.push_back(told.items.size());
    }
  });
  return ranks.exchange(told).items;
}

}  // namespace

Numbering VertexDirectory::number(const VertexNames& names, const Communicator& ranks) {
  const auto count = static_cast<std::size_t>(names.size());
  std::vector<std::uint64_t> integers;
  together(ranks, [&] { integers = as_integers(names); });
  const bool all_integers = ranks.all(integers.size() == count);
  const NameQuestions questions =
      all_integers ? ask_integers(integers, owned_, ranks) : ask_names(names, owned_, ranks);
  const Parcels<char> news = who_is_new(questions.asked, ranks);
  const ByRank& by = questions.by;
  Numbering numbering = number_introduced(by, news, ranks);
  vertex_of_ = tell_owners(numbering, by, news, ranks);

  Parcels<std::int64_t> answers;
  answers.begin = questions.asked.begin;
  together(ranks, [&] {
    answers.items.reserve(questions.asked.items.size());
    for (const VertexId id : questions.asked.items)
      answers.items.push_back(vertex_of_[static_cast<std::size_t>(id)]);
  });
  const Parcels<std::int64_t> known = ranks.exchange(answers);
  for (std::size_t i = 0; i < count; ++i) numbering.vertex_of[by.order[i]] = known.items[i];
  return numbering;
}

std::vector<std::int64_t> VertexDirectory::find(const std::vector<std::string>& ids,
                                                const Communicator& ranks) const {
  if (has_all_) {
    std::vector<std::int64_t> found;
    found.reserve(ids.size());
    for (const std::string& id : ids) found.push_back(owned_.find(id));
    return found;
  }
  const int p = ranks.size();
  ByRank by;
  Parcels<char> questions;
  together(ranks, [&] {
    std::vector<int> owner;
    owner.reserve(ids.size());
    for (const std::string& id : ids) owner.push_back(owner_of(std::string_view(id), p));
    by = order_by_rank(owner, p);
    questions.begin.assign(1, 0);
    for (int r = 0; r < p; ++r) {
      for (std::size_t i = by.begin[static_cast<std::size_t>(r)];
           i < by.begin[static_cast<std::size_t>(r) + 1]; ++i)
        append_text(ids[by.order[i]], questions.items);
      questions.begin.push_back(questions.items.size());
    }
  });
  const Parcels<char> received = ranks.exchange(questions);
  Parcels<std::int64_t> answers;
  together(ranks, [&] {
    answers.begin.assign(static_cast<std::size_t>(p) + 1, 0);
    take_texts(received, p, [&](int r, std::string_view text) {
      const VertexId id = owned_.find(text);
      answers.items.push_back(id == no_vertex ? -1 : vertex_of_[static_cast<std::size_t>(id)]);
      answers.begin[static_cast<std::size_t>(r) + 1] = answers.items.size();
    });
    for (std::size_t r = 1; r < answers.begin.size(); ++r)
      answers.begin[r] = std::max(answers.begin[r], answers.begin[r - 1]);
  });
  const Parcels<std::int64_t> known = ranks.exchange(answers);
  std::vector<std::int64_t> found(ids.size());
  for (std::size_t i = 0; i < found.size(); ++i) found[by.order[i]] = known.items[i];
  return found;
}

}  // namespace gssl::mpi
