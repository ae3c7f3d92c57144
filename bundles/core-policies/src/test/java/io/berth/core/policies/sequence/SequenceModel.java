package io.berth.core.policies.sequence;

import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * A second implementation of the rules of selection and quarantine, written from the documentation and not from the
 * host.
 */
final class SequenceModel {

    static final int MAX_FAILURES = 3;
    static final int MAX_ABANDONED = 4;
    static final int MAX_ABANDONED_IN_ALL = 16;

    /** What counts for one quarantine. */
    private static final class Record {
        /** For whom it failed since it decided last: a pool, a job, or empty for all of these owners. */
        final List<String> failures = new ArrayList<>();
        /** For whom its calls hung. */
        final List<String> hangs = new ArrayList<>();

        /** Whether it must be quarantined after another failure. */
        boolean isEnoughWith(String owner, boolean hung) {
            failures.add(owner);
            if (hung) {
                hangs.add(owner);
            }
            return reaches(1, hangs)
                    || reaches(
                            MAX_FAILURES,
                            failures.subList(Math.max(0, failures.size() - MAX_FAILURES), failures.size()));
        }

        /** Failures for one owner alone never reach the limit. Together with others, those for one count once. */
        private static boolean reaches(int limit, List<String> owners) {
            long all = owners.stream().filter(String::isEmpty).count();
            long some = owners.stream().filter(one -> !one.isEmpty()).distinct().count();
            return all >= limit || (all > 0 ? some : some - 1) > 0 && all + some >= limit;
        }
    }

    /** The expected state of one registered policy. */
    static final class Known {
        final Actor actor;
        boolean described;
        boolean unusable;
        boolean quarantined;
        Optional<SortedMap<String, String>> accepted = Optional.empty();
        Optional<SortedMap<String, String>> before = Optional.empty();
        Optional<SortedMap<String, String>> tried = Optional.empty();
        private Record ofAll = new Record();
        private final Map<String, Record> ofPools = new TreeMap<>();
        private final Map<String, Integer> failuresOfJob = new TreeMap<>();
        /** Pools and jobs; the job of assignments has the name of their owner. */
        final Set<String> quarantinedFor = new TreeSet<>();
        /** Whether the host must describe it, or try its configuration, now. */
        boolean due = true;

        private Known(Actor actor) {
            this.actor = actor;
        }

        private void forgetFailures() {
            quarantined = false;
            ofAll = new Record();
            ofPools.clear();
            failuresOfJob.clear();
            quarantinedFor.clear();
        }

        boolean ready(String owner) {
            return ready() && !quarantinedFor.contains(owner) && !quarantinedFor.contains(poolOf(owner));
        }

        boolean ready() {
            return described && !unusable && !quarantined && accepted.isPresent();
        }
    }

    /** A choice and the earlier ones that a revert returns to, newest first. */
    record Choice(String name, long index, List<String> earlier, String configured) {

        Choice changed(String wanted, String nowConfigured) {
            List<String> before = new ArrayList<>(List.of(name));
            before.addAll(earlier);
            return new Choice(wanted, index + 1, before.subList(0, Math.min(before.size(), 50)), nowConfigured);
        }
    }

    private final SortedMap<Long, Known> known = new TreeMap<>();
    private final Map<PolicyKind, Choice> choices = new EnumMap<>(PolicyKind.class);
    private Map<PolicyKind, List<String>> fallbacks = new EnumMap<>(PolicyKind.class);

    SequenceModel() {
        for (PolicyKind kind : PolicyKind.values()) {
            choices.put(kind, new Choice("", 0, List.of(), ""));
        }
    }

    List<Known> all() {
        return List.copyOf(known.values());
    }

    void added(Actor actor) {
        known.put(actor.id(), new Known(actor));
    }

    void removed(Actor actor) {
        known.remove(actor.id());
    }

    Optional<Known> find(long id) {
        return Optional.ofNullable(known.get(id));
    }

    Choice choice(PolicyKind kind) {
        return choices.get(kind);
    }

    static Predicate<Known> matching(String selector) {
        return switch (selector) {
            case "(tier=gold)" -> one -> one.actor.tier.equals("gold");
            case "(io.berth.policy.name=p*)" -> one -> one.actor.name().startsWith("p");
            default -> one -> one.actor.name().equals(selector);
        };
    }

    boolean isThere(PolicyKind kind, String selector) {
        return selector.isEmpty()
                || known.values().stream()
                        .filter(one -> one.actor.kind() == kind)
                        .anyMatch(matching(selector));
    }

    /** The expected answer of the call: 0 for a conflict, -1 for a refusal, otherwise the new index. */
    long use(PolicyKind kind, String wanted, OptionalLong expected) {
        Choice before = choices.get(kind);
        if (!isThere(kind, wanted)) {
            return -1;
        }
        if (expected.isPresent() && expected.getAsLong() != before.index()) {
            return 0;
        }
        return changed(kind, wanted);
    }

    long revert(PolicyKind kind, OptionalLong expected) {
        Choice now = choices.get(kind);
        if (expected.isPresent() && expected.getAsLong() != now.index()) {
            return 0;
        }
        if (now.earlier().isEmpty() || !isThere(kind, now.earlier().get(0))) {
            return -1;
        }
        List<String> left = now.earlier().subList(1, now.earlier().size());
        choices.put(kind, new Choice(now.earlier().get(0), now.index() + 1, left, now.configured()));
        return now.index() + 1;
    }

    private long changed(PolicyKind kind, String wanted) {
        Choice before = choices.get(kind);
        choices.put(kind, before.changed(wanted, before.configured()));
        return before.index() + 1;
    }

    void settings(Map<PolicyKind, String> configured, Map<PolicyKind, List<String>> newFallbacks) {
        fallbacks = newFallbacks;
        for (PolicyKind kind : PolicyKind.values()) {
            String name = configured.getOrDefault(kind, "");
            Choice now = choices.get(kind);
            if (kind != PolicyKind.BACKEND && !now.configured().equals(name)) {
                choices.put(kind, now.changed(name, name));
            }
        }
    }

    /** All of the kind that are ready, in the order in which they may decide. */
    List<Actor> order(PolicyKind kind, String own, Predicate<Known> ready) {
        List<Known> byRanking = known.values().stream()
                .filter(one -> one.actor.kind() == kind && ready.test(one))
                .sorted(Comparator.comparing((Known one) -> -one.actor.ranking())
                        .thenComparing(one -> one.actor.id()))
                .toList();
        String selector = own.isEmpty() ? choices.get(kind).name() : own;
        List<Known> order = new ArrayList<>();
        if (!selector.isEmpty()) {
            byRanking.stream().filter(matching(selector)).forEach(order::add);
        }
        for (String fallback : fallbacks.getOrDefault(kind, List.of())) {
            byRanking.stream().filter(matching(fallback)).forEach(order::add);
        }
        order.addAll(byRanking);
        return order.stream().distinct().map(one -> one.actor).toList();
    }

    /** Applies the outcome of a call into a policy. */
    void happened(Happenings.Event event, SortedMap<String, String> configured) {
        Known one = known.get(event.id());
        if (one == null) {
            return;
        }
        boolean hung = event.outcome().equals("HUNG");
        switch (event.what()) {
            case "describe" -> {
                one.described = !event.bad();
                one.unusable = event.bad();
                one.tried = Optional.of(configured);
                one.due = one.described && !configured.containsKey("unknown");
            }
            case "check" -> {
                one.due = false;
                one.tried = Optional.of(configured);
                if (!event.bad()) {
                    if (!one.accepted.equals(Optional.of(configured))) {
                        one.before = one.accepted;
                        one.accepted = Optional.of(configured);
                    }
                    one.forgetFailures();
                } else if (hung) {
                    one.quarantined |= one.accepted.isEmpty();
                }
            }
            case "create", "open", "delta", "plan" -> {
                if (event.what().equals("create") && event.outcome().equals("REFUSE")) {
                    // Otherwise another owner has received the same refusal before.
                    if (one.accepted.equals(Optional.of(event.configuration()))) {
                        one.accepted = one.before;
                        one.before = Optional.empty();
                    }
                } else if (event.bad()) {
                    boolean ofJob = event.owner().startsWith("job ")
                            || event.owner().startsWith("assignments")
                                    && !event.what().equals("create");
                    failed(one, event.owner(), ofJob, hung);
                }
            }
            default -> {
                // The outcome of close has no consequences.
            }
        }
    }

    /** Every quarantined policy of that name starts with a clean record. */
    void released(PolicyKind kind, String name, Predicate<Known> unknownKey) {
        for (Known one : known.values()) {
            boolean named = one.actor.kind() == kind && one.actor.name().equals(name);
            if (named && (one.quarantined || one.unusable || !one.quarantinedFor.isEmpty())) {
                one.due = one.unusable || one.accepted.isEmpty() && !unknownKey.test(one);
                one.unusable = false;
                one.forgetFailures();
            }
        }
    }

    /** The pool of an owner, as it calls itself; empty when it has none. */
    private static String poolOf(String owner) {
        String assignments = "assignments of ";
        return owner.startsWith("pool ")
                ? owner
                : owner.startsWith(assignments) ? owner.substring(assignments.length()) : "";
    }

    /** A failure counts for all, for its pool, and for its job, and quarantines for the most of these. */
    private static void failed(Known one, String owner, boolean ofJob, boolean hung) {
        String pool = poolOf(owner);
        boolean forAll = one.ofAll.isEnoughWith(pool.isEmpty() ? owner : pool, hung);
        boolean forPool = !pool.isEmpty()
                && one.ofPools.computeIfAbsent(pool, key -> new Record()).isEnoughWith(ofJob ? owner : "", hung);
        if (one.quarantined || forAll) {
            one.quarantined = true;
        } else if (forPool) {
            one.quarantinedFor.add(pool);
        } else if (ofJob && (one.failuresOfJob.merge(owner, 1, Integer::sum) >= MAX_FAILURES || hung)) {
            one.quarantinedFor.add(owner);
        }
    }

    void decided(long id, String owner) {
        find(id).ifPresent(one -> {
            one.ofAll.failures.clear();
            Optional.ofNullable(one.ofPools.get(poolOf(owner))).ifPresent(record -> record.failures.clear());
            one.failuresOfJob.remove(owner);
        });
    }
}
