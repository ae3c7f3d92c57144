package io.berth.worker;

import static io.berth.worker.WorkerFixture.JOB;
import static io.berth.worker.WorkerFixture.MASTER;
import static io.berth.worker.WorkerFixture.STANDBY;
import static io.berth.worker.WorkerFixture.attempt;
import static io.berth.worker.WorkerFixture.now;
import static io.berth.worker.WorkerFixture.ref;
import static io.berth.worker.WorkerFixture.slot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.fake.FakeRpc;
import io.berth.core.api.gateway.TaskExecutorGateway.AllocatedSlots;
import io.berth.core.api.registration.LeaderSearch;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.time.MainThread;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A worker finds the ResourceManager among several addresses. */
class ResourceManagerSearchTest {

    private final WorkerFixture fixture = new WorkerFixture(1, new FakeAllocationStore(), MASTER, STANDBY);
    private final EndpointRef atStandby = new EndpointRef(
            STANDBY,
            EndpointName.RESOURCE_MANAGER,
            ref(EndpointName.RESOURCE_MANAGER, 2).token());
    private final FakeResourceManager successor = new FakeResourceManager();

    private void standbyLeads() {
        fixture.rpc.withdraw(EndpointName.RESOURCE_MANAGER);
        fixture.rpc.connect(atStandby, successor);
        fixture.rpc.publishAt(STANDBY, atStandby);
    }

    @Test
    void addressesAreTriedOneAfterTheOtherUntilOneServesTheRole() {
        standbyLeads();

        fixture.worker.start();

        assertThat(fixture.rpc.asked).containsExactly(MASTER, STANDBY);
        assertThat(successor.registrations).hasSize(1);
    }

    @Test
    void theFirstAddressThatServesTheRoleIsUsed() {
        fixture.registered();

        assertThat(fixture.rpc.asked).containsExactly(MASTER);
    }

    @Test
    void aNewLeaderAtAnotherAddressIsFoundAfterALossAndTasksGoOn() {
        fixture.registered();
        fixture.allocate(fixture.request(1));
        fixture.deploy(0, 1);
        standbyLeads();

        now(fixture.worker.disconnectResourceManager(fixture.masterId, "lost the leadership"));

        assertThat(successor.registrations).hasSize(1);
        assertThat(successor.registrations.get(0).slots().slots()).hasSize(1);
        assertThat(fixture.runtime.tasks.get(attempt(0)).canceled).isFalse();
        assertThat(now(fixture.worker.heartbeatFromResourceManager(new ResourceManagerId(atStandby.token())))
                        .slots())
                .hasSize(1);
    }

    @Test
    void f14_theWorkerDoesNotReturnToAnOlderLeaderWhileANewerOneHasNotAnswered() {
        fixture.registered();
        standbyLeads();
        successor.answer = new CompletableFuture<>();
        now(fixture.worker.disconnectResourceManager(fixture.masterId, "lost the leadership"));
        assertThat(successor.registrations).hasSize(1);
        fixture.rpc.publishAt(STANDBY);
        fixture.rpc.publish(fixture.master);

        fixture.time.advance(20_000);

        assertThat(fixture.rpc.asked).endsWith(STANDBY, MASTER);
        assertThat(fixture.resourceManager.registrations).hasSize(1);
    }

    @Test
    void theAddressThatServedLastIsAskedFirst() {
        standbyLeads();
        fixture.worker.start();
        fixture.rpc.asked.clear();

        now(fixture.worker.disconnectResourceManager(new ResourceManagerId(atStandby.token()), "x"));
        fixture.time.advance(100);

        assertThat(fixture.rpc.asked).containsExactly(STANDBY);
    }

    private EndpointRef leaderAtAnUnknownAddress(long epoch) {
        RpcAddress elsewhere = new RpcAddress("127.0.0.1", 7999);
        EndpointRef leader = new EndpointRef(
                elsewhere,
                EndpointName.RESOURCE_MANAGER,
                ref(EndpointName.RESOURCE_MANAGER, epoch).token());
        fixture.rpc.connect(leader, successor);
        fixture.rpc.publishAt(elsewhere, leader);
        return leader;
    }

    @Test
    void registersAtALeaderThatAJobMasterNamesAtAnUnknownAddress() {
        fixture.registered();
        fixture.allocate(fixture.request(1));
        EndpointRef leader = leaderAtAnUnknownAddress(2);

        now(fixture.worker.heartbeatFromJobMaster(
                new AllocatedSlots(JOB, fixture.leaderId, 1, List.of(slot(1)), Optional.of(leader))));

        assertThat(successor.registrations).hasSize(1);
        assertThat(successor.registrations.get(0).slots().slots()).hasSize(1);
    }

    @Test
    void ignoresNoticesThatTheCurrentOrAnOlderResourceManagerLeads() {
        fixture.registered();
        fixture.rpc.asked.clear();

        fixture.worker.resourceManagerLeads(fixture.master);
        fixture.worker.resourceManagerLeads(leaderAtAnUnknownAddress(0));

        assertThat(fixture.rpc.asked).isEmpty();
        assertThat(successor.registrations).isEmpty();
    }

    @Test
    void repeatedNoticesOfAnUnreachableLeaderDoNotDelayTheSearch() {
        fixture.registered();
        EndpointRef leader = leaderAtAnUnknownAddress(2);
        successor.answer = CompletableFuture.failedStage(new RpcException(RpcException.Kind.UNREACHABLE, "refused"));
        fixture.worker.resourceManagerLeads(leader);
        fixture.worker.resourceManagerLeads(leader);
        assertThat(successor.registrations).hasSize(1);

        successor.answer = fixture.resourceManager.answer;
        fixture.time.advance(100);

        assertThat(fixture.rpc.asked).endsWith(leader.address());
        assertThat(successor.registrations).hasSize(2);
    }

    @Test
    void searchesAfterTwoMissedHeartbeatsAndRegistersAtTheNewLeader() {
        fixture.registered();
        standbyLeads();

        fixture.time.advance(3_900);
        assertThat(successor.registrations).isEmpty();
        fixture.time.advance(200);

        assertThat(successor.registrations).hasSize(1);
    }

    @Test
    void staysRegisteredWhenHeartbeatsOfTheLeaderAreLate() {
        fixture.registered();
        fixture.time.advance(9_000);
        fixture.report();
        fixture.time.advance(9_000);

        assertThat(fixture.resourceManager.registrations).hasSize(1);
    }

    @Test
    void aFailedSearchNamesEachAddressWithItsAnswer() {
        fixture.rpc.publishAt(STANDBY);
        MainThread mainThread = new MainThread("test", Runnable::run, fixture.time, failure -> {
            throw new AssertionError(failure);
        });
        LeaderSearch search =
                new LeaderSearch(EndpointName.RESOURCE_MANAGER, fixture.rpc, mainThread, endpoint -> Optional.empty());
        CompletableFuture<EndpointRef> found = new CompletableFuture<>();
        mainThread.execute(() -> search.find(List.of(MASTER, STANDBY)).whenComplete((endpoint, failure) -> {
            if (failure != null) {
                found.completeExceptionally(failure);
            }
        }));

        assertThatThrownBy(found::join)
                .hasRootCauseMessage("no address serves resource-manager now: 127.0.0.1:7077: refused; "
                        + "127.0.0.1:7078: resource-manager is not served here");
    }

    @Test
    void anAddressThatDoesNotAnswerIsSkipped() {
        FakeRpc rpc = new FakeRpc(new RpcAddress("127.0.0.1", 7001)) {
            @Override
            public java.util.concurrent.CompletionStage<EndpointRef> resolve(RpcAddress address, EndpointName name) {
                return address.equals(MASTER) ? new CompletableFuture<>() : super.resolve(address, name);
            }
        };
        EndpointRef leader = ref(EndpointName.RESOURCE_MANAGER, 1);
        rpc.publish(leader);
        MainThread mainThread = new MainThread("test", Runnable::run, fixture.time, failure -> {
            throw new AssertionError(failure);
        });
        LeaderSearch search = new LeaderSearch(leader.name(), rpc, mainThread, endpoint -> Optional.empty());
        CompletableFuture<EndpointRef> found = new CompletableFuture<>();
        mainThread.execute(() -> search.find(List.of(MASTER, STANDBY)).thenAccept(found::complete));

        fixture.time.advance(499);
        assertThat(found).isNotDone();
        fixture.time.advance(1);

        assertThat(found).isCompletedWithValue(leader);
    }
}
