// gssl label --points: from points to labels, of those in the graph and of others.

#include <array>
#include <sstream>

#include "read_json.hpp"
#include "run_gssl.hpp"
#include "small_points.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl::test;

namespace {

double accuracy_of(const std::string& summary) {
  return nlohmann::json::parse(summary)["accuracy"].get<double>();
}

}  // namespace

TEST_CASE("label --points finds what is wrong with labels before it builds the graph") {
  const TemporaryDirectory dir;
  const std::string points = dir.file("p", five), graph = dir.file("g", "0 1\n");
  const std::string labels = dir.file("l", "0 x\n9 y\n");
  const std::string good = dir.file("good", "0 x\n4 y\n");
  struct Case {
    std::vector<std::string> arguments;
    int status;
    const char* message;
  };
  const std::vector<Case> cases = {
      {{"--points", points, "--knn", "1", labels}, 65, "l:2: vertex 9 is not in the graph"},
      {{"--points", points, "--knn", "1", labels}, 65, "--unknown-labels ignore|add"},
      {{"--points", points, "--knn", "1"}, 64, "no labels"},
      {{"--points", points, "--knn", "1", "absent"}, 66, "absent: cannot open"},
      {{"--points", points, "--knn", "1", labels, "--regression", "--unknown-labels", "ignore"},
       65,
       "l:1: vertex 0: target x"},
      {{"--points", points, "--knn", "1", good, "--truth", "absent"}, 66, "absent: cannot open"},
      {{"--points", points, "--knn", "1", good, "--truth", dir.file("t", "1 x extra\n")},
       65,
       "t:1"},
      {{"--points", points, "--knn", "1", dir.file("n", "0 1\n"), "--regression", "--truth", good},
       65,
       "good:1: vertex 0: target x"},
      {{"--points", points, "--knn", "1", good, "--classes-prior", "absent"},
       66,
       "absent: cannot open"},
      {{"--points", points, "--knn", "1", good, "--classes-prior", dir.file("c", "z 1\n")},
       65,
       "c:1: class z"},
      {{"--points", points, "--knn", "1", labels, "--unknown-labels", "add", "--spt", "9"},
       64,
       "--spt 9: no point"},
      {{graph, labels, "--metric", "cosine"}, 64, "--metric is for a graph that is built"},
      {{"--points", points, labels, "--method", "eigenfunction", "--weights", "unit"},
       64,
       "--weights is for building"}};
  for (const Case& c : cases) {
    std::vector<std::string> arguments = {"label"};
    arguments.insert(arguments.end(), c.arguments.begin(), c.arguments.end());
    const Result r = run_gssl(arguments);
    INFO(r.err);
    CHECK(r.status == c.status);
    CHECK(r.err.find(c.message) != std::string::npos);
    CHECK(r.err.find("5 vertices") == std::string::npos);
  }
  const Result r = run_gssl(
      {"label", "--points", points, "--knn", "1", "--mst", labels, "--unknown-labels", "add"});
  CHECK(r.status == 0);
  CHECK(r.out.find("9\ty\t1\tgiven") != std::string::npos);
}

TEST_CASE("label --points builds and labels in one go, as build and label do one after the other") {
  const TemporaryDirectory dir;
  const std::string graph = (dir.path() / "g").string();
  const std::string labels = "datasets/iris/labels.tsv";
  const std::vector<std::string> how = {"--label-column", "class", "--knn", "8", "--mst"};
  const auto with = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), how.begin(), how.end());
    return run_gssl(arguments);
  };
  REQUIRE(with({"build", "datasets/iris/points.csv", "-o", graph}).status == 0);
  const Result one = with({"label", "--points", "datasets/iris/points.csv", labels});
  REQUIRE(one.status == 0);
  CHECK(one.out == run_gssl({"label", graph, labels}).out);
  // Without LABELS the rows that have a label give it.
  const Result own = run_gssl({"label", "--points", dir.file("p", pairs), "--id-column", "name",
                               "--label-column", "class", "--knn", "1"});
  CHECK(own.out ==
        "node\tlabel\tconfidence\tstatus\na\tl\t1\tgiven\nb\tl\t1\tinferred\n"
        "c\tr\t1\tgiven\nd\tr\t1\tinferred\n");
  CHECK(own.err.find("2 components") != std::string::npos);
  CHECK(own.err.find("--mst") != std::string::npos);
  const std::string points = dir.file("q", five);
  CHECK(run_gssl({"label", "--points", points, labels}).status == 64);
  CHECK(run_gssl({"label", "--points", points, "--knn", "2"}).status == 64);
  CHECK(run_gssl({"label", "--points", points, "--knn", "2", graph, labels}).status == 64);
  CHECK(run_gssl({"label", graph, labels, "--knn", "2"}).status == 64);
}

TEST_CASE("label --extend labels points that are not in the graph, after those that are or apart") {
  const TemporaryDirectory dir;
  const std::string points = dir.file("p", pairs);
  const std::string others = dir.file("n", "name,x,class\nq,0.4,l\na,10.5,l\nf,99,r\n");
  const std::string summary = (dir.path() / "s.json").string();
  const std::string apart = (dir.path() / "apart").string();
  const std::string scores = (dir.path() / "scores").string();
  const std::vector<std::string> base = {
      "label", "--points", points,     "--id-column", "name",      "--label-column", "class",
      "--knn", "1",        "--extend", others,        "--summary", summary};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), base.begin(), base.end());
    return run_gssl(more);
  };
  const std::string old_rows =
      "node\tlabel\tconfidence\tstatus\na\tl\t1\tgiven\nb\tl\t1\tinferred\n"
      "c\tr\t1\tgiven\nd\tr\t1\tinferred\n";
  const Result r = with({"--scores", scores});
  CHECK(r.status == 0);
  CHECK(r.out ==
        old_rows + "new:q\tl\t1\tinferred\nnew:a\tr\t1\tinferred\nnew:f\tr\t1\tinferred\n");
  CHECK(read_file(scores).ends_with("new:q\t1\t0\nnew:a\t0\t1\nnew:f\t0\t1\n"));
  const auto json = read_json(summary);
  CHECK(json["extend"]["points"] == 3);
  CHECK(json["extend"]["inferred"] == 3);
  CHECK(json["extend"]["measured"] == 3);
  CHECK(json["extend"]["accuracy"].get<double>() == Approx(2.0 / 3.0));
  CHECK(json["columns"] == 1);
  CHECK(json["inputs"].size() == 2);
  CHECK(with({"--extend-output", apart, "--weights", "self-tuning"}).out == old_rows);
  CHECK(read_file(apart) ==
        "node\tlabel\tconfidence\tstatus\nq\tl\t1\tinferred\na\tr\t1\tinferred\n"
        "f\tr\t1\tinferred\n");

  const auto bad = [&](const std::vector<std::string>& arguments, int status, const char* message) {
    INFO(message);
    const Result result = run_gssl(arguments);
    CHECK(result.status == status);
    CHECK(result.err.find(message) != std::string::npos);
  };
  const std::string labels = dir.file("l", "0 x\n4 y\n");
  const std::string square = dir.file("five", five);
  bad({"label", "--points", square, labels, "--mst", "--extend", square}, 64, "--knn");
  bad({"label", square, labels, "--knn", "1", "--extend", square}, 64, "--extend");
  bad({"label", "--points", square, labels, "--knn", "1", "--extend-output", apart}, 64,
      "--extend");
  bad({"label", "--points", square, labels, "--knn", "1", "--extend", dir.file("w", "1,2,3\n")}, 65,
      "3 columns; expected 2");
  bad({"label", "--points", dir.file("v", "name,x\nnew:0,1\n4,2\n0,3\n"), "--id-column", "name",
       labels, "--knn", "1", "--extend", dir.file("u", "name,x\n0,7\n")},
      65, "new:0");
  bad({"label", "--points", square, labels, "--knn", "1", "--extend", "no-such"}, 66, "no-such");
}

TEST_CASE("points to extend to need no label column, and have their columns in the same order") {
  const TemporaryDirectory dir;
  const auto extended = [&](const char* points, const char* label, const std::string& others) {
    return run_gssl({"label", "--points", dir.file("p", points), "--label-column", label, "--knn",
                     "1", "--extend", dir.file("n", others)});
  };
  const char* square = "x,y,c\n0,5,a\n1,5,\n9,6,b\n10,6,\n";
  const std::string rows = "new:0\ta\t1\tinferred\nnew:1\tb\t1\tinferred\n";
  const auto ends = [&](const Result& r) { return r.status == 0 && r.out.ends_with(rows); };
  CHECK(ends(extended(square, "c", "x,y\n0,6\n10,5\n")));
  CHECK(ends(extended(square, "c", "0,6\n10,5\n")));
  CHECK(ends(extended(square, "3", "x,y\n0,6\n10,5\n")));
  CHECK(ends(extended(square, "c", "x,y,c\n0,6,a\n10,5,a\n")));
  CHECK(ends(extended("a,0,5\n,1,5\nb,9,6\n,10,6\n", "1", "0,6\n10,5\n")));

  const Result swapped = extended(square, "c", "y,x\n6,0\n5,10\n");
  CHECK(swapped.status == 65);
  CHECK(swapped.err.find("feature 1 is named 'y'; expected 'x'") != std::string::npos);
  const Result unlike = extended(square, "c", "x,y,z\n6,0,1\n");
  CHECK(unlike.status == 65);
  CHECK(unlike.err.find("no column named") != std::string::npos);
}

TEST_CASE("libsvm points of fewer columns are extended with zeros") {
  const TemporaryDirectory dir;
  const std::string points = dir.file("p", "1 1:1 900:2\n2 5:1\n? 1:1 900:1\n");
  const Result r = run_gssl({"label", "--points", points, "--knn", "1", dir.file("l", "0 1\n1 2\n"),
                             "--extend", dir.file("n", "1 5:1\n2 1:1\n")});
  CHECK(r.status == 0);
  CHECK(r.out.find("new:0\t2\t1\tinferred\nnew:1\t") != std::string::npos);
}

TEST_CASE("iris from points to labels has the accuracy of the bundled graph") {
  const TemporaryDirectory dir;
  const auto path = [&](const char* name) { return (dir.path() / name).string(); };
  REQUIRE(run_gssl({"build", "datasets/iris/points.csv", "--label-column", "class", "--knn", "10",
                    "--scale", "1.6068643", "-o", path("g"), "--labels-out", path("t")})
              .status == 0);
  const auto accuracy = [&](const std::string& graph, const std::string& truth) {
    const Result r = run_gssl({"label", graph, "datasets/iris/labels.tsv", "--truth", truth,
                               "--summary", path("s"), "-o", path("out")});
    CHECK(r.status == 0);
    return accuracy_of(read_file(path("s")));
  };
  const double bundled = accuracy("datasets/iris/edges.tsv", "datasets/iris/truth.tsv");
  // Two more edges: ties of distances rounded to 9 decimals there, of exact distances here.
  CHECK(accuracy(path("g"), path("t")) == Approx(bundled).margin(0.02));
}

TEST_CASE("digits from points to labels has the accuracy of the reference") {
  const auto points = shared_path("data/points/sklearn/digits.csv.gz");
  const auto one_each = shared_path("reference/points/digits.labelled_1_per_class.txt");
  const auto five_each = shared_path("reference/points/digits.labelled_5_per_class.txt");
  const auto reference = shared_path("reference/points/points.json");
  if (!points || !one_each || !five_each || !reference) {
    WARN("skipped: ../shared is absent");
    return;
  }
  const TemporaryDirectory dir;
  const auto path = [&](const char* name) { return (dir.path() / name).string(); };
  // exp(−d²/(2σ²)) with the σ of the reference
  const auto digits = read_json(*reference)["digits"];
  const double sigma = digits["sigma_mean_kth_distance"];
  std::ostringstream scale;
  scale.precision(17);
  scale << 1.0 / (2.0 * sigma * sigma);
  REQUIRE(run_gssl({"build", points->string(), "--label-column", "65", "--knn", "10", "--scale",
                    scale.str(), "-o", path("g"), "--labels-out", path("t")})
              .status == 0);
  CHECK(edges_in(read_file(path("g"))) == digits["union_edges"]);
  std::istringstream truth_text(read_file(path("t")));
  std::vector<std::string> truth;
  std::string line;
  std::getline(truth_text, line);
  while (std::getline(truth_text, line)) truth.push_back(line);
  for (const char* each : {"1", "5"}) {
    const std::string key = std::string("harmonic_gauss_") + each + "_per_class";
    std::istringstream splits(read_file(each == std::string("1") ? *one_each : *five_each));
    for (std::size_t split = 0; split < 3 && std::getline(splits, line); ++split) {
      INFO(key << ", split " << split);
      std::istringstream rows(line);
      std::string labels;
      for (std::size_t row = 0; rows >> row;) labels += truth.at(row) + "\n";
      const Result r = run_gssl({"label", path("g"), dir.file("l", labels), "--method", "harmonic",
                                 "--truth", path("t"), "--summary", path("s"), "-o", path("out")});
      REQUIRE(r.status == 0);
      CHECK(accuracy_of(read_file(path("s"))) ==
            Approx(digits[key]["acc"][split].get<double>()).margin(1e-9));
    }
  }
}

TEST_CASE("digits that were not in the graph are labeled about as well as those that were") {
  const auto points = shared_path("data/points/sklearn/digits.csv.gz");
  if (!points) {
    WARN("skipped: ../shared is absent");
    return;
  }
  const TemporaryDirectory dir;
  std::istringstream rows(run_shell("gzip -dc " + points->string()).out);
  std::string old_rows, new_rows, labels, line;
  for (int row = 0; std::getline(rows, line); ++row) {
    const std::size_t comma = line.rfind(',');
    if (row < 1347) {
      old_rows += line + "\n";
      if (row < 100) labels += std::to_string(row) + "\t" + line.substr(comma + 1) + "\n";
    } else {
      new_rows += line + "\n";
    }
  }
  const std::string summary = (dir.path() / "s").string();
  REQUIRE(run_gssl({"label", "--points", dir.file("p", old_rows), "--label-column", "65", "--knn",
                    "10", dir.file("l", labels), "--extend", dir.file("n", new_rows), "--summary",
                    summary, "-o", (dir.path() / "out").string()})
              .status == 0);
  const auto json = read_json(summary);
  CHECK(json["extend"]["measured"] == 450);
  CHECK(json["extend"]["accuracy"].get<double>() > 0.93);
}

TEST_CASE("MNIST-10k from an idx file to labels", "[large]") {
  const auto images = shared_path("data/points/mnist_t10k/t10k-images-idx3-ubyte.gz");
  const auto classes = shared_path("data/points/mnist_t10k/t10k-labels-idx1-ubyte.gz");
  if (!images || !classes) {
    WARN("skipped: ../shared is absent");
    return;
  }
  const TemporaryDirectory dir;
  const auto path = [&](const char* name) { return (dir.path() / name).string(); };
  const std::string bytes =
      run_shell("gzip -dc " + classes->string()).out.substr(8);  // one byte a label
  REQUIRE(bytes.size() == 10000);
  std::string truth;
  std::string labels;
  std::array<int, 10> given{};
  for (std::size_t row = 0; row < bytes.size(); ++row) {
    const std::string line = std::to_string(row) + "\t" + std::to_string(int{bytes[row]}) + "\n";
    truth += line;
    if (++given.at(static_cast<std::size_t>(bytes[row])) <= 10) labels += line;
  }
  REQUIRE(run_gssl({"build", images->string(), "--knn", "10", "-o", path("g")}).status == 0);
  const Result r = run_gssl({"label", path("g"), dir.file("l", labels), "--truth",
                             dir.file("t", truth), "--summary", path("s"), "-o", path("out")});
  REQUIRE(r.status == 0);
  const double exact = accuracy_of(read_file(path("s")));
  CHECK(exact > 0.75);
  // A few neighbors less change little.
  const Result approximate =
      run_gssl({"label", "--points", images->string(), "--knn", "10", "--approximate=0.95",
                "--search", "descent", (dir.path() / "l").string(), "--truth", classes->string(),
                "--summary", path("s"), "-o", path("out")});
  REQUIRE(approximate.status == 0);
  CHECK(accuracy_of(read_file(path("s"))) == Approx(exact).margin(0.02));
  CHECK(read_json(path("s"))["recall"].get<double>() >= 0.95);
}
