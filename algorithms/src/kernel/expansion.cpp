#include "gssl/kernel/expansion.hpp"

#include <algorithm>
#include <cmath>

#include "gssl/core/error.hpp"

namespace gssl {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::bad_data, "kernel model: " + what);
}

}  // namespace

std::vector<std::pair<int, int>> Expansion::pairs() const {
  std::vector<std::pair<int, int>> all;
  for (std::size_t a = 0; a < present.size(); ++a)
    for (std::size_t b = a + 1; b < present.size(); ++b) all.emplace_back(present[a], present[b]);
  return all;
}

void Expansion::save(Record& record) const {
  record.put("coefficients", coefficients);
  record.put("bias", bias);
  record.put("reading", std::string(names_of<Reading>.name(reading)));
  record.put("class_count", static_cast<std::int64_t>(class_count));
  record.put("present", present);
  std::vector<std::string> texts;
  for (const auto& [name, text] : facts) {
    texts.push_back(name);
    texts.push_back(text);
  }
  record.put("facts", texts);
}

Expansion Expansion::load(const Record& record) {
  Expansion e;
  e.coefficients = record.block("coefficients");
  e.bias = record.reals("bias", e.coefficients.columns());
  const std::string& reading = record.text("reading");
  const auto known = names_of<Reading>.find(reading);
  if (!known) refuse("unknown reading '" + reading + "'");
  e.reading = *known;
  const std::int64_t classes = record.integer("class_count");
  e.present = record.integers("present");
  const bool ascending =
      std::ranges::adjacent_find(e.present, std::greater_equal<>()) == e.present.end();
  if (classes < 0 || classes > 1'000'000 || !ascending ||
      (!e.present.empty() && (e.present.front() < 0 || e.present.back() >= classes)))
    refuse("class numbers out of range");
  e.class_count = static_cast<int>(classes);
  const std::int64_t outputs = e.reading == Reading::value     ? 1
                               : e.reading == Reading::classes ? classes
                                                               : std::ssize(e.pairs());
  if (e.coefficients.columns() != outputs) refuse("a wrong number of outputs");
  const std::vector<std::string> texts = record.texts("facts");
  for (std::size_t i = 0; i + 1 < texts.size(); i += 2)
    e.facts.emplace_back(texts[i], texts[i + 1]);
  return e;
}

Block decisions(const Expansion& expansion, const Block& outputs) {
  if (expansion.reading == Expansion::Reading::value) return outputs;
  Block scores(outputs.rows(), expansion.class_count);
  const auto pairs = expansion.pairs();
  const bool margin = expansion.reading == Expansion::Reading::pairs &&
                      expansion.class_count == 2 && pairs.size() == 1;
  for (std::int64_t r = 0; r < outputs.rows(); ++r) {
    const auto from = outputs.row(r);
    const auto to = scores.row(r);
    if (expansion.reading == Expansion::Reading::classes) {
      double least = 0.0;
      for (const double value : from) least = std::min(least, value);
      std::ranges::fill(to, least - 1.0);
      for (const std::int32_t k : expansion.present)
        to[static_cast<std::size_t>(k)] = from[static_cast<std::size_t>(k)];
    } else if (margin) {
      to[0] = -from[0];
      to[1] = from[0];
    } else {
      std::ranges::fill(to, -1.0);
      for (const std::int32_t k : expansion.present) to[static_cast<std::size_t>(k)] = 0.0;
      for (std::size_t p = 0; p < pairs.size(); ++p)
        ++to[static_cast<std::size_t>(from[p] > 0.0 ? pairs[p].second : pairs[p].first)];
    }
  }
  return scores;
}

Block shares(const Expansion& expansion, const Block& outputs) {
  if (expansion.reading == Expansion::Reading::value) return outputs;
  Block scores(outputs.rows(), expansion.class_count);
  const auto pairs = expansion.pairs();
  for (std::int64_t r = 0; r < outputs.rows(); ++r) {
    const auto from = outputs.row(r);
    const auto to = scores.row(r);
    const auto at = [&](int k) -> double& { return to[static_cast<std::size_t>(k)]; };
    if (expansion.reading == Expansion::Reading::classes) {
      double largest = 0.0;
      for (const double value : from) largest = std::max(largest, value);
      for (const std::int32_t k : expansion.present) {
        const double output = from[static_cast<std::size_t>(k)];
        at(k) = expansion.unit > 0.0 ? std::exp((output - largest) / expansion.unit)
                                     : std::max(0.0, output);
      }
    } else {
      for (std::size_t p = 0; p < pairs.size(); ++p) {
        // Both by the same formula, so that classes of other names give the same bytes.
        at(pairs[p].second) += 1.0 / (1.0 + std::exp(-2.0 * from[p]));
        at(pairs[p].first) += 1.0 / (1.0 + std::exp(2.0 * from[p]));
      }
    }
    double sum = 0.0;
    for (const double value : to) sum += value;
    for (const std::int32_t k : expansion.present)
      at(k) = sum > 0.0 ? at(k) / sum : 1.0 / static_cast<double>(expansion.present.size());
  }
  return scores;
}

}  // namespace gssl
