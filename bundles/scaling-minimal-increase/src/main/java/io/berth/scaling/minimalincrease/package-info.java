/**
 * The scaling policy {@code minimal-increase}: a job uses the slots that it can get, and restarts only for enough of
 * them. Calls to a session come one at a time, on threads of this bundle. It depends only on the SPI.
 */
@NullMarked
package io.berth.scaling.minimalincrease;

import org.jspecify.annotations.NullMarked;
