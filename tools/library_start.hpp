#pragma once
// OpenBLAS, which CHOLMOD loads, starts its threads before main(). Where the system gives it none,
// it raises SIGINT, which would end the program without a word of ours.
//
// A hook that runs before the constructors of shared objects takes that signal; the library then
// goes on. A SIGINT of anyone else acts as always. It is told to compute with one thread, as CHOLMOD
// would have it anyway, and the threads it has are ended: they spin for 0.13 s before they sleep, on
// cores that the reading wants.

namespace gssl::tool {

// Call first in main(): gives SIGINT back to who had it.
void end_of_library_start();

}  // namespace gssl::tool
