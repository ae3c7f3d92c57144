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

    /** The expected state of one registered policy. */
    static final class Known {
        final Actor actor;
        boolean described;
        boolean unusable;
        boolean quarantined;
        Optional<SortedMap<String, String>> accepted = Optional.empty();
        Optional<SortedMap<String, String>> before = Optional.empty();
        Optional<SortedMap<String, String>> tried = Optional.empty();
        /** The owners of its failures since it decided last: a job, or empty for all. */
        final List<String> failures = new ArrayList<>();
        /** The owners of its calls that hung: a job, or empty for all. */
        final List<String> hangs = new ArrayList<>();

        final Map<String, Integer> failuresOfJob = new TreeMap<>();
        final Set<String> quarantinedFor = new TreeSet<>();
        /** Whether the host must describe it, or try its configuration, now. */
        boolean due = true;

        private Known(Actor actor) {
            this.actor = actor;
        }

        private void forgetFailures() {
            quarantined = false;
            failures.clear();
            hangs.clear();
            failuresOfJob.clear();
            quarantinedFor.clear();
        }

        boolean ready(String owner) {
            return ready() && !quarantinedFor.contains(owner);
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
                    failed(one, ofJob ? event.owner() : "", hung);
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

    private static void failed(Known one, String job, boolean hung) {
        one.failures.add(job);
        if (hung) {
            one.hangs.add(job);
        }
        if (reaches(1, one.hangs)
                || reaches(
                        MAX_FAILURES,
                        one.failures.subList(Math.max(0, one.failures.size() - MAX_FAILURES), one.failures.size()))) {
            one.quarantined = true;
        } else if (!job.isEmpty() && (one.failuresOfJob.merge(job, 1, Integer::sum) >= MAX_FAILURES || hung)) {
            one.quarantinedFor.add(job);
        }
    }

    /** Failures for one job alone never reach the limit. Together with others, those for one job count once. */
    private static boolean reaches(int limit, List<String> jobs) {
        long all = jobs.stream().filter(String::isEmpty).count();
        long some = jobs.stream().filter(job -> !job.isEmpty()).distinct().count();
        return all >= limit || (all > 0 ? some : some - 1) > 0 && all + some >= limit;
    }

    void decided(long id, String owner) {
        find(id).ifPresent(one -> {
            one.failures.clear();
            one.failuresOfJob.remove(owner);
        });
    }
}
