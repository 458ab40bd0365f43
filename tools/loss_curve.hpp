#pragma once
// The cumulative loss of a run against its trials, in memory that does not grow with them: of 1 to
// 1024 points, every second is dropped when there are too many.
//
//   LossCurve curve;
//   if (curve.due(report.trials)) curve.add(session->report());
//   out.write(curve.svg("perceptron"));

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evaluation_results.hpp"
#include "gssl/learn/online.hpp"

namespace gssl::tool {

class LossCurve {
 public:
  bool due(std::int64_t trials) const { return trials % stride_ == 0; }
  void add(const OnlineReport& report);
  // The end of the run, wherever it falls.
  void finish(const OnlineReport& report);

  std::string csv() const;  // trials,loss,comparator,bound
  std::string svg(const std::string& title) const;
  // For the report page. from_json() throws what nlohmann's json does on other data.
  Json json() const;
  static LossCurve from_json(const Json& json);

 private:
  struct Point {
    std::int64_t trials = 0;
    double loss = 0.0;
    std::optional<double> comparator;
    std::optional<double> bound;
  };
  static Point point_of(const OnlineReport& report);

  std::vector<Point> points_ = {Point{}};
  std::int64_t stride_ = 1;
  std::string loss_name_ = "loss";
  std::string comparator_name_;
};

}  // namespace gssl::tool
