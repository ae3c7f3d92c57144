/**
 * The distribution policy {@code capacity}: queues get what is guaranteed to them, and borrow what others leave. Calls to a session come one at a time, on threads of this
 * bundle. It depends only on the SPI, and embeds the library of the policies.
 */
@NullMarked
package io.berth.distribution.capacity;

import org.jspecify.annotations.NullMarked;
