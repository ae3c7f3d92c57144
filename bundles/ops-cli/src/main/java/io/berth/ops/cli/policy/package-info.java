/**
 * The commands that choose policies and show their decisions. Confined to the main thread of the process. Knows
 * {@code console}, and {@code process} for the command that starts a process; the root knows it.
 */
@NullMarked
package io.berth.ops.cli.policy;

import org.jspecify.annotations.NullMarked;
