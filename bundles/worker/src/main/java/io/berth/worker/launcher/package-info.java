/**
 * Starts a worker process: command line, embedded framework, exit code. Runs on the main thread of the process, with a
 * watchdog beside it. Knows no other room and is known by none, because it is packed into a jar of its own.
 */
@NullMarked
package io.berth.worker.launcher;

import org.jspecify.annotations.NullMarked;
