#pragma once
// The lines of an edge list, parsed on all threads; ids are numbered in the order of the lines.
// Throws as Walker and VertexNames, of the first line that is bad.
//
//   BlockWalker walker(dialect, "edges.txt", names, naming, threads, NameTables::beside, first_line);
//   walker.walk(piece,                                     // whole lines, piece after piece
//               [&](std::string_view next) { … },          // before they are parsed, on any thread
//               [&](std::string_view passed) { … });       // in their order
//   walker.next_line();

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "edge_block.hpp"
#include "edge_naming.hpp"
#include "edge_walker.hpp"
#include "fields.hpp"
#include "in_order.hpp"
#include "line_blocks.hpp"
#include "shared_names.hpp"

namespace gssl::detail {

template <class Builder>
class BlockWalker {
  struct Ignore {
    void operator()(std::string_view) const {}
  };

 public:
  // All outlive it.
  BlockWalker(const Dialect& dialect, const std::string& file, VertexNames& names,
              Naming<Builder>& naming, int threads, NameTables tables, std::int64_t first_line)
      : dialect_(dialect),
        file_(file),
        naming_(naming),
        names_(names, threads, tables),
        walker_(dialect, file, naming),
        work_(threads),
        line_(first_line) {}

  // Calls next(block) with lines that are about to be parsed, and passed(block) with those whose
  // edges the builder has, block after block.
  template <class Next = Ignore, class Passed = Ignore>
  void walk(std::string_view piece, Next&& next = {}, Passed&& passed = {}) {
    LineBlocks blocks(piece, block_bytes(piece.size()));
    work_.run(
        blocks.most(),
        [&](std::int64_t i, EdgeBlock& block) {
          block.clear();
          block.text = blocks[i];
          next(block.text);
          parse(first_ && i == 0, block);
        },
        [&](std::int64_t, EdgeBlock& block) {
          take(block);
          passed(block.text);
        });
    first_ = false;
  }

  std::int64_t next_line() const { return line_; }
  const CommentedData& commented() const { return walker_.commented(); }

 private:
  void parse(bool is_first, EdgeBlock& block) {
    block.rest = block.text;
    if (is_first && dialect_.header) return;
    Walker<EdgeBlock> fast(dialect_, file_, block);
    block.rest = fast.walk_fast(block.text, block.lines, !names_.as_text());
    names_.find(block.integers);
    names_.find(block.words);
  }

  void take(EdgeBlock& block) {
    names_.insert(block.integers);
    naming_.edges(block.integers);
    names_.insert(block.words);
    naming_.edges(block.words);
    line_ += block.lines;
    if (block.rest.empty()) return;
    const std::unique_lock alone = names_.alone();
    line_ = walker_.walk(block.rest, line_);
    naming_.flush();  // its words are in the text
  }

  const Dialect& dialect_;
  const std::string& file_;
  Naming<Builder>& naming_;
  SharedNames names_;
  Walker<Naming<Builder>> walker_;
  OrderedWork<EdgeBlock> work_;
  std::int64_t line_;
  bool first_ = true;
};

}  // namespace gssl::detail
