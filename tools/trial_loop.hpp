#pragma once
// What `gssl online` does with each line of its stream: names to numbers, predict, write, update.
//
//   TrialLoop loop(session, made, {.classes = …}, out);
//   loop.pass(reader);                    // as often as there are passes
//   loop.report();

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "class_words.hpp"
#include "gssl/graph/vertex_names.hpp"
#include "gssl/io/table_writer.hpp"
#include "gssl/io/trial_reader.hpp"
#include "gssl/learn/registry.hpp"
#include "session.hpp"
#include "stream_pictures.hpp"

namespace gssl::tool {

struct TrialLoopOptions {
  std::optional<ClassWords> classes = {};  // nothing: outcomes are real
  std::shared_ptr<const Graph> graph = {};
  const VertexNames* vertices = nullptr;  // of the graph
  // Whether the first name of a trial, and the second, is of a vertex.
  bool first_is_vertex = true, second_is_vertex = false;
  std::int64_t horizon = 0;
  std::int64_t width = 0;              // columns of sparse rows; 0: not known
  std::int64_t rows = 0, columns = 0;  // of a matrix whose cells are asked; 0: not known
  bool skip_errors = false;            // of a row, that is: it is left out
  bool write_trials = true;
  std::vector<double> arm_means = {};  // of simulated arms
};

TrialLayout layout_of(InstanceKind kind);
// Whether predictions of experts are names of classes.
bool predicts_by_name(InstanceKind kind, bool classes);

// The columns of rows as the stream had them.
struct StreamColumns {
  std::vector<std::string> names = {};  // empty: no header
  std::int64_t count = 0;
  bool sparse = false;  // libsvm: rows to come may have more or fewer
};

class TrialLoop {
 public:
  // `pictures` may be nullptr.
  TrialLoop(Session& session, const MadeLearner& made, TrialLoopOptions options, OutputFile& out,
            StreamPictures* pictures);

  // Goes on from what save() wrote; call before the first trial. Throws ErrorCode::usage if it was
  // another learner, and ErrorCode::bad_data on a record that is none of a session.
  void resume(const Record& record);
  // Throws ErrorCode::bad_data if no trial came, unless the run was stopped before one.
  void save(Record& record) const;
  bool has_begun() const { return online_ != nullptr; }
  // The classes of a saved session; nothing where outcomes are real.
  static std::optional<ClassWords> classes_of(const Record& record);
  // nullptr where the learner has none, or no trial came.
  std::unique_ptr<Model> model() const { return online_ ? online_->model() : nullptr; }
  const StreamColumns& columns() const { return columns_; }
  const std::optional<ClassWords>& classes() const { return options_.classes; }

  // One trial. Throws as pass().
  void one(const OnlineTrial& trial, const std::vector<std::string>& column_names);

  // All trials of the reader, or those before the run was stopped. Throws what they throw, with
  // the line.
  void pass(TrialReader& reader);

  // Shows the stream again to the session's second look, if it has one, without the rows that the
  // first pass left out: report() then has what that proves. `passes`: how often the run went over
  // it. Warns where the stream is another now; proves nothing where the run is stopped meanwhile.
  void look_again(TrialReader& reader, std::int64_t passes);
  // Whether a second look could prove more than report() says.
  bool wants_second_look() const { return online_ && online_->second_look() != nullptr; }

  // Throws ErrorCode::bad_data if no trial came.
  OnlineReport report() const;
  std::int64_t unanswered() const { return unanswered_; }  // trials whose outcome never came
  std::int64_t skipped() const { return skipped_; }  // rows left out for what is wrong in them

 private:
  void start(const OnlineTrial& trial, const std::vector<std::string>& column_names);
  void note_columns(const OnlineTrial& trial);
  void check_room(std::int64_t columns) const;
  void begin_table();
  void set_ucb1_bound(OnlineReport& report) const;
  void see_again(TrialReader& reader, SecondLook& look, std::int64_t passes);
  Instance instance_of(const OnlineTrial& trial);
  std::int64_t number_of(std::string_view name, bool is_vertex, VertexNames& names) const;
  Revealed outcome_of(const OnlineTrial& trial, double predicted);
  int class_of(std::string_view word) const;
  std::string name_of(double predicted) const;
  void write(const OnlineTrial& trial, double predicted, const Revealed* outcome, double loss);

  Session& session_;
  const MadeLearner& made_;
  InstanceKind kind_;
  TrialLoopOptions options_;
  OutputFile& out_;
  std::optional<TableWriter> table_;  // from the first trial on
  StreamPictures* pictures_;
  std::unique_ptr<OnlineSession> online_;
  std::vector<std::string> actions_;    // names of columns of losses
  StreamColumns columns_;               // of rows
  std::vector<double> arm_totals_;      // the losses of each arm, which the learner does not see
  std::vector<double> predictions_;     // of experts, as class numbers
  VertexNames first_;                   // tasks or rows, by first appearance
  VertexNames second_;                  // columns
  std::optional<OnlineReport> proved_;  // by a second look
  std::int64_t passes_ = 0;
  std::vector<std::int64_t> left_out_;  // of the rows of the first pass, by number from 1
  std::int64_t trials_ = 0;
  std::int64_t unanswered_ = 0;
  std::int64_t skipped_ = 0;
};

}  // namespace gssl::tool
