#pragma once
// What every kernel method learns: functions f_o(x) = Σ_i c_io K(x_i, x) + b_o of the items x_i it
// learned from, and how their values are read as classes or as a number.
//
//   gssl::Expansion e = …;
//   gssl::Block scores = gssl::decisions(e, outputs);      // outputs: a column for each f_o

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/named.hpp"
#include "gssl/data/record.hpp"

namespace gssl {

struct Expansion {
  enum class Reading {
    value,    // one output, the predicted number
    classes,  // an output for each class, the larger the likelier
    pairs     // an output for each pair of classes that had items: > 0 for the second of them
  };

  Block coefficients;        // items × outputs
  std::vector<double> bias;  // of each output
  Reading reading = Reading::value;
  int class_count = 0;
  std::vector<std::int32_t> present = {};  // classes that had items, ascending
  // Of classes: > 0 where only differences of outputs count, in this unit. Shares are of graphs, so
  // that a file does not hold it.
  double unit = 0.0;
  std::vector<std::pair<std::string, std::string>> facts = {};

  // Of `present`, in the order of the outputs: (0,1), (0,2), …, (1,2), …
  std::vector<std::pair<int, int>> pairs() const;

  void save(Record& record) const;
  // Throws ErrorCode::bad_data where the parts do not fit together.
  static Expansion load(const Record& record);
};
template <>
inline constexpr auto names_of<Expansion::Reading> =
    enum_names<Expansion::Reading>("reading", {"value", "classes", "pairs"});

// Scores as a Model gives them: values; outputs of classes as they are; of two classes the margin
// and its negative; of more the number of pairs won. A class without items is below the others.
Block decisions(const Expansion& expansion, const Block& outputs);

// Scores ≥ 0 of sum 1 for a graph: outputs of classes cut at 0, in proportion, or exp(output/unit)
// where they have a unit; of pairs the mean over all pairs of 1/(1 + exp(−2f)) for the winner. A
// value stays as it is.
Block shares(const Expansion& expansion, const Block& outputs);

}  // namespace gssl
