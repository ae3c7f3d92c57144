package io.berth.itests.workflow;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import io.berth.itests.SharedData;
import io.berth.itests.workflow.Workflow.Dependency;
import io.berth.itests.workflow.Workflow.Task;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** The units and regions of workflows are those of an independent computation, whichever edges are pipelined. */
public class WorkflowUnitsTest {

    private static final int VARIANTS = 60;

    @Test
    public void unitsAndRegionsOfASmallWorkflow() throws Exception {
        checkVariants(Workflows.small());
    }

    @Test
    public void unitsAndRegionsOfTheLargestJob() {
        Workflow largest = Workflows.layered(1_000, new Random(7));
        assertEquals(1_000, largest.tasks().size());
        check(WorkflowJob.of(largest));
        for (int seed = 0; seed < 4; seed++) {
            check(variant(largest, new Random(seed), 0.02 * seed));
        }
    }

    @Test
    @Category(SharedData.class)
    public void unitsAndRegionsOfThePegasusWorkflows() throws Exception {
        List<Workflow> workflows = Pegasus.workflows();
        assertEquals(
                List.of(30, 24, 30, 25, 100, 29),
                workflows.stream().map(workflow -> workflow.tasks().size()).toList());
        assertEquals(
                List.of(52, 27, 35, 45, 233, 33),
                workflows.stream()
                        .map(workflow -> workflow.dependencies().size())
                        .toList());
        workflows.forEach(WorkflowUnitsTest::checkVariants);
    }

    @Test
    public void aPipelinedEdgeBesideABlockingPathJoinsAllOfThePath() {
        Workflow workflow = new Workflow(
                "beside",
                List.of(
                        new Task("a", 1, List.of()),
                        new Task("b", 1, List.of("a")),
                        new Task("c", 1, List.of("b")),
                        new Task("d", 1, List.of("a", "c")),
                        new Task("e", 1, List.of("d"))));
        WorkflowJob job =
                new WorkflowJob(workflow, 1, Map.of(new Dependency("a", "d"), WorkflowJob.REBALANCE), Optional.empty());
        assertEquals(Set.of(Set.of("a", "b", "c", "d"), Set.of("e")), new UnitDefinition(job).units());
        check(job);
    }

    @Test
    public void readsTasksAndDependencies() throws Exception {
        Workflow small = Workflows.small();
        assertEquals(new Task("ID03", 8, List.of("ID00", "ID01")), small.tasks().get(3));
        assertEquals(Set.of("ID10", "ID11"), small.sinks());
        assertEquals(Set.of("ID08", "ID10", "ID11"), small.from("ID08"));
    }

    @Test
    public void refusesWhatIsNoGraphWithoutCycles() {
        assertRefused("'a' twice", "<job id='a' runtime='1'/><job id='a' runtime='1'/>", "has task a twice");
        assertRefused("no such parent", "<job id='a' runtime='1'/><child ref='a'><parent ref='b'/></child>", "[a]");
    }

    private static void assertRefused(String what, String dax, String message) {
        IllegalArgumentException refused = assertThrows(what, IllegalArgumentException.class, () -> read(dax));
        assertTrue(refused.getMessage(), refused.getMessage().contains(message));
    }

    private static Workflow read(String dax) throws IOException {
        return Workflow.parse(
                "bad", new ByteArrayInputStream(("<adag>" + dax + "</adag>").getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    public void whatIsLostRunsAgainWithAllThatIsNoLongerStored() throws Exception {
        // ID08 runs; its input ID05 is lost but was read. ID04 is lost and ID09 needs it; its own inputs are gone.
        Workflow small = Workflows.small();
        Set<String> ended = Set.of("ID00", "ID01", "ID02", "ID03", "ID04", "ID05", "ID06", "ID07");
        assertEquals(Set.of(), small.repeated(ended, Set.of("ID08"), Set.of("ID00", "ID05")));
        assertEquals(Set.of("ID06", "ID04", "ID01", "ID02"), small.repeated(ended, Set.of("ID08"), Set.of("ID06")));
        assertEquals(
                Set.of("ID08", "ID05", "ID03", "ID00", "ID01"),
                small.repeated(ended, Set.of("ID08"), Set.of("ID08", "ID05")));
    }

    private static void checkVariants(Workflow workflow) {
        assertEquals(
                workflow.tasks().size(),
                new ProductUnits(WorkflowJob.of(workflow)).units().size());
        List<Integer> counts = new ArrayList<>();
        for (int seed = 0; seed < VARIANTS; seed++) {
            WorkflowJob job = variant(workflow, new Random(seed), seed / (VARIANTS - 1.0));
            check(job);
            counts.add(new UnitDefinition(job).units().size());
        }
        assertEquals(workflow.name(), workflow.tasks().size(), (int) counts.get(0));
        assertEquals(workflow.name(), 1, (int) counts.get(VARIANTS - 1));
        assertTrue(workflow.name() + ": " + counts, counts.stream().distinct().count() > 5);
    }

    /** A share of the edges is pipelined, half of them forward. */
    private static WorkflowJob variant(Workflow workflow, Random random, double share) {
        Map<Dependency, String> pipelined = new HashMap<>();
        for (Dependency dependency : workflow.dependencies()) {
            if (random.nextDouble() < share) {
                pipelined.put(dependency, random.nextBoolean() ? WorkflowJob.FORWARD : WorkflowJob.REBALANCE);
            }
        }
        return new WorkflowJob(workflow, 1 + random.nextInt(3), pipelined, Optional.empty());
    }

    private static void check(WorkflowJob job) {
        UnitDefinition expected = new UnitDefinition(job);
        ProductUnits found = new ProductUnits(job);
        assertEquals(expected.units(), found.units());
        assertTrue("producers first", found.areInOrder());
        assertEquals(expected.regions(), found.regions());
    }
}
