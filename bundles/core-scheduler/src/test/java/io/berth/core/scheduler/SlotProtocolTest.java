package io.berth.core.scheduler;

import static io.berth.core.scheduler.Jobs.SLOT;
import static io.berth.core.scheduler.Jobs.vertex;
import static io.berth.core.scheduler.Jobs.wordCount;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.JobMasterGateway.SlotOffers;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.gateway.ResourceManagerGateway.RequirementsDeclaration;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.task.TaskState;
import io.berth.core.scheduler.job.SchedulerConfiguration.SlotReuse;
import io.berth.spi.AllocationId;
import io.berth.spi.ResourceProfile;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The slot protocol with workers and the ResourceManager, from the view of one JobMaster. */
class SlotProtocolTest {

    private static final ResourceProfile LARGE = ResourceProfile.of(2_000, 1L << 30);

    private Harness harness = new Harness();

    private static AllocationId id(int number) {
        return new AllocationId(1, number);
    }

    private List<GroupRequirement> declared() {
        RequirementsDeclaration last = harness.resourceManager.lastDeclaration();
        return last.units().get(0).groups();
    }

    @Test
    void c57_aWorkerThatIsGivenUpIsDisconnectedAndTheJobLosesItsSlots() {
        harness.start(wordCount(1, 2));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 2, "default", SLOT);
        harness.giveUp(worker, "no heartbeat");
        assertThat(harness.details().slots()).isEmpty();
        assertThat(worker.disconnected).containsExactly(false);
    }

    @Test
    void c69_slotsOnABlockedWorkerAreReturnedWhenTheyAreFree() {
        harness.start(wordCount(1, 2));
        FakeWorker first = harness.worker("w1");
        FakeWorker second = harness.worker("w2");
        first.offer(1, 1, "default", SLOT);
        harness.time.advance(3_000);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        Harness.now(harness.jobMaster().blockWorkers(harness.resourceManagerId(), 1, List.of(first.id), List.of()));
        assertThat(first.freed).as("it is in use").isEmpty();
        second.offer(2, 2, "default", SLOT);
        first.fail(harness.attempt("source", 0, 1), "x", false);
        assertThat(first.freed).containsExactly(id(1));
        harness.time.advance(10_000);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(second.deployments.keySet())
                .anySatisfy(attempt -> assertThat(attempt.execution()).isEqualTo(2));
    }

    @Test
    void c69_aBlocklistMayArriveBeforeTheRegistrationAnswerAndEndsWithItsResourceManager() {
        harness.resourceManager.silent = true;
        harness.start(wordCount(1, 2));
        FakeWorker worker = harness.worker("w1");
        Harness.now(harness.jobMaster().blockWorkers(harness.resourceManagerId(), 1, List.of(worker.id), List.of()));
        harness.resourceManager.silent = false;
        harness.resourceManager.answerFirstHeld();
        assertThat(worker.offer(1, 1, "default", SLOT)).isEmpty();
        harness.restartResourceManager();
        harness.directory.change();
        assertThat(worker.offer(1, 1, "default", SLOT))
                .as("the next ResourceManager has blocked no worker")
                .hasSize(1);
    }

    @Test
    void c71_allOffersAreAcceptedWhileTheJobRestarts() {
        harness.start(wordCount(1, 2));
        FakeWorker first = harness.worker("w1");
        first.offer(1, 2, "default", SLOT);
        first.ignoresCancel = true;
        first.fail(harness.attempt("source", 0, 1), "x", false);
        assertThat(harness.status()).isEqualTo(JobStatus.RESTARTING);
        FakeWorker second = harness.worker("w2");
        assertThat(second.offer(3, 4, "default", SLOT)).hasSize(2);
        first.ignoresCancel = false;
        harness.time.advance(1_200);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(harness.details().slots()).hasSize(4);
        harness.time.advance(12_000);
        assertThat(harness.details().slots()).hasSize(2);
        assertThat(second.freed).containsExactly(id(3), id(4));
    }

    @Test
    void c73_slotsAreAcceptedWithoutAResourceManager() {
        harness.resourceManager.away = true;
        harness.start(wordCount(2, 2));
        assertThat(harness.worker("w1").offer(1, 2, "default", SLOT)).hasSize(2);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
    }

    @Test
    void c75_afterARestartEachSubtaskRunsInTheSlotItHad() {
        harness.start(wordCount(1, 4));
        FakeWorker second = harness.worker("w2");
        second.offer(3, 4, "default", SLOT);
        harness.time.advance(3_000);
        FakeWorker first = harness.worker("w1");
        first.offer(1, 2, "default", SLOT);
        harness.time.advance(2_000);
        assertThat(slotsOf(2)).containsExactly(id(3), id(4), id(1), id(2));
        // A restarted worker process offers its previous allocations.
        FakeWorker again = harness.worker("w1", 2);
        assertThat(again.offer(1, 2, "default", SLOT)).hasSize(2);
        harness.time.advance(5_000);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(slotsOf(3)).containsExactly(id(3), id(4), id(1), id(2));
    }

    private List<AllocationId> slotsOf(long execution) {
        return harness.workers.stream()
                .flatMap(worker -> worker.deployments.values().stream())
                .filter(task -> task.attempt().execution() == execution
                        && task.attempt().chain().equals("source"))
                .sorted((one, other) ->
                        Integer.compare(one.attempt().subtask(), other.attempt().subtask()))
                .map(task -> task.allocation())
                .toList();
    }

    @Test
    void c105_aHeartbeatToAWorkerDoesNotListAFreedSlot() {
        harness.start(wordCount(1, 2));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 2, "default", SLOT);
        harness.time.advance(1_000);
        assertThat(worker.listedSlots).containsExactly(id(1), id(2));
        harness.jobMaster().failSlot(worker.id, worker.session, id(2), "it was freed");
        harness.time.advance(1_000);
        assertThat(worker.listedSlots).containsExactly(id(1));
        assertThat(worker.reports)
                .as("numbers tell the worker which list is newer")
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void aWorkerIsDisconnectedWhenItsLastSlotFails() {
        harness.start(wordCount(1, 2));
        FakeWorker first = harness.worker("w1");
        FakeWorker second = harness.worker("w2");
        first.offer(1, 1, "default", SLOT);
        second.offer(2, 2, "default", SLOT);
        harness.jobMaster().failSlot(first.id, first.session, id(7), "never had");
        assertThat(first.disconnected).as("the job still has slot 1").isEmpty();
        harness.jobMaster().failSlot(first.id, first.session, id(1), "freed");
        assertThat(first.disconnected).containsExactly(false);
        assertThat(second.disconnected).isEmpty();
        first.listedSlots = List.of(id(99));
        harness.time.advance(2_000);
        assertThat(first.listedSlots).as("heartbeats have stopped").containsExactly(id(99));
        assertThat(first.offer(3, 3, "default", SLOT))
                .as("rejected until it registers again")
                .isEmpty();
        first.register();
        assertThat(first.offer(3, 3, "default", SLOT)).hasSize(1);
    }

    @Test
    void f12_aNoticeOfAnEarlierSessionHasNoEffectOnTheNext() {
        harness.start(wordCount(1, 1));
        FakeWorker old = harness.worker("w1");
        FakeWorker again = harness.worker("w1", 2);
        again.offer(1, 1, "default", SLOT);
        harness.giveUp(old, "it was lost");
        harness.jobMaster().failSlot(old.id, old.session, id(1), "the process ended");
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(harness.details().slots()).hasSize(1);
    }

    @Test
    void f12_anOlderBlocklistHasNoEffectEvenBeforeTheRegistration() {
        harness.start(wordCount(1, 4));
        FakeWorker worker = harness.worker("w1");
        harness.restartResourceManager();
        Harness.now(harness.jobMaster().blockWorkers(harness.resourceManagerId(), 4, List.of(), List.of()));
        harness.resourceManager.silent = true;
        harness.directory.change();
        Harness.now(harness.jobMaster().blockWorkers(harness.resourceManagerId(), 1, List.of(worker.id), List.of()));
        harness.resourceManager.silent = false;
        harness.resourceManager.answerFirstHeld();
        assertThat(worker.offer(1, 1, "default", SLOT)).hasSize(1);
    }

    @Test
    void f12_anOlderBlocklistNeitherBlocksNorUnblocksAWorker() {
        harness.start(wordCount(1, 4));
        FakeWorker worker = harness.worker("w1");
        Harness.now(harness.jobMaster().blockWorkers(harness.resourceManagerId(), 4, List.of(worker.id), List.of()));
        Harness.now(harness.jobMaster().blockWorkers(harness.resourceManagerId(), 5, List.of(), List.of()));
        for (int copy = 0; copy < 100; copy++) {
            Harness.now(
                    harness.jobMaster().blockWorkers(harness.resourceManagerId(), 4, List.of(worker.id), List.of()));
        }
        assertThat(worker.offer(1, 1, "default", SLOT)).hasSize(1);
        Harness.now(harness.jobMaster().blockWorkers(harness.resourceManagerId(), 6, List.of(worker.id), List.of()));
        Harness.now(harness.jobMaster().blockWorkers(harness.resourceManagerId(), 5, List.of(), List.of()));
        assertThat(worker.offer(2, 2, "default", SLOT)).isEmpty();
    }

    @Test
    void aNewResourceManagerNumbersItsBlocklistsFromOneAgain() {
        harness.start(wordCount(1, 4));
        FakeWorker worker = harness.worker("w1");
        Harness.now(harness.jobMaster().blockWorkers(harness.resourceManagerId(), 7, List.of(), List.of()));
        harness.restartResourceManager();
        harness.directory.change();
        Harness.now(harness.jobMaster().blockWorkers(harness.resourceManagerId(), 1, List.of(worker.id), List.of()));
        assertThat(worker.offer(1, 1, "default", SLOT)).isEmpty();
    }

    @Test
    void f12_aDisconnectNamesTheRegistrationThatItEnds() {
        harness.start(wordCount(1, 1));
        FakeWorker worker = harness.worker("w1");
        assertThat(instance(worker.register())).as("already registered").isEqualTo(1);
        harness.giveUp(worker, "no heartbeat");
        assertThat(instance(worker.register())).isEqualTo(2);
        harness.giveUp(worker, "no heartbeat");
        assertThat(worker.ended).containsExactly(1L, 2L);
    }

    private static long instance(RegistrationResponse response) {
        return ((RegistrationResponse.Accepted) response).instance().number();
    }

    @Test
    void f14_requestsOfThePreviousResourceManagerHaveNoEffect() {
        harness.start(wordCount(1, 1));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 1, "default", SLOT);
        var previous = harness.resourceManagerId();
        harness.restartResourceManager();
        harness.directory.change();
        assertThat(harness.resourceManager.registrations).hasSize(2);
        Harness.now(harness.jobMaster().disconnectWorker(previous, worker.id, worker.session, "late"));
        Harness.now(harness.jobMaster().blockWorkers(previous, 9, List.of(worker.id), List.of()));
        assertThat(Harness.now(harness.jobMaster().requestSlotReturn(previous, List.of(id(1)), true, "late")))
                .isEmpty();
        assertThat(harness.details().slots()).hasSize(1);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
    }

    @Test
    void theLatestOfferOfASessionWins() {
        harness.start(wordCount(1, 4));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 1, "default", SLOT);
        SlotOffers late = new SlotOffers(
                worker.id, worker.session, worker.offerNumber - 1, List.of(FakeWorker.offer(2, "default", SLOT)));
        assertThat(Harness.now(harness.jobMaster().offerSlots(late)).accepted()).isEmpty();
        assertThat(harness.details().slots()).hasSize(1);
        SlotOffers again = new SlotOffers(
                worker.id, worker.session, worker.offerNumber, List.of(FakeWorker.offer(1, "default", SLOT)));
        assertThat(Harness.now(harness.jobMaster().offerSlots(again)).accepted())
                .as("the same offer, delivered twice")
                .containsExactly(id(1));
        FakeWorker started = harness.worker("w1", 2);
        assertThat(started.offer(5, 5, "default", SLOT))
                .as("offer numbers start again in a new session")
                .hasSize(1);
    }

    @Test
    void f07_aDuplicateOfferDoesNotBringBackAFreedSlot() {
        harness.start(wordCount(1, 2));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 2, "default", SLOT);
        harness.jobMaster().failSlot(worker.id, worker.session, id(2), "freed");
        SlotOffers copy = new SlotOffers(
                worker.id,
                worker.session,
                worker.offerNumber,
                List.of(FakeWorker.offer(1, "default", SLOT), FakeWorker.offer(2, "default", SLOT)));
        assertThat(Harness.now(harness.jobMaster().offerSlots(copy)).accepted()).containsExactly(id(1));
        assertThat(harness.details().slots()).hasSize(1);
    }

    @Test
    void f07_aDuplicateOfAWaitingOfferGetsTheSameAnswer() {
        harness.start(Jobs.graph(List.of(vertex("a", 1, 1, "left"), vertex("b", 1, 1, "right")), List.of()));
        FakeWorker worker = harness.worker("w1");
        harness.policies.holdsAssignments = true;
        SlotOffers offers = new SlotOffers(
                worker.id,
                worker.session,
                1,
                List.of(FakeWorker.offer(1, "left", SLOT), FakeWorker.offer(2, "left", SLOT)));
        var answer = harness.jobMaster().offerSlots(offers).toCompletableFuture();
        var answerToCopy = harness.jobMaster().offerSlots(offers).toCompletableFuture();
        assertThat(answer).isNotDone();
        harness.policies.holdsAssignments = false;
        harness.policies.answerAssignments();
        assertThat(Harness.now(answer).accepted()).containsExactly(id(1), id(2));
        assertThat(Harness.now(answerToCopy).accepted()).containsExactly(id(1), id(2));
    }

    @Test
    void c109_anAnsweredHeartbeatResetsTheCountOfFailedOnes() {
        harness.start(wordCount(1, 1));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 1, "default", SLOT);
        for (int round = 0; round < 5; round++) {
            worker.away = true;
            harness.time.advance(1_000);
            worker.away = false;
            harness.time.advance(1_000);
        }
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(harness.details().restarts()).isZero();
        worker.away = true;
        harness.time.advance(2_000);
        assertThat(harness.details().slots()).isEmpty();
    }

    @Test
    void c109_theLimitOfFailedHeartbeatsIsASetting() {
        harness = new Harness(Configurations.heartbeatFailures(-1));
        harness.start(wordCount(1, 1));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 1, "default", SLOT);
        worker.away = true;
        harness.time.advance(9_999);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        harness.time.advance(2_000);
        assertThat(harness.details().slots()).isEmpty();
    }

    @Test
    void c150_aRescaleThatWaitsForABusySlotIsCountedOnce() {
        harness.start(wordCount(1, 2));
        FakeWorker first = harness.worker("w1");
        first.ignoresCancel = true;
        first.offer(1, 1, "default", SLOT);
        harness.time.advance(3_000);
        FakeWorker second = harness.worker("w2");
        second.offer(2, 2, "default", SLOT);
        harness.time.advance(5_000);
        assertThat(harness.status()).as("its task has not ended").isEqualTo(JobStatus.RESTARTING);
        first.ignoresCancel = false;
        harness.time.advance(20_000);
        JobDetails details = harness.details();
        assertThat(details.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(details.rescales()).isEqualTo(1);
        assertThat(details.restarts()).isZero();
        assertThat(details.vertices())
                .allSatisfy(each -> assertThat(each.parallelism()).isEqualTo(2));
        assertThat(first.deployments.keySet())
                .extracting(attempt -> attempt.execution())
                .containsOnly(1L, 2L);
    }

    @Test
    void aJobUsesTheLatestMatchingRuleOfTheResourceManager() {
        harness.start(wordCount(1, 2));
        FakeWorker worker = harness.worker("w1");
        assertThat(worker.offer(1, 1, "default", LARGE)).isEmpty();
        harness.resourceManager.rule = MatchingRule.LOOSE;
        harness.jobMaster().disconnectResourceManager(harness.resourceManagerId(), "the rule is another one");
        harness.time.advance(100);
        assertThat(worker.offer(2, 2, "default", LARGE)).hasSize(1);
        harness.resourceManager.rule = MatchingRule.EXACT;
        harness.jobMaster().disconnectResourceManager(harness.resourceManagerId(), "the rule is another one");
        harness.time.advance(200);
        assertThat(worker.offer(3, 3, "default", LARGE)).doesNotContain(id(3));
    }

    @Test
    void aBetterMatchingRestartsTheJobWithoutCountingAFailure() {
        harness = new Harness(Configurations.with(SlotReuse.REUSE));
        harness.resourceManager.rule = MatchingRule.LOOSE;
        harness.start(Jobs.graph(List.of(vertex("a", 1, 1, "small"), vertex("b", 1, 2, "large")), List.of()));
        FakeWorker worker = harness.worker("w1");
        worker.offer(FakeWorker.offer(1, "small", LARGE));
        worker.offer(FakeWorker.offer(2, "large", LARGE));
        harness.time.advance(3_000);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(worker.offer(FakeWorker.offer(3, "small", SLOT))).hasSize(1);
        harness.time.advance(1_000);
        JobDetails details = harness.details();
        assertThat(details.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(details.restarts()).isZero();
        assertThat(details.rescales()).isEqualTo(1);
        assertThat(details.vertices()).extracting(each -> each.parallelism()).containsExactly(1, 2);
        assertThat(worker.deployments.get(harness.attempt("a", 0, 2)).allocation())
                .isEqualTo(id(3));
        assertThat(declared())
                .as("the ResourceManager allocated slot 1 for group small")
                .extracting(group -> group.group() + " " + group.desired())
                .containsExactly("small 2", "large 1");
    }

    @Test
    void slotsThatAreNotReusedAreReturnedAndStayRequired() {
        harness = new Harness(Configurations.with(SlotReuse.RETURN));
        harness.resourceManager.rule = MatchingRule.LOOSE;
        harness.start(wordCount(1, 2));
        FakeWorker worker = harness.worker("w1");
        worker.offer(FakeWorker.offer(1, "default", LARGE), FakeWorker.offer(2, "default", SLOT));
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        worker.fail(harness.attempt("source", 0, 1), "x", false);
        assertThat(worker.freed).containsExactly(id(1));
        assertThat(declared())
                .singleElement()
                .satisfies(group -> assertThat(group.desired()).isEqualTo(2));
        harness.time.advance(5_000);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(harness.details().slots()).hasSize(1);
    }

    @Test
    void f15_aLostCommitIsNotRepeatedWhenTheJobRestarts() {
        harness.start(wordCount(1, 2));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 2, "default", SLOT);
        worker.ignoresCancel = true;
        worker.update(harness.attempt("source", 0, 1), TaskState.FINISHED);
        worker.update(harness.attempt("source", 1, 1), TaskState.FINISHED);
        worker.ready(harness.attempt("count", 1, 1));
        worker.away = true;
        worker.ready(harness.attempt("count", 0, 1));
        worker.away = false;
        worker.fail(harness.attempt("count", 1, 1), "broken", false);
        assertThat(harness.status()).isEqualTo(JobStatus.RESTARTING);
        harness.time.advance(5_000);
        assertThat(worker.commits).as("the next execution writes it again").isEmpty();
    }
}
