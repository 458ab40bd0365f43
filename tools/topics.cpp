// What `gssl help TOPIC` prints, and the man pages of the same names. See topic.hpp for the form.

#include "topic.hpp"

namespace gssl::tool {
namespace {

constexpr const char* formats = R"(
A graph is told by what is in the file, packed or not; --input-format tells it where that is not
enough, and gssl info FILE says what was read, dropped and merged.

# Graphs
edge list :: lines 'u v' or 'u v weight', by blanks, tabs, commas or semicolons; ids are any
strings; lines that begin with # or % are comments; a header is found by itself
Matrix Market :: %%MatrixMarket matrix coordinate real|integer|pattern symmetric|general; names of
vertices in comments
METIS :: .graph or .metis; vertices are called 1, 2, ...
of other programs :: GraphML, GEXF, GML, DOT, Pajek, DIMACS, KONECT, Galois .gr, sparse .npz of
SciPy, N-Triples, folders of OGB: all told by content; nodes keep their names
layers :: the last column of 'u v [weight] layer', sections of Pajek and predicates of triples, with
--layer-weights
binary graph :: .gssl, as gssl convert writes it: mapped, not read, with checksums
others :: --input-format of gssl convert --help lists all that this version reads

# Labels and truth
lines 'node label' :: the same separators; also what gssl label wrote
.npy, .npz, idx :: value i is the label of vertex i
no label :: an empty cell, NA, ?, and -1 beside classes 0, 1, ...; --missing tells other words

# Points
table :: a row a line; --label-column and --id-column by name or number from 1
.npy, .npz, libsvm, idx :: told by content

An edge given in both directions is one edge. An edge repeated in one direction has its weights
added (--duplicates). Self-loops and edges of weight 0 are dropped. All of it is counted in the
report. Weights that are negative, infinite or no numbers are errors, with file and line.

'-' is standard input or standard output. Output files appear whole or not at all.
)";

constexpr const char* dialects = R"(
What separates the columns of a text table, whether numbers have a decimal point or comma, and
whether there is a header is inferred from its first lines together. Where two readings are as
good, the file is refused with the line on which they differ: nothing is guessed.

--delimiter CHAR :: tab, comma, semicolon, blank (any run of blanks and tabs), or a character
--decimal CHAR :: . or ,
--skip N :: lines to leave out at the start
--columns LIST :: columns to take, from 1: 2,3,5 are u, v and weight of edges; 1-4,7 are features
of points
--header WHEN :: automatic, yes or no (tables of points)
--missing WORDS :: what stands for "no label"

  gssl info trades.csv --delimiter ';' --decimal , --columns 2,3,7

An id that holds the separator stands in double quotes.
)";

constexpr const char* columns = R"(
What the verbs write, as TSV, CSV or JSON lines (--format), a header first.

# gssl label
node :: the vertex, as the input calls it
label :: its class, or its value under --regression; ? where there is none
confidence :: from 0 to 1: how far the best class is ahead; with --calibrate the chance to be right
status :: given; inferred; unreached (no label in its component); tied (several classes are equally
good, and label is one of them: no answer); unfinished (the run ended too early); uncertain (below --min-confidence)

# gssl label --scores
node, then a column for each class :: the score of the class, as the learner gives it

# gssl label --scores --top N
node, class_1, score_1, ... :: the N best classes of the vertex, best first

# gssl label --flips
node, before, now :: a vertex whose class is another one than in --warm-start; ? is none
confidence_before, confidence_now :: the share of its best score, then and now

# gssl predict
node, label, confidence, status :: likewise; a row is inferred or tied (another class has the same
score: it counts as wrong)

# gssl online
trial, prediction, outcome, loss :: a trial in each row, from 1

# gssl evaluate
method, labels, trials :: what was compared, at how many labels, in how many trials
accuracy, sd :: mean and standard deviation over the trials
difference, low, high, p, verdict :: distance to the best, its 95 % interval, and whether it can be
told from it: best, same, worse or unknown
unreached, tied :: rows without an answer over all trials, which count as wrong
chosen :: the value of a grid that was chosen most often
unanswered, common :: rows without an answer, and those that both it and the best answer: values of
a regression are compared on these alone

# gssl evaluate --results
log_loss, brier, ece :: of confidences that are shares or probabilities, else null
ece :: expected calibration error: |confidence - share right|, averaged over the rows of a trial in
15 bins of as many rows each
reliability :: confidence, share right and rows in each of 15 bins of equal width, of all trials;
ece does not follow from it

# gssl explain
node, label_node, label, share :: how much a given label makes up of the score of a vertex

# gssl explain --suspects
rank, node, label, suspicion :: given labels, the most doubtful first
others_say, others_score, own_score :: what the other labels say of the vertex, and the scores of
that class and of the given one
status :: of the vertex without its label

# gssl ask
rank, node, score, why :: what to label next, best first

# gssl cluster
node, cluster :: clusters are counted from 1

# gssl cut
node, side :: on which side of the cut the vertex is

# gssl resistance
u, v, resistance :: of a pair in each row; inf between components
commute :: with --commute, the expected steps of a random walk there and back
centrality :: with --centrality, the share of the spanning trees that have the edge

# gssl resistance --diagonal
node, diagonal :: the entry of the Laplacian's pseudo-inverse

# gssl resistance --total
component, vertices, total :: a component, by its first vertex; the sum over all its pairs

# gssl resistance --hitting
u, v, hitting :: the expected steps of a random walk from u to v; inf between components

# gssl resistance --absorption
node, then a column for each target :: the chance that the walk meets this target first; 0 from
another component

# gssl spectrum
index, eigenvalue, residual :: the smallest first

# gssl spectrum --vectors
node, then a column for each eigenvalue :: the eigenvector, by the index of its eigenvalue

# gssl embed
node, x1, x2, ... :: coordinates

# --estimate
quantity, low, high :: peak_memory_bytes and seconds, between what and what

# gssl complete
row, column, value :: a cell that was not given, and what it is taken for

# gssl bound
quantity, value, how, meaning :: how says where the value is from: given, default or solved
)";

constexpr const char* methods = R"(
A learner is given as NAME or NAME:key=value,key=value. Every option has a range and a default;
gssl learners NAME prints them, and so does gssl help NAME.

  gssl label graph.tsv labels.tsv --method harmonic:mass=cmn
  gssl evaluate graph.tsv truth.tsv --method "harmonic:soft=1|10|100" --method poisson

Where gssl evaluate is given a|b|c for a value, the training part of each trial chooses. A comma
inside brackets belongs to the value: svm:kernel=gaussian(beta=0.5),c=10. Learners in a shared
object are loaded with --plugin FILE.so.

# Which learner
auto :: the default: harmonic scores, read as the number of labels suggests; the run says how
harmonic :: the smoothest fit to the labels; the standard
poisson, volume-mbo, centered-kernel :: for very few labels a class
min-cut :: the least weight between different labels; exact for two classes
p-laplacian, sparse-label-propagation :: between the two above
svm, kernel-ridge, forest, logistic, ... :: models of points, for gssl fit
seminorm, weighted-majority, perceptron, ... :: trial by trial, for gssl online

# Which solver
Learners that solve a linear system take solver=automatic|cholesky|multigrid|cg|..., tolerance and
max_iterations. automatic forecasts what each would cost, and the report says what was chosen and
why. Every answer has its residual, computed again from b - Ax.
)";

constexpr const char* weights = R"(
gssl build, and --points of the other verbs, weigh an edge of length d with C from --scale:

gaussian :: exp(-C d^2), C = 1 / mean s^2 unless given; the default
exponential :: exp(-C d), C = 1 / mean s
inverse :: C / d
self-tuning :: exp(-C d^2 / (s t)), s and t the distances of the two ends to their K-th neighbors
unit :: 1

The mean is over the distances s to the K-th neighbor, without --knn over the edges. For
exp(-d^2 / 2 sigma^2) give --scale 1/(2 sigma^2).

In a file of edges the weight is a conductance: larger means more alike. A weight must be finite
and at least 0; an edge of weight 0 is dropped. --length of gssl build --graph says how long an edge
of a given weight is.
)";

constexpr const char* summary = R"(
--summary FILE writes a JSON object on what a run did, also when it failed. Keys appear in the
order of the work; those that a verb has no use for are absent.

command, version, arguments, seed, threads :: how to run it again
inputs :: path, format, compression, bytes, lines and crc32 of each file read, with what was dropped
or merged
n, m, components, classes, labelled :: sizes
method :: the learner with every option spelled out
solver :: what was asked for and used, iterations, relative_residual, error_estimate, and a sentence
certificates :: numbers that prove the answer, as the learner has them: cut (weight between
classes), energy, duality_gap, start_cuts (of volume-mbo and poisson-mbo: the cut that each start
led to; the least is kept), volume_error (of theirs and cut-ssl: how far the volume of a class is
from the one asked for, at most, as a share of the vertices, in each component), ...
given, inferred, unreached :: vertices of each status
accuracy, ... :: what --truth measures
outcome :: complete, incomplete, failed or cancelled
seconds :: read, build, setup, solve, write, total
peak_rss_bytes, warnings, exit_status :: as they are

  gssl label graph.tsv labels.tsv --summary run.json

What the same run says on standard error can be silenced with --quiet; warnings are in the summary
then, too.
)";

constexpr const char* report = R"(
A page of results to look at in a browser or to send on: one HTML file, without a script and without
anything from elsewhere, light or dark as the browser is.

  gssl evaluate graph.tsv truth.tsv --method auto --method poisson --report compared.html
  gssl evaluate graph.tsv truth.tsv --results compared.json
  gssl report compared.json -o compared.html

gssl report --help has the options of the verb.

# On the page
first sentence :: the best method, its accuracy, and how many are not told from it
table of methods :: means over the trials, and whether a difference is more than chance
learning curves :: accuracy against labels a class, with 95 % intervals of the mean
confusion :: truth in rows, answers in columns, the share of the row in color
reliability :: confidence against the share that was right
drawing :: of gssl label, cluster and explain --report: the graph, near vertices near to each other
least certain, suspects :: the vertices to look at first, and given labels that look wrong
protocol, seed, version, data :: what it takes to run it again
)";

constexpr const char* exit_status_text = R"(
0 :: done
1 :: done, but not to tolerance or not in time: the output is written and marked; or incomplete
under --strict
64 :: a usage error: an option or argument is wrong
65 :: the input is not what it should be; the message has file and line
66 :: an input cannot be opened
70 :: an internal error: please report it
71 :: out of memory
73 :: an output cannot be created
74 :: a read or a write failed
128 + N :: ended by signal N; what was found so far is written first where that makes sense
)";

constexpr const char* environment = R"(
OMP_NUM_THREADS :: threads to use where --threads is not given; the same bytes come out at any
number
OMP_WAIT_POLICY, GOMP_SPINCOUNT :: how threads wait for each other. With neither they look 1,000 times,
then sleep, so that two programs on the same cores do not hold each other up; with a libgomp of GCC 13
or later set OMP_WAIT_POLICY=passive for that
NO_COLOR :: no color in the progress line
TMPDIR :: where gssl convert sorts what does not fit into memory (default: /tmp); outputs are written
beside their place and renamed
SOURCE_DATE_EPOCH :: the date that gssl help --man puts on the pages
)";

constexpr const char* tour = R"(
A graph and a few labels go in, a label for every vertex comes out, with what proves the answer.

  gssl label graph.tsv labels.tsv -o all.tsv

From a table of points, the graph is built first or on the way:

  gssl build points.csv --label-column class --knn 10 --mst -o graph.tsv
  gssl label --points points.csv --label-column class --knn 10 labels.tsv

Where the truth is known, learners are compared on the same trials, and the page is looked at in a
browser:

  gssl evaluate graph.tsv truth.tsv --method auto --method poisson --report compared.html

Why a vertex has its label, which given labels look wrong, and what to label next:

  gssl explain graph.tsv labels.tsv --node 17
  gssl explain graph.tsv labels.tsv --suspects
  gssl ask graph.tsv labels.tsv -n 5

A model of a table, for new rows:

  gssl fit points.csv --label-column class --method forest -o my.model
  gssl predict my.model new.csv -o answers.tsv

gssl help VERB describes a verb, gssl help LEARNER a learner, gssl help TOPIC one of the topics.
)";

}  // namespace

const std::vector<Topic>& topics() {
  static const std::vector<Topic> all = {
      {"tour", "From a graph and a few labels to all labels", 7, tour},
      {"formats", "Files that gssl reads and writes", 5, formats},
      {"dialects", "How text tables are read", 7, dialects},
      {"columns", "The columns of what gssl writes", 5, columns},
      {"methods", "How a learner and its options are given", 7, methods},
      {"weights", "How edges are weighed", 7, weights},
      {"summary", "The JSON record of a run", 5, summary},
      {"report", "The page of results", 7, report},
      {"exit-status", "What the exit status says", 7, exit_status_text},
      {"environment", "Environment variables", 7, environment}};
  return all;
}

}  // namespace gssl::tool
