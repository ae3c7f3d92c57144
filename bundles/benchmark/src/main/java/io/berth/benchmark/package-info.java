/**
 * The command {@code berth bench}: its measurements and options. Confined to the main thread. Knows all rooms; no room
 * knows it.
 */
@NullMarked
package io.berth.benchmark;

import org.jspecify.annotations.NullMarked;
