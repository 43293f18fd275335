// Ctrl-C, SIGTERM, a terminal that closes (SIGHUP) or a spent time limit (SIGXCPU) in a command that writes files: it
// stops between two pieces of work, and its drafts go.
#pragma once

namespace denoc::app {

// From now on the first such signal is only noted, with those of the next second; after that one ends the program as ever.
void catch_interrupts();
// Throws Failure if there was one.
void stop_if_interrupted();

}  // namespace denoc::app
