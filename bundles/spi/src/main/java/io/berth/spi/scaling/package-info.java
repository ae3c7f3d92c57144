/**
 * Scaling policies: how many slots a job requests, and the parallelism that it runs at with the slots that it got
 * (FLIP-160). {@link io.berth.spi} describes what all policies have in common, such as threads, deadlines and
 * failures.
 *
 * <p>The order of calls: {@code create}, {@code open} once, then for each decision, within one deadline, {@code delta}
 * (not for the first decision after opening), {@code desire}, {@code plan} and {@code rescale}; {@code close} at the
 * end.
 */
@Export
@Version("2.0.0")
@NullMarked
package io.berth.spi.scaling;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
