package io.berth.simulator.decisions;

import io.berth.core.api.time.SystemClock;
import io.berth.core.policies.detached.DetachedDecision;
import io.berth.core.policies.detached.DetachedPlanner;
import io.berth.core.policies.detached.PolicyCalls;
import io.berth.core.policies.frame.DecisionFrame;
import io.berth.core.policies.journal.JournalFormat;
import io.berth.core.policies.journal.JournalReader;
import io.berth.core.policies.registration.PolicyCandidate;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * {@code berth simulate --decisions FILE}. Exit code 0 when all decisions were made again bit by bit, or were compared
 * with those of another policy; 1 when one differs; 2 for bad input.
 */
public final class DecisionsCommand {

    /** The part of {@code --help} about recorded decisions. */
    public static final String HELP = """

            berth simulate --decisions FILE: makes the decisions of an export again (berth decisions export).
              --decisions FILE   the export
              --policy NAME      compares with this matching strategy or distribution policy, in place of the recorded one
              --bundle JAR       a bundle with policies, beside those of this release; may come again""";

    private static final int DONE = 0;
    private static final int DIFFERENT = 1;
    private static final int BAD_INPUT = 2;

    private final Optional<PolicyCandidate> candidate;
    private final KnownPolicies policies;
    private final SystemClock clock = new SystemClock();
    private final Map<String, DetachedPlanner> planners = new TreeMap<>();
    private final Comparison comparison = new Comparison();

    private DecisionsCommand(KnownPolicies policies, Optional<PolicyCandidate> candidate) {
        this.policies = policies;
        this.candidate = candidate;
    }

    /** Whether these arguments request it. */
    public static boolean asked(List<String> arguments) {
        return arguments.contains("--decisions");
    }

    /** Runs the command. @return its exit code */
    public static int run(List<String> arguments, PrintStream out, PrintStream err) {
        try {
            DecisionsOptions options = DecisionsOptions.read(arguments);
            KnownPolicies known = new KnownPolicies(options.bundles());
            DecisionsCommand command =
                    new DecisionsCommand(known, options.policy().map(known::candidate));
            Optional<String> difference = command.read(options.file());
            out.print(command.comparison.text(options.json(), options.policy(), difference));
            return difference.isPresent() ? DIFFERENT : DONE;
        } catch (IOException damaged) {
            err.println("berth: file of --decisions: " + damaged.getMessage());
        } catch (IllegalArgumentException bad) {
            err.println("berth: " + bad.getMessage());
            err.println("'berth simulate --help' shows what is allowed");
        }
        return BAD_INPUT;
    }

    /** Returns the first difference, if no other policy decides. */
    private Optional<String> read(Path file) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
            JournalReader reader = new JournalReader(in);
            for (Optional<JournalReader.Entry> entry = reader.next(); entry.isPresent(); entry = reader.next()) {
                if (entry.get() instanceof JournalReader.Entry.Gap gap) {
                    comparison.lost(gap.frames());
                    continue;
                }
                Optional<String> difference = decide(((JournalReader.Entry.Frame) entry.get()).frame());
                if (difference.isPresent()) {
                    return difference;
                }
            }
            return Optional.empty();
        }
    }

    private Optional<String> decide(DecisionFrame frame) {
        DetachedPlanner planner = planners.computeIfAbsent(
                frame.pool(),
                pool -> new DetachedPlanner(
                        pool, policies.inPlace(candidate), PolicyCalls.direct(), clock, Runnable::run));
        if (!planner.accepts(frame)) {
            comparison.skipped();
            return Optional.empty();
        }
        // It is complete: everything runs in this thread.
        DetachedDecision made = planner.decide(frame).toCompletableFuture().join();
        comparison.add(frame, made);
        if (candidate.isPresent()) {
            return Optional.empty();
        }
        boolean same = made.failures().isEmpty()
                && Arrays.equals(
                        JournalFormat.bytes(made.outcome(), made.reviewMillis()),
                        JournalFormat.bytes(
                                frame.result().outcome(), frame.result().reviewMillis()));
        return same
                ? Optional.empty()
                : Optional.of("decision " + frame.decision() + " of pool " + frame.pool() + " (frame "
                        + frame.sequence() + ", state " + frame.input().stateNumber() + ") differs:"
                        + "\n  recorded: " + frame.result().outcome() + ", review "
                        + frame.result().reviewMillis()
                        + "\n  again:    " + made.outcome() + ", review " + made.reviewMillis()
                        + (made.failures().isEmpty() ? "" : "\n  because:  " + String.join("; ", made.failures())));
    }
}
