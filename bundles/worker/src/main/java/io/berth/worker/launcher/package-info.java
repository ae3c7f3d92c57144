/** Starts a worker process: command line, embedded framework, exit code. Packed into a jar of its own. */
package io.berth.worker.launcher;
