package io.berth.simulator.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.api.policy.PlanningInput.UnitChange;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.api.policy.PlanningInput.WorkerChange;
import io.berth.core.api.policy.PlanningInput.WorkerColumn;
import io.berth.core.policies.PolicyHostNode;
import io.berth.core.policies.guard.GuardThreads;
import io.berth.core.policies.journal.DecisionJournal;
import io.berth.core.policies.journal.JournalSettings;
import io.berth.distribution.fifo.FifoFactory;
import io.berth.matching.firstfit.FirstFitFactory;
import io.berth.simulator.replay.cluster.ReplayTime;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recorded decisions are made again by the command, and beside another policy. */
class DecisionsCommandTest {

    private static final int DECISIONS = 200;
    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1_000);

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private Path file = Path.of("");

    @BeforeEach
    void record() throws Exception {
        ReplayTime time = new ReplayTime(0);
        PolicyHostNode host = new PolicyHostNode(new PolicyHostNode.Environment(
                time, time, time, bundle -> onTime(time), pid -> new TreeMap<>(), failure -> {
                    throw new AssertionError(failure);
                }));
        host.offer(new PolicyHostNode.Offer(
                1, PolicyKind.MATCHING, "first-fit", "test.first.fit", "1.0.0", 100, new FirstFitFactory()));
        host.offer(new PolicyHostNode.Offer(
                2, PolicyKind.DISTRIBUTION, "fifo", "test.fifo", "1.0.0", 100, new FifoFactory()));
        DecisionJournal journal = new DecisionJournal(host.observers(), time, Runnable::run);
        journal.settings(new JournalSettings(true, folder.resolve("journal"), 8));
        time.drain();
        PlacementPlanner planner =
                host.policies().openPlanner("default", MatchingRule.EXACT, () -> LedgerState.NONE, () -> {});
        Random random = new Random(1);
        for (int state = 1; state <= DECISIONS; state++) {
            time.drain();
            planner.plan(input(state, random));
            time.drain();
        }
        file = folder.resolve("decisions.journal");
        try (OutputStream to = Files.newOutputStream(file)) {
            journal.export(OptionalLong.empty(), OptionalLong.empty(), to);
        }
        journal.close();
    }

    private static GuardThreads onTime(ReplayTime time) {
        return new GuardThreads() {
            @Override
            public void execute(Runnable call) {
                time.execute(call);
            }

            @Override
            public void abandoned() {}

            @Override
            public void returned() {}

            @Override
            public void end() {}
        };
    }

    /** Workers with free slots and a job that wants some. */
    private static PlanningInput input(int state, Random random) {
        List<WorkerChange> workers = new ArrayList<>();
        for (int worker = 0; worker < 4; worker++) {
            int slots = random.nextInt(5);
            workers.add(new WorkerChange(
                    worker,
                    Optional.of(new WorkerColumn(
                            new WorkerId("w" + worker),
                            false,
                            SLOT.times(4),
                            ResourceProfile.of(slots * 1_000L, slots * 1_000L),
                            SLOT,
                            Origin.of("test"),
                            WorkerLabels.NONE))));
        }
        UnitDemand unit = new UnitDemand(
                new JobId("job-" + state),
                "all",
                state,
                SchedulingAttributes.DEFAULT,
                List.of(new GroupDemand("default", SLOT, 1, 1 + random.nextInt(8), 0)));
        return new PlanningInput(state, workers, List.of(new UnitChange(0, Optional.of(unit))), List.of());
    }

    private int run(String... more) {
        List<String> arguments = new ArrayList<>(List.of("--decisions", file.toString()));
        arguments.addAll(Arrays.asList(more));
        return DecisionsCommand.run(
                arguments,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String complained() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void allDecisionsAreEqual() {
        assertThat(run()).as(complained()).isZero();
        assertThat(printed()).contains("decisions on 200 inputs were made again: all are equal, bit by bit");
    }

    @Test
    void theSamePolicyAgreesInAllAndAnotherOneDoesNot() {
        assertThat(run("--policy", "first-fit")).isZero();
        assertThat(printed()).contains("agree (100.0 %)").doesNotContain("failed");
        out.reset();
        assertThat(run("--policy", "spread", "-o", "json")).isZero();
        assertThat(printed()).contains("\"policy\": \"spread\"").doesNotContain("\"agreed\": 200,");
    }

    @Test
    void aDamagedFileIsRefusedWithOffsetAndReason() throws Exception {
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        assertThat(run()).isEqualTo(2);
        assertThat(complained()).matches("(?s)berth: file of --decisions: offset [0-9]+: .*damaged.*");
    }

    @Test
    void wrongOptionsAreNamed() {
        assertThat(run("--policy", "best-fit")).isEqualTo(2);
        assertThat(complained())
                .contains("option --policy is 'best-fit': allowed are first-fit, spread, fifo; --bundle adds those");
        assertThat(run("--seeds", "5")).isEqualTo(2);
        assertThat(complained())
                .contains("option --seeds is not allowed with --decisions: allowed are --policy, --bundle and -o");
    }

    @Test
    void aBundleOfAPolicyIsUsed() {
        Path bundle = Path.of("..", "matching-spread", "target", "berth-matching-spread.jar");
        assertThat(run("--bundle", bundle.toString(), "--policy", "spread"))
                .as(complained())
                .isZero();
        assertThat(printed()).contains("were also made by spread").doesNotContain("a policy failed");
    }
}
