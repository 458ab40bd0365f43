#pragma once
// The trials of an online learner, a line each, as people have them:
//
//   features   table rows of numbers, the outcome in one column; or libsvm "label index:value …"
//   advice     outcome,prediction,prediction,…      one prediction of each expert
//   losses     loss,loss,…                          one of each action or arm
//   node       node label
//   task       task outcome prediction…
//   cell       row column value
//
//   gssl::TrialReader trials(gssl::LineStream("-"), {.layout = gssl::TrialLayout::advice});
//   for (gssl::OnlineTrial trial; trials.next(trial);) …
//
// The first line of data tells how fields are separated (comma, tab, semicolon or blanks) and, if
// none of the fields that should be numbers is one, that it is a header. Blank lines and lines that
// start with # or % are none. An outcome that is empty, ? or another word for "none" (see
// MissingMarks; -1 is a class here) is not known. Rows of a table have as many fields as the first.
// O(line) a trial.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/io/line_stream.hpp"
#include "gssl/io/missing_labels.hpp"
#include "gssl/io/points_reader.hpp"
#include "gssl/io/table_options.hpp"

namespace gssl {

enum class TrialLayout { features, advice, losses, node, task, cell };

struct TrialReadOptions {
  TrialLayout layout = TrialLayout::features;
  std::string label_column = {};  // of a table of features: name or number from 1
  TableHeader header = TableHeader::automatic;
  MissingMarks missing = {};
  TableOptions table = {};           // `columns` are those of the features
  bool predictions_as_text = false;  // of experts: names of classes in `texts`, not numbers
};

// Texts point into the reader and last until its next trial.
struct OnlineTrial {
  std::string_view outcome = {};             // "" where it is not known
  std::vector<double> values = {};           // features, predictions or losses
  std::vector<std::int32_t> columns = {};    // of sparse values, ascending, from 0; else empty
  std::vector<std::string_view> texts = {};  // predictions that are names of classes
  std::string_view first = {};               // the node, the task, the row
  std::string_view second = {};              // the column
  bool sparse = false;                       // a libsvm row, which may have no values at all
};

class TrialReader {
 public:
  TrialReader(LineStream lines, TrialReadOptions options);
  ~TrialReader();
  TrialReader(TrialReader&&) noexcept;
  TrialReader(const TrialReader&) = delete;
  TrialReader& operator=(const TrialReader&) = delete;
  TrialReader& operator=(TrialReader&&) = delete;

  // False at the end. Throws ErrorCode::bad_data "FILE:LINE: found; expected; how to fix"; the next
  // call goes on with the line after that one. Throws ErrorCode::usage for a table of features
  // without label_column.
  bool next(OnlineTrial& trial);
  // Whether next() will not wait for more of the input: a whole line is there.
  bool ready();

  std::int64_t line() const;  // of the trial read last
  const std::string& name() const;
  // Of the values, if a header has them.
  const std::vector<std::string>& column_names() const;

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace gssl
