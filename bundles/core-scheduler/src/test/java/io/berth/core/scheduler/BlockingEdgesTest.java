package io.berth.core.scheduler;

import static io.berth.core.scheduler.Jobs.SLOT;
import static io.berth.core.scheduler.Jobs.edge;
import static io.berth.core.scheduler.Jobs.graph;
import static io.berth.core.scheduler.Jobs.vertex;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.JobMasterGateway.LeavingWorker;
import io.berth.core.api.gateway.ResourceManagerGateway.UnitRequirement;
import io.berth.core.api.gateway.TaskExecutorGateway.Commit;
import io.berth.core.api.job.JobDetails.Transition;
import io.berth.core.api.job.JobDetails.VertexDetails;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.Exchange;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskDeployment.Producer;
import io.berth.core.api.task.TaskState;
import io.berth.core.scheduler.job.JobUnit;
import io.berth.spi.AllocationId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A job with blocking edges runs unit by unit (FLIP-119, FLIP-160). */
class BlockingEdgesTest {

    private static final long ROOT_CAUSE_WAIT = 300;

    private Harness harness = new Harness();
    private int slots;

    private static JobEdge stored(String from, String to) {
        return new JobEdge(from, to, Partitioning.HASH, Exchange.BLOCKING);
    }

    /** read, then sort, with two subtasks each. */
    private static JobGraph sort() {
        return graph(
                List.of(vertex("read", 2, 2, "default"), vertex("sort", 2, 2, "default")),
                List.of(stored("read", "sort")));
    }

    /** One slot of the worker for each of the units. */
    private void grant(FakeWorker worker, String... units) {
        for (String unit : units) {
            assertThat(worker.offer(FakeWorker.offer(++slots, unit, "default", SLOT)))
                    .hasSize(1);
        }
    }

    private List<String> declared() {
        return harness.resourceManager.lastDeclaration().units().stream()
                .map(UnitRequirement::unit)
                .toList();
    }

    private void finish(String chain) {
        harness.tasks().forEach((attempt, worker) -> {
            if (attempt.chain().equals(chain)) {
                worker.update(attempt, TaskState.FINISHED);
            }
        });
        harness.time.advance(1);
    }

    private List<AttemptId> attempts() {
        return List.copyOf(harness.tasks().keySet());
    }

    private AttemptId attempt(String chain, int subtask, long execution) {
        return harness.attempt(chain, subtask, execution);
    }

    @Test
    void aUnitStartsWhenTheResultThatItReadsIsThere() {
        harness.start(sort());
        FakeWorker w1 = harness.worker("w1");
        FakeWorker w2 = harness.worker("w2");
        assertThat(declared()).containsExactly("read");
        assertThat(w1.offer(FakeWorker.offer(99, "sort", "default", SLOT)))
                .as("a slot for a unit that does not run")
                .isEmpty();
        grant(w1, "read");
        grant(w2, "read");
        assertThat(attempts()).containsExactly(attempt("read", 0, 1), attempt("read", 1, 1));
        assertThat(w1.deployments.get(attempt("read", 0, 1)).outputs())
                .extracting(TaskDeployment.Output::exchange, TaskDeployment.Output::consumers)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(Exchange.BLOCKING, 128));

        finish("read");

        assertThat(harness.status()).isEqualTo(JobStatus.WAITING_FOR_RESOURCES);
        assertThat(declared()).containsExactly("sort");
        assertThat(w1.freed).containsExactly(new AllocationId(1, 1));
        grant(w2, "sort", "sort");
        TaskDeployment.Input input =
                w2.deployments.get(attempt("sort", 1, 1)).inputs().get(0);
        assertThat(input.exchange()).isEqualTo(Exchange.BLOCKING);
        assertThat(input.producers())
                .containsExactly(
                        new Producer(new PartitionId(attempt("read", 0, 1), 0), "w1:9000"),
                        new Producer(new PartitionId(attempt("read", 1, 1), 0), "w2:9000"));
        assertThat(w1.released).as("it is being read").isEmpty();

        finish("sort");

        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.FINISHED);
        assertThat(harness.lastReport().vertices())
                .extracting(VertexDetails::finished)
                .containsExactly(2, 2);
        assertThat(w1.released).containsExactly(new PartitionId(attempt("read", 0, 1), 0));
        assertThat(w2.released).containsExactly(new PartitionId(attempt("read", 1, 1), 0));
        assertThat(w1.disconnected).containsExactly(true);
    }

    @Test
    void unitsThatDoNotDependOnEachOtherRunSideBySide() {
        harness.start(graph(
                List.of(vertex("a", 1, 1, "default"), vertex("b", 1, 1, "default"), vertex("c", 1, 1, "default")),
                List.of(stored("a", "c"), stored("b", "c"))));
        FakeWorker worker = harness.worker("w1");
        assertThat(declared()).containsExactly("a", "b");
        grant(worker, "b");
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        grant(worker, "a");
        assertThat(attempts()).containsExactly(attempt("a", 0, 1), attempt("b", 0, 1));
        finish("a");
        assertThat(declared()).as("c needs the result of b too").containsExactly("b");
        finish("b");
        assertThat(declared()).containsExactly("c");
        assertThat(harness.details().history())
                .extracting(Transition::reason)
                .contains("a: parallelism a 1", "b: parallelism b 1");
    }

    @Test
    void c135_aUnitRunsAgainWhenItsResultIsLostBeforeItWasRead() {
        harness.start(sort());
        FakeWorker w1 = harness.worker("w1");
        FakeWorker w2 = harness.worker("w2");
        grant(w1, "read");
        grant(w2, "read");
        finish("read");
        assertThat(declared()).containsExactly("sort");

        harness.giveUp(w1, "its host is gone");
        harness.time.advance(1);

        assertThat(declared()).containsExactly("read");
        grant(w2, "read", "read");
        assertThat(attempts()).containsExactly(attempt("read", 0, 2), attempt("read", 1, 2));
        finish("read");
        grant(w2, "sort", "sort");
        assertThat(w2.deployments.get(attempt("sort", 0, 1)).inputs().get(0).producers())
                .extracting(producer -> producer.partition().producer())
                .containsExactly(attempt("read", 0, 2), attempt("read", 1, 2));
        finish("sort");
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.FINISHED);
        assertThat(w2.released)
                .as("also the part of the first result that was left")
                .hasSize(3);
    }

    @Test
    void c135_tasksThatMayHaveReadALostResultGoOnUntilTheyFail() {
        harness.start(sort());
        FakeWorker w1 = harness.worker("w1");
        FakeWorker w2 = harness.worker("w2");
        grant(w1, "read", "read");
        finish("read");
        grant(w2, "sort", "sort");
        harness.giveUp(w1, "its host is gone");
        harness.time.advance(1);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(declared()).containsExactly("sort");

        w2.fail(attempt("sort", 0, 1), "the connection to w1:9000 broke", false);
        harness.time.advance(60_000);

        assertThat(w2.canceled).contains(attempt("sort", 1, 1));
        assertThat(declared()).containsExactly("read");
        grant(w2, "read", "read");
        finish("read");
        grant(w2, "sort", "sort");
        assertThat(attempts()).containsExactly(attempt("sort", 0, 2), attempt("sort", 1, 2));
        finish("sort");
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.FINISHED);
        assertThat(harness.lastReport().restarts()).isEqualTo(1);
    }

    @Test
    void aResultThatIsLostWhileItsUnitRunsRestartsTheUnit() {
        harness.start(sort());
        FakeWorker w1 = harness.worker("w1");
        FakeWorker w2 = harness.worker("w2");
        grant(w1, "read");
        grant(w2, "read");
        w1.update(attempt("read", 0, 1), TaskState.FINISHED);
        harness.giveUp(w1, "its host is gone");
        harness.time.advance(60_000);
        assertThat(w2.canceled).contains(attempt("read", 1, 1));
        grant(w2, "read");
        harness.time.advance(60_000);
        assertThat(attempts()).containsExactly(attempt("read", 0, 2), attempt("read", 1, 2));
    }

    @Test
    void c135_aTaskThatCannotReadItsInputHasItProducedAgain() {
        harness.start(sort());
        FakeWorker w1 = harness.worker("w1");
        FakeWorker w2 = harness.worker("w2");
        grant(w1, "read", "read");
        finish("read");
        grant(w2, "sort", "sort");
        PartitionId lost = new PartitionId(attempt("read", 1, 1), 0);
        w2.cannotRead(attempt("sort", 0, 1), lost);
        harness.time.advance(ROOT_CAUSE_WAIT);
        assertThat(declared()).as("sort keeps its slots while it restarts").containsExactlyInAnyOrder("read", "sort");
        grant(w1, "read", "read");
        finish("read");
        harness.time.advance(60_000);
        assertThat(w2.deployments.get(attempt("sort", 0, 2)).inputs().get(0).producers())
                .extracting(producer -> producer.partition().producer())
                .containsExactly(attempt("read", 0, 2), attempt("read", 1, 2));
        finish("sort");
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.FINISHED);
        assertThat(w1.released).as("both results").hasSize(4);
    }

    @Test
    void aWorkerThatNoLongerKeepsAResultHasItProducedAgain() {
        harness.start(sort());
        FakeWorker w1 = harness.worker("w1");
        grant(w1, "read", "read");
        finish("read");
        assertThat(declared()).containsExactly("sort");
        harness.time.advance(60_000);
        assertThat(declared()).as("it keeps them").containsExactly("sort");

        // The JobMaster was paused for longer than the worker waits for it.
        w1.results.clear();
        harness.time.advance(60_000);

        assertThat(declared()).containsExactly("read");
        grant(w1, "read", "read");
        finish("read");
        grant(w1, "sort", "sort");
        finish("sort");
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.FINISHED);
        assertThat(harness.lastReport().restarts()).isZero();
    }

    @Test
    void aLateReportOfALostResultDoesNotStartAUnitWithoutInput() {
        harness.start(sort());
        FakeWorker w1 = harness.worker("w1");
        FakeWorker w2 = harness.worker("w2");
        grant(w1, "read", "read");
        finish("read");
        grant(w2, "sort", "sort");
        now(w2, 3);
        now(w2, 4);
        harness.time.advance(60_000);
        assertThat(harness.status()).isEqualTo(JobStatus.WAITING_FOR_RESOURCES);

        w2.cannotRead(attempt("sort", 0, 1), new PartitionId(attempt("read", 0, 1), 0));
        harness.time.advance(1);

        assertThat(declared()).containsExactly("read");
        assertThat(w2.offer(FakeWorker.offer(++slots, "sort", "default", SLOT))).isEmpty();
    }

    /** The worker does not have the slot any more. */
    private void now(FakeWorker worker, int slot) {
        Harness.now(harness.jobMaster().failSlot(worker.id, worker.session, new AllocationId(1, slot), "it is gone"));
    }

    @Test
    void aWorkerThatStoresResultsStaysWithTheJobWhenItsLastSlotIsGone() {
        harness.start(sort());
        FakeWorker w1 = harness.worker("w1");
        FakeWorker w2 = harness.worker("w2");
        grant(w1, "read", "read");
        finish("read");
        grant(w1, "sort");
        grant(w2, "sort");
        now(w1, 3);
        harness.time.advance(60_000);
        assertThat(declared()).as("its results are still there").containsExactly("sort");
        grant(w2, "sort");
        harness.time.advance(60_000);
        assertThat(attempts()).containsExactly(attempt("sort", 0, 2), attempt("sort", 1, 2));
    }

    @Test
    void aJobThatMustNotRestartFailsAlthoughItsInputIsLostToo() {
        harness = new Harness(Configurations.withoutRestarts());
        harness.start(sort());
        FakeWorker w1 = harness.worker("w1");
        FakeWorker w2 = harness.worker("w2");
        grant(w1, "read", "read");
        finish("read");
        grant(w1, "sort");
        grant(w2, "sort");
        w2.ignoresCancel = true;
        harness.giveUp(w1, "its host is gone");
        assertThat(harness.status()).isEqualTo(JobStatus.FAILING);
        w2.update(attempt("sort", 1, 1), TaskState.CANCELED);
        harness.time.advance(1);
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.FAILED);
        assertThat(harness.lastReport().reason()).contains("restart.strategy is none");
    }

    @Test
    void aResultThatCanNeverBeReadFailsTheJobAtLast() {
        harness.start(sort());
        FakeWorker worker = harness.worker("w1");
        grant(worker, "read", "read");
        finish("read");
        grant(worker, "sort", "sort");
        int reads = 1;
        while (harness.lastReport().status() != JobStatus.FAILED) {
            assertThat(reads).isLessThan(20);
            AttemptId reader = attempts().stream()
                    .filter(attempt -> attempt.chain().equals("sort"))
                    .findFirst()
                    .orElseThrow();
            worker.cannotRead(reader, new PartitionId(attempt("read", 0, reads), 0));
            harness.time.advance(60_000 / 2);
            reads++;
            if (declared().contains("read")) {
                grant(worker, "read", "read");
                finish("read");
                harness.time.advance(60_000 / 2);
            }
            if (declared().equals(List.of("sort")) && attempts().isEmpty()) {
                grant(worker, "sort", "sort");
            }
        }
        assertThat(reads - 1).as("the first execution and 10 restarts").isEqualTo(11);
        assertThat(harness.lastReport().reason()).contains("failed again after 10 restarts");
    }

    @Test
    void resultsOfAnExecutionThatFailedAreReleased() {
        harness.start(sort());
        FakeWorker w1 = harness.worker("w1");
        FakeWorker w2 = harness.worker("w2");
        grant(w1, "read");
        grant(w2, "read");
        w1.update(attempt("read", 0, 1), TaskState.FINISHED);
        harness.giveUp(w2, "its host is gone");
        harness.time.advance(60_000);
        assertThat(w1.released).containsExactly(new PartitionId(attempt("read", 0, 1), 0));
    }

    @Test
    void c131_c137_aUnitThatWaitsWhileAnotherOneRunsDoesNotFailForIt() {
        harness = new Harness(Configurations.resourceWait(5_000));
        harness.start(graph(
                List.of(vertex("a", 1, 1, "default"), vertex("b", 1, 1, "default"), vertex("c", 1, 1, "default")),
                List.of(stored("a", "c"), stored("b", "c"))));
        FakeWorker worker = harness.worker("w1");
        grant(worker, "a");
        harness.time.advance(60_000);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        finish("a");
        harness.time.advance(60_000);
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.FAILED);
        assertThat(harness.lastReport().reason()).startsWith("b: ").contains("resource.wait.timeout.ms");
    }

    @Test
    void aUnitThatFailsEndsTheOthersAndTheJob() {
        harness.start(graph(
                List.of(vertex("a", 1, 1, "default"), vertex("b", 1, 1, "default"), vertex("c", 1, 1, "default")),
                List.of(stored("a", "c"), stored("b", "c"))));
        FakeWorker worker = harness.worker("w1");
        grant(worker, "a", "b");
        worker.fail(attempt("a", 0, 1), "no such file", io.berth.core.api.task.FailureKind.PERMANENT);
        harness.time.advance(1);
        assertThat(worker.canceled).contains(attempt("b", 0, 1));
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.FAILED);
        assertThat(harness.lastReport().reason()).startsWith("a: ").contains("no such file");
        assertThat(worker.disconnected).containsExactly(true);
        assertThat(harness.resourceManager.disconnected).hasSize(1);
    }

    @Test
    void cancelingAJobEndsAllUnits() {
        harness.start(graph(
                List.of(vertex("a", 1, 1, "default"), vertex("b", 1, 1, "default"), vertex("c", 1, 1, "default")),
                List.of(stored("a", "c"), stored("b", "c"))));
        FakeWorker worker = harness.worker("w1");
        grant(worker, "a");
        worker.ignoresCancel = true;
        Harness.now(harness.jobMaster().cancel("the user wishes it"));
        assertThat(harness.status()).isEqualTo(JobStatus.CANCELING);
        worker.update(attempt("a", 0, 1), TaskState.CANCELED);
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.CANCELED);
        assertThat(harness.lastReport().endedMillis()).isPositive();
    }

    @Test
    void outputIsCommittedOnceAlthoughItsUnitRunsAgain() {
        // The unit of a also writes a file.
        harness.start(graph(
                List.of(vertex("a", 1, 1, "default"), vertex("file", 1, 1, "default"), vertex("c", 1, 1, "default")),
                List.of(edge("a", "file", Partitioning.HASH), stored("a", "c"))));
        FakeWorker worker = harness.worker("w1");
        FakeWorker other = harness.worker("w2");
        grant(worker, "a");
        Committable file = new Committable("file", new byte[] {1});
        worker.ready(attempt("a", 0, 1));
        worker.ready(attempt("file", 0, 1), file);
        assertThat(worker.commits).extracting(Commit::committables).contains(List.of(file));
        finish("a");
        finish("file");
        assertThat(declared()).containsExactly("c");

        harness.giveUp(worker, "its host is gone");
        harness.time.advance(1);
        grant(other, "a");
        other.ready(attempt("a", 0, 2));
        other.ready(attempt("file", 0, 2), file);
        assertThat(other.commits).hasSize(2).extracting(Commit::committables).containsOnly(List.of());
    }

    @Test
    void aUnitThatStartsLaterKnowsWhichWorkersLeave() {
        harness.start(sort());
        FakeWorker w1 = harness.worker("w1");
        grant(w1, "read", "read");
        Harness.now(harness.jobMaster()
                .blockWorkers(
                        harness.resourceManagerId(),
                        1,
                        List.of(),
                        List.of(new LeavingWorker(
                                w1.id, new io.berth.core.api.gateway.WorkerLeave(600_000, "maintenance")))));
        finish("read");
        assertThat(declared()).containsExactly("sort");
        assertThat(w1.offer(FakeWorker.offer(++slots, "sort", "default", SLOT))).isEmpty();
    }

    @Test
    void theOnlyUnitOfAJobHasTheNameThatItAlwaysHad() {
        harness.start(Jobs.wordCount(1, 2));
        assertThat(declared()).containsExactly(JobUnit.ALL);
    }
}
