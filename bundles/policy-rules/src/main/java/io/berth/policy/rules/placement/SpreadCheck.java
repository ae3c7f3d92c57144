package io.berth.policy.rules.placement;

import io.berth.spi.matching.SpreadView;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Whether slots are spread over the values of labels as their groups require. The counts after the plan are looked at:
 * if they are in order, then so is each step of placing the slots, the domain with the fewest first.
 */
final class SpreadCheck {

    private SpreadCheck() {}

    /** Costs nothing when no group is spread. */
    static Optional<String> violation(CheckedWorkers workers, CheckedEntries entries, PlacementResult plan) {
        if (entries.spreads().isEmpty()) {
            return Optional.empty();
        }
        int[][] placed = new int[entries.spreads().size()][];
        for (int run = 0; run < plan.runs(); run++) {
            int index = entries.spreadIndex(plan.entry(run));
            if (index < 0) {
                continue;
            }
            SpreadView spread = entries.spreads().get(index);
            if (placed[index] == null) {
                placed[index] = new int[spread.domains()];
            }
            int worker = plan.worker(run);
            // Feasible, therefore the domain is known.
            int domain = worker >= plan.firstNew()
                    ? spread.domainOnSpec(plan.openedSpec(worker - plan.firstNew()))
                    : spread.domain(worker);
            placed[index][domain] += plan.count(run);
        }
        for (int entry = 0; entry < entries.size(); entry++) {
            int index = entries.spreadIndex(entry);
            if (index >= 0 && placed[index] != null) {
                Optional<String> uneven = uneven(entries.spreads().get(index), placed[index]);
                if (uneven.isPresent()) {
                    return Optional.of("places slots of " + plan.named(entry) + " so that " + uneven.get());
                }
            }
        }
        return Optional.empty();
    }

    /** The domains in which another slot may be, the one with the fewest slots first. */
    static int[] allowed(SpreadView spread, int[] placed) {
        int fewest = Integer.MAX_VALUE;
        for (int domain = 0; domain < placed.length; domain++) {
            if (spread.hasWorkers(domain) || placed[domain] > 0) {
                fewest = Math.min(fewest, after(spread, placed, domain));
            }
        }
        int least = fewest;
        return IntStream.range(0, placed.length)
                .filter(domain ->
                        least == Integer.MAX_VALUE || after(spread, placed, domain) < (long) least + spread.maxSkew())
                .boxed()
                .sorted(Comparator.comparingInt((Integer domain) -> after(spread, placed, domain)))
                .mapToInt(domain -> domain)
                .toArray();
    }

    /** What is wrong with so many slots placed in each domain. */
    static Optional<String> uneven(SpreadView spread, int[] placed) {
        int fewest = -1;
        int most = -1;
        for (int domain = 0; domain < placed.length; domain++) {
            if ((spread.hasWorkers(domain) || placed[domain] > 0)
                    && (fewest < 0 || after(spread, placed, domain) < after(spread, placed, fewest))) {
                fewest = domain;
            }
            if (placed[domain] > 0 && (most < 0 || after(spread, placed, domain) > after(spread, placed, most))) {
                most = domain;
            }
        }
        if (most < 0 || after(spread, placed, most) - after(spread, placed, fewest) <= spread.maxSkew()) {
            return Optional.empty();
        }
        return Optional.of(after(spread, placed, most) + " are where label " + spread.label() + " is "
                + spread.value(most) + " and " + after(spread, placed, fewest) + " where it is "
                + spread.value(fewest) + ": at most " + spread.maxSkew() + " more is allowed");
    }

    private static int after(SpreadView spread, int[] placed, int domain) {
        return spread.slots(domain) + placed[domain];
    }
}
