#pragma once
// The table of gssl evaluate: for programs, and for a person.

#include <string>
#include <vector>

#include "evaluation_input.hpp"
#include "gssl/evaluate/comparison.hpp"
#include "gssl/io/table_writer.hpp"

namespace gssl::tool {

// The columns of the table, with what was measured where it was.
void write_comparisons(OutputFile& out, TableFormat format, const std::vector<Comparison>& all,
                       const std::vector<std::string>& names, const EvaluateOptions& options);

// The same for a person, best first.
void say_table(Session& session, std::vector<Comparison> all, const std::vector<std::string>& names,
               const EvaluateOptions& options);

}  // namespace gssl::tool
