/**
 * Matching strategies: which slot, free capacity or new worker fulfills which demand, and which slot of a job serves
 * which of its requirements. {@link io.berth.spi} describes what all policies have in common, such as threads,
 * deadlines and failures.
 *
 * <p>The order of calls: {@code create}; then either {@code openAssignment}, {@code assign} any number of times and
 * {@code close}; or {@code openPlacement}, {@code place} any number of times, each with at most one {@code delta} right
 * before it, and {@code close}. The
 * matching rule is a property of the pool, not of the strategy. Strategies use it through {@link
 * io.berth.spi.matching.AssignmentView#accepts} and {@link io.berth.spi.matching.AdmittedView#need}.
 */
@Export
@Version("2.0.0")
@NullMarked
package io.berth.spi.matching;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
