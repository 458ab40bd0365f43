#pragma once
// The only place that includes Catch2.

#include <catch2/catch.hpp>
