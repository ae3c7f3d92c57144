package io.berth.simulator.decisions;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome;
import io.berth.core.api.time.SystemClock;
import io.berth.core.policies.detached.DetachedAdvisor;
import io.berth.core.policies.detached.DetachedAnswer;
import io.berth.core.policies.detached.DetachedAssigner;
import io.berth.core.policies.detached.DetachedDecision;
import io.berth.core.policies.detached.DetachedPlanner;
import io.berth.core.policies.detached.PolicyCalls;
import io.berth.core.policies.frame.AssignmentFrame;
import io.berth.core.policies.frame.DecisionFrame;
import io.berth.core.policies.frame.RecordedDecision;
import io.berth.core.policies.frame.ScalingFrame;
import io.berth.core.policies.journal.JournalFormat;
import io.berth.core.policies.journal.JournalReader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
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
              --policy NAME      compares with this policy: matching strategies with the decisions of pools and the
                                 assignments, distribution policies with the decisions of pools, scaling policies with
                                 the scaling decisions. KIND:NAME when several kinds have the name, for example
                                 scaling:reactive. NAME:KEY=VALUE:KEY=VALUE sets parameters
              --bundle JAR       a bundle with policies, beside those of this release; may come again""";

    private static final int DONE = 0;
    private static final int DIFFERENT = 1;
    private static final int BAD_INPUT = 2;

    /** More open advisors than this are closed, those that were used longest ago first. */
    private static final int MAX_ADVISORS = 10_000;

    private final Optional<Candidate> candidate;
    private final KnownPolicies policies;
    private final SystemClock clock = new SystemClock();
    private final Map<String, DetachedPlanner> planners = new TreeMap<>();
    private final Map<String, DetachedAssigner> assigners = new TreeMap<>();
    /** In the order of their use. */
    private final Map<JobGraph, DetachedAdvisor> advisors = new LinkedHashMap<>(16, 0.75f, true);

    private final Comparison comparison = new Comparison();

    private DecisionsCommand(KnownPolicies policies, Optional<Candidate> candidate) {
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
            Optional<Candidate> candidate = options.policy().map(known::candidate);
            DecisionsCommand command = new DecisionsCommand(known, candidate);
            Optional<String> difference = command.read(options.file());
            out.print(command.comparison.text(options.json(), candidate, difference));
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
                Optional<String> difference = decideAny(((JournalReader.Entry.Frame) entry.get()).frame());
                if (difference.isPresent()) {
                    return difference;
                }
            }
            return Optional.empty();
        }
    }

    private Optional<String> decideAny(RecordedDecision decision) {
        if (decision instanceof DecisionFrame frame) {
            return candidate.isEmpty() || candidate.get().decidesPools() ? decide(frame) : Optional.empty();
        }
        if (decision instanceof ScalingFrame frame) {
            return candidate.isEmpty() || candidate.get().decidesScaling() ? decide(frame) : Optional.empty();
        }
        return candidate.isEmpty() || candidate.get().decidesAssignments()
                ? decide((AssignmentFrame) decision)
                : Optional.empty();
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
        return difference(
                "decision " + frame.decision() + " of pool " + frame.pool() + " (frame " + frame.sequence() + ", state "
                        + frame.input().stateNumber() + ")",
                JournalFormat.bytes(frame.result().outcome(), frame.result().reviewMillis()),
                JournalFormat.bytes(made.outcome(), made.reviewMillis()),
                frame.result().outcome() + ", review " + frame.result().reviewMillis(),
                made.outcome() + ", review " + made.reviewMillis(),
                made.failures());
    }

    private Optional<String> decide(ScalingFrame frame) {
        DetachedAdvisor advisor = advisors.computeIfAbsent(
                frame.job(),
                job -> new DetachedAdvisor(
                        job, policies.inPlace(candidate), PolicyCalls.direct(), clock, Runnable::run));
        DetachedAnswer<ScalingOutcome> made =
                advisor.decide(frame).toCompletableFuture().join();
        if (advisors.size() > MAX_ADVISORS) {
            JobGraph oldest = advisors.keySet().iterator().next();
            Optional.ofNullable(advisors.remove(oldest)).ifPresent(DetachedAdvisor::close);
        }
        comparison.add(frame, made);
        return difference(
                "scaling decision " + frame.decision() + " of job "
                        + frame.job().id() + " (state " + frame.input().stateNumber() + ")",
                JournalFormat.bytes(frame.outcome()),
                JournalFormat.bytes(made.outcome()),
                frame.outcome().toString(),
                made.outcome().toString(),
                made.failures());
    }

    private Optional<String> decide(AssignmentFrame frame) {
        DetachedAssigner assigner = assigners.computeIfAbsent(
                frame.pool(),
                pool -> new DetachedAssigner(
                        pool, policies.inPlace(candidate), PolicyCalls.direct(), clock, Runnable::run));
        DetachedAnswer<AssignmentOutcome> made =
                assigner.decide(frame).toCompletableFuture().join();
        comparison.add(frame, made);
        return difference(
                "assignment " + frame.decision() + " of job " + frame.query().job() + " (pool " + frame.pool()
                        + ", state " + frame.query().stateNumber() + ")",
                JournalFormat.bytes(frame.outcome()),
                JournalFormat.bytes(made.outcome()),
                frame.outcome().toString(),
                made.outcome().toString(),
                made.failures());
    }

    /** Of a decision that was made again; none when another policy made it. */
    private Optional<String> difference(
            String decision,
            byte[] recorded,
            byte[] again,
            String recordedText,
            String againText,
            List<String> failures) {
        if (candidate.isPresent() || failures.isEmpty() && Arrays.equals(recorded, again)) {
            return Optional.empty();
        }
        return Optional.of(decision + " differs:\n  recorded: " + recordedText + "\n  again:    " + againText
                + (failures.isEmpty() ? "" : "\n  because:  " + String.join("; ", failures)));
    }
}
