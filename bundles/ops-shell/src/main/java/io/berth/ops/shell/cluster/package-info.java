/**
 * The commands that list workers, slots and roles, and block workers. Confined to the thread of the shell session.
 * Knows {@code console} only; no room knows it.
 */
@NullMarked
package io.berth.ops.shell.cluster;

import org.jspecify.annotations.NullMarked;
