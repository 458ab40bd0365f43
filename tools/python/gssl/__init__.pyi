"""Types of what gssl gives at its top; those of gssl.learners are generated beside it."""

import os
from typing import Any, Callable, Dict, Iterable, List, Literal, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import estimators as estimators
from . import learners as learners

_Path = Union[str, "os.PathLike[str]"]
_Progress = Optional[Callable[[str, Optional[float]], Any]]
_Floats = npt.NDArray[np.float64]
_Places = npt.NDArray[np.int32]
_Weights = Literal["unit", "gaussian", "exponential", "inverse", "self-tuning"]
_Metric = Literal["euclidean", "cosine", "correlation", "manhattan"]
_Laplacian = Literal["combinatorial", "symmetric", "random-walk"]

__version__: str

class Error(ValueError):
    code: str

class ConvergenceWarning(UserWarning): ...

class Graph:
    counts: Dict[str, Any]
    def __init__(self, source: Any, *, weights: Optional[npt.ArrayLike] = ..., names: Optional[Iterable[Any]] = ...,
                 n: Optional[int] = ..., directed: Literal["error", "sum", "max", "mean"] = ...,
                 duplicates: Literal["sum", "max", "first", "error"] = ..., copy: Optional[bool] = ...,
                 threads: Optional[int] = ...) -> None: ...
    @classmethod
    def read(cls, path: _Path, *, input_format: str = ..., duplicates: str = ..., directed: Optional[str] = ...,
             bipartite: bool = ..., layer_weights: Optional[Dict[str, float]] = ..., delimiter: Optional[str] = ...,
             decimal: Optional[str] = ..., skip: int = ..., columns: Optional[Sequence[int]] = ...,
             progress: _Progress = ..., threads: Optional[int] = ...) -> Graph: ...
    @property
    def vertex_count(self) -> int: ...
    @property
    def edge_count(self) -> int: ...
    @property
    def names(self) -> Sequence[Any]: ...
    def __len__(self) -> int: ...
    def index(self, names: Iterable[Any]) -> _Places: ...
    def components(self) -> _Places: ...
    def to_scipy(self) -> Any: ...

class LabelResult:
    report: Dict[str, Any]
    @property
    def graph(self) -> Graph: ...
    @property
    def classes(self) -> npt.NDArray[Any]: ...
    @property
    def labels(self) -> npt.NDArray[Any]: ...
    @property
    def codes(self) -> _Places: ...
    @property
    def scores(self) -> _Floats: ...
    @property
    def confidence(self) -> _Floats: ...
    @property
    def status(self) -> npt.NDArray[np.str_]: ...
    @property
    def status_codes(self) -> npt.NDArray[np.uint8]: ...
    @property
    def method(self) -> str: ...
    def __getitem__(self, name: Any) -> Any: ...
    def __len__(self) -> int: ...
    def to_frame(self) -> Any: ...
    def write(self, path: _Path, *, format: Literal["tsv", "csv", "jsonl"] = ..., scores: bool = ...) -> None: ...

class _PointsResult(LabelResult):
    points: PointGraph
    def predict(self, others: Any, k: Optional[int] = ...) -> LabelResult: ...

class PointGraph(NamedTuple):
    graph: Graph
    report: Dict[str, Any]
    local_scale: Optional[_Floats]
    points: Any
    metric: str
    knn: int

class _Explanation(NamedTuple):
    vertex: Any
    status: str
    labels: List[Any]
    shares: _Floats

class _Suspect(NamedTuple):
    vertex: Any
    label: Any
    suspicion: float
    best: Any
    best_score: float
    own_score: float
    status: str

class _Question(NamedTuple):
    vertex: Any
    score: float
    unreached: bool

class _Spectrum(NamedTuple):
    values: _Floats
    vectors: _Floats
    residuals: _Floats
    zero_count: int
    report: Dict[str, Any]

class _Partition(NamedTuple):
    labels: _Places
    count: int
    report: Dict[str, Any]

class _Resistance(NamedTuple):
    values: _Floats
    error_bound: Optional[_Floats]
    report: Dict[str, Any]

class _Cut(NamedTuple):
    value: float
    side: npt.NDArray[np.bool_]
    tied: npt.NDArray[np.bool_]
    report: Dict[str, Any]

class _Kernel(NamedTuple):
    values: _Floats
    report: Dict[str, Any]

class _Embedding(NamedTuple):
    coordinates: _Floats
    eigenvalues: _Floats
    variance_held: Optional[float]
    kernel: str
    report: Dict[str, Any]

class Completion:
    rows: Sequence[Any]
    columns: Sequence[Any]
    mean: float
    row_bias: _Floats
    column_bias: _Floats
    u: _Floats
    v: _Floats
    method: str
    report: Dict[str, Any]
    def predict(self, rows: Iterable[Any], columns: Iterable[Any]) -> _Floats: ...
    def matrix(self) -> _Floats: ...

class _Bound(NamedTuple):
    name: str
    unknown: str
    value: float
    values: Dict[str, float]
    statement: str
    formula: str
    reference: str

class Model:
    classes: Optional[npt.NDArray[Any]]
    report: Dict[str, Any]
    @property
    def method(self) -> str: ...
    @property
    def facts(self) -> Dict[str, str]: ...
    def predict(self, points: Any, *, threads: Optional[int] = ...) -> npt.NDArray[Any]: ...
    def scores(self, points: Any, *, threads: Optional[int] = ...) -> Tuple[_Floats, str]: ...
    def confidence(self, points: Any, *, threads: Optional[int] = ...) -> _Floats: ...
    def save(self, path: _Path) -> None: ...

class Online:
    classes: Optional[List[Any]]
    graph: Optional[Graph]
    def __init__(self, method: str, *, classes: Optional[Sequence[Any]] = ..., graph: Any = ..., width: int = ...,
                 columns: int = ..., horizon: int = ..., seed: int = ..., **options: Any) -> None: ...
    @property
    def kind(self) -> str: ...
    @property
    def method(self) -> str: ...
    @property
    def report(self) -> Dict[str, Any]: ...
    def predict(self, instance: Any = ...) -> Any: ...
    def update(self, outcome: Any) -> float: ...
    def run(self, instances: Any, outcomes: Any, *, time_limit: Optional[float] = ...,
            progress: _Progress = ...) -> Tuple[npt.NDArray[Any], _Floats]: ...

def label(graph: Any, labels: Any, method: str = ..., *, regression: bool = ..., unlabeled: Any = ...,
          missing: str = ..., unknown: Literal["error", "ignore"] = ...,
          label_columns: Optional[Tuple[int, int]] = ..., priors: Any = ..., scores: bool = ...,
          calibrate: Optional[str] = ..., min_confidence: float = ..., seed: int = ..., threads: Optional[int] = ...,
          time_limit: Optional[float] = ..., memory_limit: Optional[int] = ..., progress: _Progress = ...,
          **options: Any) -> LabelResult: ...
def label_points(points: Any, labels: Any, method: str = ..., *, knn: Optional[int] = ..., mutual: bool = ...,
                 epsilon: Optional[float] = ..., mst: bool = ..., metric: _Metric = ..., weights: _Weights = ...,
                 scale: Optional[float] = ..., recall: float = ..., regression: bool = ..., unlabeled: Any = ...,
                 seed: int = ..., threads: Optional[int] = ..., time_limit: Optional[float] = ...,
                 memory_limit: Optional[int] = ..., progress: _Progress = ..., **options: Any) -> _PointsResult: ...
def evaluate(graph: Any, truth: Any, methods: Union[str, Sequence[str]] = ..., *, points: Any = ...,
             graphs: Optional[Dict[str, Any]] = ..., labels_per_class: Union[int, Sequence[int], None] = ...,
             folds: Optional[int] = ..., leave_one_out: bool = ..., splits: Optional[Iterable[Iterable[Any]]] = ...,
             train: float = ..., validation: float = ..., test: float = ..., repeats: Optional[int] = ...,
             inner_folds: int = ..., standardize: bool = ..., class_weight: Union[str, Dict[Any, float], None] = ...,
             sample_weight: Any = ..., calibrate: str = ..., calibration_folds: int = ..., memory: bool = ...,
             regression: bool = ..., unlabeled: Any = ..., seed: int = ...,
             threads: Optional[int] = ..., time_limit: Optional[float] = ..., memory_limit: Optional[int] = ...,
             progress: _Progress = ...) -> Dict[str, Any]: ...
def explain(graph: Any, labels: Any, vertices: Iterable[Any], *, top: Optional[int] = ..., method: str = ...,
            **options: Any) -> List[_Explanation]: ...
def suspects(graph: Any, labels: Any, *, top: Optional[int] = ..., method: str = ...,
             **options: Any) -> List[_Suspect]: ...
def ask(graph: Any, labels: Any, count: int = ..., *, criterion: str = ..., candidates: Optional[Iterable[Any]] = ...,
        method: str = ..., **options: Any) -> List[_Question]: ...
def spectrum(graph: Any, count: int = ..., *, laplacian: _Laplacian = ..., tolerance: float = ..., method: str = ...,
             seed: int = ..., threads: Optional[int] = ..., time_limit: Optional[float] = ...,
             progress: _Progress = ...) -> _Spectrum: ...
def cluster(graph: Any, k: Optional[int] = ..., *, method: str = ..., most: int = ..., **options: Any) -> _Partition: ...
def resistance(graph: Any, pairs: Optional[Iterable[Tuple[Any, Any]]] = ..., *, source: Any = ...,
               of: Literal["edges", "diagonal", "total"] = ..., method: str = ..., epsilon: float = ...,
               tolerance: float = ..., seed: int = ..., threads: Optional[int] = ..., time_limit: Optional[float] = ...,
               progress: _Progress = ...) -> _Resistance: ...
def min_cut(graph: Any, sources: Optional[Iterable[Any]] = ..., sinks: Optional[Iterable[Any]] = ..., *,
            method: str = ..., seed: int = ..., threads: Optional[int] = ..., time_limit: Optional[float] = ...,
            progress: _Progress = ...) -> _Cut: ...
def kernel(graph: Any, kind: str = ..., *, columns: Optional[Iterable[Any]] = ..., product: Any = ...,
           diagonal: bool = ..., **options: Any) -> _Kernel: ...
def complete(cells: Any, method: str = ..., *, seed: int = ..., threads: Optional[int] = ...,
             time_limit: Optional[float] = ..., memory_limit: Optional[int] = ..., progress: _Progress = ...,
             **options: Any) -> Completion: ...
def embed(source: Any, dimensions: int = ..., *, kernel: str = ..., rows: Any = ..., seed: int = ...,
          threads: Optional[int] = ..., time_limit: Optional[float] = ..., memory_limit: Optional[int] = ...,
          progress: _Progress = ...) -> _Embedding: ...
def build(points: Any, *, knn: Optional[int] = ..., mutual: bool = ..., epsilon: Optional[float] = ..., mst: bool = ...,
          root: Optional[int] = ..., metric: _Metric = ..., weights: _Weights = ..., scale: Optional[float] = ...,
          recall: float = ..., search: str = ..., max_edges: Optional[int] = ..., seed: int = ...,
          threads: Optional[int] = ..., time_limit: Optional[float] = ..., memory_limit: Optional[int] = ...,
          progress: _Progress = ...) -> PointGraph: ...
def read_points(path: _Path, *, label_column: Optional[str] = ..., id_column: Optional[str] = ...
                ) -> Tuple[npt.NDArray[Any], Optional[npt.NDArray[Any]], List[str]]: ...
def fit(points: Any, targets: Any, method: str = ..., *, regression: bool = ..., weights: Any = ...,
        standardize: bool = ..., calibrate: Optional[str] = ..., seed: int = ..., threads: Optional[int] = ...,
        time_limit: Optional[float] = ..., memory_limit: Optional[int] = ..., progress: _Progress = ...,
        **options: Any) -> Model: ...
def load_model(path: _Path) -> Model: ...
def load_plugin(path: _Path) -> None: ...
def bound(name: str, **values: Optional[float]) -> _Bound: ...
def bounds() -> List[Dict[str, Any]]: ...
