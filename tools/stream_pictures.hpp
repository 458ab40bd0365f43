#pragma once
// What gssl online draws of a stream: the loss curve (--curve), the weights of experts or actions
// (--weights), and a page to look at (--report).
//
//   StreamPictures pictures({.curve = "loss.svg"});
//   pictures.note(trials, *session);               // after each trial
//   pictures.write(session, made, loop.report(), "stream.csv");

#include <optional>
#include <string>

#include "gssl/io/output_file.hpp"
#include "gssl/learn/registry.hpp"
#include "loss_curve.hpp"
#include "session.hpp"
#include "weight_curve.hpp"

namespace gssl::tool {

struct PictureFiles {
  std::string curve;    // a picture if it ends in .svg, else CSV; as the others, empty: none
  std::string weights;  // likewise
  std::string report;   // HTML
};

class StreamPictures {
 public:
  // Opens the files. Throws as OutputFile.
  explicit StreamPictures(const PictureFiles& files);

  // Throws ErrorCode::usage where weights are wanted of a learner that keeps none of experts or
  // actions.
  void note(std::int64_t trials, const MadeLearner& made, const OnlineSession& online);

  void write(const Session& session, const MadeLearner& made, const OnlineReport& report,
             const std::string& data);

 private:
  PictureFiles files_;
  std::optional<OutputFile> curve_out_, weights_out_, report_out_;
  LossCurve losses_;
  WeightCurve weights_;
};

// An optional output: nothing for an empty path.
std::optional<OutputFile> output_of(const std::string& path);

}  // namespace gssl::tool
