#pragma once
// How far two partitions of the same things agree, whatever their clusters are called.
//
//   nmi  mutual information over the mean of the two entropies (Strehl and Ghosh 2002; the
//        arithmetic mean, as scikit-learn has it); in [0, 1], 1 if both have one cluster
//   ari  the share of pairs treated alike, corrected for chance (Hubert and Arabie 1985,
//        doi:10.1007/BF01908075); 1 for equal partitions, about 0 for independent ones
//
//   gssl::PartitionAgreement a = gssl::partition_agreement(found, truth);
//
// O(n + cells) expected. For no things at all both are 1.

#include <span>

namespace gssl {

struct PartitionAgreement {
  double nmi = 1.0;
  double ari = 1.0;
};

// Throws ErrorCode::bad_data if the lengths differ.
PartitionAgreement partition_agreement(std::span<const int> a, std::span<const int> b);

}  // namespace gssl
