/**
 * The distribution policy {@code fifo}: jobs get slots in the order of their submission.
 * Each session is called by one thread at a time, on a thread of this bundle.
 * Knows the SPI only.
 */
package io.berth.distribution.fifo;
