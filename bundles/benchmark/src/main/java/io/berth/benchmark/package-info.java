/**
 * The command {@code berth bench}: what can be measured, and its options. Confined to the main thread. Knows all rooms;
 * nobody knows it.
 */
@NullMarked
package io.berth.benchmark;

import org.jspecify.annotations.NullMarked;
