package io.berth.core.policies.registry;

import io.berth.core.api.operations.PolicyEvent;
import io.berth.core.api.time.Clock;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.registry.RecentCalls.Outcome;
import io.berth.core.policies.text.LogLimit;
import io.berth.spi.PolicyKind;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what policies do well and badly; puts one aside that hangs once, fails several times in a row or too often of
 * late ({@link PolicyLimits}), until it is released, registered anew or configured differently. Any thread, under the
 * lock of the table.
 */
final class PolicyHealth {

    private static final Logger LOG = LoggerFactory.getLogger(PolicyHealth.class);

    private final PolicyTable table;
    private final RegistryEvents events;
    private final Clock clock;
    private final LogLimit limit;
    private final Supplier<PolicyLimits> limits;

    PolicyHealth(PolicyTable table, RegistryEvents events, Clock clock, LogLimit limit, Supplier<PolicyLimits> limits) {
        this.table = table;
        this.events = events;
        this.clock = clock;
        this.limit = limit;
        this.limits = limits;
    }

    void succeeded(long id) {
        synchronized (table) {
            table.find(id).ifPresent(entry -> {
                entry.failuresInARow = 0;
                entry.decisions++;
                remember(entry, Outcome.DECIDED, "");
            });
        }
    }

    /** A call failed, without consequences. */
    void counted(PolicyCandidate candidate, String text) {
        synchronized (table) {
            table.find(candidate.id()).ifPresent(entry -> {
                entry.failures++;
                remember(entry, Outcome.FAILED, text);
            });
        }
        limit.line(candidate.registration().bundle())
                .ifPresent(more -> LOG.warn("{} failed: {}{}", candidate, text, more));
    }

    /** A call failed, or its result was not valid. A hang quarantines the policy, and so do too many failures. */
    void failed(PolicyCandidate candidate, String text, boolean hung) {
        synchronized (table) {
            RegisteredPolicy entry = table.find(candidate.id()).orElse(null);
            if (entry == null) {
                return;
            }
            entry.failures++;
            entry.failuresInARow++;
            remember(entry, Outcome.FAILED, text);
            limit.line(candidate.registration().bundle())
                    .ifPresent(more ->
                            LOG.warn("{} failed ({} in a row): {}{}", candidate, entry.failuresInARow, text, more));
            if (!hung && !tooManyFailures(entry) || !entry.isSound()) {
                return;
            }
            quarantine(entry, text + (hung || inARow(entry) ? "" : "; " + entry.recent.text()));
            LOG.warn("{} is quarantined until it is released, registered anew or configured differently", candidate);
        }
        events.fire();
    }

    /** A call returned in time, but not soon. Its result counts, and so does it, as a failure. */
    void slow(PolicyCandidate candidate, String text) {
        synchronized (table) {
            RegisteredPolicy entry = table.find(candidate.id()).orElse(null);
            if (entry == null) {
                return;
            }
            entry.failures++;
            remember(entry, Outcome.SLOW, text);
            limit.line(candidate.registration().bundle())
                    .ifPresent(more -> LOG.warn("{} is slow: {}{}", candidate, text, more));
            if (!tooManyFailures(entry) || !entry.isSound()) {
                return;
            }
            quarantine(entry, entry.recent.text());
            LOG.warn("{} is quarantined until it is released, registered anew or configured differently", candidate);
        }
        events.fire();
    }

    private void remember(RegisteredPolicy entry, Outcome outcome, String text) {
        entry.recent.add(outcome, text, clock.wallMillis(), limits.get().recentCalls());
    }

    private boolean inARow(RegisteredPolicy entry) {
        return entry.failuresInARow >= limits.get().failuresInARow();
    }

    private boolean tooManyFailures(RegisteredPolicy entry) {
        return inARow(entry) || entry.recent.failures() >= limits.get().recentFailures();
    }

    /** Under the lock of the table. */
    void quarantine(RegisteredPolicy entry, String text) {
        entry.standing = new Standing.Quarantined(text, clock.wallMillis());
        events.happened(entry, PolicyEvent.QUARANTINE);
    }

    /** It cannot be used as it is. */
    void unusable(RegisteredPolicy entry, String text) {
        synchronized (table) {
            if (entry.removed) {
                // It went while it was looked at: whatever failed by that is no trouble of anybody.
                return;
            }
            entry.standing = new Standing.Unusable(text);
            entry.failures++;
        }
        limit.line(entry.registration.bundle())
                .ifPresent(more -> LOG.warn(
                        "{} policy {} of bundle {} cannot be used: {}{}",
                        entry.registration.kind().label(),
                        entry.name,
                        entry.registration.bundle(),
                        text,
                        more));
        events.fire();
    }

    /**
     * Ends the quarantine of all policies of that name, and lets those be looked at anew that could not be used.
     *
     * @return those that were released and are still to be inspected or tried out
     */
    List<RegisteredPolicy> release(PolicyKind kind, String name, String by) {
        List<RegisteredPolicy> untried;
        synchronized (table) {
            List<RegisteredPolicy> named = table.ordered(kind).stream()
                    .filter(entry -> entry.name.equals(name))
                    .toList();
            if (named.isEmpty()) {
                throw new IllegalArgumentException(
                        "there is no " + kind.label() + " policy '" + name + "': " + table.names(kind));
            }
            List<RegisteredPolicy> quarantined =
                    named.stream().filter(RegisteredPolicy::isReleasable).toList();
            if (quarantined.isEmpty()) {
                throw new IllegalArgumentException(kind.label() + " policy '" + name + "' is not quarantined: "
                        + named.get(0).obstacle() + (named.get(0).ready() ? "it is ready" : ""));
            }
            for (RegisteredPolicy entry : quarantined) {
                LOG.info(
                        "{} policy {} of bundle {} is released by {}; it was {}",
                        kind.label(),
                        name,
                        entry.registration.bundle(),
                        by,
                        entry.obstacle());
                events.happened(entry, PolicyEvent.RELEASE, by);
                entry.standing = entry.inspected ? new Standing.Sound() : new Standing.BeingInspected();
                entry.failuresInARow = 0;
                entry.recent.clear();
            }
            untried = quarantined.stream()
                    .filter(entry -> entry.accepted.isEmpty())
                    .toList();
            // It hung when its configuration was tried out: that is to be done again.
            untried.forEach(entry -> entry.tried = null);
        }
        events.fire();
        return untried;
    }
}
