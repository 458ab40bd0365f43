/* gssl for C: label the vertices of a graph from a few given labels, and what the network says.
 *
 *   gssl_graph* graph = NULL;
 *   gssl_result* result = NULL;
 *   const int32_t vertices[] = {0, 33};
 *   const char* const classes[] = {"mr_hi", "officer"};
 *   if (gssl_graph_read(NULL, "karate.txt", &graph) != GSSL_OK ||
 *       gssl_label(NULL, graph, "auto", 2, vertices, classes, &result) != GSSL_OK)
 *     fprintf(stderr, "%s\n", gssl_last_error());
 *   gssl_result_free(result);
 *   gssl_graph_free(graph);
 *
 * Every function that can fail returns a gssl_status, whose numbers are the exit statuses of the
 * command, and then gssl_last_error() says what is wrong and what helps. What a call was to give is
 * left alone unless it succeeds, or ends early with an answer (GSSL_INCOMPLETE, which says so where
 * it applies). A context may be NULL: one seed, all threads, no limit. Arrays that are handed in are
 * read during the call; pointers that are handed out are valid until the handle they came from is
 * freed. Freeing NULL does nothing.
 *
 * A handle is for one thread at a time, but gssl_cancel(), which any thread and a signal handler may
 * call. Vertices count from 0. Same input, seed and options give the same bytes at any number of
 * threads. No exception leaves a function, and no callback may leave by longjmp(). */
#ifndef GSSL_H
#define GSSL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gssl_status {
  GSSL_OK = 0,
  GSSL_INCOMPLETE = 1,     /* ended before its tolerance: cancelled, out of time or of steps */
  GSSL_USAGE = 64,         /* an argument or an option is wrong */
  GSSL_BAD_DATA = 65,      /* the input was read and is not what it should be */
  GSSL_CANNOT_OPEN = 66,   /* an input does not exist or may not be read */
  GSSL_INTERNAL = 70,      /* a bug of gssl */
  GSSL_OUT_OF_MEMORY = 71, /* an allocation failed */
  GSSL_CANNOT_CREATE = 73, /* an output may not be written */
  GSSL_IO_FAILURE = 74     /* a read or a write failed half-way */
} gssl_status;

typedef struct gssl_context gssl_context; /* seed, threads, when to stop, whom to tell */
typedef struct gssl_graph gssl_graph;
typedef struct gssl_result gssl_result; /* of labeling */

const char* gssl_version(void);
/* "complete", "usage", …; "unknown status" for another number. */
const char* gssl_status_text(gssl_status status);
/* Of the last call of this thread that can fail; "" if it succeeded. Valid until its next call. */
const char* gssl_last_error(void);

/* ---- context ------------------------------------------------------------------------------- */

gssl_status gssl_context_new(gssl_context** context);
gssl_status gssl_context_set_threads(gssl_context* context, int threads); /* >= 0; 0: all */
gssl_status gssl_context_set_seed(gssl_context* context, uint64_t seed);
/* Work under this context ends `seconds` from now; 0: no deadline. GSSL_USAGE if < 0 or NaN. */
gssl_status gssl_context_set_deadline(gssl_context* context, double seconds);
/* `fraction` is in [0, 1], negative where the end is not known. Called from one thread at a time,
 * not always the one that began the work. Not 0 cancels, as gssl_cancel() does. NULL: silent. */
typedef int (*gssl_progress)(const char* stage, double fraction, void* user);
gssl_status gssl_context_set_progress(gssl_context* context, gssl_progress progress, void* user);
/* Ends the work under this context soon, and all that begins under it later. */
void gssl_cancel(gssl_context* context);
void gssl_context_free(gssl_context* context);

/* ---- graph ---------------------------------------------------------------------------------- */

/* `edge_count` edges u[i] v[i] of weight weights[i] > 0; weights may be NULL: all 1. A pair given
 * again in the same direction adds its weight, both directions are one edge, loops are dropped. */
gssl_status gssl_graph_from_edges(const gssl_context* context, int32_t vertex_count,
                                  int64_t edge_count, const int32_t* u, const int32_t* v,
                                  const double* weights, gssl_graph** graph);
/* Compressed sparse rows: row v is neighbors[offsets[v]] … neighbors[offsets[v + 1] - 1], ascending,
 * each edge in both rows, no loops; weights may be NULL: all 1. Without `release` the arrays are
 * copied. With it they are shared and must never change, and release(owner) is called when nothing
 * needs them any more; it is not called if this fails. Checked, O(n + m). */
gssl_status gssl_graph_from_csr(int32_t vertex_count, const int64_t* offsets,
                                const int32_t* neighbors, const double* weights,
                                void (*release)(void* owner), void* owner, gssl_graph** graph);
/* Any graph file that the command reads. */
gssl_status gssl_graph_read(const gssl_context* context, const char* path, gssl_graph** graph);
int32_t gssl_graph_vertex_count(const gssl_graph* graph); /* -1 of NULL */
int64_t gssl_graph_edge_count(const gssl_graph* graph);   /* -1 of NULL */
/* The name as in the file, else the number of the vertex. Writes at most `size` bytes with the 0 at
 * the end; *length is that of the whole name, without it. `buffer` may be NULL if size is 0. */
gssl_status gssl_graph_vertex_name(const gssl_graph* graph, int32_t vertex, char* buffer,
                                   size_t size, size_t* length);
void gssl_graph_free(gssl_graph* graph);

/* ---- labels --------------------------------------------------------------------------------- */

/* Labels every vertex. `method` is as --method of the command: "auto", "harmonic:soft=10". The label
 * of vertices[i] is classes[i]. GSSL_INCOMPLETE: *result is what there was when the work ended, or
 * NULL where that answers nothing. */
gssl_status gssl_label(const gssl_context* context, const gssl_graph* graph, const char* method,
                       size_t count, const int32_t* vertices, const char* const* classes,
                       gssl_result** result);
/* The same with real targets. */
gssl_status gssl_label_values(const gssl_context* context, const gssl_graph* graph,
                              const char* method, size_t count, const int32_t* vertices,
                              const double* values, gssl_result** result);
/* Names of the classes, sorted; none for real targets. */
gssl_status gssl_result_classes(const gssl_result* result, const char* const** names,
                                size_t* count);
/* The class of each vertex as its place among the names; -1: no answer, or real targets. */
gssl_status gssl_result_labels(const gssl_result* result, const int32_t** labels, size_t* count);
/* rows x columns, row by row: a row for each vertex, a column for each class, or one of values. */
gssl_status gssl_result_scores(const gssl_result* result, const double** scores, size_t* rows,
                               size_t* columns);
/* In [0, 1], of each vertex. */
gssl_status gssl_result_confidence(const gssl_result* result, const double** confidence,
                                   size_t* count);
/* 0 given, 1 inferred, 2 unreached (no label in its component), 3 tied, 4 unfinished. */
gssl_status gssl_result_status(const gssl_result* result, const unsigned char** status,
                               size_t* count);
/* What proves the answer: solver, residual, certificates, seconds, warnings. */
gssl_status gssl_result_report_json(const gssl_result* result, const char** json);
void gssl_result_free(gssl_result* result);

/* ---- network -------------------------------------------------------------------------------- */

/* resistances[i] is the effective resistance between u[i] and v[i]; infinite between components. */
gssl_status gssl_resistance(const gssl_context* context, const gssl_graph* graph, size_t count,
                            const int32_t* u, const int32_t* v, double* resistances);
typedef enum gssl_laplacian {
  GSSL_COMBINATORIAL = 0, /* D - W */
  GSSL_SYMMETRIC = 1,     /* I - D^-1/2 W D^-1/2 */
  GSSL_RANDOM_WALK = 2,   /* I - D^-1 W */
  GSSL_LAPLACIAN_OF_INT = 0x7fffffff /* none: makes every int a value that can be refused */
} gssl_laplacian;
/* The `count` smallest eigenpairs, ascending: values[j], and unless vectors is NULL the entry of
 * vertex v in vectors[v * count + j]. count <= vertices. GSSL_INCOMPLETE: the first *found are
 * there, not all within the tolerance, and the rest is 0. */
gssl_status gssl_spectrum(const gssl_context* context, const gssl_graph* graph,
                          gssl_laplacian laplacian, size_t count, double* values, double* vectors,
                          size_t* found);
/* Harmonic scores are X = P Y for the count x columns values Y of the given vertices; this is the
 * product with the transpose, product = P' gradient, which turns the gradient of a loss in the
 * scores (vertices x columns, row by row) into that in the given values (count x columns). */
gssl_status gssl_harmonic_adjoint(const gssl_context* context, const gssl_graph* graph,
                                  size_t count, const int32_t* vertices, size_t columns,
                                  const double* gradient, double* product);

#ifdef __cplusplus
}
#endif

#endif /* GSSL_H */
