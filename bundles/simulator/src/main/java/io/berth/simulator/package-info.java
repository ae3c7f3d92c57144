/**
 * The command {@code berth simulate}: its options, and its result as text or JSON. Runs in the main thread, and seeds
 * are played by threads of their own. Knows {@code seed}, {@code replay} and {@code report}, and of the rooms below
 * them what options and results name; nobody knows it.
 */
@NullMarked
package io.berth.simulator;

import org.jspecify.annotations.NullMarked;
