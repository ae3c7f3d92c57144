/**
 * The matching strategy {@code optimal}: slots are placed on the fewest workers that a search finds in time. Calls to a session come one at a time, on threads
 * of this bundle. It depends only on the SPI.
 */
@NullMarked
package io.berth.matching.optimal;

import org.jspecify.annotations.NullMarked;
