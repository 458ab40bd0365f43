/* gssl.h from C: what it answers, what it refuses, and that a callback can end the work.
 *   test_gssl EDGES.tsv [NAME]      all tests, or the one of this name */
#include <gssl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define CHECK(condition)                                                                      \
  do {                                                                                        \
    if (!(condition)) {                                                                       \
      fprintf(stderr, "%s:%d: %s [%s]\n", __FILE__, __LINE__, #condition, gssl_last_error()); \
      ++failures;                                                                             \
    }                                                                                         \
  } while (0)

static int near(double a, double b) { return fabs(a - b) <= 1e-9 * (1.0 + fabs(b)); }

/* 0 - 1 - 2 - 3, weights 1, 2, 4 */
static const int32_t path_u[] = {0, 1, 2};
static const int32_t path_v[] = {1, 2, 3};
static const double path_w[] = {1.0, 2.0, 4.0};

static gssl_graph* path(void) {
  gssl_graph* graph = NULL;
  CHECK(gssl_graph_from_edges(NULL, 4, 3, path_u, path_v, path_w, &graph) == GSSL_OK);
  return graph;
}

static void labels_a_path(const char* edges) {
  const int32_t given[] = {0, 3};
  const char* const classes[] = {"b", "a"};
  gssl_graph* graph = path();
  gssl_result* result = NULL;
  const char* const* names = NULL;
  const int32_t* labels = NULL;
  const double *scores = NULL, *confidence = NULL;
  const unsigned char* status = NULL;
  const char* json = NULL;
  size_t count = 0, rows = 0, columns = 0;
  (void)edges;
  CHECK(gssl_graph_vertex_count(graph) == 4 && gssl_graph_edge_count(graph) == 3);
  CHECK(gssl_label(NULL, graph, "harmonic", 2, given, classes, &result) == GSSL_OK);
  CHECK(gssl_result_classes(result, &names, &count) == GSSL_OK && count == 2);
  CHECK(strcmp(names[0], "a") == 0 && strcmp(names[1], "b") == 0);
  CHECK(gssl_result_labels(result, &labels, &count) == GSSL_OK && count == 4);
  CHECK(labels[0] == 1 && labels[1] == 0 && labels[2] == 0 && labels[3] == 0);
  CHECK(gssl_result_scores(result, &scores, &rows, &columns) == GSSL_OK);
  CHECK(rows == 4 && columns == 2);
  /* Resistances 1, 1/2, 1/4 from 0 to 3: the score of "a" rises in their proportion. */
  CHECK(near(scores[2], 1.0 / 1.75) && near(scores[4], 1.5 / 1.75));
  CHECK(gssl_result_confidence(result, &confidence, &count) == GSSL_OK && count == 4);
  CHECK(confidence[0] == 1.0 && near(confidence[1], 1.0 / 1.75));
  CHECK(gssl_result_status(result, &status, &count) == GSSL_OK && count == 4);
  CHECK(status[0] == 0 && status[1] == 1 && status[2] == 1 && status[3] == 0);
  CHECK(gssl_result_report_json(result, &json) == GSSL_OK);
  CHECK(strstr(json, "\"relative_residual\"") != NULL && strstr(json, "\"complete\"") != NULL);
  CHECK(strcmp(gssl_last_error(), "") == 0);
  gssl_result_free(result);
  gssl_graph_free(graph);
}

static void real_targets(const char* edges) {
  const int32_t given[] = {0, 3};
  const double values[] = {0.0, 7.0};
  gssl_graph* graph = path();
  gssl_result* result = NULL;
  const char* const* names = NULL;
  const double* scores = NULL;
  size_t count = 1, rows = 0, columns = 0;
  (void)edges;
  CHECK(gssl_label_values(NULL, graph, "harmonic", 2, given, values, &result) == GSSL_OK);
  CHECK(gssl_result_classes(result, &names, &count) == GSSL_OK && count == 0);
  CHECK(gssl_result_scores(result, &scores, &rows, &columns) == GSSL_OK && columns == 1);
  CHECK(near(scores[1], 4.0) && near(scores[2], 6.0));
  gssl_result_free(result);
  gssl_graph_free(graph);
}

static int released = 0;
static void count_release(void* owner) { released += *(int*)owner; }

static void adopts_arrays(const char* edges) {
  const int64_t offsets[] = {0, 1, 3, 4};
  const int32_t neighbors[] = {1, 0, 2, 1};
  const int32_t loop[] = {0, 0, 2, 1};
  int one = 1;
  gssl_graph* graph = NULL;
  (void)edges;
  released = 0;
  CHECK(gssl_graph_from_csr(3, offsets, loop, NULL, count_release, &one, &graph) == GSSL_BAD_DATA);
  CHECK(graph == NULL && released == 0);
  CHECK(gssl_graph_from_csr(3, offsets, neighbors, NULL, count_release, &one, &graph) == GSSL_OK);
  CHECK(gssl_graph_edge_count(graph) == 2 && released == 0);
  gssl_graph_free(graph);
  CHECK(released == 1);
  graph = NULL;
  CHECK(gssl_graph_from_csr(3, offsets, neighbors, NULL, NULL, NULL, &graph) == GSSL_OK);
  gssl_graph_free(graph);
  CHECK(released == 1);
}

static void network_numbers(const char* edges) {
  const int32_t u[] = {0, 1}, v[] = {3, 1};
  const int32_t given[] = {0, 3};
  double resistance[2] = {-1.0, -1.0}, values[4], vectors[16], adjoint[2];
  double gradient[4] = {0.0, 1.0, 1.0, 0.5};
  size_t found = 0;
  gssl_graph* graph = path();
  (void)edges;
  CHECK(gssl_resistance(NULL, graph, 2, u, v, resistance) == GSSL_OK);
  CHECK(near(resistance[0], 1.75) && resistance[1] == 0.0);
  CHECK(gssl_spectrum(NULL, graph, GSSL_COMBINATORIAL, 4, values, vectors, &found) == GSSL_OK);
  /* The eigenvalues of a Laplacian add up to the weighted degrees, 2(1 + 2 + 4). */
  CHECK(found == 4 && near(values[0] + values[1] + values[2] + values[3], 14.0));
  CHECK(near(vectors[0], 0.5) && near(vectors[12], 0.5));
  CHECK(gssl_harmonic_adjoint(NULL, graph, 2, given, 1, gradient, adjoint) == GSSL_OK);
  /* Columns of P: (1, 3/7, 1/7, 0) and (0, 4/7, 6/7, 1). */
  CHECK(near(adjoint[0], 4.0 / 7.0) && near(adjoint[1], 10.0 / 7.0 + 0.5));
  gssl_graph_free(graph);
}

static void names_of_a_file(const char* edges) {
  gssl_graph* graph = NULL;
  char name[64] = "", cut[2] = "";
  size_t length = 0;
  CHECK(gssl_graph_read(NULL, edges, &graph) == GSSL_OK);
  CHECK(gssl_graph_vertex_count(graph) == 1797 && gssl_graph_edge_count(graph) == 12339);
  CHECK(gssl_graph_vertex_name(graph, 1, name, sizeof name, &length) == GSSL_OK);
  CHECK(strcmp(name, "30") == 0 && length == 2);
  CHECK(gssl_graph_vertex_name(graph, 1, cut, sizeof cut, &length) == GSSL_OK);
  CHECK(strcmp(cut, "3") == 0 && length == 2);
  CHECK(gssl_graph_vertex_name(graph, 1797, name, sizeof name, &length) == GSSL_USAGE);
  gssl_graph_free(graph);
  graph = NULL;
  CHECK(gssl_graph_read(NULL, "no such file", &graph) == GSSL_CANNOT_OPEN && graph == NULL);
  CHECK(strstr(gssl_last_error(), "no such file") != NULL);
}

static void refuses_null(const char* edges) {
  gssl_graph* graph = path();
  gssl_result* result = NULL;
  gssl_context* context = NULL;
  const int32_t given[] = {0};
  const char* const none[] = {NULL};
  const char* const a[] = {"a"};
  double value = 0.0;
  size_t count = 0;
  const char* json = NULL;
  (void)edges;
  CHECK(gssl_context_new(NULL) == GSSL_USAGE);
  CHECK(gssl_context_set_seed(NULL, 1) == GSSL_USAGE);
  CHECK(gssl_graph_from_edges(NULL, 4, 3, NULL, path_v, NULL, &graph) == GSSL_USAGE);
  CHECK(gssl_graph_from_edges(NULL, 4, 3, path_u, path_v, NULL, NULL) == GSSL_USAGE);
  CHECK(gssl_graph_from_csr(3, NULL, NULL, NULL, NULL, NULL, &graph) == GSSL_USAGE);
  CHECK(gssl_graph_read(NULL, NULL, &graph) == GSSL_USAGE);
  CHECK(gssl_graph_vertex_count(NULL) == -1 && gssl_graph_edge_count(NULL) == -1);
  CHECK(gssl_label(NULL, NULL, "auto", 1, given, a, &result) == GSSL_USAGE);
  CHECK(gssl_label(NULL, graph, NULL, 1, given, a, &result) == GSSL_USAGE);
  CHECK(gssl_label(NULL, graph, "auto", 1, NULL, a, &result) == GSSL_USAGE);
  CHECK(gssl_label(NULL, graph, "auto", 1, given, NULL, &result) == GSSL_USAGE);
  CHECK(gssl_label(NULL, graph, "auto", 1, given, none, &result) == GSSL_USAGE);
  CHECK(gssl_label(NULL, graph, "auto", 1, given, a, NULL) == GSSL_USAGE);
  CHECK(result == NULL && strstr(gssl_last_error(), "result") != NULL);
  CHECK(gssl_result_report_json(NULL, &json) == GSSL_USAGE);
  CHECK(gssl_resistance(NULL, graph, 1, given, NULL, &value) == GSSL_USAGE);
  CHECK(gssl_spectrum(NULL, graph, GSSL_SYMMETRIC, 1, NULL, NULL, &count) == GSSL_USAGE);
  CHECK(gssl_harmonic_adjoint(NULL, graph, 1, given, 1, NULL, &value) == GSSL_USAGE);
  gssl_cancel(context);
  gssl_context_free(NULL);
  gssl_result_free(NULL);
  gssl_graph_free(NULL);
  gssl_graph_free(graph);
}

static void refuses_wrong_sizes(const char* edges) {
  gssl_graph* graph = path();
  gssl_graph* other = NULL;
  gssl_result* result = NULL;
  gssl_context* context = NULL;
  const int32_t outside[] = {4}, twice[] = {1, 1};
  const char* const a[] = {"a", "b"};
  const double minus[] = {1.0, -1.0, 1.0};
  double values[8];
  double gradient[4] = {0.0, NAN, 0.0, 0.0};
  (void)edges;
  CHECK(gssl_graph_from_edges(NULL, -1, 0, NULL, NULL, NULL, &other) == GSSL_USAGE);
  CHECK(gssl_graph_from_edges(NULL, 4, -1, path_u, path_v, NULL, &other) == GSSL_USAGE);
  CHECK(gssl_graph_from_edges(NULL, 2, 3, path_u, path_v, NULL, &other) == GSSL_BAD_DATA);
  CHECK(gssl_graph_from_edges(NULL, 4, 3, path_u, path_v, minus, &other) == GSSL_BAD_DATA);
  CHECK(other == NULL);
  CHECK(gssl_label(NULL, graph, "auto", 0, NULL, NULL, &result) == GSSL_BAD_DATA);
  CHECK(gssl_label(NULL, graph, "auto", 1, outside, a, &result) == GSSL_BAD_DATA);
  CHECK(gssl_label(NULL, graph, "auto", 2, twice, a, &result) == GSSL_BAD_DATA);
  CHECK(gssl_label(NULL, graph, "harmonik", 1, path_v, a, &result) == GSSL_USAGE);
  CHECK(strstr(gssl_last_error(), "harmonic") != NULL && result == NULL);
  CHECK(gssl_label(NULL, graph, "svm:c=0", 1, path_v, a, &result) == GSSL_USAGE);
  CHECK(gssl_resistance(NULL, graph, 1, outside, outside, values) == GSSL_BAD_DATA);
  CHECK(gssl_spectrum(NULL, graph, GSSL_SYMMETRIC, 0, values, NULL, NULL) == GSSL_USAGE);
  CHECK(gssl_spectrum(NULL, graph, GSSL_SYMMETRIC, 5, values, NULL, NULL) == GSSL_USAGE);
  CHECK(gssl_spectrum(NULL, graph, (gssl_laplacian)7, 1, values, NULL, NULL) == GSSL_USAGE);
  CHECK(gssl_harmonic_adjoint(NULL, graph, 1, path_u, 0, gradient, values) == GSSL_USAGE);
  CHECK(gssl_harmonic_adjoint(NULL, graph, 1, path_u, SIZE_MAX, gradient, values) == GSSL_USAGE);
  CHECK(gssl_harmonic_adjoint(NULL, graph, 1, path_u, 1, gradient, values) == GSSL_BAD_DATA);
  CHECK(gssl_context_new(&context) == GSSL_OK);
  CHECK(gssl_context_set_threads(context, -1) == GSSL_USAGE);
  CHECK(gssl_context_set_deadline(context, -1.0) == GSSL_USAGE);
  CHECK(gssl_context_set_deadline(context, NAN) == GSSL_USAGE);
  CHECK(strcmp(gssl_status_text((gssl_status)65), "bad data") == 0);
  CHECK(strcmp(gssl_status_text((gssl_status)2), "unknown status") == 0);
  gssl_context_free(context);
  gssl_graph_free(graph);
}

static int cancel_soon(const char* stage, double fraction, void* user) {
  (void)stage;
  (void)fraction;
  return ++*(int*)user >= 2;
}

/* A grid, on which the p-Laplacian takes many steps. */
static gssl_graph* grid(int32_t side) {
  const size_t most = 2 * (size_t)side * (size_t)side;
  int32_t* u = malloc(most * sizeof *u);
  int32_t* v = malloc(most * sizeof *v);
  gssl_graph* graph = NULL;
  int64_t m = 0;
  int32_t i;
  if (u == NULL || v == NULL) exit(71);
  for (i = 0; i < side * side; ++i) {
    if (i % side + 1 < side) {
      u[m] = i;
      v[m++] = i + 1;
    }
    if (i / side + 1 < side) {
      u[m] = i;
      v[m++] = i + side;
    }
  }
  CHECK(gssl_graph_from_edges(NULL, side * side, m, u, v, NULL, &graph) == GSSL_OK);
  free(u);
  free(v);
  return graph;
}

static void a_callback_cancels(const char* edges) {
  const int32_t given[] = {0, 150 * 150 - 1};
  const char* const classes[] = {"a", "b"};
  gssl_graph* graph = grid(150);
  gssl_context* context = NULL;
  gssl_result* result = NULL;
  const char* json = NULL;
  int calls = 0;
  (void)edges;
  CHECK(gssl_context_new(&context) == GSSL_OK);
  CHECK(gssl_context_set_progress(context, cancel_soon, &calls) == GSSL_OK);
  CHECK(gssl_label(context, graph, "p-laplacian:p=3", 2, given, classes, &result) ==
        GSSL_INCOMPLETE);
  CHECK(calls >= 2 && strcmp(gssl_last_error(), "") != 0);
  if (result != NULL) {
    CHECK(gssl_result_report_json(result, &json) == GSSL_OK);
    CHECK(strstr(json, "cancelled") != NULL);
  }
  gssl_result_free(result);
  /* A cancelled context is used up. */
  result = NULL;
  CHECK(gssl_context_set_progress(context, NULL, NULL) == GSSL_OK);
  CHECK(gssl_label(context, graph, "p-laplacian:p=3", 2, given, classes, &result) ==
        GSSL_INCOMPLETE);
  gssl_result_free(result);
  gssl_context_free(context);
  gssl_graph_free(graph);
}

static void same_bytes_on_threads(const char* edges) {
  const int32_t given[] = {0, 7, 100, 1000};
  const char* const classes[] = {"0", "1", "2", "1"};
  const double* scores[2] = {NULL, NULL};
  gssl_result* result[2] = {NULL, NULL};
  gssl_graph* graph = NULL;
  size_t rows = 0, columns = 0;
  int i;
  CHECK(gssl_graph_read(NULL, edges, &graph) == GSSL_OK);
  for (i = 0; i < 2; ++i) {
    gssl_context* context = NULL;
    CHECK(gssl_context_new(&context) == GSSL_OK);
    CHECK(gssl_context_set_threads(context, i == 0 ? 1 : 4) == GSSL_OK);
    CHECK(gssl_context_set_deadline(context, 3600.0) == GSSL_OK);
    CHECK(gssl_label(context, graph, "auto", 4, given, classes, &result[i]) == GSSL_OK);
    CHECK(gssl_result_scores(result[i], &scores[i], &rows, &columns) == GSSL_OK);
    gssl_context_free(context);
  }
  CHECK(memcmp(scores[0], scores[1], rows * columns * sizeof(double)) == 0);
  gssl_result_free(result[0]);
  gssl_result_free(result[1]);
  gssl_graph_free(graph);
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(const char* edges);
  } tests[] = {{"labels_a_path", labels_a_path},
               {"real_targets", real_targets},
               {"adopts_arrays", adopts_arrays},
               {"network_numbers", network_numbers},
               {"names_of_a_file", names_of_a_file},
               {"refuses_null", refuses_null},
               {"refuses_wrong_sizes", refuses_wrong_sizes},
               {"a_callback_cancels", a_callback_cancels},
               {"same_bytes_on_threads", same_bytes_on_threads}};
  size_t i, run = 0;
  if (argc < 2) {
    fprintf(stderr, "usage: %s EDGES.tsv [NAME]\n", argv[0]);
    return 64;
  }
  for (i = 0; i < sizeof tests / sizeof *tests; ++i) {
    if (argc > 2 && strcmp(argv[2], tests[i].name) != 0) continue;
    tests[i].run(argv[1]);
    ++run;
  }
  printf("gssl %s: %zu tests, %d failures\n", gssl_version(), run, failures);
  return failures > 0 || run == 0;
}
