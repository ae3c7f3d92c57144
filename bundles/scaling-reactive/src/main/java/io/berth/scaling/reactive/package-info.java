/**
 * The scaling policy {@code reactive}: a job uses the slots that it can get.
 * Each session is called by one thread at a time, on a thread of this bundle.
 * Knows the SPI only.
 */
package io.berth.scaling.reactive;
