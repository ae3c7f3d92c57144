package io.berth.core.scheduler.peers;

import static io.berth.core.scheduler.Jobs.SLOT;
import static io.berth.core.scheduler.Jobs.wordCount;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.ResourceManagerGateway.RequirementsDeclaration;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.scheduler.FakeResourceManager;
import io.berth.core.scheduler.FakeWorker;
import io.berth.core.scheduler.Harness;
import io.berth.core.scheduler.Jobs;
import io.berth.spi.WorkerId;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResourceManagerConnectionTest {

    private final Harness harness = new Harness();

    private FakeResourceManager resourceManager() {
        return harness.resourceManager;
    }

    @Test
    void anUnansweredAttemptIsRepeatedWithTwiceTheTimeout() {
        resourceManager().silent = true;
        harness.start(wordCount(1, 1));
        assertThat(resourceManager().registrations).hasSize(1);
        int attempts = 1;
        for (long limit = 100; limit <= 12_800; limit *= 2) {
            harness.time.advance(limit - 1);
            assertThat(resourceManager().registrations).hasSize(attempts);
            harness.time.advance(1);
            assertThat(resourceManager().registrations).hasSize(++attempts);
        }
        harness.time.advance(25_600);
        harness.time.advance(30_000);
        assertThat(resourceManager().registrations).as("30 s at most").hasSize(attempts + 2);
        assertThat(harness.details().reason()).contains("registration: no answer within 30000 ms");
    }

    @Test
    void anAttemptThatFailedPausesForTenSeconds() {
        resourceManager().failsRegistrations = true;
        harness.start(wordCount(1, 1));
        harness.time.advance(9_999);
        assertThat(resourceManager().registrations).hasSize(1);
        harness.time.advance(1);
        assertThat(resourceManager().registrations).hasSize(2);
        resourceManager().failsRegistrations = false;
        harness.time.advance(10_000);
        assertThat(resourceManager().declarations).hasSize(1);
    }

    @Test
    void aRefusalPausesForThirtySeconds() {
        resourceManager().rejection = "older";
        harness.start(wordCount(1, 1));
        harness.time.advance(29_999);
        assertThat(resourceManager().registrations).hasSize(1);
        assertThat(harness.details().reason()).contains("the ResourceManager refuses the job: older");
        harness.time.advance(1);
        assertThat(resourceManager().registrations).hasSize(2);
    }

    @Test
    void aChangeOfTheLeaderEndsThePause() {
        resourceManager().failsRegistrations = true;
        harness.start(wordCount(1, 1));
        resourceManager().failsRegistrations = false;
        harness.directory.change();
        assertThat(resourceManager().registrations).hasSize(2);
        assertThat(resourceManager().declarations).hasSize(1);
    }

    @Test
    void sendsItsWorkersToANewLeaderAndTheNewLeaderToItsWorkers() {
        harness.start(wordCount(1, 2));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 2, "default", SLOT);
        worker.leaders.clear();

        harness.restartResourceManager();
        harness.directory.change();
        harness.time.advance(200);

        assertThat(resourceManager().registrations).hasSize(2);
        assertThat(resourceManager().registrations.get(1).workers()).containsExactly(new WorkerId("w1"));
        assertThat(worker.leaders)
                .extracting(EndpointRef::token)
                .containsOnly(harness.resourceManagerId().token());
    }

    @Test
    void aLateAnswerToAnAttemptThatWasGivenUpHasNoEffect() {
        resourceManager().silent = true;
        harness.start(wordCount(1, 1));
        harness.time.advance(100);
        assertThat(resourceManager().registrations).hasSize(2);
        resourceManager().silent = false;
        resourceManager().answerFirstHeld();
        assertThat(resourceManager().declarations).isEmpty();
        harness.time.advance(200);
        assertThat(resourceManager().declarations).hasSize(1);
    }

    @Test
    void aRegistrationThatEndsBeforeItsAnswerArrivesIsRepeated() {
        resourceManager().silent = true;
        harness.start(wordCount(1, 1));
        assertThat(resourceManager().registrations).hasSize(1);
        resourceManager().silent = false;

        harness.jobMaster().disconnectResourceManager(harness.resourceManagerId(), "another matching rule");

        assertThat(resourceManager().registrations).hasSize(2);
        assertThat(resourceManager().declarations).hasSize(1);
        resourceManager().answerFirstHeld();
        assertThat(resourceManager().declarations).hasSize(1);
    }

    @Test
    void waitsWithoutALeaderAndRegistersAsSoonAsThereIsOne() {
        harness.directory.empty = true;
        harness.start(wordCount(1, 1));
        harness.time.advance(7);
        assertThat(harness.details().reason()).contains("no process leads the role resource-manager now");
        harness.directory.empty = false;
        harness.directory.change();
        assertThat(resourceManager().declarations).hasSize(1);
    }

    @Test
    void registersAtANewLeaderWhileThePreviousOneStillSendsHeartbeats() {
        harness.start(wordCount(1, 1));
        var old = harness.resourceManagerId();
        harness.restartResourceManager();
        harness.directory.change();
        assertThat(resourceManager().registrations).hasSize(2);
        assertThat(harness.jobMaster()
                        .heartbeatFromResourceManager(old, 1, List.of())
                        .toCompletableFuture())
                .isCompletedExceptionally();
        assertThat(harness.jobMaster()
                        .heartbeatFromResourceManager(harness.resourceManagerId(), 1, List.of())
                        .toCompletableFuture())
                .isCompletedWithValueMatching(answer -> true);
    }

    @Test
    void declaresAgainWhenAHeartbeatSaysThatTheDeclarationIsNotFollowed() {
        harness.start(wordCount(1, 1));
        var first = resourceManager().declarations.get(0);
        harness.jobMaster().heartbeatFromResourceManager(harness.resourceManagerId(), first.sequence(), List.of());
        assertThat(resourceManager().declarations).hasSize(1);

        harness.jobMaster().heartbeatFromResourceManager(harness.resourceManagerId(), 0, List.of());

        assertThat(resourceManager().declarations).hasSize(2);
        var second = resourceManager().declarations.get(1);
        assertThat(second.sequence()).isGreaterThan(first.sequence());
        assertThat(second.units()).isEqualTo(first.units());
        harness.jobMaster().heartbeatFromResourceManager(harness.resourceManagerId(), second.sequence(), List.of());
        assertThat(resourceManager().declarations).hasSize(2);
    }

    @Test
    void f14_repeatsTheLookupUntilItFindsTheLeader() {
        harness.start(wordCount(1, 1));
        harness.stopResourceManager();
        harness.directory.change();
        harness.time.advance(350);
        assertThat(resourceManager().registrations).hasSize(1);
        harness.restartResourceManager();
        harness.time.advance(400);
        assertThat(resourceManager().registrations).hasSize(2);
    }

    @Test
    void f14_neverRegistersAtAnOlderLeader() {
        harness.start(wordCount(1, 1));
        var first = harness.resourceManagerToken;
        harness.restartResourceManager();
        harness.directory.change();
        var second = harness.resourceManagerId();
        harness.serveResourceManager(first);
        harness.directory.change();
        harness.jobMaster().disconnectResourceManager(second, "it ends");
        harness.time.advance(100_000);
        assertThat(resourceManager().registrations).hasSize(2);
        assertThat(harness.details().reason()).contains("is older than");
        harness.serveResourceManager(second.token());
        harness.time.advance(30_000);
        assertThat(resourceManager().registrations).hasSize(3);
    }

    @Test
    void c105_registersAgainAfterADisconnect() {
        harness.start(wordCount(1, 1));
        harness.jobMaster().disconnectResourceManager(harness.resourceManagerId(), "it lost the heartbeat");
        harness.time.advance(100);
        assertThat(resourceManager().registrations).hasSize(2);
        assertThat(resourceManager().declarations).hasSize(2);
    }

    @Test
    void c105_doesNotRegisterAgainWhileTheJobEnds() {
        harness.start(wordCount(1, 1));
        harness.worker("w1").offer(1, 1, "default", SLOT);
        harness.dispatcher.away = true;
        harness.finishAll();
        harness.jobMaster().disconnectResourceManager(harness.resourceManagerId(), "it ends");
        harness.restartResourceManager();
        harness.directory.change();
        harness.time.advance(600_000);
        assertThat(resourceManager().registrations).hasSize(1);
        harness.dispatcher.away = false;
        harness.time.advance(10_000);
        assertThat(harness.lastReport().status()).isEqualTo(JobStatus.FINISHED);
        assertThat(harness.directory.followers()).isZero();
    }

    @Test
    void c143_declaresAllRequirementsAgainAfterADisconnect() {
        harness.start(wordCount(1, 3));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 2, "default", SLOT);
        RequirementsDeclaration before = resourceManager().lastDeclaration();
        // The ResourceManager has missed its heartbeats for too long.
        harness.jobMaster().disconnectResourceManager(harness.resourceManagerId(), "no heartbeat");
        harness.time.advance(100);
        RequirementsDeclaration again = resourceManager().lastDeclaration();
        assertThat(again.units()).isEqualTo(before.units());
        assertThat(again.jobMaster()).isEqualTo(before.jobMaster());
        assertThat(again.sequence()).isGreaterThan(before.sequence());
        assertThat(harness.details().slots()).as("the job keeps its slots").hasSize(2);
        assertThat(worker.freed).isEmpty();
    }

    @Test
    void aFailedDeclarationIsRepeatedWithAnIncreasingDelay() {
        resourceManager().failsDeclarations = true;
        harness.start(wordCount(1, 1));
        assertThat(resourceManager().declarations).hasSize(1);
        harness.time.advance(1);
        harness.time.advance(2);
        harness.time.advance(4);
        assertThat(resourceManager().declarations).hasSize(4);
        harness.time.advance(100_000);
        int before = resourceManager().declarations.size();
        harness.time.advance(30_000);
        assertThat(resourceManager().declarations.size() - before)
                .as("every 10 s")
                .isEqualTo(3);
        assertThat(resourceManager().declarations)
                .extracting(RequirementsDeclaration::sequence)
                .containsOnly(resourceManager().declarations.get(0).sequence());
    }

    @Test
    void aNewerDeclarationEndsTheAttemptsOfThePreviousOne() {
        harness.start(Jobs.graph(List.of(Jobs.vertex("a", 1, 1, "left"), Jobs.vertex("b", 1, 1, "right")), List.of()));
        resourceManager().failsDeclarations = true;
        FakeWorker worker = harness.worker("w1");
        worker.offer(FakeWorker.offer(1, "left", SLOT));
        worker.offer(FakeWorker.offer(2, "left", SLOT));
        resourceManager().failsDeclarations = false;
        harness.time.advance(100_000);
        List<Long> sequences = resourceManager().declarations.stream()
                .map(RequirementsDeclaration::sequence)
                .toList();
        assertThat(sequences).isSorted();
        assertThat(resourceManager().lastDeclaration().units().get(0).groups())
                .extracting(group -> group.group() + " " + group.desired())
                .containsExactly("left 2");
    }
}
