#pragma once
// Words that stand where a label would, and say that there is none.
//
// A table of points often has a class column with NA, ? or nothing in the rows that are to be
// labeled; scikit-learn writes -1 there. Such rows have no label: taken for a class, the mark would
// be the largest one. An empty label never names a class. The words are compared exactly; the
// default ones are NA, N/A, n/a, #N/A, <NA>, NaN, nan, NULL, null and ?.
//
// -1 means no label where classes are numbered from 0 or 1: if all other labels are whole numbers
// of 0 or more, none written with a +, and at least two of them differ. Beside one other class, as
// in
// {-1, +1}, it is a class, and for regression it is a number.
//
//   MissingMarks marks = parse_missing_marks("default,unknown");
//   MissingCount count = blank_missing(labels, marks);   // what says "none" is "" now
//   count.sentence();                                    // "'NA' 120, '?' 3"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gssl {

struct MissingMarks {
  enum class MinusOne { by_rule, is_label, is_missing };
  std::vector<std::string> words = default_words();
  MinusOne minus_one = MinusOne::by_rule;

  static std::vector<std::string> default_words();
  static MissingMarks none() { return {{}, MinusOne::is_label}; }
};

// Words separated by commas: they take the place of the default ones unless `default` is among
// them. "none": no word and no -1.
MissingMarks parse_missing_marks(const std::string& list);

struct MissingCount {
  std::int64_t total = 0;
  std::vector<std::pair<std::string, std::int64_t>> marks;  // each as written, by first appearance
  bool minus_one_by_rule = false;                           // -1 was among them by the rule above

  std::int64_t words() const;    // total but for the empty labels
  std::string sentence() const;  // "'NA' 120, empty 3", escaped
};

// Empties every label that says there is none. O(labels).
MissingCount blank_missing(std::vector<std::string>& labels, const MissingMarks& marks);

}  // namespace gssl
