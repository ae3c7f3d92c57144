package io.berth.core.policies.registry;

import io.berth.core.api.operations.PolicyMetrics.Times;
import io.berth.core.api.operations.PolicyOperations.ChoiceDetails;
import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import io.berth.core.api.operations.PolicyOperations.PolicyDiagnosis;
import io.berth.core.policies.registration.Asker;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.registration.PolicyAlternative;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.registration.Selection;
import io.berth.core.policies.registry.OwnChoices.Owned;
import io.berth.spi.JobId;
import io.berth.spi.PolicyDescription.ConfigurationKey;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The policies that are registered, their order and the generations in use. Own ordering: ranking descending, then
 * service id ascending, read anew at each selection. Any thread; the table itself is the lock of the registry and of all
 * entries, which is never held while foreign code or a listener runs.
 */
final class PolicyTable {

    /** More than one bundle can mean; each one costs a call and a place in every selection. */
    static final int MAX_OF_A_BUNDLE = 32;

    /** Remembered by their names, which a bundle may invent without end. */
    static final int MAX_REMOVED = 1_000;

    private final Map<Long, RegisteredPolicy> entries = new TreeMap<>();
    /** Generations in use, by their number. */
    private final Map<Long, RegisteredPolicy> users = new TreeMap<>();
    /** Policies that were removed, the last ones: when they come again, they were updated. */
    private final Set<String> removed = new LinkedHashSet<>();

    private long generations;

    /** @return whether it was added: not when its bundle offers too many already */
    synchronized boolean add(RegisteredPolicy entry) {
        String bundle = entry.registration.guard();
        long others = entries.values().stream()
                .filter(other -> other.registration.guard().equals(bundle))
                .count();
        if (others >= MAX_OF_A_BUNDLE) {
            return false;
        }
        entries.put(entry.registration.id(), entry);
        return true;
    }

    synchronized Optional<RegisteredPolicy> find(long id) {
        return Optional.ofNullable(entries.get(id));
    }

    /** Takes an entry out; it stays in use until {@link #unused} says otherwise. */
    synchronized Optional<RegisteredPolicy> remove(long id) {
        Optional<RegisteredPolicy> found = Optional.ofNullable(entries.remove(id));
        found.ifPresent(entry -> {
            entry.removed = true;
            entry.uses++;
            // At the end, also when it went before.
            removed.remove(entry.identity());
            removed.add(entry.identity());
            if (removed.size() > MAX_REMOVED) {
                removed.remove(removed.iterator().next());
            }
        });
        return found;
    }

    /** Whether a policy of the same kind, name and bundle was there before. */
    synchronized boolean isOlder(RegisteredPolicy entry) {
        return removed.contains(entry.identity());
    }

    synchronized List<RegisteredPolicy> inspectedOf(String bundle) {
        return entries.values().stream()
                .filter(entry -> entry.inspected && entry.registration.bundle().equals(bundle))
                .toList();
    }

    /**
     * What of a PID's configuration concerns a policy: its own keys, and those that no policy of the bundle knows. Its
     * keys show the others what is not theirs.
     */
    synchronized SortedMap<String, String> concerning(RegisteredPolicy entry, SortedMap<String, String> given) {
        Set<String> others = new HashSet<>();
        inspectedOf(entry.registration.bundle()).stream()
                .filter(other -> other != entry)
                .forEach(other -> other.keys.forEach(key -> others.add(key.key())));
        entry.keys.forEach(key -> others.remove(key.key()));
        SortedMap<String, String> concerning = new TreeMap<>(given);
        concerning.keySet().removeAll(others);
        return concerning;
    }

    /** The configuration keys of all policies that described themselves, by the PID that configures them. */
    synchronized SortedMap<String, SortedMap<String, ConfigurationKey>> keys() {
        SortedMap<String, SortedMap<String, ConfigurationKey>> keys = new TreeMap<>();
        for (RegisteredPolicy entry : entries.values()) {
            if (entry.inspected) {
                SortedMap<String, ConfigurationKey> ofPid =
                        keys.computeIfAbsent(entry.registration.bundle(), pid -> new TreeMap<>());
                entry.keys.forEach(key -> ofPid.put(key.key(), key));
            }
        }
        return keys;
    }

    synchronized List<RegisteredPolicy> ordered(PolicyKind kind) {
        record Ranked(RegisteredPolicy entry, int ranking) {}
        // The ranking is read once: it may change while the list is sorted.
        return entries.values().stream()
                .filter(entry -> entry.registration.kind() == kind)
                .map(entry -> new Ranked(entry, entry.registration.ranking()))
                .sorted(Comparator.comparingInt((Ranked ranked) -> ranked.ranking)
                        .reversed()
                        .thenComparingLong(ranked -> ranked.entry.registration.id()))
                .map(Ranked::entry)
                .toList();
    }

    /**
     * Who may decide now: what the selector names, then the fallbacks, then by ranking.
     *
     * @param tester who may try again those that are quarantined
     */
    synchronized Selection select(
            PolicyKind kind, String selector, List<String> fallbacks, Optional<DecisionOwner> tester) {
        List<RegisteredPolicy> all = ordered(kind);
        List<RegisteredPolicy> ready = all.stream()
                .filter(entry ->
                        entry.ready() || tester.filter(entry::isOnTrialFor).isPresent())
                .toList();
        List<RegisteredPolicy> order = new ArrayList<>();
        String obstacle = "";
        if (!selector.isBlank()) {
            Selector chosen = Selector.withoutFilter(selector);
            ready.stream().filter(chosen::matches).forEach(order::add);
            if (order.isEmpty()) {
                obstacle = Selector.absence(all, chosen);
            }
        }
        for (String fallback : fallbacks) {
            ready.stream().filter(entry -> entry.name.equals(fallback)).forEach(order::add);
        }
        order.addAll(ready);
        if (!obstacle.isEmpty() && !order.isEmpty()) {
            obstacle = obstacle + ": " + order.get(0).name + " decides in its place";
        }
        return new Selection(
                order.stream().distinct().map(RegisteredPolicy::candidate).toList(),
                kind.label() + " " + selector,
                obstacle);
    }

    /** @param owned who decides for owners that choose for themselves */
    synchronized List<PolicyDetails> details(PolicyKind kind, Selection selection, List<Owned> owned) {
        return ordered(kind).stream()
                .map(entry -> entry.details(
                        kind == PolicyKind.BACKEND
                                ? entry.generation > 0
                                : entry.registration.id() == selection.first()
                                        || owned.stream().anyMatch(one -> one.first() == entry.registration.id())))
                .toList();
    }

    /** @param owned who decides for owners that choose for themselves */
    synchronized List<PolicyDiagnosis> diagnose(
            PolicyKind kind,
            Selection selection,
            Optional<ChoiceDetails> choice,
            List<Owned> owned,
            Function<RegisteredPolicy, Times> times) {
        return Diagnosis.of(kind, ordered(kind), selection.first(), choice, owned, times);
    }

    /** Counts a user of the candidate and numbers its generation; empty when it went, or was put aside, meanwhile. */
    synchronized Optional<Long> begin(PolicyCandidate candidate, DecisionOwner owner) {
        RegisteredPolicy entry = entries.get(candidate.id());
        if (entry == null || entry.quarantine.isActive() && !entry.isOnTrialFor(owner)) {
            return Optional.empty();
        }
        entry.uses++;
        entry.generation = ++generations;
        users.put(entry.generation, entry);
        return Optional.of(entry.generation);
    }

    /** The generation is not used any more. */
    synchronized Optional<RegisteredPolicy> end(long generation) {
        return Optional.ofNullable(users.remove(generation));
    }

    synchronized int generationsInUse() {
        return users.size();
    }

    /**
     * One user less.
     *
     * @return whether it was removed and this was its last user, so that its service is to be given back
     */
    synchronized boolean unused(RegisteredPolicy entry) {
        entry.uses--;
        if (!entry.removed || entry.uses > 0) {
            return false;
        }
        entry.factory = null;
        return true;
    }

    /** Whether no policy of these threads is there or in use. */
    synchronized boolean isIdle(String guard) {
        return entries.values().stream()
                        .noneMatch(entry -> entry.registration.guard().equals(guard))
                && users.values().stream()
                        .noneMatch(entry -> entry.registration.guard().equals(guard));
    }

    /** All of a kind in the order in which they are asked, those that cannot decide included. */
    synchronized List<PolicyAlternative> considered(PolicyKind kind, String selector, List<String> fallbacks) {
        List<RegisteredPolicy> all = ordered(kind);
        Set<RegisteredPolicy> order = new LinkedHashSet<>();
        if (!selector.isBlank()) {
            all.stream().filter(Selector.withoutFilter(selector)::matches).forEach(order::add);
        }
        for (String fallback : fallbacks) {
            all.stream().filter(entry -> entry.name.equals(fallback)).forEach(order::add);
        }
        order.addAll(all);
        return order.stream().map(RegisteredPolicy::considered).toList();
    }

    /** Installed policies of a kind by their names, for messages. */
    synchronized String names(PolicyKind kind) {
        return Selector.names(ordered(kind));
    }

    /** Those that are put aside for a job, with the reason, and are not to be tried again yet. */
    synchronized SortedMap<Long, String> asideFor(PolicyKind kind, Asker asker) {
        SortedMap<Long, String> aside = new TreeMap<>();
        for (RegisteredPolicy entry : entries.values()) {
            if (entry.registration.kind() == kind) {
                asker.job()
                        .flatMap(entry::ofJob)
                        .filter(own -> own.isActive() && !own.isOnTrialFor(asker.owner()))
                        .ifPresent(own -> aside.put(
                                entry.registration.id(), entry.name + " is quarantined for this job " + own.text()));
            }
        }
        return aside;
    }

    synchronized boolean isToBeTriedFor(PolicyKind kind, Asker asker) {
        return entries.values().stream()
                .filter(entry -> entry.registration.kind() == kind)
                .anyMatch(entry -> asker.job()
                        .flatMap(entry::ofJob)
                        .filter(own -> own.isOnTrialFor(asker.owner()))
                        .isPresent());
    }

    synchronized void forget(JobId job) {
        entries.values().forEach(entry -> entry.forget(job));
    }

    synchronized boolean matchesAny(PolicyKind kind, Selector selector) {
        return ordered(kind).stream().anyMatch(selector::matches);
    }
}
