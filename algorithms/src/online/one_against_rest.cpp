#include "online/one_against_rest.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "gssl/core/error.hpp"
#include "learn/model_names.hpp"

namespace gssl::detail {
namespace {

constexpr const char* parts_name = "classes_apart";  // which have a model: 1 or 0

std::string part_name(std::size_t k) { return "class/" + std::to_string(k); }

std::int64_t there_are(const std::vector<std::unique_ptr<Model>>& models) {
  return std::ranges::count_if(models, [](const auto& model) { return model != nullptr; });
}

class OneAgainstRest final : public Model {
 public:
  explicit OneAgainstRest(std::vector<std::unique_ptr<Model>> models)
      : models_(std::move(models)) {}

  Block scores(const Points& points, const RunContext& run) const override {
    const auto classes = static_cast<std::int64_t>(models_.size());
    Block all(points.rows(), classes);
    std::vector<double> least(static_cast<std::size_t>(points.rows()),
                              std::numeric_limits<double>::max());
    for (std::int64_t k = 0; k < classes; ++k) {
      const auto& model = models_[static_cast<std::size_t>(k)];
      if (!model) continue;
      const Block two = model->scores(points, run);
      for (std::int64_t r = 0; r < all.rows(); ++r) {
        all(r, k) = two(r, 1);
        double& lowest = least[static_cast<std::size_t>(r)];
        lowest = std::min(lowest, two(r, 1));
      }
    }
    for (std::int64_t k = 0; k < classes; ++k) {
      if (models_[static_cast<std::size_t>(k)]) continue;
      for (std::int64_t r = 0; r < all.rows(); ++r)
        all(r, k) = least[static_cast<std::size_t>(r)] - 1.0;
    }
    return all;
  }

  ScoreKind score_kind() const override { return ScoreKind::decision; }

  std::vector<std::pair<std::string, std::string>> facts() const override {
    return {{"models", std::to_string(there_are(models_)) + ", each of a class against the rest"}};
  }

  std::vector<ModelPart> parts(const ModelNames& names) const override {
    JoinedParts joined({"one"});
    for (std::size_t k = 0; k < models_.size(); ++k)
      if (models_[k])
        joined.add({names.classes[k]},
                   models_[k]->parts({names.columns, {"rest", names.classes[k]}}));
    return joined.take();
  }

  void save(Record& record) const override {
    std::vector<std::int32_t> there;
    for (const auto& model : models_) there.push_back(model ? 1 : 0);
    record.put(parts_name, there);
    for (std::size_t k = 0; k < models_.size(); ++k) {
      if (!models_[k]) continue;
      Record part;
      models_[k]->save(part);
      record.put(part_name(k), part);
    }
  }

 private:
  std::vector<std::unique_ptr<Model>> models_;
};

}  // namespace

std::unique_ptr<Model> make_one_against_rest(std::vector<std::unique_ptr<Model>> models) {
  return std::make_unique<OneAgainstRest>(std::move(models));
}

std::unique_ptr<Model> load_two_or_more(const Record& record, const LoadModel& load_two) {
  if (!record.has(parts_name)) return load_two(record);
  std::vector<std::unique_ptr<Model>> models;
  for (const std::int32_t there : record.integers(parts_name))
    models.push_back(there != 0 ? load_two(record.child(part_name(models.size()))) : nullptr);
  if (models.size() < 3 || there_are(models) < 2)
    throw Error(ErrorCode::bad_data,
                std::string(parts_name) + ": must be three or more, with two models at least");
  return make_one_against_rest(std::move(models));
}

}  // namespace gssl::detail
