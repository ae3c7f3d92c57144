package io.berth.core.resources.planning;

import static io.berth.core.resources.TestCluster.SLOT;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.resources.FakeBackend;
import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import io.berth.core.resources.settings.ClusterLimits;
import io.berth.spi.AllocationId;
import io.berth.spi.backend.WorkerSpec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Workers of two slots each. Jobs that run are those that have their minimum. */
class DeadlockDetectionTest {

    private static final int INTERVAL = 2_000;

    private final TestCluster cluster = new TestCluster();
    private final FakeWorker kept = cluster.worker("kept");
    private final FakeWorker lost = cluster.worker("lost");

    private FakeJobMaster job(String name, long submissionIndex, int slots) {
        FakeJobMaster job = cluster.job(name, submissionIndex);
        cluster.declare(job, slots, slots);
        return job;
    }

    /** Two jobs with a slot on each of two workers, one of which goes. */
    private void loseAWorker() {
        cluster.call(cluster.manager.disconnectWorker(lost.instance, "a test"));
        cluster.time.advance(100);
    }

    /** The jobs come one after the other, and a filler spreads their slots over both workers. */
    private List<FakeJobMaster> jobsWithASlotOnEachWorker() {
        FakeJobMaster older = cluster.job("older", 1);
        FakeJobMaster younger = cluster.job("younger", 2);
        cluster.declare(older, 1, 1);
        cluster.time.advance(50);
        cluster.declare(younger, 1, 1);
        cluster.time.advance(50);
        cluster.declare(older, 2, 2);
        cluster.time.advance(50);
        cluster.declare(younger, 2, 2);
        cluster.time.advance(50);
        assertThat(kept.slots.values()).extracting(slot -> slot.job().value()).containsExactly("older", "younger");
        assertThat(lost.slots.values()).extracting(slot -> slot.job().value()).containsExactly("older", "younger");
        return List.of(older, younger);
    }

    /** On a worker of its own. Its minimum is raised while it runs. */
    private FakeJobMaster runsWithLessThanItsMinimum(long submissionIndex) {
        FakeJobMaster runs = cluster.job("runs", submissionIndex);
        cluster.worker("its");
        cluster.declare(runs, 2, 2);
        cluster.time.advance(100);
        assertThat(cluster.states(runs)).hasSize(2);
        cluster.call(cluster.manager.declareRequirements(runs.requiresWhileItRuns(3, SLOT)));
        return runs;
    }

    @Test
    void theYoungerOfTwoJobsThatWaitForEachOtherIsAskedForItsSlots() {
        List<FakeJobMaster> jobs = jobsWithASlotOnEachWorker();
        assertThat(jobs).allSatisfy(job -> assertThat(job.wantedBack).isEmpty());
        loseAWorker();

        AllocationId wanted = kept.slots.lastKey();
        assertThat(jobs.get(0).wantedBack).isEmpty();
        assertThat(jobs.get(1).wantedBack).containsExactly(wanted);
        assertThat(jobs.get(1).causes)
                .containsExactly("job older reaches its minimum with them, and job younger cannot run with its slots");
        cluster.free(kept, wanted);
        cluster.time.advance(100);
        assertThat(cluster.states(jobs.get(0))).as("the older one can run").hasSize(2);
        assertThat(cluster.states(jobs.get(1))).isEmpty();
    }

    /** Its minimum was raised. It returns nothing, and others that hold slots without use are asked. */
    @Test
    void aJobThatRunsWithLessThanItsMinimumIsNotAsked() {
        List<FakeJobMaster> jobs = jobsWithASlotOnEachWorker();
        FakeJobMaster runs = runsWithLessThanItsMinimum(3);
        loseAWorker();
        cluster.time.advance(2 * INTERVAL);
        assertThat(runs.wantedBack).isEmpty();
        assertThat(jobs.get(1).wantedBack).contains(kept.slots.lastKey());

        // It has stopped.
        jobs.get(1).wantedBack.clear();
        cluster.declare(runs, 3, 3);
        cluster.time.advance(2 * INTERVAL);
        assertThat(runs.wantedBack).isNotEmpty();
    }

    /** It goes on without them, and the others cannot. */
    @Test
    void aJobThatRunsWithLessThanItsMinimumIsServedLastAlthoughItIsTheOldest() {
        List<FakeJobMaster> jobs = jobsWithASlotOnEachWorker();
        runsWithLessThanItsMinimum(0);
        loseAWorker();

        assertThat(jobs.get(0).causes).isEmpty();
        assertThat(jobs.get(1).causes)
                .containsExactly("job older reaches its minimum with them, and job younger cannot run with its slots");
    }

    @Test
    void slotsThatTheirWorkerHadNotAcknowledgedWhenTheLastPlanWasMadeAreAskedForLater() {
        kept.holdAnswers = true;
        List<FakeJobMaster> jobs = jobsWithASlotOnEachWorker();
        loseAWorker();
        assertThat(jobs).allSatisfy(job -> assertThat(job.wantedBack).isEmpty());

        kept.answer();
        cluster.time.advance(INTERVAL);
        assertThat(jobs.get(0).wantedBack).isEmpty();
        assertThat(jobs.get(1).wantedBack).containsExactly(kept.slots.lastKey());
    }

    @Test
    void whatIsNotReturnedIsAskedForAgainAsLongAsItHelps() {
        List<FakeJobMaster> jobs = jobsWithASlotOnEachWorker();
        loseAWorker();
        cluster.time.advance(INTERVAL);
        assertThat(jobs.get(1).wantedBack).hasSize(2);

        cluster.worker("new");
        cluster.time.advance(100);
        cluster.time.advance(3 * INTERVAL);
        assertThat(cluster.states(jobs.get(0))).hasSize(2);
        assertThat(cluster.states(jobs.get(1))).hasSize(2);
        assertThat(jobs.get(1).wantedBack).as("it has its minimum").hasSize(2);
    }

    @Test
    void aJobThatNothingCanServeGivesWayToAYoungerOneThatCanRun() {
        FakeJobMaster large = cluster.job("large", 1);
        cluster.declare(large, 4, 4);
        cluster.time.advance(50);
        FakeJobMaster small = job("small", 2, 1);
        loseAWorker();

        assertThat(large.wantedBack).containsExactlyElementsOf(kept.slots.keySet());
        List.copyOf(kept.slots.keySet()).forEach(slot -> cluster.free(kept, slot));
        cluster.time.advance(100);
        assertThat(cluster.states(small)).hasSize(1);
        cluster.time.advance(3 * INTERVAL);
        assertThat(small.wantedBack).as("it runs").isEmpty();
    }

    @Test
    void aJobReturnsWhatItHasTooManyOfOneGroupForWhatItLacksOfAnother() {
        FakeJobMaster job = cluster.job("two-groups", 1);
        cluster.declare(job, new GroupRequirement("a", SLOT, 2, 2));
        cluster.time.advance(50);
        cluster.declare(job, new GroupRequirement("a", SLOT, 1, 2), new GroupRequirement("b", SLOT, 1, 1));
        cluster.time.advance(50);
        assertThat(kept.slots.values()).extracting(SlotReport.Slot::group).containsExactly("a", "a");
        assertThat(lost.slots.values()).extracting(SlotReport.Slot::group).containsExactly("b");
        loseAWorker();

        assertThat(job.wantedBack).containsExactly(kept.slots.firstKey());
        cluster.free(kept, kept.slots.firstKey());
        cluster.time.advance(100);
        assertThat(kept.slots.values()).extracting(SlotReport.Slot::group).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void nothingIsAskedForThatWouldServeNobody() {
        FakeJobMaster first = cluster.job("first", 1);
        cluster.declare(first, 4, 4);
        cluster.time.advance(50);
        FakeJobMaster second = job("second", 2, 3);
        loseAWorker();
        cluster.time.advance(3 * INTERVAL);

        assertThat(first.wantedBack).isEmpty();
        assertThat(second.wantedBack).isEmpty();
    }

    @Test
    void nothingIsAskedForThatFitsOnlyWhenEachSpecMayHaveAllThatTheClusterMayHave() {
        List<FakeJobMaster> jobs = jobsWithASlotOnEachWorker();
        loseAWorker();
        cluster.manager.configure(TestCluster.settings()
                .limits(new ClusterLimits(0, 0, 4_000, 0, 0))
                .build());
        cluster.manager.backendAdded(new FakeBackend(
                WorkerSpec.of("one", SLOT.times(2)).defaultSlots(2).maximum(10).build(),
                WorkerSpec.of("other", SLOT.times(2))
                        .defaultSlots(2)
                        .maximum(10)
                        .build()));
        jobs.forEach(job -> job.wantedBack.clear());
        jobs.forEach(job -> cluster.declare(job, 5, 5));
        cluster.time.advance(3 * INTERVAL);

        assertThat(jobs).allSatisfy(job -> assertThat(job.wantedBack).isEmpty());
    }

    @Test
    void nothingIsAskedForWhileWorkersAreStartedForTheOlderJob() {
        List<FakeJobMaster> jobs = jobsWithASlotOnEachWorker();
        cluster.manager.backendAdded(new FakeBackend(WorkerSpec.of("small", SLOT.times(2))
                .defaultSlots(2)
                .maximum(10)
                .build()));
        loseAWorker();

        assertThat(jobs).allSatisfy(job -> assertThat(job.wantedBack).isEmpty());
    }

    @Test
    void onlyAsManyOfTheYoungestAreAskedAsItTakes() {
        List<FakeJobMaster> jobs = new ArrayList<>();
        for (int number = 1; number <= 10; number++) {
            if (number % 2 == 1 && number > 1) {
                cluster.worker("kept-" + number);
            }
            jobs.add(job("job-" + number, number, 1));
            cluster.time.advance(50);
        }
        assertThat(lost.slots).as("the third and the fourth run there").hasSize(2);
        jobs.forEach(job -> cluster.declare(job, 2, 2));
        cluster.declare(jobs.get(0), 5, 5);
        cluster.time.advance(50);

        assertThat(jobs.subList(6, 10))
                .allSatisfy(job -> assertThat(job.wantedBack).hasSize(1));
        assertThat(jobs.subList(0, 6))
                .allSatisfy(job -> assertThat(job.wantedBack).isEmpty());
    }

    @Test
    void allWorkersOfASpecThatMayBeStartedCountTogetherWithWhatIsReturned() {
        List<FakeJobMaster> jobs = jobsWithASlotOnEachWorker();
        cluster.manager.backendAdded(new FakeBackend(
                WorkerSpec.of("single", SLOT).defaultSlots(1).maximum(3).build()));
        jobs.forEach(job -> cluster.declare(job, 8, 8));
        cluster.time.advance(100);
        assertThat(jobs).allSatisfy(job -> assertThat(job.wantedBack).isEmpty());

        cluster.declare(jobs.get(0), 7, 7);
        cluster.time.advance(100);
        assertThat(jobs.get(1).wantedBack)
                .as("two of it and three of new workers")
                .hasSize(2);
    }
}
