package io.berth.worker;

import static io.berth.worker.WorkerFixture.attempt;
import static io.berth.worker.WorkerFixture.fails;
import static io.berth.worker.WorkerFixture.now;
import static io.berth.worker.WorkerFixture.ref;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.TaskExecutorGateway.DeploymentAnswer;
import io.berth.core.api.gateway.TaskExecutorGateway.DeploymentVerdict;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequests;
import io.berth.core.api.rpc.EndpointName;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TaskExecutorLifeTest {

    private final WorkerFixture fixture = new WorkerFixture();
    private final TaskExecutor worker = fixture.worker;

    @Test
    void registersAsSoonAsThereIsAResourceManager() {
        worker.start();
        fixture.time.advance(5_000);
        assertThat(fixture.resourceManager.registrations).isEmpty();

        fixture.rpc.publish(fixture.master);
        fixture.time.advance(2_000);

        assertThat(fixture.resourceManager.registrations).hasSize(1);
        assertThat(fixture.resourceManager.registrations.get(0).dataAddress()).isEqualTo("127.0.0.1:7002");
        assertThat(fixture.resourceManager.registrations.get(0).costPerHour()).isEqualTo(1.5);
    }

    @Test
    void registrationWithoutAnswerIsRepeatedAndALateAnswerIgnored() {
        CompletableFuture<RegistrationResponse> late = new CompletableFuture<>();
        RegistrationResponse accepted = now(fixture.resourceManager.answer);
        fixture.resourceManager.answer = late;
        fixture.rpc.publish(fixture.master);
        worker.start();

        fixture.time.advance(100);
        assertThat(fixture.resourceManager.registrations).hasSize(2);
        fixture.resourceManager.answer = CompletableFuture.completedStage(accepted);
        fixture.time.advance(200);
        assertThat(fixture.resourceManager.registrations).hasSize(3);
        late.complete(new RegistrationResponse.Rejected("outdated"));

        assertThat(fixture.exits).isEmpty();
    }

    @Test
    void slotsMayBeRequestedBeforeTheAnswerToTheRegistration() {
        fixture.resourceManager.answer = new CompletableFuture<>();
        fixture.registered();

        fixture.time.advance(600);

        assertThat(fixture.allocate(fixture.request(1))).containsExactly("");
    }

    @Test
    void endsTheProcessAfterTooLongWithoutAResourceManager() {
        worker.start();

        fixture.time.advance(59_000);
        assertThat(fixture.exits).isEmpty();
        fixture.time.advance(1_000);

        assertThat(fixture.exits).containsExactly(WorkerShutdown.EXIT_NO_RESOURCE_MANAGER);
    }

    @Test
    void timeWithoutAResourceManagerCountsFromItsLoss() {
        fixture.registered();
        fixture.passTime(100_000);
        fixture.rpc.withdraw(EndpointName.RESOURCE_MANAGER);

        fixture.time.advance(69_000);
        assertThat(fixture.exits).isEmpty();
        fixture.time.advance(1_100);

        assertThat(fixture.exits).containsExactly(WorkerShutdown.EXIT_NO_RESOURCE_MANAGER);
    }

    @Test
    void rejectedWorkerEndsItsProcess() {
        fixture.resourceManager.answer =
                CompletableFuture.completedStage(new RegistrationResponse.Rejected("the cluster is full"));
        fixture.rpc.publish(fixture.master);
        fixture.worker.start();

        assertThat(fixture.exits).containsExactly(WorkerShutdown.EXIT_REJECTED);
        fixture.time.advance(30_000);
        assertThat(fixture.resourceManager.registrations).hasSize(1);
    }

    @Test
    void registersAgainWhenTheResourceManagerDisconnectsIt() {
        fixture.registered();

        now(worker.disconnectResourceManager(
                new ResourceManagerId(ref(EndpointName.RESOURCE_MANAGER, 8).token()), "x"));
        assertThat(fixture.resourceManager.registrations).hasSize(1);
        now(worker.disconnectResourceManager(fixture.masterId, "no heartbeat"));

        assertThat(fixture.resourceManager.registrations).hasSize(2);
    }

    @Test
    void exitIsRefusedWithSlotsUnlessForced() {
        fixture.registered();
        fixture.allocate(fixture.request(1));
        fixture.deploy(0, 1);

        assertThat(now(worker.exit(fixture.masterId, false, "idle"))).isFalse();
        fixture.passTime(1_000, 1);
        assertThat(fixture.exits).isEmpty();
        assertThat(now(worker.exit(fixture.masterId, true, "shutdown"))).isTrue();
        fixture.time.advance(200);

        assertThat(fixture.exits).containsExactly(WorkerShutdown.EXIT_DONE);
        assertThat(fixture.resourceManager.disconnects).containsExactly("shutdown");
        assertThat(fixture.runtime.tasks.get(attempt(0)).canceled).isTrue();
    }

    @Test
    void workerThatWillExitGrantsNoSlots() {
        fixture.registered();
        assertThat(now(worker.exit(fixture.masterId, false, "idle"))).isTrue();

        assertThat(now(worker.requestSlots(new SlotRequests(fixture.masterId, List.of(fixture.request(1)))))
                        .answers()
                        .get(0)
                        .refusal())
                .isEqualTo("worker w-1 is ending");
        assertThat(fixture.answerTo(fixture.leaderId, 0, 1, "dataflow"))
                .isEqualTo(new DeploymentAnswer(attempt(0), DeploymentVerdict.NOT_NOW, "worker w-1 is ending"));
    }

    @Test
    void taskThatDoesNotEndDelaysTheExitByTwoSecondsAtMost() {
        fixture.registered();
        fixture.runtime.slowCancel = true;
        fixture.allocate(fixture.request(1));
        fixture.deploy(0, 1);
        now(worker.exit(fixture.masterId, true, "shutdown"));

        fixture.time.advance(1_000);
        assertThat(fixture.exits).isEmpty();
        fixture.time.advance(1_200);

        assertThat(fixture.exits).containsExactly(WorkerShutdown.EXIT_DONE);
    }

    @Test
    void exitRequestFromAnotherResourceManagerFails() {
        fixture.registered();

        fails(
                worker.exit(
                        new ResourceManagerId(
                                ref(EndpointName.RESOURCE_MANAGER, 8).token()),
                        true,
                        "x"),
                "is not registered at ResourceManager");
    }
}
