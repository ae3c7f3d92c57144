package io.berth.core.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.fake.FakeRpc;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.policy.BackendHost;
import io.berth.core.api.role.LeaderFile;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.resources.settings.ResourcesConfiguration;
import io.berth.core.resources.settings.WorkerRuntime;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.BackendContext;
import io.berth.spi.backend.WorkerSpec;
import io.berth.spi.ha.LeaderElection;
import java.lang.annotation.Annotation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResourceManagerRoleTest {

    private static final WorkerSpec SPEC = WorkerSpec.of("small", TestCluster.TWO_SLOTS)
            .defaultSlots(2)
            .maximum(4)
            .build();

    @TempDir
    Path directory;

    private final FakeRpc rpc = new FakeRpc();
    private final Backends backends = new Backends();
    private final Election election = new Election();
    private final FakePolicies policies = new FakePolicies();
    private final List<String> records = new ArrayList<>();

    private ResourceManagerRole role(String masters) {
        return new ResourceManagerRole(
                new Configuration(1_000, masters),
                new WorkerRuntime(Map.of()),
                rpc,
                policies,
                backends,
                (role, epoch) -> {
                    records.add(role + " " + epoch);
                    return () -> records.remove(role + " " + epoch);
                },
                election);
    }

    private FakeWorker registered(String id) {
        FakeWorker worker = new FakeWorker(id, 1);
        rpc.connect(worker.endpoint(), worker);
        rpc.newest(ResourceManagerGateway.class)
                .orElseThrow()
                .registerWorker(worker.registration(TestCluster.TWO_SLOTS, 2, "standalone", ""))
                .toCompletableFuture()
                .join();
        return worker;
    }

    @Test
    void servesNothingWhileItStandsByAndATermOfItsEpochWhileItLeads() {
        election.grants = false;
        ResourceManagerRole role = role("");
        assertThat(election.address).isEqualTo(rpc.address().toString());
        assertThat(rpc.served).isEmpty();
        role.modified(new Configuration(2_000, ""));
        election.contender.granted(41);
        assertThat(rpc.served).containsOnlyKeys(EndpointName.RESOURCE_MANAGER);
        assertThat(records).containsExactly("resource-manager 41");
        FakeWorker worker = registered("w1");
        election.contender.revoked("a test");
        assertThat(rpc.served).isEmpty();
        assertThat(records).isEmpty();
        assertThat(backends.events).containsExactly("follow", "close");
        election.contender.granted(42);
        assertThat(rpc.served).containsOnlyKeys(EndpointName.RESOURCE_MANAGER);
        role.deactivate();
        assertThat(rpc.served).isEmpty();
        assertThat(worker.told).as("a worker of the lost term").isEmpty();
        assertThat(election.closed).isTrue();
    }

    @Test
    void plansAtOnceWhenNobodyLedBefore() {
        ResourceManagerRole role = role("");

        await().until(() -> !policies.planner.inputs.isEmpty());
        role.deactivate();
        assertThat(election.followed).isFalse();
    }

    @Test
    void givesWorkersOfALeaderThatDiedTimeToRegisterBeforeItPlans() {
        election.known = Optional.of(new LeaderElection.Leader("resource-manager", 6, "127.0.0.1:7078"));
        ResourceManagerRole role = role("");
        FakeJobMaster job = new FakeJobMaster("count", 1, 1);
        job.workers.add(new WorkerId("by-hand"));
        rpc.connect(job.endpoint(), job);
        var gateway = rpc.newest(ResourceManagerGateway.class).orElseThrow();
        gateway.registerJobMaster(job.registration()).toCompletableFuture().join();
        gateway.declareRequirements(job.requires(1, 1, TestCluster.SLOT))
                .toCompletableFuture()
                .join();

        await().untilAsserted(() ->
                assertThat(List.copyOf(job.notices)).last().asString().contains("at most 16000 ms"));
        assertThat(policies.planner.inputs).isEmpty();
        role.deactivate();
    }

    @Test
    void saysOnItsMachineWhereItIsServed() {
        ResourceManagerRole role = role("");
        LeaderFile file = new LeaderFile(directory.resolve("resource-manager"), EndpointName.RESOURCE_MANAGER);

        await().untilAsserted(
                        () -> assertThat(file.read()).map(EndpointRef::address).contains(rpc.address()));
        role.deactivate();
    }

    @Test
    void leavesWorkersToTheNextLeaderWhenTheyKnowOfAnother() {
        ResourceManagerRole role = role(rpc.address() + ", 127.0.0.1:7999");
        FakeWorker worker = registered("w1");
        role.deactivate();
        assertThat(worker.told).isEmpty();
        assertThat(rpc.served).isEmpty();
    }

    @Test
    void refusesMastersThatAreNoAddresses() {
        assertThatThrownBy(() -> role("127.0.0.1:7077,nowhere"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("masters is '127.0.0.1:7077,nowhere': address 'nowhere': allowed is HOST:PORT");
    }

    @Test
    void servesWhileActiveAndLeavesNothingBehind() {
        ResourceManagerRole role = role("");
        assertThat(rpc.served).containsOnlyKeys(EndpointName.RESOURCE_MANAGER);
        FakeWorker worker = new FakeWorker("w1", 1);
        rpc.connect(worker.endpoint(), worker);
        RegistrationResponse response = rpc.newest(ResourceManagerGateway.class)
                .orElseThrow()
                .registerWorker(worker.registration(TestCluster.TWO_SLOTS, 2, "standalone", ""))
                .toCompletableFuture()
                .join();
        assertThat(response)
                .isEqualTo(new RegistrationResponse.Accepted(new io.berth.core.api.InstanceId(1), 1_000, 10_000));
        role.modified(new Configuration(20_000, ""));
        role.deactivate();

        assertThat(worker.told).containsExactly("exit force");
        assertThat(rpc.served).isEmpty();
        assertThat(backends.events).containsExactly("follow", "close");
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("berth-core-resources")));
    }

    @Test
    void refusesWhatABackendReportsOfWorkersThatAreNotItsOwn() throws Exception {
        ResourceManagerRole role = role("");
        BackendContext villain = backends.follower.context("villain");
        WorkerId foreign = new WorkerId("local-1-1");
        Path work = Files.createDirectories(
                directory.resolve("workers").resolve(foreign.value()).resolve("spill"));
        assertThatThrownBy(() -> villain.ended(foreign, "a lie"))
                .hasMessageContaining("does not belong to backend villain");
        assertThatThrownBy(() -> villain.started(foreign, SPEC.name())).hasMessageContaining("workerIdPrefix()");
        assertThatThrownBy(() -> villain.launch(foreign, SPEC)).hasMessageContaining("does not belong to backend");
        assertThatThrownBy(() -> villain.started(null, SPEC.name())).hasMessageContaining("worker null");
        assertThatThrownBy(() -> villain.startFailed(null, TestCluster.failed("")))
                .hasMessage("spec");
        assertThat(work).isDirectory();
        role.deactivate();
    }

    @Test
    void givesEachBackendAContextOfItsOwnAndRemovesWhatWorkersLeft() throws Exception {
        ResourceManagerRole role = role("");
        BackendContext first = backends.follower.context("local");
        BackendContext second = backends.follower.context("local");
        assertThat(first.workerIdPrefix()).isNotEqualTo(second.workerIdPrefix()).startsWith("local-");
        assertThat(first.directory()).isEqualTo(directory.resolve("backend-local"));
        WorkerId worker = new WorkerId(first.workerIdPrefix() + "1");
        List<String> command = first.launch(worker, SPEC).localCommand(Optional.empty());
        assertThat(command).contains("--id", worker.value(), "127.0.0.1:7077");
        Path work = Path.of(command.get(command.indexOf("--work") + 1));
        Files.createDirectories(work.resolve("spill"));
        Files.writeString(work.resolve("spill").resolve("data"), "x");
        first.ended(worker, "exit code 0");

        await().until(() -> !Files.exists(work));
        role.deactivate();
    }

    private static final class Backends implements BackendHost {

        private final List<String> events = new ArrayList<>();
        private BackendFollower follower;

        @Override
        public AutoCloseable follow(BackendFollower follows) {
            follower = follows;
            events.add("follow");
            return () -> events.add("close");
        }
    }

    /** Grants at once or on demand. */
    private static final class Election implements LeaderElection {

        private boolean grants = true;
        private boolean closed;
        private String address = "";
        private Contender contender;
        private Optional<Leader> known = Optional.empty();
        private boolean followed;

        @Override
        public AutoCloseable compete(String role, String at, Contender competes) {
            assertThat(role).isEqualTo("resource-manager");
            address = at;
            contender = competes;
            if (grants) {
                contender.granted(7);
            }
            return () -> closed = true;
        }

        @Override
        public AutoCloseable follow(String role, Consumer<Optional<Leader>> listener) {
            assertThat(contender).as("before it competes itself").isNull();
            listener.accept(known);
            followed = true;
            return () -> followed = false;
        }
    }

    /** What is not of interest here has the default. */
    private final class Configuration implements ResourcesConfiguration {

        private final long heartbeatInterval;
        private final String masters;

        Configuration(long heartbeatInterval, String masters) {
            this.heartbeatInterval = heartbeatInterval;
            this.masters = masters;
        }

        @Override
        public String masters() {
            return masters;
        }

        @Override
        public long heartbeat_interval_ms() {
            return heartbeatInterval;
        }

        @Override
        public long heartbeat_timeout_ms() {
            return 10_000;
        }

        @Override
        public int heartbeat_failures() {
            return 2;
        }

        @Override
        public int worker_start_failures_per_minute() {
            return 10;
        }

        @Override
        public long worker_start_pause_ms() {
            return 3_000;
        }

        @Override
        public long previous_workers_wait_ms() {
            return 10_000;
        }

        @Override
        public long requirements_retention_ms() {
            return 0;
        }

        @Override
        public long cluster_least_cpu_millicores() {
            return 0;
        }

        @Override
        public long cluster_least_memory_mib() {
            return 0;
        }

        @Override
        public long cluster_most_cpu_millicores() {
            return 0;
        }

        @Override
        public long cluster_most_memory_mib() {
            return 0;
        }

        @Override
        public long cluster_min_cpu_millicores() {
            return 0;
        }

        @Override
        public long cluster_min_memory_mib() {
            return 0;
        }

        @Override
        public long cluster_max_cpu_millicores() {
            return 0;
        }

        @Override
        public long cluster_max_memory_mib() {
            return 0;
        }

        @Override
        public int cluster_redundant_workers() {
            return 0;
        }

        @Override
        public long worker_idle_timeout_ms() {
            return 30_000;
        }

        @Override
        public long requirement_check_delay_ms() {
            return 50;
        }

        @Override
        public long worker_registration_timeout_ms() {
            return 60_000;
        }

        @Override
        public long startup_period_ms() {
            return 5_000;
        }

        @Override
        public long slot_return_pause_ms() {
            return 30_000;
        }

        @Override
        public long worker_refusal_backoff_ms() {
            return 200;
        }

        @Override
        public long stop_timeout_ms() {
            return 5_000;
        }

        @Override
        public String matching_rule() {
            return "exact";
        }

        @Override
        public String worker_home() {
            return "";
        }

        @Override
        public String worker_java() {
            return "";
        }

        @Override
        public String worker_java_options() {
            return "";
        }

        @Override
        public int worker_memory_overhead_mib() {
            return 256;
        }

        @Override
        public String worker_environment() {
            return "";
        }

        @Override
        public String worker_secrets_file() {
            return "";
        }

        @Override
        public String worker_directory() {
            return directory.toString();
        }

        @Override
        public long worker_logs_max_mib() {
            return 1_024;
        }

        @Override
        public long worker_logs_max_age_hours() {
            return 168;
        }

        @Override
        public long worker_resource_manager_timeout_ms() {
            return 300_000;
        }

        @Override
        public Class<? extends Annotation> annotationType() {
            return ResourcesConfiguration.class;
        }
    }
}
