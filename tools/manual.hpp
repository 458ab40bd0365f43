#pragma once
// The manual: a page for the command, one for each verb, one for the learners, one for each topic.
//
//   for (const ManualPage& page : manual(app, registry)) write(folder / page.file, page.text);

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "gssl/learn/registry.hpp"

namespace gssl::tool {

struct ManualPage {
  std::string file;  // "gssl-label.1"
  std::string text;  // roff
};

std::vector<ManualPage> manual(const CLI::App& app, const LearnerRegistry& learners);

// A command with few verbs in one page.
ManualPage one_page(const CLI::App& app);

// Writes all pages into a folder, which is made if it is not there. Throws
// ErrorCode::cannot_create.
void write_pages(const std::string& folder, const std::vector<ManualPage>& pages);
void write_manual(const std::string& folder, const CLI::App& app, const LearnerRegistry& learners);

}  // namespace gssl::tool
