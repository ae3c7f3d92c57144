package io.berth.simulator.replay;

import io.berth.simulator.replay.measure.ReplayResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * A figure by which policies are compared.
 *
 * @param heading of its column or panel
 * @param axis what is counted, at the axis of its panel
 * @param digits behind the point
 * @param best whether the largest or the smallest value is the best
 * @param value empty when it is not known
 */
record ComparedFigure(
        String heading, String axis, int digits, Best best, Function<ReplayResult, OptionalDouble> value) {

    enum Best {
        LARGEST,
        SMALLEST
    }

    private static final double PERCENT = 100;
    /** Memory is a guess in most traces. */
    private static final String MEMORY = "memory";

    private static final String EQUAL = "index; 1: all are served equally";
    private static final String WORKERS = "workers";

    /** The figures that these replays have. */
    static List<ComparedFigure> of(Scenario scenario, List<ReplayResult> results) {
        boolean stay =
                scenario.input().jobs().stream().anyMatch(job -> job.runMillis().isEmpty());
        List<ComparedFigure> figures = new ArrayList<>();
        // When no job ends, nobody waits for room: there is some, or there is none.
        if (results.stream().anyMatch(result -> result.ended() > 0)) {
            figures.add(new ComparedFigure("wait, mean, s", "seconds", 1, Best.SMALLEST, ReplayResult::waitMean));
            figures.add(new ComparedFigure("wait, longest, s", "seconds", 1, Best.SMALLEST, ReplayResult::waitLongest));
            figures.add(new ComparedFigure(
                    "slowdown, mean", "times the run time", 1, Best.SMALLEST, ReplayResult::slowdownMean));
        }
        figures.add(new ComparedFigure("Jain, users", EQUAL, 3, Best.LARGEST, ReplayResult::jainUsers));
        figures.add(new ComparedFigure("Jain, queues", EQUAL, 3, Best.LARGEST, ReplayResult::jainQueues));
        figures.addAll(shares(
                results, "used", Best.LARGEST, result -> stay ? result.last().utilization() : result.utilization()));
        figures.addAll(shares(
                results,
                "stranded",
                Best.SMALLEST,
                result -> stay ? result.last().stranded() : result.stranded()));
        figures.add(known(
                "workers used", WORKERS, 1, result -> stay ? result.last().workersUsed() : result.workersUsedMean()));
        if (scenario.input().elastic().isPresent()) {
            figures.add(known("workers there", WORKERS, 1, ReplayResult::workersMean));
        }
        if (scenario.input().moveSeconds().isPresent()) {
            figures.add(
                    known("slots moved", "slots", 0, result -> result.moves().slots()));
        }
        figures.add(known("jobs without room", "jobs", 0, result -> result.waiting() + result.tooLarge()));
        figures.removeIf(figure ->
                results.stream().noneMatch(result -> figure.value.apply(result).isPresent()));
        return figures;
    }

    private static ComparedFigure known(String heading, String axis, int digits, ToDoubleFunction<ReplayResult> value) {
        return new ComparedFigure(
                heading, axis, digits, Best.SMALLEST, result -> OptionalDouble.of(value.applyAsDouble(result)));
    }

    private static List<ComparedFigure> shares(
            List<ReplayResult> results, String state, Best best, Function<ReplayResult, Map<String, Double>> shares) {
        Set<String> resources = new LinkedHashSet<>();
        results.forEach(result -> resources.addAll(shares.apply(result).keySet()));
        resources.remove(MEMORY);
        return resources.stream()
                .map(resource -> new ComparedFigure(
                        resource + " " + state + ", %",
                        "% of all " + resource,
                        1,
                        best,
                        result -> Optional.ofNullable(shares.apply(result).get(resource))
                                .map(share -> OptionalDouble.of(PERCENT * share))
                                .orElse(OptionalDouble.empty())))
                .toList();
    }

    /** The value of a result for people; {@code -} when it is not known. */
    String text(ReplayResult result) {
        OptionalDouble known = value.apply(result);
        return known.isPresent() ? String.format(Locale.ROOT, "%,." + digits + "f", known.getAsDouble()) : "-";
    }

    /** Which results are the best, by what is shown of them; none when all are equal. */
    List<ReplayResult> best(List<ReplayResult> results) {
        ToLongFunction<ReplayResult> shown =
                result -> Math.round(value.apply(result).orElseThrow() * Math.pow(10, digits));
        List<ReplayResult> known = results.stream()
                .filter(result -> value.apply(result).isPresent())
                .toList();
        Comparator<ReplayResult> byValue = Comparator.comparingLong(shown);
        Optional<ReplayResult> first = known.stream().min(best == Best.SMALLEST ? byValue : byValue.reversed());
        List<ReplayResult> best = first.map(top -> known.stream()
                        .filter(result -> shown.applyAsLong(result) == shown.applyAsLong(top))
                        .toList())
                .orElse(List.of());
        return best.size() == results.size() ? List.of() : best;
    }
}
