#include "gssl/io/result_columns.hpp"

#include <algorithm>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
// clang 14 does not deduce it by itself.
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

}  // namespace

const char* ResultColumn::type() const {
  return std::visit(Overloaded{[](const Choice&) { return "string"; },
                               [](const std::vector<double>&) { return "double"; },
                               [](const std::vector<std::int64_t>&) { return "long"; },
                               [](const std::vector<bool>&) { return "boolean"; }},
                    values);
}

std::string ResultColumn::text(VertexId v) const {
  const auto at = static_cast<std::size_t>(v);
  return std::visit(
      Overloaded{
          [&](const Choice& choice) {
            const int word = choice.of[at];
            return word < 0 ? std::string("?") : choice.words[static_cast<std::size_t>(word)];
          },
          [&](const std::vector<double>& numbers) { return to_text(numbers[at]); },
          [&](const std::vector<std::int64_t>& integers) { return std::to_string(integers[at]); },
          [&](const std::vector<bool>& flags) {
            return std::string(flags[at] ? "true" : "false");
          }},
      values);
}

void ResultColumns::add(ResultColumn column, std::size_t values) {
  const bool reserved = column.name.empty() || column.name == "name" || column.name == "label" ||
                        column.name == "weight";
  if (reserved || find(column.name) != nullptr)
    throw Error(ErrorCode::usage, "column '" + column.name + "': its name is taken; call it other");
  if (values != static_cast<std::size_t>(size_))
    throw Error(ErrorCode::usage, "column '" + column.name + "': " + std::to_string(values) +
                                      " values for " + std::to_string(size_) +
                                      " vertices: must be one for each");
  columns_.push_back(std::move(column));
}

void ResultColumns::add_choice(std::string name, std::vector<std::string> words,
                               std::vector<int> of) {
  const std::size_t size = of.size();
  for (const int word : of)
    if (word >= static_cast<int>(words.size()))
      throw Error(ErrorCode::usage, "column '" + name + "': word " + std::to_string(word) + " of " +
                                        std::to_string(words.size()));
  add({std::move(name), ResultColumn::Choice{std::move(words), std::move(of)}}, size);
}

void ResultColumns::add_numbers(std::string name, std::vector<double> values) {
  const std::size_t size = values.size();
  add({std::move(name), std::move(values)}, size);
}

void ResultColumns::add_integers(std::string name, std::vector<std::int64_t> values) {
  const std::size_t size = values.size();
  add({std::move(name), std::move(values)}, size);
}

void ResultColumns::add_flags(std::string name, std::vector<bool> values) {
  const std::size_t size = values.size();
  add({std::move(name), std::move(values)}, size);
}

const ResultColumn* ResultColumns::find(const std::string& name) const {
  const auto found = std::ranges::find(columns_, name, &ResultColumn::name);
  return found == columns_.end() ? nullptr : &*found;
}

}  // namespace gssl
