#pragma once
// The classes of a stream, by the words it has for them; 1, +1 and 1.0 are one class.
//
//   ClassWords classes({"-1", "+1"});
//   classes.find("1");      // 1
//   classes.find("maybe");  // nothing

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gssl::tool {

class ClassWords {
 public:
  ClassWords() = default;
  // Throws ErrorCode::usage if two are the same word or number, or one is empty.
  explicit ClassWords(const std::vector<std::string>& names);

  const std::vector<std::string>& names() const { return names_; }
  // O(classes).
  std::optional<int> find(std::string_view word) const;
  // Of a class that the stream turns out to have; sort() when all are known.
  void add(std::string_view word);
  // By value where all are numbers, else bytewise.
  void sort();

 private:
  std::vector<std::string> names_;
  std::vector<std::optional<double>> values_;
};

// The two classes that a stream has whose first outcome is this: {-1, +1} after -1 or +1, {0, 1}
// after 0; nothing after any other word.
std::optional<ClassWords> usual_classes(std::string_view first_outcome);

}  // namespace gssl::tool
