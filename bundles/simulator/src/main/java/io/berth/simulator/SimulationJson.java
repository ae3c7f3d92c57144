package io.berth.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a run of seeds saw, as JSON. */
final class SimulationJson {

    private final SeedRun.Outcome outcome;

    SimulationJson(SeedRun.Outcome outcome) {
        this.outcome = outcome;
    }

    String text() {
        List<String> violations = new ArrayList<>();
        for (Simulation.Result result : outcome.violations()) {
            List<String> trace = result.lastLines().stream().map(SimulationJson::quoted).toList();
            violations.add("{\"seed\": " + result.seed() + ", \"violation\": " + quoted(result.violation().orElse(""))
                    + ", \"simulatedSeconds\": " + result.simulatedNanos() / VirtualTime.SECOND
                    + ", \"trace\": [" + String.join(", ", trace) + "]}");
        }
        List<String> messages = new ArrayList<>();
        List<String> coverage = new ArrayList<>();
        outcome.coverage().rows().forEach(row -> {
            messages.add(quoted(row.kind()) + ": {\"sent\": " + row.sent() + ", \"arrived\": " + row.arrived()
                    + ", \"fenced\": " + row.fenced() + "}");
            List<String> cells = new ArrayList<>();
            for (Operator operator : Operator.values()) {
                cells.add(quoted(operator.name()) + ": " + row.applied().get(operator.ordinal()));
            }
            coverage.add(quoted(row.kind()) + ": {" + String.join(", ", cells) + "}");
        });
        return String.format(
                Locale.ROOT,
                "{\"seeds\": %d, \"events\": %d, \"simulatedHours\": %.2f, \"seconds\": %.1f, \"faults\": %d, "
                        + "\"recoveries\": %d,%n \"messages\": {%s},%n \"coverage\": {%s},%n \"violations\": [%s]}",
                outcome.seeds(), outcome.events(), outcome.simulatedHours(), outcome.millis() / 1_000.0,
                outcome.faults(), outcome.recoveries(), String.join(",\n  ", messages),
                String.join(",\n  ", coverage), String.join(",\n  ", violations));
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char one : text.toCharArray()) {
            if (one == '"' || one == '\\') {
                quoted.append('\\').append(one);
            } else if (one < ' ') {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) one));
            } else {
                quoted.append(one);
            }
        }
        return quoted.append('"').toString();
    }
}
