/**
 * The matching strategy {@code first-fit}: a slot comes from the first worker that has room. Calls to a session come
 * one at a time, on threads of this bundle. It depends only on the SPI.
 */
@NullMarked
package io.berth.matching.firstfit;

import org.jspecify.annotations.NullMarked;
