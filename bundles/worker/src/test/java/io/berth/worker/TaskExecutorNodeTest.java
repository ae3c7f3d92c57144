package io.berth.worker;

import static io.berth.worker.WorkerFixture.now;
import static io.berth.worker.WorkerFixture.ref;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.FencingToken;
import io.berth.core.api.fake.FakeRpc;
import io.berth.core.api.fake.ManualTime;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequests;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.registration.RegistrationSettings;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.task.TaskRuntime;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.worker.settings.WorkerSettings;
import io.berth.worker.task.Tasks;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A node uses only the executors and the clock that it receives, from its start to its end. */
class TaskExecutorNodeTest {

    private final ManualTime time = new ManualTime();
    private final FakeRpc rpc = new FakeRpc(new RpcAddress("127.0.0.1", 7001));
    private final FakeResourceManager resourceManager = new FakeResourceManager();
    private final FakeJobMaster jobMaster = new FakeJobMaster();
    private final FakeRuntime runtime = new FakeRuntime();
    private final FakeAllocationStore disk = new FakeAllocationStore();
    private final List<Integer> exits = new ArrayList<>();
    private final WorkerFixture.FakeUserCode userCode = new WorkerFixture.FakeUserCode();
    private final EndpointRef master = ref(EndpointName.RESOURCE_MANAGER, 1);
    private final EndpointRef leader = ref(EndpointName.jobMaster(WorkerFixture.JOB), 1);

    private TaskExecutorNode node(long epoch) {
        rpc.connect(master, resourceManager);
        rpc.connect(leader, jobMaster);
        rpc.publish(master);
        rpc.publish(leader);
        WorkerSettings settings = new WorkerSettings(
                new WorkerId("w-1"),
                List.of(WorkerFixture.MASTER),
                "127.0.0.1",
                Optional.empty(),
                ResourceProfile.of(4_000, 4L << 30),
                4,
                "standalone",
                "",
                WorkerLabels.NONE,
                0,
                Path.of("unused"),
                60_000,
                10_000,
                10_000,
                30_000,
                180_000,
                RegistrationSettings.DEFAULTS);
        Tasks.Runtimes runtimes = new Tasks.Runtimes() {
            @Override
            public Optional<TaskRuntime> named(String name) {
                return Optional.of(runtime);
            }

            @Override
            public List<String> names() {
                return List.of(runtime.name());
            }
        };
        return new TaskExecutorNode(
                settings,
                new FencingToken(epoch, new UUID(1, epoch)),
                runtime,
                new TaskExecutorNode.Environment(
                        time,
                        time,
                        Runnable::run,
                        Runnable::run,
                        Runnable::run,
                        rpc,
                        runtimes,
                        thread -> userCode,
                        secret -> Optional.empty(),
                        disk,
                        exits::add));
    }

    private TaskExecutorGateway gateway() {
        return (TaskExecutorGateway) rpc.served.get(EndpointName.worker(new WorkerId("w-1")));
    }

    @Test
    void servesItsGatewayUnderItsSessionAndRegisters() {
        EndpointRef endpoint = node(7).start();

        assertThat(endpoint.token().epoch()).isEqualTo(7);
        assertThat(resourceManager.registrations)
                .singleElement()
                .satisfies(registration -> assertThat(registration.endpoint()).isEqualTo(endpoint));
        assertThat(gateway()).isNotNull();
    }

    @Test
    void aHaltedNodeDoesNothingAndTheNextOneRestoresItsSlots() {
        TaskExecutorNode first = node(7);
        first.start();
        SlotRequests requests = new SlotRequests(
                new io.berth.core.api.ResourceManagerId(master.token()),
                List.of(WorkerFixture.request(1, WorkerFixture.ONE, leader)));
        TaskExecutorGateway before = gateway();
        assertThat(now(before.requestSlots(requests)).answers().get(0).granted())
                .isTrue();

        first.halt();
        first.halt();
        time.advance(100_000);
        assertThat(gateway()).isNull();
        assertThat(before.requestSlots(requests).toCompletableFuture()).isCompletedExceptionally();
        assertThat(exits).isEmpty();
        assertThat(resourceManager.disconnects).isEmpty();
        node(8).start();

        assertThat(resourceManager.registrations.get(1).slots().slots()).hasSize(1);
        assertThat(jobMaster.offers).hasSize(2);
    }

    @Test
    void aClosedNodeDisconnectsFromTheResourceManagerAndKeepsNoSlots() {
        TaskExecutorNode node = node(7);
        node.start();

        now(node.close("the process ends"));
        node.halt();

        assertThat(resourceManager.disconnects).containsExactly("the process ends");
        assertThat(disk.kept).isEmpty();
    }
}
