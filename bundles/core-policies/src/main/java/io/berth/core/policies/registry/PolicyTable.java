package io.berth.core.policies.registry;

import io.berth.core.api.operations.PolicyMetrics.Times;
import io.berth.core.api.operations.PolicyOperations.ChoiceDetails;
import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import io.berth.core.api.operations.PolicyOperations.PolicyDiagnosis;
import io.berth.core.api.operations.PolicyVerdict;
import io.berth.core.policies.registration.Asker;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.registration.PolicyAlternative;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.registration.Selection;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The registered policies, their order and the generations in use. Ordered by descending ranking, then by ascending
 * service id, read again for each selection. Thread-safe; the table is the lock of the registry and of all entries,
 * which is never held while foreign code or a listener runs.
 */
final class PolicyTable {

    /** Each policy costs a call and a place in every selection. */
    static final int MAX_OF_A_BUNDLE = 32;

    /** Bounds the names, which bundles may invent without end. */
    static final int MAX_REMOVED = 1_000;

    private final Map<Long, RegisteredPolicy> entries = new TreeMap<>();
    /** Generations in use by number. */
    private final Map<Long, RegisteredPolicy> users = new TreeMap<>();
    /** The last removed policies: registering one again is an update. */
    private final Set<String> removed = new LinkedHashSet<>();

    private long generations;

    /** @return false when its bundle offers too many */
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

    synchronized boolean isInDevelopment(long id) {
        RegisteredPolicy entry = entries.get(id);
        return entry != null && entry.inDevelopment;
    }

    synchronized Optional<RegisteredPolicy> find(long id) {
        return Optional.ofNullable(entries.get(id));
    }

    /** Removes an entry, which stays in use until {@link #unused}. */
    synchronized Optional<RegisteredPolicy> remove(long id) {
        Optional<RegisteredPolicy> found = Optional.ofNullable(entries.remove(id));
        found.ifPresent(entry -> {
            entry.removed = true;
            entry.uses++;
            // The last removed is the last, even if it was removed before.
            removed.remove(entry.identity());
            removed.add(entry.identity());
            if (removed.size() > MAX_REMOVED) {
                removed.remove(removed.iterator().next());
            }
        });
        return found;
    }

    /** Whether a policy of the same kind, name and bundle was removed before. */
    synchronized boolean isOlder(RegisteredPolicy entry) {
        return removed.contains(entry.identity());
    }

    synchronized List<RegisteredPolicy> inspectedOf(String pid) {
        return entries.values().stream()
                .filter(entry -> entry.inspected && entry.registration.pid().equals(pid))
                .toList();
    }

    /**
     * The part of a PID's configuration that concerns a policy: its own keys, and those that no policy of the bundle
     * knows.
     */
    synchronized SortedMap<String, String> concerning(RegisteredPolicy entry, SortedMap<String, String> given) {
        Set<String> others = new HashSet<>();
        inspectedOf(entry.registration.pid()).stream()
                .filter(other -> other != entry)
                .forEach(other -> other.keys.forEach(key -> others.add(key.key())));
        entry.keys.forEach(key -> others.remove(key.key()));
        SortedMap<String, String> concerning = new TreeMap<>(given);
        concerning.keySet().removeAll(others);
        return concerning;
    }

    /** The configuration keys of all inspected policies, by PID. */
    synchronized SortedMap<String, SortedMap<String, ConfigurationKey>> keys() {
        SortedMap<String, SortedMap<String, ConfigurationKey>> keys = new TreeMap<>();
        for (RegisteredPolicy entry : entries.values()) {
            if (entry.inspected && !entry.registration.isInstance()) {
                SortedMap<String, ConfigurationKey> ofPid =
                        keys.computeIfAbsent(entry.registration.bundle(), pid -> new TreeMap<>());
                entry.keys.forEach(key -> ofPid.put(key.key(), key));
            }
        }
        return keys;
    }

    synchronized List<RegisteredPolicy> ordered(PolicyKind kind) {
        List<RegisteredPolicy> ordered = new ArrayList<>();
        int[] rankings = new int[entries.size()];
        for (RegisteredPolicy entry : entries.values()) {
            if (entry.registration.kind() == kind) {
                // It is read once, because it may change at any time.
                int ranking = entry.registration.ranking();
                int at = ordered.size();
                while (at > 0 && rankings[at - 1] < ranking) {
                    rankings[at] = rankings[at - 1];
                    at--;
                }
                rankings[at] = ranking;
                ordered.add(at, entry);
            }
        }
        return ordered;
    }

    /** Those of a list that the selector matches, then those that the fallbacks name, then all others. */
    private static Collection<RegisteredPolicy> byChoice(
            List<RegisteredPolicy> list, Optional<Selector> chosen, List<String> fallbacks) {
        if (chosen.isEmpty() && fallbacks.isEmpty()) {
            return list;
        }
        Set<RegisteredPolicy> order = new LinkedHashSet<>();
        chosen.ifPresent(selector -> list.stream().filter(selector::matches).forEach(order::add));
        for (String fallback : fallbacks) {
            list.stream().filter(entry -> entry.name.equals(fallback)).forEach(order::add);
        }
        order.addAll(list);
        return order;
    }

    private static Optional<Selector> selector(String text) {
        return text.isBlank() ? Optional.empty() : Optional.of(Selector.withoutFilter(text));
    }

    /**
     * The candidates now: by the selector, then the fallbacks, then by ranking.
     *
     * @param index of the choice that the selector comes from
     * @param owner who asks; empty: quarantines for single pools do not count
     * @param tries whether the owner may try quarantined ones again
     */
    synchronized Selection select(
            PolicyKind kind,
            String selector,
            long index,
            List<String> fallbacks,
            Optional<DecisionOwner> owner,
            boolean tries) {
        List<RegisteredPolicy> all = ordered(kind);
        List<RegisteredPolicy> able = new ArrayList<>(all.size());
        for (RegisteredPolicy entry : all) {
            if (entry.mayDecide(owner, tries)) {
                able.add(entry);
            }
        }
        Optional<Selector> chosen = selector(selector);
        List<PolicyCandidate> candidates = new ArrayList<>(able.size());
        Optional<PolicyCandidate> preferred = Optional.empty();
        String obstacle = "";
        for (RegisteredPolicy entry : byChoice(able, chosen, fallbacks)) {
            if (candidates.isEmpty() && chosen.isPresent() && !chosen.get().matches(entry)) {
                obstacle = Selector.absence(all, chosen.get(), owner) + ": " + entry.name + " decides in its place";
            }
            PolicyCandidate candidate = entry.candidate();
            candidates.add(candidate);
            if (preferred.isEmpty() && entry.mayDecide(owner, false)) {
                preferred = Optional.of(candidate);
            }
        }
        if (candidates.isEmpty() && chosen.isPresent()) {
            obstacle = Selector.absence(all, chosen.get(), owner);
        }
        return new Selection(kind, candidates, preferred, selector, index, obstacle);
    }

    synchronized List<PolicyDetails> details(PolicyKind kind, Deciders deciders) {
        return ordered(kind).stream()
                .map(entry -> entry.details(deciders.include(entry)))
                .toList();
    }

    synchronized List<PolicyDiagnosis> diagnose(
            PolicyKind kind,
            Deciders deciders,
            Optional<ChoiceDetails> choice,
            Function<RegisteredPolicy, Times> times) {
        return Diagnosis.of(kind, ordered(kind), deciders, choice, times);
    }

    /** The pools that a policy of the kind is quarantined for. */
    synchronized SortedSet<String> quarantinedPools(PolicyKind kind) {
        SortedSet<String> pools = new TreeSet<>();
        ordered(kind).forEach(entry -> pools.addAll(entry.quarantines.pools().keySet()));
        return pools;
    }

    /** For each policy that an owner must do without, its name, why, since when and until when. */
    synchronized List<String> quarantined(PolicyKind kind, DecisionOwner owner) {
        return ordered(kind).stream()
                .filter(entry -> entry.verdict(false) == PolicyVerdict.QUARANTINED)
                .filter(entry -> !entry.quarantines.text(owner).isEmpty())
                .map(entry -> entry.name + " is " + entry.quarantines.text(owner))
                .toList();
    }

    /**
     * Counts a user of the candidate and numbers its generation; empty when it was removed or quarantined meanwhile.
     */
    synchronized Optional<Long> begin(PolicyCandidate candidate, DecisionOwner owner) {
        RegisteredPolicy entry = entries.get(candidate.id());
        if (entry == null || entry.quarantines.exclude(owner, true)) {
            return Optional.empty();
        }
        entry.uses++;
        entry.generation = ++generations;
        users.put(entry.generation, entry);
        return Optional.of(entry.generation);
    }

    /** The generation is no longer used. */
    synchronized Optional<RegisteredPolicy> end(long generation) {
        return Optional.ofNullable(users.remove(generation));
    }

    /** Counts a user of the best policy of a name that could be created, whether it may decide or not. */
    synchronized Optional<RegisteredPolicy> hold(PolicyKind kind, String name) {
        List<RegisteredPolicy> able = ordered(kind).stream()
                .filter(entry -> entry.name.equals(name) && entry.isUsable())
                .toList();
        return able.stream()
                .filter(RegisteredPolicy::ready)
                .findFirst()
                .or(() -> able.stream().findFirst())
                .map(PolicyTable::used);
    }

    /** Counts a user of a policy. */
    synchronized Optional<RegisteredPolicy> hold(long id) {
        return find(id).filter(RegisteredPolicy::isUsable).map(PolicyTable::used);
    }

    private static RegisteredPolicy used(RegisteredPolicy entry) {
        entry.uses++;
        return entry;
    }

    /** Why no policy of a name can be created. */
    synchronized String absence(PolicyKind kind, String name) {
        return Selector.absence(ordered(kind), Selector.withoutFilter(name), Optional.empty());
    }

    synchronized int generationsInUse() {
        return users.size();
    }

    /**
     * Counts one user less.
     *
     * @return whether it was removed and has no user left, so that its service must be released
     */
    synchronized boolean unused(RegisteredPolicy entry) {
        entry.uses--;
        if (!entry.removed || entry.uses > 0) {
            return false;
        }
        entry.factory = null;
        return true;
    }

    /** Whether no policy with these threads is registered or in use. */
    synchronized boolean isIdle(String guard) {
        return entries.values().stream()
                        .noneMatch(entry -> entry.registration.guard().equals(guard))
                && users.values().stream()
                        .noneMatch(entry -> entry.registration.guard().equals(guard));
    }

    /** All of a kind in the order in which they are called, including those that cannot decide. */
    synchronized List<PolicyAlternative> considered(
            PolicyKind kind, String selector, List<String> fallbacks, DecisionOwner owner) {
        List<RegisteredPolicy> all = ordered(kind);
        List<PolicyAlternative> considered = new ArrayList<>(all.size());
        for (RegisteredPolicy entry : byChoice(all, selector(selector), fallbacks)) {
            considered.add(entry.considered(owner));
        }
        return considered;
    }

    /** Names of the installed policies of a kind, for messages. */
    synchronized String names(PolicyKind kind) {
        return Selector.names(ordered(kind));
    }

    /** Policies that are quarantined for a job and not due for a trial, with the reason. */
    synchronized SortedMap<Long, String> quarantinedFor(PolicyKind kind, Asker asker) {
        SortedMap<Long, String> aside = new TreeMap<>();
        if (asker.job().isEmpty()) {
            return aside;
        }
        for (RegisteredPolicy entry : entries.values()) {
            if (entry.registration.kind() == kind) {
                asker.job()
                        .flatMap(entry.quarantines::ofJob)
                        .filter(own -> own.excludes(asker.owner(), true))
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
                        .flatMap(entry.quarantines::ofJob)
                        .filter(own -> own.isOnTrialFor(asker.owner()))
                        .isPresent());
    }

    synchronized void forget(JobId job) {
        entries.values().forEach(entry -> entry.quarantines.forget(job));
    }

    /** The pools that there are. */
    synchronized void retainPools(Collection<String> pools) {
        entries.values().forEach(entry -> entry.quarantines.retain(pools));
    }

    synchronized boolean matchesAny(PolicyKind kind, Selector selector) {
        return ordered(kind).stream().anyMatch(selector::matches);
    }
}
