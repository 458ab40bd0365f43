#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"
#include "io_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;
using Catch::Contains;

TEST_CASE("An edge list is read in each of its spellings") {
  struct Case {
    const char* text;
    const char* graph;
  };
  const Case cases[] = {
      {"", "\n"},
      {"# nothing\n\n% here\n", "\n"},
      {"1 2\n2 3\n", "1 2 3\n1 2 1\n2 3 1\n"},
      {"1 2\n2 3", "1 2 3\n1 2 1\n2 3 1\n"},  // no final newline
      {"\xEF\xBB\xBF"
       "1 2\n",
       "1 2\n1 2 1\n"},                             // byte-order mark
      {"1 2\r\n2 3\r\n", "1 2 3\n1 2 1\n2 3 1\n"},  // CRLF
      {"  1 \t 2  \n", "1 2\n1 2 1\n"},             // blanks around
      {"a b 0.5\nb c 2e0\n", "a b c\na b 0.5\nb c 2\n"},
      {"1 2 +3\n", "1 2\n1 2 3\n"},
      {"1,2\n 2 , 3 \n", "1 2 3\n1 2 1\n2 3 1\n"},
      {"a b\tc d\n", "a b c d\na b c d 1\n"},  // tabs: ids may hold blanks
      {"\"a,b\",\"say \"\"x\"\"\"\n", "a,b say \"x\"\na,b say \"x\" 1\n"},
      {"\"# x\" y\n", "# x y\n# x y 1\n"},
      {"007 7\n", "007 7\n007 7 1\n"},  // ids are strings
      {"18446744073709551616 18446744073709551615\n",
       "18446744073709551616 18446744073709551615\n18446744073709551616 18446744073709551615 1\n"},
      {"source target\n1 2\n", "1 2\n1 2 1\n"},
      {"# c\nSrc,DST,Weight\n1,2,3\n", "1 2\n1 2 3\n"},
      {"alpha beta gamma\n1 2 3\n", "1 2\n1 2 3\n"},  // a word above numbers
      {"u v\nx y\n", "x y\nx y 1\n"},
      {"u v\nv w\n", "u v w\nu v 1\nv w 1\n"},  // ids after all
      {"1 2 0\n2 3 1\n", "1 2 3\n2 3 1\n"},     // weight 0 is no edge
      {"1 1\n1 2\n", "1 2\n1 2 1\n"},
      {"#gssl-vertex\tz\n1 2\n#gssl-vertex\t\"q r\"\n", "z 1 2 q r\n1 2 1\n"},
      {"source target\n", "\n"},
      {"1 2 1\n3 4 1\n", "1 2 3 4\n1 2 1\n3 4 1\n"},
  };
  for (const Case& c : cases) {
    INFO(c.text);
    CHECK(described(read_text(c.text)) == c.graph);
  }
}

TEST_CASE("A bad edge list is refused with its line and a remedy") {
  struct Case {
    std::string text;
    const char* message;
  };
  const Case cases[] = {
      {"1 2 1\n2 3 -2\n", "edges.txt:2: weight -2; must be > 0; remove the edge or fix the weight"},
      {"1 2 1\n\n2 3 nan\n", "edges.txt:3: weight nan; not a number"},
      {"1 2 inf\n", "edges.txt:1: weight inf; must be finite"},
      {"1 2 -inf\n", "edges.txt:1: weight -inf; must be finite"},
      {"1 2 1e999\n", "edges.txt:1: weight 1e999; out of the range"},
      {"1 2 1\n1 3 1.5x\n", "edges.txt:2: weight 1.5x; expected a number > 0"},
      {"1 2 1\n1 3 0x10\n", "edges.txt:2: weight 0x10; expected a number"},
      {"1 2 1,5\n2 3\n", "edges.txt:1: '1 2 1,5' can be read as "},
      {"1 2\n3\n", "edges.txt:2: 1 field in '3'; expected 2 separated by blanks, as on line 1"},
      {"1 2\n3 4 5\n", "edges.txt:2: 3 fields"},
      {"1 2 3\n3 4\n", "edges.txt:2: 2 fields"},
      {"1 2 3 4\n", "edges.txt:1: 4 fields in '1 2 3 4'; column 4 is '4'"},
      {"1\n", "edges.txt:1: 1 field"},
      {"1,2\n3,\n", "edges.txt:2: field 2 is empty"},
      {"a b\n\"c d\n", "edges.txt:2: a quoted field does not end"},
      {"a b\n\"c\"x d\n", "edges.txt:2: text after a closing quote"},
      {std::string("1 2\n\0\1\n", 7), "edges.txt:2: binary data"},
      {"\xFF\xFE"
       "1",
       "UTF-16"},
  };
  for (const Case& c : cases) {
    INFO(c.text);
    CHECK_THAT(message_of(c.text), Contains(c.message));
  }
}

TEST_CASE("A first line without a weight is a header only if its words are no ids") {
  CHECK_THAT(message_of("a b 1O\nb c 2\nc d 1\n"), Contains("edges.txt:1") && Contains("1O"));
  const GraphFile doubtful = read_text("a b 1O\nc d 2\nd e 1\n");
  CHECK(doubtful.stats.notes.size() == 1);
  CHECK_THAT(doubtful.stats.notes.at(0), Contains("line 1") && Contains("'1O'"));
  for (const char* text : {"user item rating\n1 2 5\n", "source target much\na b 5\n"}) {
    const GraphFile plain = read_text(text);
    CHECK(plain.stats.notes.empty());
    CHECK(plain.graph.edge_count() == 1);
  }
}

TEST_CASE("Two unknown words over numbers are a header unless they are ids further down") {
  const GraphFile header = read_text("user_id,friend_id\n1,2\n2,3\n");
  CHECK(header.graph.vertex_count() == 3);
  REQUIRE(header.stats.notes.size() == 1);
  CHECK_THAT(header.stats.notes.at(0),
             Contains("line 1 is taken for a header") && Contains("'friend_id'"));
  // Known words are said to nobody.
  CHECK(read_text("source friend_id\n1 2\n").graph.edge_count() == 1);
  CHECK(read_text("source target\n1 2\n").stats.notes.empty());
  for (const char* text :
       {"user_id friend_id\n1 2\n2 friend_id\n", "ann bob\nbob eve\n", "ann bob\n1 eve\n",
        "x y\n1 2\n", "ann 1\n2 3\n", "ann bob 2\n1 2 1\n"}) {
    INFO(text);
    const GraphFile edge = read_text(text);
    CHECK(edge.stats.notes.empty());
    CHECK(edge.stats.edges_given == edge.stats.lines);
  }
  const GraphFile few =
      read_text("# made today\nann bob x\n1 2 y\n", {.table = {.columns = {1, 2}}});
  CHECK_THAT(few.stats.notes.at(0), Contains("line 2"));
  CHECK(few.graph.edge_count() == 1);
}

TEST_CASE("A column before those that are called the ends of edges is not taken for one") {
  for (const std::string head :
       {",source,target", "id,from,to", "\"\",\"from\",\"to\"", "key,u,node2"}) {
    INFO(head);
    const std::string text = head + "\n0,3,1\n1,1,2\n";
    if (head.ends_with("node2")) {
      CHECK(read_text(text).stats.edges_given == 2);  // u alone may be anything
      continue;
    }
    CHECK_THAT(message_of(text),
               Contains("edges.txt:1: columns 2 and 3 are called") && Contains("2,3"));
    CHECK(read_text(text, {.table = {.columns = {2, 3}}}).graph.edge_count() == 2);
  }
  CHECK(read_text("source,target,weight\n1,2,3\n").graph.edge_count() == 1);
}

TEST_CASE("What is dropped or merged is counted") {
  const GraphFile file = read_text("a b 1\na b 2\nb a 4\nc c 1\na c 0\nd a 5\n");
  CHECK(described(file) == "a b c d\na b 4\na d 5\n");
  CHECK(file.stats.edges_given == 6);
  CHECK(file.stats.duplicates_merged == 1);
  CHECK(file.stats.reversed_merged == 1);
  CHECK(file.stats.self_loops_dropped == 1);
  CHECK(file.stats.zero_weights_dropped == 1);
  CHECK(file.stats.lines == 6);
  CHECK(file.stats.bytes == 36);
  CHECK(file.stats.format == "edge-list");
}

TEST_CASE("Comments with as many fields as an edge are told, others are not") {
  const auto notes = [](const std::string& text, int threads = 1) {
    return read_text(text, {}, threads).stats.notes;
  };
  const std::string told = "a comment, has as many fields as data; quote an id that begins with";
  CHECK_THAT(notes("a,b,2\n#hash,b,1\n").at(0), Contains("line 2, " + told));
  CHECK_THAT(notes("a\tb\n%x\tb\n").at(0), Contains("line 2, " + told));
  CHECK_THAT(notes("a b\n#x b\n").at(0), Contains("line 2, " + told));
  CHECK_THAT(notes("a,b\n#x,b\n\n#y,b\n").at(0), Contains("2 comments, the first in line 2, have"));
  for (const std::string quiet : {"#from,to\na,b\n", "a,b\n# c,d\n", "a,b\n#c\n", "a,b\n#c,d,1\n",
                                  "a b\n# c\n", "a b\n## c\n"})
    CHECK(notes(quiet).empty());
  std::string many;
  for (int i = 0; i < 60000; ++i)
    many += (i % 20000 == 7 ? "#" : "") + std::to_string(i) + "," + std::to_string(i + 1) + "\n";
  for (const int threads : {1, 3})
    CHECK_THAT(notes(many, threads).at(0), Contains("3 comments, the first in line 8, have"));
}

TEST_CASE("Duplicates are merged by the policy asked for") {
  const char* text = "a b 3\na b 1\n";
  const auto weight = [&](DuplicatePolicy policy) {
    return read_text(text, {.duplicates = policy}).graph.weight(0, 1);
  };
  CHECK(weight(DuplicatePolicy::sum) == 4);
  CHECK(weight(DuplicatePolicy::max) == 3);
  CHECK(weight(DuplicatePolicy::first) == 3);
  CHECK_THAT(message_of("x y 1\na b 3\nb c 1\n\na b 3\n", {.duplicates = DuplicatePolicy::error}),
             Contains("edges.txt:5: edge a b: ") && Contains("line 2 has it"));
  CHECK_THAT(message_of("a b 3\nb a 2\n", {.duplicates = DuplicatePolicy::error}),
             Contains("edges.txt:2: edge a b: ") && Contains("line 1 has it"));
  CHECK(message_of("a b 3\nb a 3\n", {.duplicates = DuplicatePolicy::error}).empty());
}

TEST_CASE("Opposite arcs are merged as told") {
  const char* text = "a b 4\nb a 1\na b 2\nb c 3\n";
  const auto weight = [&](DuplicatePolicy duplicates, OppositeArcs opposite) {
    const GraphFile file = read_text(text, {.duplicates = duplicates, .opposite = opposite});
    CHECK(file.stats.opposite_differ == 1);
    CHECK(file.graph.weight(1, 2) == 3);
    return file.graph.weight(0, 1);
  };
  CHECK(weight(DuplicatePolicy::sum, OppositeArcs::automatic) == 6);
  CHECK(weight(DuplicatePolicy::sum, OppositeArcs::sum) == 7);
  CHECK(weight(DuplicatePolicy::sum, OppositeArcs::mean) == 3.5);
  CHECK(weight(DuplicatePolicy::max, OppositeArcs::sum) == 5);
  CHECK(weight(DuplicatePolicy::max, OppositeArcs::max) == 4);
  CHECK(weight(DuplicatePolicy::first, OppositeArcs::automatic) == 4);
  CHECK(weight(DuplicatePolicy::first, OppositeArcs::mean) == 2.5);
  CHECK_THAT(message_of("x y\nb c\na b 4\n" + std::string(text), {.opposite = OppositeArcs::error}),
             Contains("edges.txt:3: 3 fields"));
  CHECK_THAT(message_of(text, {.opposite = OppositeArcs::error}),
             Contains("edges.txt:2: edge a b: ") && Contains("line 1 has it"));
  CHECK(message_of("a b 4\na b 1\nb a 5\n", {.opposite = OppositeArcs::error}).empty());
  // Each direction once is no repetition.
  CHECK(read_text("a b 4\nb a 1\n",
                  {.duplicates = DuplicatePolicy::error, .opposite = OppositeArcs::sum})
            .graph.weight(0, 1) == 5);
}

TEST_CASE("Two kinds of vertices have ids of their own") {
  const ReadOptions two{.bipartite = true};
  CHECK(described(read_text("1,1,5\n1,2,1\n2,1,4\n", two)) ==
        "u:1 v:1 v:2 u:2\nu:1 v:1 5\nu:1 v:2 1\nv:1 u:2 4\n");
  CHECK(described(read_text("user item\nx y\ny x\n", two)).starts_with("u:user v:item u:x"));
  CHECK(read_text("1 1\n2 2\n", two).stats.self_loops_dropped == 0);
  CHECK_THAT(
      message_of("1 1\n2 1\n1 1\n", {.duplicates = DuplicatePolicy::error, .bipartite = true}),
      Contains("edges.txt:3: edge u:1 v:1: ") && Contains("line 1 has it"));
}

TEST_CASE("The first line of a KONECT file is obeyed") {
  const std::string body = "1 1 5 100\n1 2 1 100\n2 1 4 200\n";
  const GraphFile two = read_text("% bip weighted\n% 3 2 2\n" + body);
  CHECK(described(two) == "u:1 v:1 v:2 u:2\nu:1 v:1 5\nu:1 v:2 1\nv:1 u:2 4\n");
  CHECK(two.stats.notes.size() == 2);
  const GraphFile arcs = read_text("% asym positive\n1 2 5\n2 1 4\n");
  CHECK(described(arcs) == "1 2\n1 2 5\n");
  CHECK(arcs.stats.opposite_differ == 1);
  CHECK(described(read_text("% sym unweighted\n1 2\n2 3\n")) == "1 2 3\n1 2 1\n2 3 1\n");
  // Other comments are comments.
  CHECK(described(read_text("% bip of a kind\n1 1\n1 2\n")) == "1 2\n1 2 1\n");
}

TEST_CASE("A sum of weights that overflows is refused") {
  CHECK_THAT(message_of("a b 1e308\na b 1e308\n"), Contains("edges.txt") && Contains("finite"));
}

TEST_CASE("One thread and four read the same graph and names", "[large]") {
  const std::string prefix = GENERATE(std::string(), std::string("node"));
  const bool weighted = GENERATE(false, true);
  // Long enough for several pieces of text.
  const std::string text = random_edges(20000, 700000, weighted, prefix, 7);
  const GraphFile one = read_text(text, {}, 1);
  const GraphFile four = read_text(text, {}, 4);
  CHECK(one.graph == four.graph);
  CHECK(one.stats.duplicates_merged == four.stats.duplicates_merged);
  CHECK(one.stats.lines == 700000);
  bool same = one.names.size() == four.names.size();
  for (VertexId v = 0; same && v < one.names.size(); ++v)
    same = one.names.name(v) == four.names.name(v);
  CHECK(same);
}

TEST_CASE("One thread and two read a file into the same bytes") {
  const std::string prefix = GENERATE(std::string(), std::string("node"));
  const bool weighted = GENERATE(false, true);
  const auto policy = GENERATE(DuplicatePolicy::sum, DuplicatePolicy::max, DuplicatePolicy::first);
  TemporaryDirectory directory;
  // More rows than one block of a parallel loop has, and repetitions whose sums depend on the
  // order.
  const std::string path =
      directory.file("e.txt", random_edges(30000, 80000, weighted, prefix, 11) +
                                  random_edges(300, 20000, weighted, prefix, 12));
  const auto read = [&](int threads) {
    RunContext run;
    run.threads = threads;
    return read_graph(path, {.duplicates = policy}, run);
  };
  const GraphFile one = read(1);
  const GraphFile two = read(2);
  CHECK(one.graph.vertex_count() > 2 * parallel_block);
  CHECK(one.graph == two.graph);
  CHECK(one.names.memory_bytes() == two.names.memory_bytes());
  CHECK((described(one) == described(two)));
  CHECK(one.stats.duplicates_merged > 0);
  CHECK(one.stats.duplicates_merged == two.stats.duplicates_merged);
  CHECK(one.stats.reversed_merged > 0);
  CHECK(one.stats.reversed_merged == two.stats.reversed_merged);
}

TEST_CASE("Odd lines far into a file mean the same on any number of threads") {
  TemporaryDirectory directory;
  const std::string head = "source target weight\n" + random_edges(3000, 30000, true, "", 21);
  const std::string tail = random_edges(3000, 30000, true, "", 22);
  const auto read = [&](const std::string& odd, int threads) {
    RunContext run;
    run.threads = threads;
    return read_graph(directory.file("e.txt", head + odd + tail), {}, run);
  };
  for (const char* odd : {"# a comment\n", "\n", "ann 7 0\n", "007 7 2\n", "\"7\" 8 1.5\n"}) {
    const GraphFile one = read(odd, 1);
    const GraphFile three = read(odd, 3);
    CAPTURE(odd);
    CHECK(one.graph == three.graph);
    CHECK((described(one) == described(three)));
    CHECK(three.stats.lines == 60002);
    CHECK(one.stats.edges_given == three.stats.edges_given);
  }
  for (const int threads : {1, 3}) {
    const auto error = error_of([&] { read("7 8 -1\n" + tail + "7 8\n", threads); });
    REQUIRE(error.has_value());
    CHECK(std::string(error->what()).find("e.txt:30002:") != std::string::npos);
  }
}

TEST_CASE("Every way through a line gives the same graph") {
  // The same four edges: all fast, then each with something unusual in some line.
  const std::string expected =
      "1 20000000000 x12345678 4\n1 20000000000 1\n1 4 1\n20000000000 "
      "x12345678 1\nx12345678 4 1\n";
  for (const char* text : {
           "1 20000000000\n20000000000 x12345678\nx12345678 4\n4 1\n",
           "1 20000000000\r\n20000000000 x12345678\r\nx12345678 4\r\n4 1",
           "1\t20000000000\n20000000000\tx12345678\nx12345678\t4\n4\t1\n",
           "1,20000000000\n20000000000,x12345678\n x12345678 , 4 \n4,1\n",
           "\"1\" 20000000000\n20000000000  \"x12345678\"\nx12345678 4\n\"4\" \"1\"\n",
           "source target\n1 20000000000\n20000000000 x12345678\nx12345678 4\n# a b\n4 1\n",
           "1 20000000000 1\n20000000000 x12345678 1.0\nx12345678 4 1e0\n4 1 +1\n",
       }) {
    INFO(text);
    CHECK(described(read_text(text)) == expected);
  }
}

TEST_CASE("Integers of every length are read as they are written") {
  std::string text;
  std::string names;
  std::string id;
  for (int digits = 1; digits <= 24; ++digits) {
    id += static_cast<char>('0' + digits % 10);
    text += id + " " + id + "\n";
    names += (digits > 1 ? " " : "") + id;
  }
  // One at a time, with more or less text after it, and all in one file.
  CHECK(described(read_text(text)) == names + "\n");
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    const std::string line = text.substr(at, end - at);
    CHECK(described(read_text(line)) == line.substr(0, line.find(' ')) + "\n");
    at = end;
  }
  CHECK(described(read_text("12:4 5\n12/4 5\n")) == "12:4 5 12/4\n12:4 5 1\n5 12/4 1\n");
}

TEST_CASE("The fast way through integer lines gives what the slow way gives") {
  const bool weighted = GENERATE(false, true);
  const std::string text = random_edges(50, 2000, weighted, "", 3);
  std::string spaced;  // leading blanks go the slow way
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    spaced += "  " + text.substr(at, end - at);
    at = end;
  }
  CHECK(described(read_text(text)) == described(read_text(spaced)));
}

TEST_CASE("Edges with properties are read as networkx writes them") {
  CHECK(described(read_text("0 1 {}\n1 2 {}\n")) == described(read_text("0 1\n1 2\n")));
  CHECK(described(read_text("# made by networkx\na b {'color': 'red', 'weight': 2.5}\n"
                            "b c {\"weight\": 3, \"kind\": \"x, y\"}\nc d {}\n")) ==
        described(read_text("a b 2.5\nb c 3\nc d 1\n")));
  for (const char separator : {',', ';', '\t'}) {
    const std::string s(1, separator);
    CHECK(described(read_text("0" + s + "1" + s + "{'weight': 4, 'c': 'x'}\n1" + s + "2" + s +
                              "{}\n")) == described(read_text("0 1 4\n1 2 1\n")));
  }
  for (const char* wrong : {"a b {}\nb c\n", "a b {}\nb c d {}\n", "a b {'weight': x}\n",
                            "a b {'weight': -1}\n", "a b {}\nb c {\n"}) {
    const auto error = error_of([&] { read_text(wrong); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::bad_data);
  }
  CHECK(error_of([] { read_text("a {} {}\nb c d\n"); }));
}

TEST_CASE("A cancelled run stops reading with an error") {
  std::atomic<bool> cancel = true;
  RunContext run;
  run.cancel = &cancel;
  TemporaryDirectory directory;
  const std::string path = directory.file("e.txt", "1 2\n");
  const auto error = error_of([&] { read_graph(path, {}, run); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::cancelled);
}

TEST_CASE("The Cora edge list has the published size") {
  const auto path = shared_path("data/graphs/cora/plain/cora.edges.txt");
  if (!path) {
    WARN("skipped: ../shared is absent");
    return;
  }
  const GraphFile file = read_graph(path->string(), {}, RunContext{});
  CHECK(file.graph.vertex_count() == 2708);
  CHECK(file.graph.edge_count() == 5278);
  CHECK(file.graph.has_unit_weights());
}

TEST_CASE("Names of formats and policies are parsed, others list what exists") {
  CHECK(parse_graph_format("metis") == GraphFormat::metis);
  CHECK(parse_duplicate_policy("max") == DuplicatePolicy::max);
  const auto error = error_of([] { parse_duplicate_policy("mean"); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::usage);
  CHECK_THAT(error->what(), Contains("sum, max, first, error"));
}
