/**
 * Distribution policies: which demands compete for capacity now, and in which order of precedence. {@link
 * io.berth.spi} describes what all policies have in common, such as threads, deadlines and failures.
 *
 * <p>The order of calls: {@code create}, {@code open} once, then {@code admit} any number of times, each with at most
 * one {@code delta} right before it, and {@code close} at the end. One decision may ask several times: the view then
 * shows units whose minimum found no room as no candidates, and counts slots that were placed as allocated.
 */
@Export
@Version("2.0.0")
@NullMarked
package io.berth.spi.distribution;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
