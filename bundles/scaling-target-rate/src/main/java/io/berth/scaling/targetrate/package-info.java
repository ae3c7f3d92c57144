/**
 * The scaling policy {@code target-rate}: as many tasks as the rate of records needs, after DS2 (Kalavri et al.,
 * "Three steps is all you need", OSDI 2018). Calls to a session come one at a time, on threads of this bundle. It
 * depends only on the SPI.
 */
@NullMarked
package io.berth.scaling.targetrate;

import org.jspecify.annotations.NullMarked;
