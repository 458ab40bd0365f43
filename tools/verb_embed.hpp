#pragma once
// gssl embed, as command_line.hpp has the other verbs.

#include "command_line.hpp"

namespace gssl::tool {

Verb add_embed(CLI::App& app, CommonOptions& common);

}  // namespace gssl::tool
