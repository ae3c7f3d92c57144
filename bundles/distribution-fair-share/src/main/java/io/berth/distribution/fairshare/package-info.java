/**
 * The distribution policy {@code fair-share}: queues and submitters that used least over time get slots first. Calls to a session come one at a time, on threads of this
 * bundle. It depends only on the SPI, and embeds the library of the policies.
 */
@NullMarked
package io.berth.distribution.fairshare;

import org.jspecify.annotations.NullMarked;
