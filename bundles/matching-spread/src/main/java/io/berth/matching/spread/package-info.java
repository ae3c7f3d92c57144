/**
 * The matching strategy {@code spread}: a slot comes from the least used worker.
 * Each session is called by one thread at a time, on a thread of this bundle.
 * Knows the SPI only.
 */
package io.berth.matching.spread;
