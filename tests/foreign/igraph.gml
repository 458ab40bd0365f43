Creator "igraph version 0.10.2 Mon Nov 23 03:20:29 2026"
Version 1
graph
[
  directed 0
  node
  [
    id 0
    name "alice"
  ]
  node
  [
    id 1
    name "a &amp; b"
  ]
  node
  [
    id 2
    name "ü"
  ]
  node
  [
    id 3
    name "node 4"
  ]
  node
  [
    id 4
    name "lonely"
  ]
  edge
  [
    source 1
    target 0
    weight 0.333333333333333
  ]
  edge
  [
    source 2
    target 1
    weight 2
  ]
  edge
  [
    source 2
    target 0
    weight 0.125
  ]
  edge
  [
    source 3
    target 2
    weight 1e+300
  ]
]
