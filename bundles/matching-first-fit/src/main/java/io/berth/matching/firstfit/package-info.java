/**
 * The matching strategy {@code first-fit}: a slot comes from the first worker that has room.
 * Each session is called by one thread at a time, on a thread of this bundle.
 * Knows the SPI only.
 */
package io.berth.matching.firstfit;
