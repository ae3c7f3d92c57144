package io.berth.core.policies.registry;

import io.berth.core.api.operations.PolicyEvent;
import io.berth.core.api.time.Clock;
import io.berth.core.policies.registration.Asker;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.registry.RecentCalls.Outcome;
import io.berth.core.policies.text.LogLimit;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts successes and failures of policies. Quarantines a policy that hangs once, or fails several times in a row or
 * too often recently ({@link PolicyLimits}), until it is released, registered again or configured differently, or a
 * trial succeeds. Failures for one pool or one job quarantine it for that one; failures for several quarantine it for all.
 * Thread-safe under the lock of the table.
 */
public final class PolicyHealth {

    private static final Logger LOG = LoggerFactory.getLogger(PolicyHealth.class);

    private final PolicyTable table;
    private final RegistryEvents events;
    private final Clock clock;
    private final LogLimit limit;
    /** Of its own, so that failures do not hide where development begins and ends. */
    private final LogLimit developmentLimit;

    private final Supplier<PolicyLimits> limits;
    private final BiPredicate<PolicyKind, String> inDevelopment;
    private final Consumer<RegisteredPolicy> tryOut;

    /**
     * @param inDevelopment which policies are never quarantined, by kind and name
     * @param tryOut tries a policy again that has no configuration to decide with; called on the thread of events
     */
    PolicyHealth(
            PolicyTable table,
            RegistryEvents events,
            Clock clock,
            LogLimit limit,
            Supplier<PolicyLimits> limits,
            BiPredicate<PolicyKind, String> inDevelopment,
            Consumer<RegisteredPolicy> tryOut) {
        this.table = table;
        this.events = events;
        this.clock = clock;
        this.limit = limit;
        this.developmentLimit = new LogLimit(clock);
        this.limits = limits;
        this.inDevelopment = inDevelopment;
        this.tryOut = tryOut;
    }

    /** A policy made a decision. */
    public void succeeded(PolicyCandidate candidate, Asker asker) {
        boolean recovered = false;
        synchronized (table) {
            RegisteredPolicy entry = table.find(candidate.id()).orElse(null);
            if (entry == null) {
                return;
            }
            entry.decisions++;
            remember(entry, asker, Outcome.DECIDED, "");
            asker.job().flatMap(entry.quarantines::ofJob).ifPresent(own -> {
                remember(own, Outcome.DECIDED, Optional.empty(), "");
                own.end(clock.wallMillis());
            });
            for (Quarantine quarantine : entry.quarantines.concerning(asker.owner())) {
                if (quarantine.isOnTrialFor(asker.owner())) {
                    events.endedOne(entry, PolicyEvent.RECOVERY);
                    quarantine.end(clock.wallMillis());
                    recovered = true;
                }
            }
        }
        if (recovered) {
            LOG.info("{} was tried again by {} and decides again", candidate, asker.owner());
            events.fire();
        }
    }

    /** A call failed, without further consequences. */
    public void counted(PolicyCandidate candidate, Asker asker, String text) {
        synchronized (table) {
            table.find(candidate.id()).ifPresent(entry -> {
                entry.failures++;
                remember(entry, asker, Outcome.FAILED, text);
            });
        }
        limit.line(candidate.registration().bundle())
                .ifPresent(more -> LOG.warn("{} failed: {}{}", candidate, text, more));
    }

    /** A call was not made, for want of a thread: that is not the fault of the policy. */
    public void waited(PolicyCandidate candidate, String text) {
        limit.line(candidate.registration().bundle())
                .ifPresent(more -> LOG.warn("{} was not asked: {}{}", candidate, text, more));
    }

    /** A call failed, or its result was invalid. A hang quarantines the policy, and so do too many failures. */
    public void failed(PolicyCandidate candidate, Asker asker, String text, boolean hung) {
        failedOrSlow(candidate, asker, hung ? Outcome.HUNG : Outcome.FAILED, text);
    }

    /** A call was slow. Its result is used, but it counts as a failure. */
    public void slow(PolicyCandidate candidate, Asker asker, String text) {
        failedOrSlow(candidate, asker, Outcome.SLOW, text);
    }

    private void failedOrSlow(PolicyCandidate candidate, Asker asker, Outcome outcome, String text) {
        synchronized (table) {
            RegisteredPolicy entry = table.find(candidate.id()).orElse(null);
            if (entry == null) {
                return;
            }
            entry.failures++;
            int inARow = remember(entry, asker, outcome, text);
            limit.line(candidate.registration().bundle()).ifPresent(more -> {
                if (outcome == Outcome.SLOW) {
                    LOG.warn("{} is slow: {}{}", candidate, text, more);
                } else {
                    LOG.warn("{} failed ({} in a row): {}{}", candidate, inARow, text, more);
                }
            });
            if (entry.inDevelopment) {
                return;
            }
            if (!quarantines(entry, asker, outcome, text)) {
                return;
            }
        }
        events.fire();
    }

    /**
     * Remembers a call for all owners and for its pool.
     *
     * @return how many failed in a row, for its pool if there is one
     */
    private int remember(RegisteredPolicy entry, Asker asker, Outcome outcome, String text) {
        remember(entry.quarantines.all, outcome, asker.blamed(), text);
        if (asker.pool().isEmpty()) {
            return entry.quarantines.all.calls.inARow();
        }
        Quarantine own = entry.quarantines.ofPool(asker.pool().get());
        remember(own, outcome, asker.job().map(job -> "job " + job), text);
        return own.calls.inARow();
    }

    private void remember(Quarantine quarantine, Outcome outcome, Optional<String> blamed, String text) {
        quarantine.calls.add(outcome, blamed, text, clock.wallMillis(), limits.get());
    }

    /** Quarantines for all owners, or else for the pool, or else for the job, whose calls are reason enough. */
    private boolean quarantines(RegisteredPolicy entry, Asker asker, Outcome outcome, String text) {
        for (Quarantine quarantine : entry.quarantines.concerning(asker.owner())) {
            boolean onTrial = outcome != Outcome.SLOW && quarantine.isOnTrialFor(asker.owner());
            if (quarantine.isActive() && !onTrial) {
                return false;
            }
            Optional<String> why = onTrial ? Optional.of(text) : reason(quarantine, outcome, text);
            if (why.isPresent()) {
                if (quarantine == entry.quarantines.all) {
                    quarantineForAll(entry, why.get());
                } else {
                    quarantineForPool(entry, asker.pool().orElseThrow(), quarantine, why.get());
                }
                return true;
            }
        }
        return asker.job().isPresent() && quarantineForJob(entry, asker.job().get(), outcome, text);
    }

    /** Why a policy must be quarantined; empty when it must not. */
    private Optional<String> reason(Quarantine quarantine, Outcome outcome, String text) {
        if (outcome != Outcome.SLOW && quarantine.calls.isFailing(limits.get())) {
            return Optional.of(text);
        }
        return quarantine.calls.isUnreliable(limits.get())
                ? Optional.of((outcome == Outcome.SLOW ? "" : text + "; ") + quarantine.calls.text())
                : Optional.empty();
    }

    /** Guarded by the lock of the table. */
    void quarantineForAll(RegisteredPolicy entry, String text) {
        begin(entry, entry.quarantines.all, text);
        events.happened(entry, PolicyEvent.QUARANTINE);
        LOG.warn(
                "{} policy {} of bundle {} is quarantined {}",
                entry.registration.kind().label(),
                entry.name,
                entry.registration.bundle(),
                entry.quarantines.all.text());
    }

    private void quarantineForPool(RegisteredPolicy entry, String pool, Quarantine own, String text) {
        begin(entry, own, text);
        events.happened(entry, PolicyEvent.QUARANTINE);
        LOG.warn(
                "{} policy {} of bundle {} is quarantined for pool {} {}",
                entry.registration.kind().label(),
                entry.name,
                entry.registration.bundle(),
                pool,
                own.text());
    }

    /** Quarantines for one job when its calls alone are reason enough, or when a trial for it failed. */
    private boolean quarantineForJob(RegisteredPolicy entry, JobId job, Outcome outcome, String text) {
        Quarantine own = entry.quarantines.failedFor(job);
        remember(own, outcome, Optional.empty(), text);
        Optional<String> why = own.isActive() ? Optional.of(text) : reason(own, outcome, text);
        why.ifPresent(cause -> {
            begin(entry, own, cause);
            LOG.warn(
                    "{} policy {} of bundle {} is quarantined for job {} {}",
                    entry.registration.kind().label(),
                    entry.name,
                    entry.registration.bundle(),
                    job,
                    own.text());
        });
        return why.isPresent();
    }

    private void begin(RegisteredPolicy entry, Quarantine quarantine, String text) {
        quarantine.begin(text, clock.wallMillis(), limits.get()).ifPresent(wait -> retryAfter(wait, entry, quarantine));
    }

    private void retryAfter(long millis, RegisteredPolicy entry, Quarantine quarantine) {
        long wait = quarantine.waits();
        events.thread().schedule(millis, () -> {
            boolean untried;
            synchronized (table) {
                if (entry.removed || !quarantine.becomeDue(wait)) {
                    return;
                }
                untried = entry.accepted.isEmpty();
            }
            if (untried) {
                tryOut.accept(entry);
            } else {
                events.fire();
            }
        });
    }

    /** An owner uses a policy, possibly as the one that tries it again. Guarded by the lock of the table. */
    void begins(RegisteredPolicy entry, DecisionOwner owner) {
        for (Quarantine quarantine : entry.quarantines.concerning(owner)) {
            if (quarantine.isOnTrialFor(owner)) {
                quarantine.begunBy(owner).ifPresent(wait -> retryAfter(wait, entry, quarantine));
            }
        }
    }

    /** A pool gives other parameters to the policies of a name: what they did with the previous ones does not count. */
    public void parametersChanged(PolicyKind kind, String name, String pool) {
        boolean ended = false;
        synchronized (table) {
            for (RegisteredPolicy entry : table.ordered(kind)) {
                if (!entry.name.equals(name)) {
                    continue;
                }
                if (entry.quarantines.ofPool(pool).isActive()) {
                    events.endedOne(entry, PolicyEvent.CONFIGURATION);
                    ended = true;
                }
                entry.quarantines.forget(pool);
            }
        }
        if (ended) {
            events.fire();
        }
    }

    /** The policy cannot be used as it is. */
    void unusable(RegisteredPolicy entry, String text) {
        synchronized (table) {
            if (entry.removed) {
                // A failure during removal does not matter.
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
     * Begins or ends the development of policies, as configured. Both forget their failures.
     *
     * @return those that must still be inspected or tried out
     */
    List<RegisteredPolicy> develop() {
        List<RegisteredPolicy> untried = new ArrayList<>();
        synchronized (table) {
            for (PolicyKind kind : PolicyKind.values()) {
                table.ordered(kind).forEach(entry -> develop(entry, untried));
            }
        }
        return untried;
    }

    /** The same for a policy that was added, or whose name is known now. */
    void develop(RegisteredPolicy entry) {
        synchronized (table) {
            develop(entry, new ArrayList<>());
        }
    }

    private void develop(RegisteredPolicy entry, List<RegisteredPolicy> untried) {
        PolicyKind kind = entry.registration.kind();
        boolean before = entry.inDevelopment;
        entry.inDevelopment = inDevelopment.test(kind, entry.name);
        if (entry.inDevelopment == before) {
            return;
        }
        developmentLimit
                .line(entry.registration.bundle())
                .ifPresent(more -> LOG.warn(
                        "{} policy {} of bundle {} is {}{}",
                        kind.label(),
                        entry.name,
                        entry.registration.bundle(),
                        before
                                ? "no longer in development"
                                : "in development: its calls have no deadline, and it is not quarantined",
                        more));
        if (entry.isReleasable()) {
            restart(entry, "development." + kind.label(), untried);
        } else {
            entry.quarantines.forget();
            if (entry.inspected && entry.accepted.isEmpty()) {
                untried.add(entry);
            }
        }
    }

    /**
     * Ends the quarantine of all policies of that name, and inspects those again that could not be used.
     *
     * @return those that must still be inspected or tried out
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
                        + named.get(0).obstacle(Optional.empty())
                        + (named.get(0).ready() ? "it is ready" : ""));
            }
            untried = new ArrayList<>();
            quarantined.forEach(entry -> restart(entry, by, untried));
        }
        events.fire();
        return untried;
    }

    private void restart(RegisteredPolicy entry, String by, List<RegisteredPolicy> untried) {
        LOG.info(
                "{} policy {} of bundle {} is released by {}; it was {}",
                entry.registration.kind().label(),
                entry.name,
                entry.registration.bundle(),
                by,
                entry.obstacle(Optional.empty()).isEmpty()
                        ? entry.quarantines.ownersText()
                        : entry.obstacle(Optional.empty()));
        events.happened(entry, PolicyEvent.RELEASE, by);
        entry.standing = entry.inspected ? new Standing.Sound() : new Standing.BeingInspected();
        entry.quarantines.forget();
        if (entry.accepted.isEmpty()) {
            untried.add(entry);
        }
    }
}
