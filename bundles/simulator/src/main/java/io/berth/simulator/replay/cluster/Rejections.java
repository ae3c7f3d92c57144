package io.berth.simulator.replay.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the policy host did not accept from the chosen policies during a replay.
 *
 * @param matching results and calls of the matching strategy that broke a rule or failed
 * @param distribution the same of the distribution policy
 * @param fallback decisions that the default policies made in place of the chosen ones, which they also do while a
 *     policy is quarantined
 * @param undecided decisions that no policy made
 * @param first what was wrong first, as the record of decisions has it
 */
public record Rejections(long matching, long distribution, long fallback, long undecided, Optional<String> first) {

    /** Results and calls of both. */
    public long count() {
        return matching + distribution;
    }

    /** All of it for people; empty when everything was accepted. */
    public Optional<String> line() {
        List<String> parts = new ArrayList<>();
        add(parts, matching, "results of the matching strategy were rejected");
        add(parts, distribution, "results of the distribution policy were rejected");
        add(parts, fallback, "decisions were made by the fallback");
        add(parts, undecided, "decisions were not made");
        return parts.isEmpty()
                ? Optional.empty()
                : Optional.of(String.join(", ", parts)
                        + first.map(text -> "; the first: " + text).orElse(""));
    }

    private static void add(List<String> parts, long count, String what) {
        if (count > 0) {
            parts.add(count + " " + what);
        }
    }
}
