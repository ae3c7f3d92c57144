package io.berth.simulator.seed;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A seed that breaks an invariant shrinks to a short story that a person can read. */
class ShrinkerTest {

    private static final Path BUG = Path.of("src/test/breaks/a-pending-slot-is-forgotten-on-a-report.break");
    private static final long HOURS = 8;

    @TempDir
    private Path directory;

    @Test
    void aSeedThatFindsAPlantedBugShrinksToAReadableTrace() throws Exception {
        PlantedBug bug = PlantedBug.read(BUG);

        List<String> lines = bug.seenBy(CutSearch.class.getName(), directory)
                .apply(new long[] {bug.from(), 30, 1_200, HOURS})
                .lines()
                .toList();

        lines.forEach(System.out::println);
        assertThat(lines).as("the bug is found").hasSizeGreaterThan(4);
        List<Integer> left =
                Arrays.stream(lines.get(2).split(" ")).map(Integer::valueOf).toList();
        assertThat(Shrinker.invariants(lines.get(1)))
                .as("the same invariant")
                .containsAnyElementsOf(Shrinker.invariants(lines.get(0)));
        assertThat(left.get(1)).as("workers").isLessThan(5);
        assertThat(left.get(2)).as("jobs").isLessThan(3);
        assertThat(left.get(3) + left.get(4)).as("faults and operations").isLessThan(60);
        assertThat(left.get(6)).as("seconds").isLessThanOrEqualTo(left.get(5));
        List<String> trace = lines.subList(4, lines.size());
        String slot = lines.get(3).split(" ")[0];
        assertThat(trace).hasSizeLessThanOrEqualTo(Excerpt.MAX_LINES + 1);
        assertThat(trace)
                .as("the slot is requested")
                .anyMatch(line -> line.contains("RequestSlots") && line.contains(slot));
        assertThat(trace.get(trace.size() - 1)).contains("VIOLATION").contains(slot);
    }

    @Test
    void anInvariantIsTheSameWhateverBreaksIt() {
        assertThat(Shrinker.invariants("P1: allocation 1-17 is for Holder[job=job-1] and was for Holder[job=job-2]"))
                .isEqualTo(Shrinker.invariants(
                        "P1: allocation 2-4 is for Holder[job=job-9] and was for Holder[job=job-1]"));
        assertThat(Shrinker.invariants(
                        "C: job job-1 has 1 slots of group default, desired are 2; C: worker w-1 is dead"))
                .hasSize(2)
                .isNotEqualTo(Shrinker.invariants("C: worker w-1 is dead"));
    }

    @Test
    void anExcerptShowsWhatTouchesTheBrokenThingAndWhatHappenedToProcesses() {
        List<String> trace = List.of(
                "    1.000000 w-1#1 begins",
                "    2.000000 message 1 TaskExecutor/RequestSlots of master-1#1 to w-1:5 for worker/w-1: allocation 1-7 job job-1",
                "    2.000000 message 2 TaskExecutor/RequestSlots of master-1#1 to w-1:5 for worker/w-1: allocation 1-8 job job-1",
                "    3.000000 message 3 TaskExecutor/HeartbeatFromJobMaster of master-1#1 to w-1:5 for worker/w-1: slots 1-7",
                "    4.000000 LOSE message 4 JobMaster/OfferSlots of w-1#1 to master-1:4 for job-master/job-1: allocation 1-7",
                "    4.500000 task job-1/source[0]#1 in slot 1-8 on w-1#1 runs",
                "    5.000000 fault KILL_WORKER",
                "    5.500000 w-1#1 is dead: kill -9",
                "    6.000000 VIOLATION P1: allocation 1-7 is for job-2 and was for job-1");

        Excerpt excerpt = Excerpt.of(trace, "P1: allocation 1-7 is for job-2 and was for job-1");

        assertThat(excerpt.concerned()).containsExactly("1-7");
        assertThat(excerpt.lines())
                .containsExactly(trace.get(0), trace.get(1), trace.get(4), trace.get(6), trace.get(7), trace.get(8));
    }

    @Test
    void anExcerptOfALongTraceHasItsStartAndItsEnd() {
        List<String> trace = new ArrayList<>();
        for (int line = 0; line < 1_000; line++) {
            trace.add("    1.000000 fault " + line);
        }

        List<String> lines = Excerpt.of(trace, "C: nothing").lines();

        assertThat(lines)
                .hasSize(Excerpt.MAX_LINES + 1)
                .startsWith(trace.get(0))
                .endsWith(trace.get(999));
        assertThat(lines).anyMatch(line -> line.contains("880 lines are left out"));
    }
}
