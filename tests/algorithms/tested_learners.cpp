// All learners of the library.

#include "algorithms/tested_learners.hpp"

namespace gssl::test {

LearnerRegistry tested_learners() { return builtin_learners(); }

std::vector<std::string> tested_online_forms() {
  return {"balanced-winnow:alpha=2,threshold=1",
          "exp3:eta=0.1",
          "gradient-descent:domain=simplex",
          "gradient-descent:domain=simplex,form=averaged",
          "gradient-descent:domain=simplex,form=survivor",
          "gradient-descent:loss=logistic,radius=0.5",
          "gradient-descent:loss=square,rate=0.05,bias=false",
          "hedge:eta=0.3",
          "hedge:play=draw",
          "kernel-perceptron:budget=7,ties=true",
          "kernel-perceptron:kernel=anova",
          "perceptron:form=averaged,rate=0.5",
          "perceptron:form=random",
          "perceptron:form=survivor,bias=false,ties=true",
          "winnow:demotion=eliminate,relevant=1/4",
          "winnow:relevant=1/4",
          "winnow:demotion=eliminate",
          "winnow:demotion=eliminate,form=averaged",
          "winnow:alpha=3,form=averaged",
          "balanced-winnow:alpha=1.2",
          "meg:conservative=true",
          "meg:rate=0.7,quasi_dimension=30",
          "meg:row-side=path-tree",
          "switching-kernel:conservative=true",
          "switching-kernel:modes=1,norm=5",
          "randomized-kernel-descent:budget=9",
          "winnow:alpha=1.3,threshold=2",
          "fixed-share:alpha=0.1,prediction=vovk",
          "fixed-share:alpha=0,loss=log",
          "variable-share:alpha=1",
          "variable-share:alpha=0.2,loss=absolute",
          "weighted-average:eta=3",
          "weighted-average:loss=log",
          "weighted-average:loss=absolute",
          "weighted-average:prediction=vovk",
          "gradient-descent:form=averaged,radius=0.5",
          "kernel-perceptron:form=averaged",
          "kernel-perceptron:form=survivor",
          "balanced-winnow:form=random",
          "winnow:form=survivor,threshold=3",
          "seminorm:engine=local",
          "weighted-majority:beta=0",
          "weighted-majority:beta=0,vote=random",
          "weighted-majority:vote=random",
          "switching-multitask:tasks=3"};
}

}  // namespace gssl::test
