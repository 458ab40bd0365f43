// A shared object that is no plug-in.
extern "C" int gssl_test_unrelated_function() { return 1; }
