/**
 * The commands that choose policies and show their decisions. Confined to the thread of the shell session. Knows
 * {@code console} only; no room knows it.
 */
@NullMarked
package io.berth.ops.shell.policy;

import org.jspecify.annotations.NullMarked;
