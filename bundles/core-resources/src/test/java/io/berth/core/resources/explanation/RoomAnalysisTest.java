package io.berth.core.resources.explanation;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.resources.explanation.ClusterCapacity.Spec;
import io.berth.core.resources.explanation.ClusterCapacity.Standing;
import io.berth.core.resources.explanation.ClusterCapacity.Workers;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RoomAnalysisTest {

    private static final long GIBIBYTE = 1L << 30;
    private static final ResourceProfile NEED = size(1, 4);
    private static final ResourceProfile WHOLE = size(4, 16);

    private final List<Workers> workers = new ArrayList<>();
    private final List<Spec> specs = new ArrayList<>();

    private static ResourceProfile size(long cores, long gibibytes) {
        return ResourceProfile.of(cores * 1_000, gibibytes * GIBIBYTE);
    }

    private void workers(int count, ResourceProfile free) {
        workers(Standing.OPEN, count, WHOLE, free);
    }

    private void workers(Standing standing, int count, ResourceProfile total, ResourceProfile free) {
        workers(standing, count, total, free, WorkerLabels.NONE);
    }

    private void workers(
            Standing standing, int count, ResourceProfile total, ResourceProfile free, WorkerLabels labels) {
        for (int worker = 0; worker < count; worker++) {
            workers.add(new Workers(standing, total, free, total.dividedBy(4), labels, "", 1));
        }
    }

    private void spec(String name, ResourceProfile total, int there, int left) {
        specs.add(new Spec(name, total, total.dividedBy(1), WorkerLabels.NONE, there, left));
    }

    private Reason why(JobShortage.Unit unit) {
        ClusterCapacity capacity = new ClusterCapacity(
                "", Reason.of(ReasonCode.NO_BACKEND, "no backend offers to start workers"), workers, specs);
        return new JobShortage(new JobId("job"), "default", 1, 0, 0, Optional.empty(), List.of(unit))
                .why(capacity, need -> RoomAnalysis.of(capacity, need));
    }

    private Reason why(int desired, int have, ResourceProfile need, Optional<Reason> said) {
        GroupRequirement group = new GroupRequirement("default", need, desired, desired);
        return why(new JobShortage.Unit(List.of(new JobShortage.Group(group, have)), true, said, List.of(), List.of()));
    }

    private Reason why(int desired) {
        return why(desired, 0, NEED, Optional.empty());
    }

    @Test
    void isTheTextOfTheSpecification() {
        workers(14, size(2, 1));
        workers(Standing.BLOCKED, 6, WHOLE, WHOLE);
        spec("local/large", size(1, 4), 20, 1);
        Reason why = why(3);
        assertThat("waiting: " + why.line())
                .isEqualTo(
                        "waiting: needs 3 x {1 cpu, 4 GiB}, 1 fits: 14 workers have cpu but no memory, 6 are blocked,"
                                + " pool limit leaves room for 1 worker");
        assertThat(why.causes())
                .extracting(Reason::code)
                .containsExactly(ReasonCode.NO_MEMORY, ReasonCode.BLOCKED, ReasonCode.POOL_LIMIT);
        assertThat(why.causes()).extracting(Reason::count).containsExactly(14, 6, 1);
        assertThat(why.code()).as("the blocked ones would be enough").isEqualTo(ReasonCode.BLOCKED);
    }

    private static WorkerLabels tainted(String key) {
        return new WorkerLabels(new TreeMap<>(), new TreeMap<>(Map.of(key, "yes")));
    }

    @Test
    void countsTheWorkersThatConstraintsExcludeByReason() {
        workers(Standing.OPEN, 14, WHOLE, WHOLE, tainted("gpu"));
        workers(Standing.OPEN, 2, WHOLE, WHOLE, tainted("dedicated"));
        workers(4, size(2, 1));
        Reason why = why(3);
        assertThat(why.line())
                .isEqualTo("needs 3 x {1 cpu, 4 GiB}, 0 fit: 14 of 20 workers: taint gpu is not tolerated,"
                        + " 2 of 20 workers: taint dedicated is not tolerated, 4 workers have cpu but no memory,"
                        + " no backend offers to start workers");
        assertThat(why.causes()).extracting(Reason::code).startsWith(ReasonCode.CONSTRAINTS, ReasonCode.CONSTRAINTS);
        assertThat(why.code()).as("more memory would help").isEqualTo(ReasonCode.NO_MEMORY);
    }

    @Test
    void saysThatConstraintsExcludeAllWorkers() {
        workers(Standing.OPEN, 2, WHOLE, WHOLE, tainted("gpu"));
        assertThat(why(3).code()).isEqualTo(ReasonCode.CONSTRAINTS);
    }

    @Test
    void saysThatConstraintsExcludeTheSpecsToo() {
        specs.add(new Spec("local/gpu", WHOLE, WHOLE, tainted("gpu"), 0, 5));
        Reason why = why(3);
        assertThat(why.code()).isEqualTo(ReasonCode.CONSTRAINTS);
        assertThat(why.line())
                .isEqualTo(
                        "needs 3 x {1 cpu, 4 GiB}, 0 fit: there is no worker, none of the workers that may be started"
                                + " is allowed: for local/gpu, taint gpu is not tolerated");
    }

    @Test
    void namesTheDimensionThatMostWorkersLack() {
        workers(1, size(0, 8));
        workers(3, size(2, 1));
        Reason why = why(3);
        assertThat(why.code()).isEqualTo(ReasonCode.NO_MEMORY);
        assertThat(why.line())
                .isEqualTo("needs 3 x {1 cpu, 4 GiB}, 0 fit: 3 workers have cpu but no memory,"
                        + " 1 has memory but no cpu, no backend offers to start workers");
        workers(5, size(0, 8));
        assertThat(why(3).code()).isEqualTo(ReasonCode.NO_CPU);
        workers(9, size(0, 1));
        assertThat(why(3).code()).isEqualTo(ReasonCode.FULL);
        assertThat(why(3).line()).contains("9 workers have neither cpu nor memory");
    }

    @Test
    void namesWhatOnlySomeWorkersHave() {
        ResourceProfile gpu = new ResourceProfile(1_000, GIBIBYTE, 0, 0, new TreeMap<>(Map.of("gpu", 1L)));
        workers(2, size(4, 4));
        Reason why = why(1, 0, gpu, Optional.empty());
        assertThat(why.code()).isEqualTo(ReasonCode.NO_RESOURCE);
        assertThat(why.line()).contains("2 workers have cpu and memory but no gpu (2 could not hold it even empty");
        ResourceProfile managed = new ResourceProfile(1_000, GIBIBYTE, 0, GIBIBYTE, new TreeMap<>());
        assertThat(why(1, 0, managed, Optional.empty()).code()).isEqualTo(ReasonCode.NO_MEMORY);
    }

    @Test
    void tellsWhatNoWorkerCouldEverHold() {
        workers(Standing.OPEN, 2, size(4, 2), size(4, 2));
        spec("local/small", size(4, 2), 2, 6);
        Reason why = why(1);
        assertThat(why.code()).isEqualTo(ReasonCode.NO_MEMORY);
        assertThat(why.line())
                .isEqualTo("needs 1 x {1 cpu, 4 GiB}, 0 fit: 2 workers have cpu but no memory (2 could"
                        + " not hold it even empty, the largest has {4 cpu, 2 GiB}), no worker that may be started can hold it:"
                        + " the largest, local/small, has {4 cpu, 2 GiB}");
        workers.clear();
        assertThat(why(1).code()).as("no worker runs").isEqualTo(ReasonCode.NO_MEMORY);
        assertThat(why(1).causes())
                .extracting(Reason::code)
                .containsExactly(ReasonCode.NO_WORKERS, ReasonCode.TOO_LARGE);
    }

    @Test
    void ofFullWorkersThatCouldNotHoldItEmptyItNamesWhatTheyLackThen() {
        workers(Standing.OPEN, 1, size(2, 2), size(0, 0));
        Reason why = why(1);
        assertThat(why.code()).isEqualTo(ReasonCode.NO_MEMORY);
        assertThat(why.line()).contains("1 worker has neither cpu nor memory (1 could not hold it even empty");
    }

    @Test
    void tellsThatThePoolLimitIsReached() {
        workers(2, size(0, 0));
        spec("local/worker", WHOLE, 2, 0);
        Reason why = why(3, 1, NEED, Optional.empty());
        assertThat(why.code()).isEqualTo(ReasonCode.POOL_LIMIT);
        assertThat(why.line())
                .isEqualTo("needs 3 x {1 cpu, 4 GiB}, has 1, 0 fit: 2 workers have neither cpu nor"
                        + " memory, pool limit is reached with 2 workers of local/worker");
    }

    @Test
    void saysThatThereAreNoWorkers() {
        Reason why = why(1);
        assertThat(why.code()).isEqualTo(ReasonCode.NO_WORKERS);
        assertThat(why.line()).endsWith("there is no worker, no backend offers to start workers");
    }

    @Test
    void tellsOfWorkersThatEndAndOfThoseThatStartForOthers() {
        workers(Standing.RELEASING, 1, WHOLE, WHOLE);
        workers(Standing.TAKEN, 2, WHOLE, WHOLE);
        Reason why = why(1);
        assertThat(why.code()).isEqualTo(ReasonCode.FULL);
        assertThat(why.line()).contains("1 worker is about to end, 2 are being started for others");
    }

    @Test
    void aBlockedWorkerCountsAsBlockedOnlyWhenItHasRoom() {
        workers(Standing.BLOCKED, 1, WHOLE, size(4, 1));
        assertThat(why(1).code()).isEqualTo(ReasonCode.NO_MEMORY);
        workers(Standing.BLOCKED, 1, WHOLE, WHOLE);
        assertThat(why(1).code()).isEqualTo(ReasonCode.BLOCKED);
    }

    @Test
    void saysThatTheStrategyExcludesTheWorkersThatHaveRoom() {
        workers(2, WHOLE);
        Reason said = Reason.of(
                ReasonCode.NOT_PLACED,
                "no room for 3 x it",
                List.of(Reason.of(ReasonCode.EXCLUDED, "matching strategy picky: excludes 2 workers: too old")));
        Reason why = why(3, 0, NEED, Optional.of(said));
        assertThat(why.code()).isEqualTo(ReasonCode.EXCLUDED);
        assertThat(why.line())
                .isEqualTo(
                        "needs 3 x {1 cpu, 4 GiB}, 3 fit: room for 8 on 2 workers, matching strategy picky: excludes 2"
                                + " workers: too old");
        workers.clear();
        workers(2, size(2, 1));
        assertThat(why(3, 0, NEED, Optional.of(said)).code())
                .as("without it there would be no room either")
                .isEqualTo(ReasonCode.NO_MEMORY);
    }

    @Test
    void tellsTheWordsOfThePolicyWhereTheHostSeesRoom() {
        workers(2, WHOLE);
        Reason said = Reason.of(
                ReasonCode.NOT_PLACED,
                "no room for 3 x it",
                List.of(Reason.of(ReasonCode.POLICY, "matching strategy picky: on Mondays only")));
        Reason why = why(3, 0, NEED, Optional.of(said));
        assertThat(why.code()).isEqualTo(ReasonCode.NOT_PLACED);
        assertThat(why.line()).startsWith("needs 3 x {1 cpu, 4 GiB}, 3 fit: room for 8 on 2 workers, no plan used it");
        assertThat(why.lines()).last().isEqualTo("  POLICY: matching strategy picky: on Mondays only");
    }

    @Test
    void anUnknownSizeTakesDefaultSlots() {
        workers(Standing.OPEN, 1, WHOLE, size(0, 4));
        workers(Standing.OPEN, 1, WHOLE, size(1, 4));
        Reason why = why(2, 0, ResourceProfile.UNKNOWN, Optional.empty());
        assertThat(why.code()).isEqualTo(ReasonCode.FULL);
        assertThat(why.line()).contains("1 fits: 1 worker has no free slot");
    }

    @Test
    void tellsOfEachGroupThatLacksSlots() {
        workers(1, size(2, 1));
        GroupRequirement small = new GroupRequirement("small", size(1, 1), 1, 1);
        GroupRequirement large = new GroupRequirement("large", NEED, 2, 2);
        Reason why = why(new JobShortage.Unit(
                List.of(new JobShortage.Group(small, 0), new JobShortage.Group(large, 0)),
                true,
                Optional.empty(),
                List.of(),
                List.of()));
        assertThat(why.code()).isEqualTo(ReasonCode.NO_MEMORY);
        assertThat(why.line())
                .startsWith("2 groups lack slots: needs 1 x {1 cpu, 1 GiB} for group small, 1 fits (")
                .contains("needs 2 x {1 cpu, 4 GiB} for group large, 0 fit (1 worker has cpu but no memory");
    }

    @Test
    void theReasonOfTheDecisionComesBeforeTheRoom() {
        workers(2, WHOLE);
        assertThat(why(1, 0, NEED, Optional.of(Reason.of(ReasonCode.DEFERRED, "not admitted by x")))
                        .line())
                .isEqualTo("needs 1 x {1 cpu, 4 GiB}: not admitted by x");
        List<JobShortage.Group> groups = List.of(new JobShortage.Group(new GroupRequirement("default", NEED, 1, 1), 0));
        assertThat(why(new JobShortage.Unit(groups, false, Optional.empty(), List.of(), List.of()))
                        .code())
                .isEqualTo(ReasonCode.NOT_ATTEMPTED);
        assertThat(why(new JobShortage.Unit(groups, true, Optional.empty(), List.of(), List.of("local/a")))
                        .code())
                .isEqualTo(ReasonCode.STARTING_WORKERS);
        assertThat(why(new JobShortage.Unit(groups, true, Optional.empty(), List.of("broken"), List.of("local/a")))
                        .line())
                .isEqualTo("needs 1 x {1 cpu, 4 GiB}: broken");
    }
}
