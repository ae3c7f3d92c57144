/**
 * Starts a worker process: command line, embedded framework, exit code. Runs on the main thread of the process, with a
 * watchdog thread. Packed into a jar of its own, so no other package depends on it, and it depends on none.
 */
@NullMarked
package io.berth.worker.launcher;

import org.jspecify.annotations.NullMarked;
