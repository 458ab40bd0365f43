// What gssl-mpi reads: compressed files and pipes, policies, headers, and what it refuses.

#include <nlohmann/json.hpp>
#include <string>

#include "gssl/core/rng.hpp"
#include "mpi_runs.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace gssl::test {
namespace {

const std::string digits = "datasets/digits/edges.tsv datasets/digits/labels.tsv";

}  // namespace

TEST_CASE("gzip, a pipe and small messages give the bytes of the plain file", "[mpi]") {
  const TemporaryDirectory folder;
  const std::string packed = (folder.path() / "edges.tsv.gz").string();
  REQUIRE(run_shell("gzip -c datasets/digits/edges.tsv > " + packed).status == 0);
  const std::string expected = run_mpi(3, "label " + digits + " --quiet").out;
  REQUIRE(expected.size() > 1000);
  const std::string labels = " datasets/digits/labels.tsv --quiet";
  CHECK(run_mpi(3, "label " + packed + labels).out == expected);
  CHECK(run_mpi(3, "label - " + labels, {.input = read_file(packed)}).out == expected);
  CHECK(run_mpi(3, "label --message-bytes 1024 " + digits + " --quiet").out == expected);
}

TEST_CASE("a binary graph gives what its edge list gives", "[mpi]") {
  const TemporaryDirectory folder;
  const std::string binary = (folder.path() / "digits.gssl").string();
  REQUIRE(run_shell("exec $GSSL convert datasets/digits/edges.tsv " + binary).status == 0);
  CHECK(compare_ranks(binary, "datasets/digits/labels.tsv", "--method harmonic:tolerance=1e-12",
                      folder.path().string()) == "");
  const std::string packed = (folder.path() / "packed.gssl").string();
  REQUIRE(run_shell("exec $GSSL convert --compress " + binary + " " + packed).status == 0);
  const Result refused = run_mpi(2, "label " + packed + " datasets/digits/labels.tsv");
  CHECK(refused.status == 64);
  CHECK(refused.err.find("compressed rows") != std::string::npos);
}

TEST_CASE("labels and truth are the columns that are told", "[mpi]") {
  const TemporaryDirectory folder;
  const std::string table = folder.file("t.csv", "id,size,class\na,1,x\nd,2,y\nb,5,x\n");
  const std::string line = "label " + folder.file("e.tsv", "a b\nb c\nc d\n") + " " +
                           folder.file("l.csv", "id,size,class\na,1,x\nd,2,y\n") +
                           " --method harmonic --label-columns 1,3 --truth " + table + " ";
  const Result one = run_shell("exec $GSSL " + line);
  REQUIRE(one.status == 0);
  const Result two = run_mpi(2, line);
  CHECK(two.status == 0);
  const TableDifference d = difference(one.out, two.out);
  CHECK(d.same_rows);
  CHECK(d.labels == 0);
  CHECK(d.largest < 1e-8);
  CHECK(two.err.find("100.00% on 1 vertices") != std::string::npos);
}

TEST_CASE("words over ids that are numbers are a header, and empty labels are counted", "[mpi]") {
  const TemporaryDirectory folder;
  const std::string edges = folder.file("e.tsv", "1 2\n2 3\n3 4\n4 1\n");
  const std::string labels = folder.file("l.csv", "user,grp\n1,0\n3,1\n2,-1\n4,\n99,2\n");
  for (const char* policy : {"ignore", "add"}) {
    INFO(policy);
    const std::string line =
        "label " + edges + " " + labels + " --method harmonic --unknown-labels " + policy;
    const std::string summary = (folder.path() / "s.json").string();
    const Result one = run_shell("exec $GSSL " + line + " --summary " + summary);
    REQUIRE(one.status == 0);
    const nlohmann::json of_one = nlohmann::json::parse(read_file(summary));
    const Result two = run_mpi(2, line + " --summary " + summary);
    REQUIRE(two.status == 0);
    const nlohmann::json of_two = nlohmann::json::parse(read_file(summary));
    CHECK(difference(one.out, two.out).same_rows);
    for (const char* key : {"classes", "labels_missing", "labels_unknown_ignored"})
      CHECK(of_one[key] == of_two[key]);
    CHECK(two.err.find("is taken for a header") != std::string::npos);
  }
  CHECK(run_mpi(2, "label --max-memory 1G " + edges + " " + labels).status == 64);
}

TEST_CASE("edges that many megabytes repeat are merged as on one machine", "[mpi]") {
  const TemporaryDirectory folder;
  Rng rng(7);
  std::string edges, labels;  // a rank of three has some pieces of text, too
  while (edges.size() < (std::size_t{15} << 20)) {
    edges += std::to_string(rng.below(1000)) + ' ' + std::to_string(rng.below(1000)) + ' ';
    edges += std::to_string(1 + rng.below(9)) + '\n';
  }
  for (int v = 0; v < 20; ++v) labels += std::to_string(v) + (v % 2 == 0 ? " x\n" : " y\n");
  const std::string graph = folder.file("e", edges), given = folder.file("l", labels);
  for (const std::string policy : {"sum", "first"})
    CHECK(compare_ranks(graph, given, "--method harmonic:tolerance=1e-12 --duplicates " + policy,
                        folder.path().string()) == "");
}

TEST_CASE("the summary counts what gssl counts", "[mpi]") {
  const TemporaryDirectory folder;
  const std::string edges = folder.file("edges.txt",
                                        "source target w\na b 1\nb a 3\na b 1\nc c 1\nb c 0\n"
                                        "c d 2\nd e 1\n");
  const std::string labels = folder.file("labels.txt", "a 1\ne 2\nz 2\n");
  const auto counts = [&](const std::string& summary) {
    std::string kept;
    const std::string text = read_file(summary);
    for (const std::string key :
         {"\"n\"", "\"m\"", "\"edges_given\"", "\"self_loops_dropped\"", "\"duplicates_merged\"",
          "\"reversed_merged\"", "\"opposite_differ\"", "\"zero_weights_dropped\"", "\"lines\"",
          "\"crc32\"", "\"bytes\"", "\"components\"", "\"classes\"", "\"labelled\"", "\"given\"",
          "\"inferred\"", "\"unreached\"", "\"labels_unknown_ignored\"",
          "\"labels_unknown_added\""})
      kept += text.substr(text.find(key), text.find('\n', text.find(key)) - text.find(key)) + "\n";
    return kept;
  };
  for (const std::string policy :
       {"--unknown-labels ignore", "--unknown-labels add --duplicates max",
        "--unknown-labels ignore --directed mean"}) {
    INFO(policy);
    const std::string files = "label " + edges + " " + labels + " " + policy +
                              " --quiet --method harmonic --summary " + folder.path().string();
    const Result one = run_shell("exec $GSSL " + files + "/one.json");
    const Result three = run_mpi(3, files + "/three.json");
    CHECK(one.status == 0);
    CHECK(three.status == 0);
    CHECK(counts(folder.path().string() + "/three.json") ==
          counts(folder.path().string() + "/one.json"));
    CHECK(difference(one.out, three.out).same_rows);
    CHECK(difference(one.out, three.out).largest <= 1e-8);
  }
}

TEST_CASE("bad input is refused by file and line on any number of ranks", "[mpi]") {
  const TemporaryDirectory folder;
  std::string text;
  for (int i = 0; i < 300; ++i) text += std::to_string(i) + " " + std::to_string(i + 1) + " 1\n";
  const std::string labels = folder.file("labels.txt", "0 a\n300 b\n");
  const std::string negative = folder.file("negative.txt", text + "301 302 -2\n");
  const std::string good = folder.file("good.txt", text);
  const std::string unknown = folder.file("unknown.txt", "0 a\n999 b\n");
  const std::string conflict = folder.file("conflict.txt", "0 a\n0 b\n");
  for (const int ranks : {1, 2, 3}) {
    const auto label = [&](const std::string& graph, const std::string& given) {
      return run_mpi(ranks, "label " + graph + " " + given);
    };
    const Result line = label(negative, labels);
    CHECK(line.status == 65);
    CHECK(line.err.find("negative.txt:301: weight -2; must be > 0") != std::string::npos);
    CHECK(line.out.empty());
    CHECK(label(good, unknown).err.find("unknown.txt:2: vertex 999 is not in the graph") !=
          std::string::npos);
    CHECK(label(good, conflict).err.find("conflict.txt:2: vertex 0 labelled b") !=
          std::string::npos);
    CHECK(label(folder.path().string() + "/none.txt", labels).status == 66);
  }
  const Result twice = run_mpi(2, "label " + folder.file("twice.txt", "a b\nc d\na b\n") + " " +
                                      folder.file("a.txt", "a 1\n") + " --duplicates error");
  CHECK(twice.status == 65);
  CHECK(twice.err.find("edge a b: given more than once") != std::string::npos);
}

TEST_CASE("usage is refused once, with what gssl-mpi has", "[mpi]") {
  const auto message = [](const std::string& arguments) {
    const Result found = run_mpi(2, "label " + digits + " " + arguments);
    CHECK(found.status == 64);
    return found.err;
  };
  CHECK(message("--method min-cut").find("gssl-mpi has harmonic, local-global and poisson") !=
        std::string::npos);
  CHECK(message("--method harmonic:mass=cmn").find("rescales no scores") != std::string::npos);
  CHECK(message("--method harmonic:solver=cholesky").find("conjugate gradients") !=
        std::string::npos);
  CHECK(message("--message-bytes 5").find("--message-bytes") != std::string::npos);
  const Result help = run_mpi(2, "label --help");
  CHECK(help.status == 0);
  CHECK(help.out.find("mpirun -n 4 gssl-mpi label") != std::string::npos);
  CHECK(help.out.find("Examples") == help.out.rfind("Examples"));
}

}  // namespace gssl::test
