graph [
  node [
    id 0
    label "alice"
  ]
  node [
    id 1
    label "a &#38; b"
  ]
  node [
    id 2
    label "&#252;"
  ]
  node [
    id 3
    label "node 4"
  ]
  node [
    id 4
    label "lonely"
  ]
  edge [
    source 0
    target 1
    weight 0.3333333333333333
  ]
  edge [
    source 0
    target 2
    weight 0.125
  ]
  edge [
    source 1
    target 2
    weight 2.0
  ]
  edge [
    source 2
    target 3
    weight 1.E+300
  ]
]
