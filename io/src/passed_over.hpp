#pragma once
// Attributes of a file that its reader does not take, so that they can be told.
//
//   PassedOver attributes;
//   attributes.see("color");
//   attributes.tell(file.stats.notes);

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fields.hpp"

namespace gssl::detail {

class PassedOver {
 public:
  void see(std::string_view name) {
    if (names_.size() < most_kept && names_.find(name) == names_.end()) names_.emplace(name);
  }

  // Adds one note, "its attributes color, size are not read", if there are any.
  void tell(std::vector<std::string>& notes) const {
    if (names_.empty()) return;
    std::string list;
    std::size_t listed = 0;
    for (const std::string& name : names_) {
      if (++listed > most_listed) {
        list += ", …";
        break;
      }
      list += (list.empty() ? "" : ", ") + shown(name);
    }
    notes.push_back((names_.size() == 1 ? "its attribute " : "its attributes ") + list +
                    (names_.size() == 1 ? " is not read" : " are not read"));
  }

 private:
  static constexpr std::size_t most_kept = 1000;
  static constexpr std::size_t most_listed = 12;
  std::set<std::string, std::less<>> names_;
};

}  // namespace gssl::detail
