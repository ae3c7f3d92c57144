/**
 * Scaling policies: how much a job asks for, and the parallelism it runs at with what it got (FLIP-160). What all
 * policies have in common, threads, deadlines and failure among it, is said in {@link io.berth.spi}.
 *
 * <p>The order of calls: {@code create}, {@code open} once, and on the session, for each decision and within one deadline,
 * {@code delta} (not when it was opened just then), {@code desire}, {@code plan} and {@code rescale}; {@code close} at
 * the end.
 */
@Export
@Version("1.1.0")
package io.berth.spi.scaling;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
