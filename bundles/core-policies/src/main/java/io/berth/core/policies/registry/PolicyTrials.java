package io.berth.core.policies.registry;

import io.berth.core.api.operations.PolicyEvent;
import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.api.time.Clock;
import io.berth.core.policies.guard.CallDeadline;
import io.berth.core.policies.guard.CallOutcome;
import io.berth.core.policies.guard.Guard;
import io.berth.core.policies.registration.GivenConfiguration;
import io.berth.core.policies.registration.OwnerContext;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.registration.Registration;
import io.berth.core.policies.text.LogLimit;
import io.berth.policy.rules.PlainText;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.PolicyDescription;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches, describes and tries out factories in the guard before they decide, and after each change of their
 * configuration. A configuration is accepted whole or not at all: the previous one stays in effect when the new one is
 * rejected or the factory throws or hangs. One trial at a time for each policy; the latest configuration wins.
 * Confined to the thread of events unless a method says otherwise.
 */
final class PolicyTrials {

    private static final Logger LOG = LoggerFactory.getLogger(PolicyTrials.class);
    private static final long MAX_CHARACTERS = 65_536;
    private static final int MAX_PROBLEMS = 5;

    private final PolicyTable table;
    private final PolicyHealth health;
    private final RegistryEvents events;
    private final Guard guard;
    private final Clock clock;
    private final LogLimit limit;
    private final Function<String, SortedMap<String, String>> configurations;
    private final Function<Registration, CallDeadline> deadlines;
    private final Consumer<RegisteredPolicy> ended;

    /**
     * @param configurations returns the configuration of a PID; called on the thread of events
     * @param ended a call of a trial has ended; when the policy was removed meanwhile, it may have started threads again
     */
    PolicyTrials(
            PolicyTable table,
            PolicyHealth health,
            RegistryEvents events,
            Guard guard,
            Clock clock,
            LogLimit limit,
            Function<String, SortedMap<String, String>> configurations,
            Function<Registration, CallDeadline> deadlines,
            Consumer<RegisteredPolicy> ended) {
        this.table = table;
        this.health = health;
        this.events = events;
        this.guard = guard;
        this.clock = clock;
        this.limit = limit;
        this.configurations = configurations;
        this.deadlines = deadlines;
        this.ended = ended;
    }

    /** Fetches the factory, lets it describe itself, and tries its configuration. */
    void inspect(RegisteredPolicy entry) {
        synchronized (table) {
            if (entry.removed) {
                return;
            }
        }
        Registration registration = entry.registration;
        record Inspected(Object factory, PolicyDescription description) {}
        var call = guard.tryOut(registration, PolicyCall.DESCRIBE, deadlines.apply(registration), () -> {
            Object factory = registration.fetch();
            return new Inspected(factory, Factories.describe(registration.kind(), factory));
        });
        events.thread().whenComplete(call, (outcome, never) -> {
            ended.accept(entry);
            if (outcome instanceof CallOutcome.Returned<Inspected> returned) {
                inspected(entry, returned.value().factory(), returned.value().description());
            } else {
                health.unusable(entry, describe(outcome));
            }
        });
    }

    private void inspected(RegisteredPolicy entry, Object factory, PolicyDescription description) {
        String trouble = description == null
                ? "describes itself as nothing"
                : disagreement(entry.registration, entry.registration.describedName(), description);
        List<RegisteredPolicy> siblings = List.of();
        synchronized (table) {
            if (entry.removed) {
                return;
            }
            if (trouble.isEmpty()) {
                entry.factory = factory;
                entry.name = registrationName(entry.registration, description);
                entry.summary = PlainText.cut(description.summary());
                entry.keys = description.configuration();
                entry.inspected = true;
                entry.standing = new Standing.Sound();
                siblings = table.inspectedOf(entry.registration.pid()).stream()
                        .filter(other -> other != entry && other.refusal.isPresent())
                        .toList();
            }
        }
        if (!trouble.isEmpty()) {
            health.unusable(entry, trouble);
            return;
        }
        guard.meters().named(entry.registration, entry.name);
        health.develop(entry);
        configure(entry);
        // They share its PID: a key that was unknown may belong to this policy.
        siblings.forEach(this::configure);
    }

    private static String registrationName(Registration registration, PolicyDescription description) {
        return registration.isInstance() ? registration.name() : description.name();
    }

    /** Where the description differs from the declaration of the bundle; empty when it does not. */
    private static String disagreement(Registration registration, String name, PolicyDescription description) {
        if (!name.isEmpty() && !name.equals(description.name())) {
            return "is registered as '" + name + "' but describes itself as '" + description.name() + "'";
        }
        Set<String> declared = registration.declaredKeys();
        Set<String> described = new TreeSet<>(
                description.configuration().stream().map(ConfigurationKey::key).toList());
        return declared.isEmpty() || declared.equals(described)
                ? ""
                : PlainText.cut("declares configuration " + declared + " but describes " + described);
    }

    /** Tries a policy again after a release or a waiting time. */
    void again(RegisteredPolicy entry) {
        if (entry.inspected) {
            synchronized (table) {
                entry.tried = null;
            }
            configure(entry);
        } else {
            inspect(entry);
        }
    }

    /** Tries the entry's configuration, after the current trial if there is one. */
    void configure(RegisteredPolicy entry) {
        if (entry.trying) {
            entry.due = true;
            return;
        }
        if (!entry.registration.obstacle().isEmpty()) {
            refused(entry, entry.registration.obstacle());
            return;
        }
        SortedMap<String, String> given;
        try {
            given = configurations.apply(entry.registration.pid());
        } catch (RuntimeException unreadable) {
            refused(entry, "cannot be read: " + PlainText.cut(String.valueOf(unreadable.getMessage())));
            return;
        }
        GivenConfiguration offered;
        Object factory;
        synchronized (table) {
            SortedMap<String, String> concerning = table.concerning(entry, given);
            if (entry.removed || !entry.inspected || concerning.equals(entry.tried)) {
                return;
            }
            entry.tried = concerning;
            offered = new GivenConfiguration(concerning, entry.keys);
            factory = Objects.requireNonNull(entry.factory);
        }
        List<String> problems = problems(entry, offered.entries());
        if (!problems.isEmpty()) {
            refused(entry, String.join("; ", problems));
            return;
        }
        entry.trying = true;
        Registration registration = entry.registration;
        OwnerContext owner = new OwnerContext(
                "check", clock, 0, deadlines.apply(registration).millis());
        var call = guard.tryOut(
                registration,
                PolicyCall.CREATE,
                deadlines.apply(registration),
                () -> Factories.tryOut(registration.kind(), factory, offered.read(), owner));
        events.thread().whenComplete(call, (outcome, never) -> {
            ended.accept(entry);
            tried(entry, offered, outcome);
        });
    }

    /** The first few problems that the description shows without a call. */
    private static List<String> problems(RegisteredPolicy entry, SortedMap<String, String> given) {
        long size = given.entrySet().stream()
                .mapToLong(one -> (long) one.getKey().length() + one.getValue().length())
                .sum();
        if (size > MAX_CHARACTERS) {
            return List.of("has at least " + size + " characters in " + given.size() + " keys: at most "
                    + MAX_CHARACTERS + " are allowed");
        }
        List<String> problems = new PolicyDescription(entry.name, entry.summary, entry.keys).problems(given);
        return problems.size() <= MAX_PROBLEMS
                ? problems
                : Stream.concat(
                                problems.stream().limit(MAX_PROBLEMS),
                                Stream.of("and " + (problems.size() - MAX_PROBLEMS) + " more"))
                        .toList();
    }

    private void tried(RegisteredPolicy entry, GivenConfiguration offered, CallOutcome<Boolean> outcome) {
        entry.trying = false;
        if (entry.due) {
            // The latest wins: this configuration was replaced meanwhile.
            entry.due = false;
            entry.tried = null;
            configure(entry);
            return;
        }
        if (outcome instanceof CallOutcome.Returned<Boolean> returned && returned.value()) {
            accept(entry, offered);
            return;
        }
        boolean hung = outcome instanceof CallOutcome.Failed<Boolean> failed && failed.hung();
        String text = outcome instanceof CallOutcome.Returned ? "create returned nothing" : describe(outcome);
        synchronized (table) {
            if (entry.removed) {
                return;
            }
            if (!(outcome instanceof CallOutcome.Refused)) {
                entry.failures++;
            }
            refuse(
                    entry,
                    text
                            + (offered.entries().isEmpty()
                                    ? " (with its defaults)"
                                    : " (with "
                                            + PlainText.cut(offered.entries().toString()) + ")"));
            // With a previous configuration it keeps deciding: the instance that hangs decides nothing.
            if (hung && entry.accepted.isEmpty()) {
                health.quarantineForAll(entry, text);
            }
        }
        events.fire();
    }

    private void accept(RegisteredPolicy entry, GivenConfiguration offered) {
        synchronized (table) {
            if (entry.removed) {
                return;
            }
            boolean other = entry.accepted
                    .filter(one -> one.configuration().equals(offered))
                    .isEmpty();
            if (other || !entry.isSound()) {
                events.happened(
                        entry,
                        entry.accepted.isPresent()
                                ? PolicyEvent.CONFIGURATION
                                : table.isOlder(entry) ? PolicyEvent.UPDATE : PolicyEvent.INSTALL);
            }
            if (other) {
                entry.acceptedBefore = entry.accepted;
                entry.accepted = Optional.of(new RegisteredPolicy.Accepted(offered, ++entry.revisions));
                limit.line(entry.registration.bundle())
                        .ifPresent(more -> LOG.info(
                                "{} policy {} takes configuration {}: {}, revision {}{}",
                                entry.registration.kind().label(),
                                entry.name,
                                entry.registration.pid(),
                                offered.entries().isEmpty()
                                        ? "its defaults"
                                        : PlainText.cut(offered.entries().toString()),
                                entry.revisions,
                                more));
            }
            entry.refusal = Optional.empty();
            entry.standing = new Standing.Sound();
            entry.quarantines.forget();
        }
        events.fire();
    }

    private void refused(RegisteredPolicy entry, String message) {
        synchronized (table) {
            if (entry.removed) {
                return;
            }
            refuse(entry, message);
        }
        events.fire();
    }

    /**
     * The factory rejected the configuration that it had accepted in a trial: returns to the previous one.
     * Thread-safe.
     */
    void refused(PolicyCandidate candidate, String message) {
        synchronized (table) {
            RegisteredPolicy entry = table.find(candidate.id()).orElse(null);
            if (entry == null
                    || entry.accepted
                            .filter(one -> one.revision() == candidate.revision())
                            .isEmpty()) {
                return;
            }
            events.happened(entry, PolicyEvent.CONFIGURATION);
            entry.accepted = entry.acceptedBefore;
            entry.acceptedBefore = Optional.empty();
            refuse(entry, message);
        }
        events.fire();
    }

    /** Guarded by the lock of the table. */
    private void refuse(RegisteredPolicy entry, String message) {
        guard.meters().of(entry.registration).refusedConfiguration();
        entry.refusal = Optional.of(message);
        limit.line(entry.registration.bundle())
                .ifPresent(more -> LOG.warn(
                        "configuration {} of {} policy {} is refused: {}; {}{}",
                        entry.registration.pid(),
                        entry.registration.kind().label(),
                        entry.name,
                        message,
                        entry.accepted.isEmpty()
                                ? "it has none to go on with and does not decide"
                                : "revision " + entry.accepted.get().revision() + " keeps deciding",
                        more));
    }

    private static String describe(CallOutcome<?> outcome) {
        if (outcome instanceof CallOutcome.Refused<?> refused) {
            return refused.message();
        }
        return outcome instanceof CallOutcome.Failed<?> failed ? failed.text() : String.valueOf(outcome);
    }
}
