/**
 * The scaling policy {@code steps}: a step up or down at thresholds. Calls to a session come one at a time, on threads
 * of this bundle. It depends only on the SPI.
 */
@NullMarked
package io.berth.scaling.steps;

import org.jspecify.annotations.NullMarked;
