/**
 * The distribution policy {@code priority}: jobs get slots in the order of their priority, which grows while they wait. Calls to a session come one at a time, on threads of this
 * bundle. It depends only on the SPI, and embeds the library of the policies.
 */
@NullMarked
package io.berth.distribution.priority;

import org.jspecify.annotations.NullMarked;
