/**
 * The matching strategy {@code rebalance}: jobs return slots and get others, so that workers are released or are used
 * evenly. Calls to a session come one at a time, on threads of this bundle. It depends only on the SPI.
 */
@NullMarked
package io.berth.matching.rebalance;

import org.jspecify.annotations.NullMarked;
