package io.berth.core.policies.registry;

import io.berth.policy.rules.PlainText;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Outcomes of the last calls of a policy, for all owners or for one. A call may fail because of whom it was made for, one
 * pool or one job: that one alone is never reason enough, and counts for at most half of the limit. Guarded by the lock
 * of the table.
 */
final class RecentCalls {

    enum Outcome {
        DECIDED,
        SLOW,
        FAILED,
        HUNG
    }

    /** @param blamed the part of the owners that the call was made for; empty: all of them */
    private record Call(Outcome outcome, Optional<String> blamed) {}

    private final Deque<Call> calls = new ArrayDeque<>();
    private final Deque<Call> failuresInARow = new ArrayDeque<>();
    private String last = "";
    private long lastMillis;

    /**
     * Adds a call.
     *
     * @param blamed the part of the owners that it was made for; empty: all of them
     * @param text what was wrong, empty when nothing was
     */
    void add(Outcome outcome, Optional<String> blamed, String text, long wallMillis, PolicyLimits limits) {
        Call call = new Call(outcome, blamed);
        keep(calls, call, limits.recentCalls());
        switch (outcome) {
            case DECIDED -> failuresInARow.clear();
            case FAILED, HUNG -> keep(failuresInARow, call, limits.failuresInARow());
            default -> {
                // Another outcome follows a slow call.
            }
        }
        if (outcome != Outcome.DECIDED) {
            last = PlainText.cut(text);
            lastMillis = wallMillis;
        }
    }

    private static void keep(Deque<Call> some, Call call, int most) {
        some.add(call);
        while (some.size() > most) {
            some.remove();
        }
    }

    void clear() {
        calls.clear();
        failuresInARow.clear();
    }

    int inARow() {
        return failuresInARow.size();
    }

    /** Whether a call hung, or enough calls failed in a row, to quarantine the policy. */
    boolean isFailing(PolicyLimits limits) {
        return reaches(1, calls.stream().filter(call -> call.outcome() == Outcome.HUNG))
                || reaches(limits.failuresInARow(), failuresInARow.stream());
    }

    /** Whether enough of the last calls failed or were slow. */
    boolean isUnreliable(PolicyLimits limits) {
        return reaches(limits.recentFailures(), calls.stream().filter(call -> call.outcome() != Outcome.DECIDED));
    }

    private static boolean reaches(int limit, Stream<Call> bad) {
        Map<Optional<String>, Integer> counts = new HashMap<>();
        bad.forEach(call -> counts.merge(call.blamed(), 1, Integer::sum));
        int ofAll = counts.getOrDefault(Optional.empty(), 0);
        int most = Math.max(1, limit / 2);
        counts.replaceAll((blamed, count) -> blamed.isEmpty() ? count : Math.min(count, most));
        return ofAll >= limit
                || counts.size() > 1
                        && counts.values().stream().mapToInt(Integer::intValue).sum() >= limit;
    }

    /** For people; empty when nothing was wrong. */
    String text() {
        long slow = count(List.of(Outcome.SLOW));
        long failed = count(List.of(Outcome.FAILED, Outcome.HUNG));
        return slow + failed == 0
                ? ""
                : "of its last " + calls.size() + " calls " + failed + " failed and " + slow
                        + " were slow, the last of these at " + Instant.ofEpochMilli(lastMillis) + ": " + last;
    }

    private long count(List<Outcome> wanted) {
        return calls.stream().filter(call -> wanted.contains(call.outcome())).count();
    }
}
