/**
 * The distribution policy {@code drf}: queues and jobs with the smallest dominant share get slots first. Calls to a session come one at a time, on threads of this
 * bundle. It depends only on the SPI, and embeds the library of the policies.
 */
@NullMarked
package io.berth.distribution.drf;

import org.jspecify.annotations.NullMarked;
