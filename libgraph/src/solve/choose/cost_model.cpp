#include "gssl/solve/cost_model.hpp"

namespace gssl {
namespace {

CostModel& in_use() {
  static CostModel model;
  return model;
}

constexpr CostConstant constants[] = {
    CostConstant{"matrix_entry", &CostModel::matrix_entry, CostUse::systems},
    CostConstant{"matrix_row", &CostModel::matrix_row, CostUse::systems},
    CostConstant{"ordering", &CostModel::ordering, CostUse::systems},
    CostConstant{"factor_flop", &CostModel::factor_flop, CostUse::systems},
    CostConstant{"network_flop", &CostModel::network_flop, CostUse::systems},
    CostConstant{"small_factor_flop", &CostModel::small_factor_flop, CostUse::systems},
    CostConstant{"factor_entry", &CostModel::factor_entry, CostUse::systems},
    CostConstant{"approximate_setup", &CostModel::approximate_setup, CostUse::systems},
    CostConstant{"multigrid_setup", &CostModel::multigrid_setup, CostUse::systems},
    CostConstant{"unnoticed", &CostModel::unnoticed, CostUse::systems},
    CostConstant{"begun", &CostModel::begun, CostUse::systems},
    CostConstant{"approximate_step", &CostModel::approximate_step, CostUse::systems},
    CostConstant{"multigrid_step", &CostModel::multigrid_step, CostUse::systems},
    CostConstant{"approximate_steps", &CostModel::approximate_steps, CostUse::systems},
    CostConstant{"usual_cycles", &CostModel::usual_cycles, CostUse::systems},
    CostConstant{"least_swept", &CostModel::least_swept, CostUse::systems},
    CostConstant{"least_swept_begun", &CostModel::least_swept_begun, CostUse::systems},
    CostConstant{"least_swept_few", &CostModel::least_swept_few, CostUse::systems},
    CostConstant{"sparse_factor", &CostModel::sparse_factor, CostUse::systems},
    CostConstant{"dense_factor", &CostModel::dense_factor, CostUse::systems},
    CostConstant{"cached", &CostModel::cached, CostUse::systems},
    CostConstant{"small_factor_gain", &CostModel::small_factor_gain, CostUse::systems},
    CostConstant{"hard", &CostModel::hard, CostUse::systems},
    CostConstant{"ordering_share", &CostModel::ordering_share, CostUse::systems},
    CostConstant{"harder_weights", &CostModel::harder_weights, CostUse::systems},
    CostConstant{"flops_of_width", &CostModel::flops_of_width, CostUse::systems},
    CostConstant{"small_rows", &CostModel::small_rows, CostUse::systems},
    CostConstant{"small_degree", &CostModel::small_degree, CostUse::systems},
    CostConstant{"tiny_size", &CostModel::tiny_size, CostUse::systems},
    CostConstant{"most_factored_degree", &CostModel::most_factored_degree, CostUse::systems},
    CostConstant{"least_swept_degree", &CostModel::least_swept_degree, CostUse::systems},
    CostConstant{"most_multigrid_degree", &CostModel::most_multigrid_degree, CostUse::systems},
    CostConstant{"hub_share", &CostModel::hub_share, CostUse::systems},
    CostConstant{"few_entries", &CostModel::few_entries, CostUse::systems},
    CostConstant{"least_eliminated", &CostModel::least_eliminated, CostUse::systems},
    CostConstant{"too_low", &CostModel::too_low, CostUse::systems},
    CostConstant{"wrong", &CostModel::wrong, CostUse::systems},
    CostConstant{"most_cycles", &CostModel::most_cycles, CostUse::systems},
    CostConstant{"block_entry", &CostModel::block_entry, CostUse::eigenpairs},
    CostConstant{"block_row", &CostModel::block_row, CostUse::eigenpairs},
    CostConstant{"filter_product", &CostModel::filter_product, CostUse::eigenpairs},
    CostConstant{"inverse_steps", &CostModel::inverse_steps, CostUse::eigenpairs},
    CostConstant{"inverse_products", &CostModel::inverse_products, CostUse::eigenpairs},
    CostConstant{"inverse_columns", &CostModel::inverse_columns, CostUse::eigenpairs},
    CostConstant{"hopeless_filter", &CostModel::hopeless_filter, CostUse::eigenpairs},
    CostConstant{"exact_inverse", &CostModel::exact_inverse, CostUse::eigenpairs},
    CostConstant{"dense_rows", &CostModel::dense_rows, CostUse::eigenpairs},
    CostConstant{"resistance_entry", &CostModel::resistance_entry, CostUse::resistances},
    CostConstant{"unnoticed_exact", &CostModel::unnoticed_exact, CostUse::resistances},
    CostConstant{"sketch_columns", &CostModel::sketch_columns, CostUse::resistances},
    CostConstant{"selected_inverse", &CostModel::selected_inverse, CostUse::resistances},
    CostConstant{"sketch_solve", &CostModel::sketch_solve, CostUse::resistances},
    CostConstant{"relaxed_entry", &CostModel::relaxed_entry, CostUse::resistances},
    CostConstant{"relaxed_rest", &CostModel::relaxed_rest, CostUse::resistances},
    CostConstant{"walked_entries", &CostModel::walked_entries, CostUse::resistances},
    CostConstant{"shared_entry", &CostModel::shared_entry, CostUse::label_sets},
    CostConstant{"shared_row", &CostModel::shared_row, CostUse::label_sets},
    CostConstant{"apart_steps", &CostModel::apart_steps, CostUse::label_sets},
    CostConstant{"shared_flops", &CostModel::shared_flops, CostUse::label_sets},
    CostConstant{"factor_entries", &CostModel::factor_entries, CostUse::trials},
    CostConstant{"pushed_entry", &CostModel::pushed_entry, CostUse::trials},
    CostConstant{"most_pushed", &CostModel::most_pushed, CostUse::trials},
    CostConstant{"most_spread", &CostModel::most_spread, CostUse::trials},
    CostConstant{"reordering", &CostModel::reordering, CostUse::trials}};

static_assert(sizeof(CostModel) == std::size(constants) * sizeof(double),
              "one of them has no name");

}  // namespace

const CostModel& cost_model() { return in_use(); }

void set_cost_model(const CostModel& model) { in_use() = model; }

std::span<const CostConstant> cost_constants() { return constants; }

}  // namespace gssl
