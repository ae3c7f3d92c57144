/**
 * The command line {@code berth}: its main class, which lists the commands. Runs on the main thread of the process.
 * Knows all rooms; no room knows it.
 */
@NullMarked
package io.berth.ops.cli;

import org.jspecify.annotations.NullMarked;
