package io.berth.ops.shell.policy;

import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.operations.PolicyOperations.DecisionDetails;
import io.berth.core.api.operations.ShadowOperations.ShadowedDecision;
import io.berth.ops.shell.console.Answers;
import io.berth.ops.shell.console.DecisionNumberCompleter;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.jspecify.annotations.Nullable;

/** Show one decision: candidates, inputs, rounds, results and reasons. */
@Service
@Command(
        scope = "berth",
        name = "decision-info",
        description = "Show one decision: candidates, inputs, rounds, results and reasons")
public final class DecisionInfoCommand implements Action {

    @Reference
    private PolicyOperations policyOperations;

    @Argument(name = "number", required = true, description = "Number of the decision, as berth:decision-list lists it")
    @Completion(DecisionNumberCompleter.class)
    private long number;

    @Option(name = "-j", aliases = "--json", description = "Print JSON")
    private boolean json;

    @Override
    public @Nullable Object execute() throws Exception {
        DecisionDetails decision = policyOperations
                .decision(number)
                .orElseThrow(() -> new IllegalArgumentException(
                        "no decision " + number + ": it does not exist or is no longer kept, see berth:decision-list"));
        if (json) {
            Answers.print(Answers.with(decision, "shadows", policyOperations.shadowed(number)));
        } else {
            print(decision, Answers.out());
            List<String> shadows = new ArrayList<>();
            for (ShadowedDecision shadow : policyOperations.shadowed(number)) {
                shadows.add(shadow.line());
                shadow.differences().forEach(line -> shadows.add("  " + line));
            }
            print("shadows", shadows, Answers.out());
        }
        return null;
    }

    static void print(DecisionDetails decision, PrintStream out) {
        out.println("Decision " + decision.number() + " of " + Instant.ofEpochMilli(decision.wallMillis()) + " for "
                + decision.owner() + " on state " + decision.stateNumber() + ", " + decision.micros()
                + " microseconds");
        decision.policies()
                .forEach(policy -> out.println("  by " + policy.kind().label() + " " + policy.name() + " "
                        + policy.version() + " (" + policy.bundle() + "), generation " + policy.generation()
                        + ", configuration " + policy.configurationRevision()));
        print(
                "candidates",
                decision.candidates().stream()
                        .map(one -> one.kind().label() + " " + one.name() + " " + one.version() + " (" + one.bundle()
                                + "), configuration " + one.configurationRevision() + ": " + one.verdict())
                        .toList(),
                out);
        print("jobs", decision.jobs(), out);
        print("inputs", decision.inputs(), out);
        print("rounds", decision.rounds(), out);
        print("results", decision.results(), out);
        print("reasons", decision.reasons(), out);
    }

    private static void print(String part, List<String> lines, PrintStream out) {
        if (!lines.isEmpty()) {
            out.println(part + ":");
            lines.forEach(line -> out.println("  " + line));
        }
    }
}
