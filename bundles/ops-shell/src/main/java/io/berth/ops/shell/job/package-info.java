/**
 * The commands that submit, list, show and cancel jobs. Confined to the thread of the shell session. Knows
 * {@code console} only; no room knows it.
 */
@NullMarked
package io.berth.ops.shell.job;

import org.jspecify.annotations.NullMarked;
