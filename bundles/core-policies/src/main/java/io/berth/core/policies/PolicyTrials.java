package io.berth.core.policies;

import io.berth.core.api.time.Clock;
import io.berth.spi.PolicyDescription;
import io.berth.spi.PolicyKind;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches, describes and tries out factories, in the guard, before they decide anything and whenever they are configured
 * anew. A configuration is taken whole or not at all. On the thread of events unless a method says otherwise.
 */
final class PolicyTrials {

    private static final Logger LOG = LoggerFactory.getLogger(PolicyTrials.class);

    private final PolicyTable table;
    private final PolicyHealth health;
    private final RegistryEvents events;
    private final Guard guard;
    private final Clock clock;
    private final Function<String, SortedMap<String, String>> configurations;
    private final ToLongFunction<PolicyKind> deadlines;

    /** @param configurations gives what is configured for a PID; called on the thread of events */
    PolicyTrials(
            PolicyTable table,
            PolicyHealth health,
            RegistryEvents events,
            Guard guard,
            Clock clock,
            Function<String, SortedMap<String, String>> configurations,
            ToLongFunction<PolicyKind> deadlines) {
        this.table = table;
        this.health = health;
        this.events = events;
        this.guard = guard;
        this.clock = clock;
        this.configurations = configurations;
        this.deadlines = deadlines;
    }

    /** Fetches the factory and lets it describe itself; then tries its configuration. */
    void inspect(Entry entry) {
        Registration registration = entry.registration;
        record Inspected(Object factory, PolicyDescription description) {}
        var call = guard.call(registration, "describe", deadlines.applyAsLong(registration.kind()), () -> {
            Object factory = registration.fetch();
            return new Inspected(factory, Factories.describe(registration.kind(), factory));
        });
        events.thread().whenComplete(call, (outcome, never) -> {
            if (outcome instanceof CallOutcome.Returned<Inspected> returned) {
                inspected(entry, returned.value().factory(), returned.value().description());
            } else {
                health.unusable(entry, describe(outcome));
            }
        });
    }

    private void inspected(Entry entry, Object factory, PolicyDescription description) {
        String trouble = "";
        synchronized (table) {
            if (entry.removed) {
                return;
            }
            if (description == null) {
                trouble = "describes itself as nothing";
            } else if (!entry.name.isEmpty() && !entry.name.equals(description.name())) {
                trouble = "is registered as '" + entry.name + "' but describes itself as '" + description.name() + "'";
            } else {
                entry.factory = factory;
                entry.name = description.name();
                entry.summary = Guard.cut(description.summary());
                entry.keys = new TreeSet<>(description.configuration().stream()
                        .map(PolicyDescription.ConfigurationKey::key)
                        .toList());
                entry.inspected = true;
                entry.trouble = "";
            }
        }
        if (trouble.isEmpty()) {
            guard.meters().named(entry.registration, description.name());
            configure(entry);
        } else {
            health.unusable(entry, trouble);
        }
    }

    /** Tries the entry's configuration out. */
    void configure(Entry entry) {
        SortedMap<String, String> given = configurations.apply(entry.registration.bundle());
        GivenConfiguration offered = new GivenConfiguration(given);
        Object factory;
        synchronized (table) {
            if (entry.removed || given.equals(entry.tried)) {
                return;
            }
            entry.tried = given;
            List<String> unknown = given.keySet().stream()
                    .filter(key -> !entry.keys.contains(key))
                    .toList();
            if (!unknown.isEmpty()) {
                refuse(entry, "unknown key " + String.join(", ", unknown) + "; "
                        + (entry.keys.isEmpty() ? "it knows none" : "known are " + String.join(", ", entry.keys)));
                factory = null;
            } else {
                factory = entry.factory;
            }
        }
        if (factory == null) {
            events.fire();
            return;
        }
        Registration registration = entry.registration;
        Owner owner = new Owner("check", clock, 0);
        var call = guard.call(registration, "create", deadlines.applyAsLong(registration.kind()),
                () -> Factories.tryOut(registration.kind(), factory, offered, owner));
        events.thread().whenComplete(call, (outcome, never) -> tried(entry, offered, outcome));
    }

    private void tried(Entry entry, GivenConfiguration offered, CallOutcome<Boolean> outcome) {
        synchronized (table) {
            if (entry.removed || !offered.entries().equals(entry.tried)) {
                return;
            }
            if (outcome instanceof CallOutcome.Returned<Boolean> returned && returned.value()) {
                events.happened(entry, entry.accepted.isPresent() ? "configuration"
                        : table.cameBefore(entry) ? "update" : "install");
                if (!entry.accepted.equals(Optional.of(offered))) {
                    entry.acceptedBefore = entry.accepted;
                    entry.accepted = Optional.of(offered);
                    entry.revision++;
                }
                entry.refusal = "";
                entry.trouble = "";
                entry.failuresInARow = 0;
            } else {
                refuse(entry, outcome instanceof CallOutcome.Returned ? "create returned nothing" : describe(outcome));
                if (outcome instanceof CallOutcome.Failed<Boolean> failed && failed.hung()) {
                    health.quarantine(entry, failed.text());
                }
            }
        }
        events.fire();
    }

    /** The candidate's configuration was refused when it was to be used: back to the one before. Any thread. */
    void refused(Candidate candidate, String message) {
        synchronized (table) {
            Entry entry = table.find(candidate.id()).orElse(null);
            if (entry == null || entry.revision != candidate.revision()) {
                return;
            }
            guard.meters().of(entry.registration).refusedConfiguration();
            entry.refusal = Entry.REFUSED + message;
            entry.accepted = entry.acceptedBefore;
            entry.acceptedBefore = Optional.empty();
            entry.revision--;
            events.happened(entry, "configuration");
            LOG.warn("{} refuses its configuration: {}", candidate, message);
        }
        events.fire();
    }

    private void refuse(Entry entry, String message) {
        guard.meters().of(entry.registration).refusedConfiguration();
        entry.refusal = Entry.REFUSED + message;
        LOG.warn("{} policy {} of bundle {}: {}", entry.registration.kind().label(), entry.name,
                entry.registration.bundle(), entry.refusal);
    }

    private static String describe(CallOutcome<?> outcome) {
        if (outcome instanceof CallOutcome.Refused<?> refused) {
            return refused.message();
        }
        return outcome instanceof CallOutcome.Failed<?> failed ? failed.text() : String.valueOf(outcome);
    }
}
