package io.berth.simulator.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.AssignmentQuery;
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
import io.berth.core.api.policy.ScalingAdvisor;
import io.berth.core.api.policy.ScalingAdvisor.ScalingInput;
import io.berth.core.policies.PolicyHostNode;
import io.berth.core.policies.guard.GuardThreads;
import io.berth.core.policies.journal.DecisionJournal;
import io.berth.core.policies.journal.JournalSettings;
import io.berth.distribution.fifo.FifoFactory;
import io.berth.matching.firstfit.FirstFitFactory;
import io.berth.scaling.reactive.ReactiveFactory;
import io.berth.simulator.replay.cluster.ReplayTime;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.scaling.ScalingPolicyFactory;
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
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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
        host.offer(new PolicyHostNode.Offer(
                3, PolicyKind.SCALING, "reactive", "test.reactive", "1.0.0", 100, new ReactiveFactory()));
        DecisionJournal journal = new DecisionJournal(host.observers(), time, Runnable::run);
        journal.settings(new JournalSettings(true, folder.resolve("journal"), 8));
        time.drain();
        PlacementPlanner planner =
                host.policies().openPlanner("default", MatchingRule.EXACT, () -> LedgerState.NONE, () -> {});
        ScalingAdvisor advisor = host.policies().openScaling(graph(), () -> {});
        Random random = new Random(1);
        for (int state = 1; state <= DECISIONS; state++) {
            time.drain();
            planner.plan(input(state, random));
            time.drain();
            host.policies().assign(query(state, random));
            time.drain();
            advisor.decide(new ScalingInput(state, List.of(random.nextInt(3)), List.of(1 + random.nextInt(4))));
            time.drain();
        }
        file = folder.resolve("decisions.journal");
        try (OutputStream to = Files.newOutputStream(file)) {
            journal.export(OptionalLong.empty(), OptionalLong.empty(), to);
        }
        journal.close();
    }

    private static JobGraph graph() {
        return new JobGraph(
                new JobId("scaled"),
                "scaled",
                1,
                SchedulingAttributes.DEFAULT,
                new TreeMap<>(),
                List.of(),
                List.of(new JobVertex("source", "source", 1, 2, 4, 128, "default", new TreeMap<>())),
                List.of(),
                List.of(new SlotSharingGroup("default", SLOT)));
    }

    /** Slots that were allocated for no group, and groups that need some. */
    private static AssignmentQuery query(int state, Random random) {
        List<AssignmentQuery.Slot> slots = new ArrayList<>();
        for (int slot = 0; slot <= random.nextInt(6); slot++) {
            slots.add(new AssignmentQuery.Slot(
                    new AllocationId(1, slot), new WorkerId("w" + random.nextInt(3)), SLOT, -1, false));
        }
        return new AssignmentQuery(
                new JobId("assigned"),
                "default",
                MatchingRule.EXACT,
                state,
                slots,
                List.of(
                        new AssignmentQuery.Requirement("all", "one", SLOT, 1 + random.nextInt(3)),
                        new AssignmentQuery.Requirement("all", "two", SLOT, 1 + random.nextInt(3))));
    }

    /** A bundle with one policy. */
    private Path jar(Class<?> factory, Class<?> service) throws Exception {
        Path jar = folder.resolve(factory.getSimpleName() + ".jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Bundle-SymbolicName", "test.policy");
        manifest.getMainAttributes().putValue("Provide-Capability", "io.berth.policy");
        manifest.getMainAttributes().putValue("Service-Component", "OSGI-INF/policy.xml");
        try (JarOutputStream to = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            to.putNextEntry(new JarEntry("OSGI-INF/policy.xml"));
            to.write(("<component><implementation class=\"" + factory.getName() + "\"/><service><provide interface=\""
                            + service.getName() + "\"/></service></component>")
                    .getBytes(StandardCharsets.UTF_8));
            Path classes = Path.of(factory.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .resolve(factory.getPackageName().replace('.', '/'));
            try (Stream<Path> files = Files.list(classes)) {
                for (Path file : files.filter(
                                one -> one.getFileName().toString().startsWith(factory.getSimpleName()))
                        .sorted()
                        .toList()) {
                    to.putNextEntry(
                            new JarEntry(factory.getPackageName().replace('.', '/') + "/" + file.getFileName()));
                    to.write(Files.readAllBytes(file));
                }
            }
        }
        return jar;
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
        assertThat(printed())
                .contains("decisions of pools on 200 inputs were made again: all are equal, bit by bit")
                .contains("\n" + DECISIONS + " scaling decisions were made again: all are equal, bit by bit")
                .contains("\n" + DECISIONS + " assignments were made again: all are equal, bit by bit");
    }

    @Test
    void theSamePolicyAgreesInAllAndAnotherOneDoesNot() {
        assertThat(run("--policy", "first-fit")).isZero();
        assertThat(printed())
                .contains("decisions of pools were also made by matching:first-fit: ")
                .contains("\n" + DECISIONS + " assignments were also made by matching:first-fit: " + DECISIONS
                        + " agree (100.0 %)")
                .doesNotContain("failed");
        out.reset();
        assertThat(run("--policy", "spread", "-o", "json")).isZero();
        assertThat(printed())
                .contains("\"policy\": \"spread\", \"kind\": \"matching\"")
                .contains("\"pools\": {\"decisions\": ")
                .contains("\"assignments\": {\"decisions\": " + DECISIONS + ", ")
                .doesNotContain("\"scaling\": {")
                .doesNotContain("\"agreed\": 200,");
    }

    @Test
    void aScalingPolicyIsComparedWithScalingDecisions() throws Exception {
        assertThat(run("--policy", "reactive")).isZero();
        assertThat(printed())
                .contains(DECISIONS + " scaling decisions were also made by scaling:reactive: " + DECISIONS
                        + " agree (100.0 %)")
                .doesNotContain("decisions of pools")
                .doesNotContain("assignments")
                .doesNotContain("failed");
        out.reset();
        assertThat(run(
                        "--policy",
                        "scaling:as-desired",
                        "--bundle",
                        jar(AsDesired.class, ScalingPolicyFactory.class).toString(),
                        "-o",
                        "json"))
                .as(complained())
                .isZero();
        assertThat(printed())
                .contains("\"policy\": \"as-desired\", \"kind\": \"scaling\"")
                .contains("\"scaling\": {\"decisions\": " + DECISIONS + ", \"agreed\": ")
                .doesNotContain("\"agreed\": " + DECISIONS + ",");
    }

    @Test
    void aDistributionPolicyIsComparedWithDecisionsOfPoolsOnly() {
        assertThat(run("--policy", "distribution:fifo")).isZero();
        assertThat(printed())
                .contains("decisions of pools were also made by distribution:fifo: ")
                .contains("agree (100.0 %)")
                .doesNotContain("assignments")
                .doesNotContain("scaling");
    }

    @Test
    void aNameThatSeveralKindsHaveNeedsItsKind() throws Exception {
        String bundle =
                jar(RefusingReactive.class, MatchingStrategyFactory.class).toString();
        assertThat(run("--policy", "reactive", "--bundle", bundle)).isEqualTo(2);
        assertThat(complained())
                .contains("option --policy is 'reactive', which several kinds have: allowed are matching:reactive,"
                        + " scaling:reactive");
        assertThat(run("--policy", "scaling:reactive", "--bundle", bundle))
                .as(complained())
                .isZero();
        assertThat(printed()).contains("scaling decisions were also made by scaling:reactive: ");
        assertThat(run("--policy", "matching:reactive", "--bundle", bundle)).isEqualTo(2);
        assertThat(complained()).contains("option --policy has 'matching:reactive': it places nothing");
    }

    /** How many rescales a scaling policy makes of the recorded inputs. */
    private int rescales(String policy) {
        out.reset();
        assertThat(run("--policy", policy, "-o", "json")).as(complained()).isZero();
        Matcher now = Pattern.compile("\"now\": \\{[^}]*\"rescales\": ([0-9]+)").matcher(printed());
        assertThat(now.find()).as(printed()).isTrue();
        return Integer.parseInt(now.group(1));
    }

    @Test
    void parametersOfThePolicyCount() {
        int each = rescales("minimal-increase:cooldown=0s");
        int few = rescales("scaling:minimal-increase:cooldown=0s:increase=100:small.increase.after=0s");

        assertThat(few).isLessThan(each);
        assertThat(printed())
                .contains("\"parameters\": {\"cooldown\": \"0s\", \"increase\": \"100\","
                        + " \"small.increase.after\": \"0s\"}");
        out.reset();
        assertThat(run("--policy", "minimal-increase:cooldown=0s")).isZero();
        assertThat(printed()).contains("were also made by scaling:minimal-increase:cooldown=0s: ");
    }

    @Test
    void aValueMayHaveTimesOfDay() {
        assertThat(run("--policy", "schedule:times=mon-fri 00:00=2, sat 00:00=2:zone=UTC", "-o", "json"))
                .as(complained())
                .isZero();
        assertThat(printed()).contains("\"now\": {\"desired\": " + 2 * DECISIONS + ",");
    }

    @Test
    void parametersThatThePolicyDoesNotAcceptAreRefusedBeforeAnyDecision() throws Exception {
        Files.writeString(file, "no decisions");
        assertRefused("minimal-increase:increase=0", "increase is '0': a whole number from 1 to 100000 is allowed");
        assertRefused(
                "scaling:minimal-increase:rise=1",
                "unknown key rise; known are increase, cooldown, small.increase.after");
        assertRefused(
                "minimal-increase:cooldown=2h",
                "small.increase.after is '1 h': 0, or at least the cooldown of 2h, is allowed");
        assertRefused("first-fit:fast", "'fast' is no parameter: allowed is KEY=VALUE");
        assertRefused("pack:keep.scarce=true:keep.scarce=false", "key keep.scarce is given twice: allowed is once");
    }

    private void assertRefused(String policy, String why) {
        err.reset();
        assertThat(run("--policy", policy)).isEqualTo(2);
        assertThat(complained()).startsWith("berth: option --policy has '" + policy + "': " + why + "\n");
        assertThat(printed()).isEmpty();
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
                .contains("option --policy is 'best-fit': allowed are matching:first-fit, matching:spread,"
                        + " matching:pack, matching:balanced, matching:optimal, matching:gale-shapley, matching:rebalance,"
                        + " distribution:fifo,"
                        + " distribution:backfill, distribution:capacity, distribution:drf, distribution:fair-share,"
                        + " distribution:priority, scaling:reactive, scaling:minimal-increase, scaling:schedule,"
                        + " scaling:steps, scaling:target-rate, also without the kind, with :KEY=VALUE for parameters;"
                        + " --bundle adds those");
        assertThat(run("--policy", "spread", "--policy", "pack")).isEqualTo(2);
        assertThat(complained())
                .contains("option --policy is 'spread' and 'pack': allowed is one policy with --decisions");
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
        assertThat(printed()).contains("were also made by matching:spread").doesNotContain("a policy failed");
    }
}
