/**
 * The distribution policy {@code fifo}: jobs get slots in the order of their submission. Calls to a session come one
 * at a time, on threads of this bundle. It depends only on the SPI.
 */
@NullMarked
package io.berth.distribution.fifo;

import org.jspecify.annotations.NullMarked;
