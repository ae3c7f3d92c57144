/**
 * Scaling policies: which parallelism a job desires, and whether a change that is feasible with the slots that it got is
 * worth a restart (FLIP-160). The core finds what is feasible: the slots of each slot sharing group, as even as can be,
 * vertices that forward edges connect equal, minima respected. {@link io.berth.spi} describes what all policies have in
 * common, such as threads, deadlines and failures.
 *
 * <p>The order of calls: {@code create}, {@code open} once, then for each decision, within one deadline, {@code delta}
 * (not for the first decision after opening), {@code desire}, and {@code judge} when the job runs and a change is
 * feasible; {@code close} at the end.
 */
@Export
@Version("2.1.0")
@NullMarked
package io.berth.spi.scaling;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
