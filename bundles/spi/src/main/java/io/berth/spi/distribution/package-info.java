/**
 * Distribution policies: which demands compete for capacity now, and in what precedence (design section 4, step 2). What
 * all policies have in common, threads, deadlines and failure among it, is said in {@link io.berth.spi}.
 *
 * <p>The order of calls: {@code create}, {@code open} once, and on the session {@code admit} any number of times, each
 * with at most one {@code delta} right before it, and {@code close} at the end. One decision may ask several times:
 * what found no room is then shown as not present, and what was placed as had.
 */
@Export
@Version("1.1.0")
package io.berth.spi.distribution;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
