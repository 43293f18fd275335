// Allocations of this thread, by operator new and by malloc in our own code (Eigen's), counted in counting_new.cpp.
#pragma once

long& allocations();       // so far
long& live_allocations();  // not given back yet
// The allocation that `allocations()` will count as this one is refused; 0: none is.
long& refused_allocation();
