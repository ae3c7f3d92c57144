/**
 * The scaling policy {@code reactive}: a job uses the slots that it can get. Calls to a session come one at a time, on
 * threads of this bundle. It depends only on the SPI.
 */
@NullMarked
package io.berth.scaling.reactive;

import org.jspecify.annotations.NullMarked;
