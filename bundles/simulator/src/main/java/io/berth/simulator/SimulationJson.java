package io.berth.simulator;

import io.berth.simulator.fault.ProcessFaults.Fault;
import io.berth.simulator.network.Coverage;
import io.berth.simulator.network.Coverage.Fate;
import io.berth.simulator.network.Operator;
import io.berth.simulator.report.JsonText;
import io.berth.simulator.seed.SeedRun;
import io.berth.simulator.seed.Shrinker;
import io.berth.simulator.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The result of a run of seeds as JSON. */
final class SimulationJson {

    private final SeedRun.Outcome outcome;
    private final List<Shrinker.Cut> cuts;

    /** @param cuts short traces of some of the failed seeds */
    SimulationJson(SeedRun.Outcome outcome, List<Shrinker.Cut> cuts) {
        this.outcome = outcome;
        this.cuts = List.copyOf(cuts);
    }

    String text() {
        List<String> messages = new ArrayList<>();
        List<String> coverage = new ArrayList<>();
        for (Coverage.Row row : outcome.coverage().rows()) {
            List<String> fates = new ArrayList<>();
            for (Fate fate : Fate.values()) {
                fates.add(JsonText.quoted(name(fate)) + ": " + row.fates().get(fate.ordinal()));
            }
            messages.add(JsonText.quoted(row.kind()) + ": {" + String.join(", ", fates) + "}");
            coverage.add(JsonText.quoted(row.kind()) + ": {" + String.join(", ", cells(row)) + "}");
        }
        List<String> faults = new ArrayList<>();
        for (Fault fault : Fault.values()) {
            faults.add(JsonText.quoted(fault.name()) + ": " + outcome.faults().getOrDefault(fault, 0L));
        }
        return String.format(
                Locale.ROOT,
                """
                {"seeds": %d, "from": %d, "simulatedHours": %.2f, "seconds": %.1f, "events": %d, "recoveries": %d,
                 "returnRequests": %d,
                 "faults": {%s},
                 "messages": {%s},
                 "coverage": {%s},
                 "emptyCells": [%s],
                 "violations": [%s]}""",
                outcome.seeds(),
                outcome.from(),
                outcome.simulatedHours(),
                outcome.millis() / 1_000.0,
                outcome.events(),
                outcome.recoveries(),
                outcome.returnRequests(),
                String.join(", ", faults),
                lines(messages),
                lines(coverage),
                String.join(
                        ", ",
                        outcome.coverage().empty().stream()
                                .map(JsonText::quoted)
                                .toList()),
                lines(violations()));
    }

    private static String name(Fate fate) {
        String[] words = fate.name().toLowerCase(Locale.ROOT).split("_");
        StringBuilder name = new StringBuilder(words[0]);
        for (int word = 1; word < words.length; word++) {
            name.append(Character.toUpperCase(words[word].charAt(0))).append(words[word].substring(1));
        }
        return name.toString();
    }

    private static List<String> cells(Coverage.Row row) {
        List<String> cells = new ArrayList<>();
        if (!row.fault().isEmpty()) {
            cells.add("\"fault\": " + JsonText.quoted(row.fault()));
        }
        if (!row.meaningless().isEmpty()) {
            cells.add("\"meaningless\": " + JsonText.quoted(row.meaningless()));
        }
        for (Operator operator : Operator.values()) {
            cells.add(JsonText.quoted(operator.name()) + ": " + row.applied().get(operator.ordinal()));
        }
        return cells;
    }

    private List<String> violations() {
        List<String> violations = new ArrayList<>();
        for (SeedRun.Broken broken : outcome.violations()) {
            String cut = cuts.stream()
                    .filter(of -> of.seed() == broken.seed())
                    .map(of -> ", \"cut\": " + cut(of))
                    .findFirst()
                    .orElse("");
            violations.add("{\"seed\": " + broken.seed() + ", \"violation\": " + JsonText.quoted(broken.violation())
                    + ", \"simulatedSeconds\": " + broken.simulatedNanos() / VirtualTime.SECOND + cut + "}");
        }
        return violations;
    }

    private static String cut(Shrinker.Cut cut) {
        return String.format(
                Locale.ROOT,
                "{\"seed\": %d, \"violation\": %s, \"masters\": %d, \"workers\": %d, \"jobs\": %d, \"faults\": %d, "
                        + "\"operations\": %d, \"simulatedSeconds\": %.3f,%n  \"trace\": [%s]}",
                cut.playedSeed(),
                JsonText.quoted(cut.violation()),
                cut.part().shape().orElseThrow().masters(),
                cut.part().shape().orElseThrow().standaloneWorkers()
                        + cut.part().shape().orElseThrow().backendWorkers(),
                cut.part().shape().orElseThrow().jobs(),
                cut.faults(),
                cut.operations(),
                cut.nanos() / (double) VirtualTime.SECOND,
                String.join(",\n   ", cut.trace().stream().map(JsonText::quoted).toList()));
    }

    private static String lines(List<String> values) {
        return String.join(",\n  ", values);
    }
}
