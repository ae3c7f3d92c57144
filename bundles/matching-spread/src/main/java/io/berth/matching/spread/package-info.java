/**
 * The matching strategy {@code spread}: a slot comes from the least utilized worker. Calls to a session come one at a
 * time, on threads of this bundle. It depends only on the SPI.
 */
@NullMarked
package io.berth.matching.spread;

import org.jspecify.annotations.NullMarked;
