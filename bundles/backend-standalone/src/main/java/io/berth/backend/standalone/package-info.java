/**
 * A backend for workers that are started by hand: it starts none.
 * Each call comes from the host of the policies, one at a time, on a thread of this bundle.
 * Knows the SPI only.
 */
package io.berth.backend.standalone;
