/**
 * The command {@code berth simulate}: its options, and its result as text or JSON. Runs in the main thread; other
 * threads play seeds. Knows {@code seed}, {@code replay} and {@code report}, and the types of lower rooms that options
 * and results mention; no room knows it.
 */
@NullMarked
package io.berth.simulator;

import org.jspecify.annotations.NullMarked;
