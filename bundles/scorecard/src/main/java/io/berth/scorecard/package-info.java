/**
 * The command {@code berth policy test}: the score card of the policies of a jar, for their authors. Confined to the main
 * thread. Knows all other packages; none of them knows it.
 */
@NullMarked
package io.berth.scorecard;

import org.jspecify.annotations.NullMarked;
