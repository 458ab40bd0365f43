// Triples "subject predicate object" as edges: N-Triples of RDF (https://www.w3.org/TR/n-triples/),
// or three columns by tabs, commas or blanks, as knowledge graphs are handed around. A predicate is
// a layer, which weighs what ReadOptions::layers says.
#include <optional>

#include "edge_collector.hpp"
#include "fields.hpp"
#include "graph_sniffing.hpp"
#include "layer_table.hpp"

namespace gssl::detail {
namespace {

struct Triple {
  std::string_view subject, predicate, object;
  bool literal = false;  // the object is a text or a number, which is no vertex
};

// Takes one term of an N-Triples line off its front; empty if it is none.
std::string_view take_term(std::string_view& line, bool& literal) {
  line = trimmed(line);
  std::size_t end = 0;
  std::string_view term;
  if (line.starts_with('<')) {
    end = line.find('>');
    if (end == std::string_view::npos) return {};
    term = line.substr(1, end - 1);
    ++end;
  } else if (line.starts_with('"')) {
    literal = true;
    for (end = 1; end < line.size() && line[end] != '"'; ++end)
      if (line[end] == '\\') ++end;
    end = std::min(line.find_first_of(" \t", std::min(end, line.size())), line.size());
    term = line.substr(0, end);
  } else {
    end = std::min(line.find_first_of(" \t"), line.size());
    term = line.substr(0, end);
  }
  line.remove_prefix(end);
  return term;
}

// What people call a predicate: what follows the last '#' or '/' of its address.
std::string_view short_name(std::string_view address) {
  const std::size_t at = address.find_last_of("#/");
  return at == std::string_view::npos ? address : address.substr(at + 1);
}

class TripleReader {
 public:
  TripleReader(const TextSource& source, const ReadOptions& options, const RunContext& run,
               GraphFile& file)
      : source_(source),
        run_(run),
        file_(file),
        edges_(options),
        layers_(options.layers),
        rdf_(is_n_triples(source.text())) {}

  void read() {
    std::string_view rest = source_.text();
    while (!rest.empty()) {
      const std::string_view line = trimmed(take_line(rest));
      ++number_;
      if ((number_ & 0xFFFF) == 0)
        check_progress(run_, 1.0 - static_cast<double>(rest.size()) /
                                       static_cast<double>(source_.text().size()));
      if (line.empty() || line.front() == '#') continue;
      if (line.find('\0') != std::string_view::npos) fail("binary data; expected triples");
      take(rdf_ ? rdf_triple(line) : columns(line));
    }
    layers_.check(source_.name());
    add_notes();
    file_.stats.lines = number_;
    edges_.finish(source_, run_, file_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    bad_line(source_.name(), number_, message);
  }

  Triple rdf_triple(std::string_view line) const {
    const std::string_view whole = line;
    Triple triple;
    bool ignored = false;
    triple.subject = take_term(line, ignored);
    triple.predicate = take_term(line, ignored);
    triple.object = take_term(line, triple.literal);
    if (triple.subject.empty() || triple.predicate.empty() || triple.object.empty() ||
        trimmed(line) != "." || ignored)
      fail("'" + shown(whole) + "'; expected '<subject> <predicate> <object> .'");
    return triple;
  }

  Triple columns(std::string_view line) {
    if (!fields_) fields_.emplace(sniff_separator(line), FieldSplitter::Empty::refused);
    const std::size_t count = fields_->split(line, source_.name(), number_);
    if (count != 3)
      fail(std::to_string(count) + " fields in '" + shown(line) +
           "'; expected 'subject predicate object'");
    return {(*fields_)[0], (*fields_)[1], (*fields_)[2]};
  }

  void take(const Triple& triple) {
    if (triple.literal) {
      ++literals_;
      return;
    }
    const std::string_view name = short_name(triple.predicate);
    const bool by_short_name = rdf_ && !layers_.knows(triple.predicate) && !name.empty() &&
                               (layers_.knows(name) || !layers_.given());
    const double weight = layers_.weight(by_short_name ? name : triple.predicate, source_.name());
    const VertexId u = file_.names.insert(triple.subject);
    edges_.add(u, file_.names.insert(triple.object), weight, layers_.last());
  }

  void add_notes() {
    if (literals_ > 0)
      file_.stats.notes.push_back(std::to_string(literals_) +
                                  " triples have a text or a number as object, which is no vertex: "
                                  "they are passed over");
    if (!layers_.given() && layers_.count() > 1)
      file_.stats.notes.push_back("its predicates all weigh 1: " + layers_.seen() +
                                  "; weights of layers tell them apart");
  }

  const TextSource& source_;
  const RunContext& run_;
  GraphFile& file_;
  EdgeCollector edges_;
  LayerTable layers_;
  const bool rdf_;
  std::optional<FieldSplitter> fields_;
  std::int64_t number_ = 0;
  std::int64_t literals_ = 0;
};

}  // namespace

void read_triples(const TextSource& source, const ReadOptions& options, const RunContext& run,
                  GraphFile& file) {
  TripleReader(source, options, run, file).read();
}

}  // namespace gssl::detail
