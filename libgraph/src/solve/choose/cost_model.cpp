#include "gssl/solve/cost_model.hpp"

namespace gssl {
namespace {

CostModel& in_use() {
  static CostModel model;
  return model;
}

constexpr CostConstant constants[] = {
    CostConstant{"matrix_entry", &CostModel::matrix_entry},
    CostConstant{"matrix_row", &CostModel::matrix_row},
    CostConstant{"ordering", &CostModel::ordering},
    CostConstant{"factor_flop", &CostModel::factor_flop},
    CostConstant{"network_flop", &CostModel::network_flop},
    CostConstant{"small_factor_flop", &CostModel::small_factor_flop},
    CostConstant{"factor_entry", &CostModel::factor_entry},
    CostConstant{"approximate_setup", &CostModel::approximate_setup},
    CostConstant{"unnoticed", &CostModel::unnoticed},
    CostConstant{"begun", &CostModel::begun},
    CostConstant{"approximate_step", &CostModel::approximate_step},
    CostConstant{"multigrid_step", &CostModel::multigrid_step},
    CostConstant{"approximate_steps", &CostModel::approximate_steps},
    CostConstant{"least_swept", &CostModel::least_swept},
    CostConstant{"least_swept_begun", &CostModel::least_swept_begun},
    CostConstant{"least_swept_few", &CostModel::least_swept_few},
    CostConstant{"sparse_factor", &CostModel::sparse_factor},
    CostConstant{"dense_factor", &CostModel::dense_factor},
    CostConstant{"cached", &CostModel::cached},
    CostConstant{"small_factor_gain", &CostModel::small_factor_gain},
    CostConstant{"hard", &CostModel::hard},
    CostConstant{"ordering_share", &CostModel::ordering_share},
    CostConstant{"harder_weights", &CostModel::harder_weights},
    CostConstant{"flops_of_width", &CostModel::flops_of_width},
    CostConstant{"small_rows", &CostModel::small_rows},
    CostConstant{"small_degree", &CostModel::small_degree},
    CostConstant{"tiny_size", &CostModel::tiny_size},
    CostConstant{"most_factored_degree", &CostModel::most_factored_degree},
    CostConstant{"least_swept_degree", &CostModel::least_swept_degree},
    CostConstant{"most_multigrid_degree", &CostModel::most_multigrid_degree},
    CostConstant{"hub_share", &CostModel::hub_share},
    CostConstant{"too_low", &CostModel::too_low},
    CostConstant{"wrong", &CostModel::wrong}};

static_assert(sizeof(CostModel) == std::size(constants) * sizeof(double),
              "one of them has no name");

}  // namespace

const CostModel& cost_model() { return in_use(); }

void set_cost_model(const CostModel& model) { in_use() = model; }

std::span<const CostConstant> cost_constants() { return constants; }

}  // namespace gssl
