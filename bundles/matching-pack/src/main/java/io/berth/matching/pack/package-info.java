/**
 * The matching strategy {@code pack}: slots are placed on few workers. Calls to a session come one at a time, on threads
 * of this bundle. It depends only on the SPI.
 */
@NullMarked
package io.berth.matching.pack;

import org.jspecify.annotations.NullMarked;
