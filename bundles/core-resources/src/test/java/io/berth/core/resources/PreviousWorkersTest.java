package io.berth.core.resources;

import static io.berth.core.resources.TestCluster.SLOT;
import static io.berth.core.resources.TestCluster.TWO_SLOTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.FencingToken;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.fake.FakeRpc;
import io.berth.core.api.fake.ManualTime;
import io.berth.core.api.gateway.ClusterDetails.WorkerDetails;
import io.berth.core.api.gateway.ClusterQuery;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.policy.BackendHost;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.resources.backends.WorkerLaunch;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.BackendContext;
import io.berth.spi.backend.WorkerDeclaration;
import io.berth.spi.backend.WorkerSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/**
 * A ResourceManager that follows another one, and a backend that keeps to its contract and no more: what it finds
 * running it reports when something is declared to it first, and it starts what is missing (reference 1.9 and 2.2).
 */
class PreviousWorkersTest {

    private static final ResourceSettings SETTINGS = ResourceSettings.defaults();
    private static final long WAIT = 17_000;
    private static final long REGISTRATION = SETTINGS.workerRegistrationTimeoutMillis();
    private static final long SETTLE = 500;
    private static final long CHECK = 100;

    private final ManualTime time = new ManualTime();
    private final FakeRpc rpc = new FakeRpc();
    private final FakePolicies policies = new FakePolicies();

    /** Starts what is declared beyond what runs, under new ids; ends what is unwanted. */
    private final class Contract implements BackendHost, BackendHost.BackendHandle {

        private final WorkerSpec spec;
        private final TreeSet<WorkerId> running = new TreeSet<>();
        private final List<WorkerId> started = new ArrayList<>();
        private final List<WorkerId> ended = new ArrayList<>();
        private Optional<BackendContext> context = Optional.empty();
        private Optional<WorkerDeclaration> last = Optional.empty();
        private boolean begun;
        private boolean tellsRecovered = true;
        private boolean endsNobody;

        Contract(WorkerSpec spec, String... survivors) {
            this.spec = spec;
            for (String survivor : survivors) {
                running.add(new WorkerId(survivor));
            }
        }

        @Override
        public AutoCloseable follow(BackendFollower follower) {
            context = Optional.of(follower.context("local"));
            follower.added(this);
            return () -> {};
        }

        @Override
        public String name() {
            return "local";
        }

        @Override
        public List<WorkerSpec> specs() {
            return List.of(spec);
        }

        @Override
        public void declare(WorkerDeclaration declaration) {
            if (!begun) {
                begun = true;
                running.forEach(survivor -> context.orElseThrow().started(survivor, spec.name()));
                if (tellsRecovered) {
                    context.orElseThrow().recovered();
                }
            }
            if (!endsNobody) {
                declaration.unwanted().forEach(this::die);
            }
            last = Optional.of(declaration);
            fill();
        }

        /** Also after the end of a worker: as many as were declared must run. */
        void fill() {
            WorkerDeclaration declaration = last.orElseThrow();
            int needed = declaration.needed().getOrDefault(spec.name(), 0);
            TreeSet<WorkerId> wanted = new TreeSet<>(running);
            declaration.unwanted().forEach(wanted::remove);
            for (int there = wanted.size(); there < needed; there++) {
                WorkerId id = new WorkerId(context.orElseThrow().workerIdPrefix() + (started.size() + 1));
                started.add(id);
                running.add(id);
                context.orElseThrow().started(id, spec.name());
            }
        }

        void die(WorkerId worker) {
            if (running.remove(worker)) {
                ended.add(worker);
                context.orElseThrow().ended(worker, "killed");
            }
        }
    }

    private static WorkerSpec spec(int least, int most) {
        return WorkerSpec.of("small", TWO_SLOTS)
                .defaultSlots(2)
                .minimum(least)
                .maximum(most)
                .build();
    }

    private void leads(Contract backend, ResourceSettings settings) {
        ResourceManagerId id = new ResourceManagerId(new FencingToken(4, new UUID(4, 4)));
        WorkerLaunch launch = new WorkerLaunch(
                "java", Path.of("worker"), List.of(), 64, Path.of("work"), new RpcAddress("127.0.0.1", 7077), 1_000);
        new ResourceManagerTerm(
                        id,
                        new ResourceManagerTerm.Environment(time, time, time, time, time, rpc, policies, backend),
                        settings,
                        launch,
                        failure -> {
                            throw new AssertionError(failure);
                        })
                .start();
        time.settle();
    }

    private <T> T call(CompletionStage<T> stage) {
        return TestCluster.answer(time, stage);
    }

    private FakeJobMaster requires(int slots, String... heldOn) {
        return requires(slots, slots, heldOn);
    }

    private FakeJobMaster requires(int minimum, int desired, String... heldOn) {
        FakeJobMaster job = new FakeJobMaster("count", 1, 1);
        for (String worker : heldOn) {
            job.workers.add(new WorkerId(worker));
        }
        rpc.connect(job.endpoint(), job);
        call(rpc.newest(ResourceManagerGateway.class).orElseThrow().registerJobMaster(job.registration()));
        call(rpc.newest(ResourceManagerGateway.class)
                .orElseThrow()
                .declareRequirements(job.requires(minimum, desired, SLOT)));
        return job;
    }

    private FakeWorker registers(String name, Optional<FakeJobMaster> holder) {
        FakeWorker worker = new FakeWorker(name, 1);
        holder.ifPresent(job -> {
            for (int slot = 1; slot <= 2; slot++) {
                AllocationId allocation = new AllocationId(3, Math.abs(name.hashCode()) * 10L + slot);
                worker.slots.put(
                        allocation,
                        new SlotReport.Slot(allocation, job.job, job.id, "all", "default", SLOT, true, 1, 1));
            }
        });
        rpc.connect(worker.endpoint(), worker);
        assertThat(call(rpc.newest(ResourceManagerGateway.class)
                        .orElseThrow()
                        .registerWorker(worker.registration(TWO_SLOTS, 2, "local", "small"))))
                .isInstanceOf(RegistrationResponse.Accepted.class);
        return worker;
    }

    private List<WorkerDetails> workers() {
        return call(rpc.newest(ResourceManagerGateway.class).orElseThrow().clusterDetails(ClusterQuery.ALL))
                .workers();
    }

    @Test
    void theWaitFollowsFromTheHeartbeats() {
        assertThat(SETTINGS.recoveryMillis()).isEqualTo(WAIT);
        assertThat(SETTINGS.previousWorkersWaitMillis()).isEqualTo(WAIT);
        ResourceSettings slow = SETTINGS.toBuilder().heartbeats(4_000, 30_000).build();
        assertThat(slow.recoveryMillis()).as("longer than what is configured").isEqualTo(39_000);
        assertThat(slow.toBuilder().previousWorkersWaitMillis(60_000).build().recoveryMillis())
                .isEqualTo(60_000);
        assertThat(slow.toBuilder().previousWorkersWaitMillis(1).build().recoveryMillis())
                .isEqualTo(39_000);
        assertThat(slow.toBuilder().previousWorkersWaitMillis(0).build().recoveryMillis())
                .as("none")
                .isZero();
    }

    @Test
    void plansAsSoonAsTheWorkersThatTheBackendFoundHaveRegistered() {
        Contract backend = new Contract(spec(0, 9), "local-3-1", "local-3-2");
        leads(backend, SETTINGS);
        FakeJobMaster job = requires(6);
        time.advance(SETTLE + CHECK);
        registers("local-3-1", Optional.of(job));
        time.advance(1_000);
        assertThat(backend.started).as("one is still to come").isEmpty();
        registers("local-3-2", Optional.of(job));
        time.advance(CHECK);

        assertThat(backend.started).as("two slots are missing").hasSize(1);
    }

    @Test
    void plansHalfASecondAfterItsStartWhenNothingIsMissing() {
        Contract backend = new Contract(spec(0, 9));
        leads(backend, SETTINGS);
        requires(2);
        time.advance(SETTLE - 1);
        assertThat(backend.started).isEmpty();
        time.advance(CHECK);

        assertThat(backend.started).hasSize(1);
    }

    @Test
    void waitsForAWorkerOnWhichAJobMasterHasSlotsAndOfWhichNoBackendKnows() {
        Contract backend = new Contract(spec(0, 9));
        leads(backend, SETTINGS);
        FakeJobMaster job = requires(2, "by-hand");
        time.advance(5_000);
        assertThat(backend.started).isEmpty();
        registers("by-hand", Optional.of(job));
        time.advance(10_000);

        assertThat(backend.started).as("the job has its slots").isEmpty();
    }

    @Test
    void waitsAgainWhenAJobMasterComesLateAndNamesAWorkerThatIsMissing() {
        Contract backend = new Contract(spec(0, 9));
        leads(backend, SETTINGS);
        time.advance(3_000);
        FakeJobMaster job = requires(2, "by-hand");
        time.advance(3_000);
        assertThat(backend.started).isEmpty();
        registers("by-hand", Optional.of(job));
        time.advance(10_000);

        assertThat(backend.started).isEmpty();
    }

    @Test
    void doesNotWaitForAWorkerThatItsBackendNoLongerFinds() {
        Contract backend = new Contract(spec(0, 9));
        leads(backend, SETTINGS);
        requires(2, "local-3-1");
        time.advance(SETTLE + CHECK);

        assertThat(backend.started).hasSize(1);
    }

    @Test
    void waitsNoLongerForAWorkerThatEnds() {
        Contract backend = new Contract(spec(0, 9), "local-3-1");
        leads(backend, SETTINGS);
        requires(2, "local-3-1");
        time.advance(2_000);
        assertThat(backend.started).isEmpty();
        backend.die(new WorkerId("local-3-1"));
        time.advance(CHECK);

        assertThat(backend.started).hasSize(1);
    }

    @Test
    void waitsForAllItsTimeForABackendThatDoesNotSayThatItHasRecovered() {
        Contract backend = new Contract(spec(0, 9));
        backend.tellsRecovered = false;
        leads(backend, SETTINGS);
        requires(2);
        time.advance(WAIT - CHECK);
        assertThat(backend.started).isEmpty();
        time.advance(2 * CHECK);

        assertThat(backend.started).hasSize(1);
    }

    /** The backend knows nothing of them, as one on another machine: only the wait keeps them from being doubled. */
    @Test
    void c91_workersThatNoticeTheLossWithTheLastHeartbeatAreNotStartedTwice() {
        Contract backend = new Contract(spec(0, 9));
        backend.tellsRecovered = false;
        leads(backend, SETTINGS.toBuilder().heartbeats(4_000, 30_000).build());
        time.advance(200);
        FakeJobMaster job = requires(4);
        time.advance(30_000);
        assertThat(backend.started).as("they have just begun to search").isEmpty();
        time.advance(4_000);
        FakeWorker first = registers("local-3-1", Optional.of(job));
        FakeWorker second = registers("local-3-2", Optional.of(job));
        time.advance(60_000);

        assertThat(backend.started).isEmpty();
        assertThat(first.requested).isEmpty();
        assertThat(second.requested).isEmpty();
    }

    @Test
    void c101_aWorkerOfThePreviousAttemptThatNeverRegistersIsGivenUpInTimeAndReplaced() {
        Contract backend = new Contract(spec(0, 9), "local-3-1");
        leads(backend, SETTINGS);
        requires(2);
        time.advance(WAIT - 100);
        assertThat(backend.started)
                .as("it is waited for, and no other is started")
                .isEmpty();
        assertThat(backend.running).containsExactly(new WorkerId("local-3-1"));
        assertThat(workers()).extracting(WorkerDetails::id).containsExactly("local-3-1");
        time.advance(300);

        assertThat(backend.ended).containsExactly(new WorkerId("local-3-1"));
        assertThat(backend.started).hasSize(1);
        assertThat(workers()).extracting(WorkerDetails::state).containsExactly("pending");
    }

    @Test
    void c101_aWorkerOfThePreviousAttemptThatNobodyNeedsAndNeverRegistersIsEndedAndNotReplaced() {
        Contract backend = new Contract(spec(0, 9), "local-3-1");
        leads(backend, SETTINGS);
        time.advance(WAIT - 100);
        assertThat(backend.ended)
                .as("it may hold slots of a job whose JobMaster comes later")
                .isEmpty();
        time.advance(300);

        assertThat(backend.ended).containsExactly(new WorkerId("local-3-1"));
        assertThat(backend.started).isEmpty();
        assertThat(workers()).isEmpty();
    }

    @Test
    void aWorkerOfThePreviousTermThatWasGivenUpIsStoppedWhenItRegisters() {
        Contract backend = new Contract(spec(0, 9), "local-3-1");
        backend.endsNobody = true;
        leads(backend, SETTINGS);
        requires(2);
        time.advance(WAIT + 1_000);
        assertThat(backend.started).as("it is replaced").hasSize(1);

        FakeWorker late = new FakeWorker("local-3-1", 1);
        rpc.connect(late.endpoint(), late);
        assertThat(call(rpc.newest(ResourceManagerGateway.class)
                        .orElseThrow()
                        .registerWorker(late.registration(TWO_SLOTS, 2, "local", "small"))))
                .isInstanceOf(RegistrationResponse.Rejected.class);
        time.advance(1_000);
        assertThat(late.requested).isEmpty();
    }

    @Test
    void c101_noWorkerOfThePreviousAttemptIsGivenUpBeforeItCouldRegister() {
        Contract backend = new Contract(spec(0, 9), "local-3-1");
        leads(
                backend,
                SETTINGS.toBuilder().workerRegistrationTimeoutMillis(2_000).build());
        FakeJobMaster job = requires(2);
        time.advance(WAIT - 100);
        assertThat(backend.ended).isEmpty();
        registers("local-3-1", Optional.of(job));
        time.advance(10_000);

        assertThat(backend.ended).isEmpty();
        assertThat(backend.started).isEmpty();
    }

    @Test
    void c101_aWorkerOfThePreviousAttemptThatRegistersWithTheLastOfItsTimeHasItsSlotsAndNoOtherIsStarted() {
        Contract backend = new Contract(spec(0, 9), "local-3-1", "local-3-2");
        leads(backend, SETTINGS);
        FakeJobMaster job = requires(4);
        registers("local-3-1", Optional.of(job));
        time.advance(WAIT - 1_000);
        FakeWorker late = registers("local-3-2", Optional.of(job));
        time.advance(REGISTRATION);

        assertThat(backend.started).isEmpty();
        assertThat(backend.ended).isEmpty();
        assertThat(late.requested).isEmpty();
    }

    @Test
    void workersOfThePreviousAttemptThatHaveNotRegisteredCountTowardsWhatASpecKeepsAndMayHave() {
        Contract backend = new Contract(spec(2, 2), "local-3-1", "local-3-2");
        leads(backend, SETTINGS);
        requires(6);
        time.advance(WAIT - 1_000);

        assertThat(backend.started).isEmpty();
        assertThat(backend.running).hasSize(2);
    }

    @Test
    void aWorkerOfThePreviousAttemptBeyondWhatASpecMayHaveIsNotEndedForThat() {
        Contract backend = new Contract(spec(0, 1), "local-3-1", "local-3-2");
        leads(backend, SETTINGS);
        FakeJobMaster job = requires(4);
        registers("local-3-1", Optional.of(job));
        registers("local-3-2", Optional.of(job));
        time.advance(REGISTRATION + 10_000);

        assertThat(backend.ended).isEmpty();
    }

    @Test
    void aWorkerOfThePreviousAttemptBeyondWhatASpecMayHaveIsNoRoomAndEndedWhenItDoesNotRegister() {
        Contract backend = new Contract(spec(0, 1), "local-3-1", "local-3-2");
        leads(backend, SETTINGS);
        FakeJobMaster job = requires(4);
        registers("local-3-1", Optional.of(job));
        time.advance(WAIT - 1_000);
        assertThat(backend.ended).isEmpty();
        assertThat(workers()).extracting(WorkerDetails::id).containsExactly("local-3-1");
        time.advance(2_000);

        assertThat(backend.ended).containsExactly(new WorkerId("local-3-2"));
        assertThat(backend.started).isEmpty();
    }

    @Test
    void aPauseOfTheProcessTakesNoTimeFromWorkersOfThePreviousAttempt() {
        Contract backend = new Contract(spec(0, 9), "local-3-1");
        leads(backend, SETTINGS);
        requires(2);
        time.jump(WAIT + 60_000);
        assertThat(backend.started).isEmpty();
        time.advance(WAIT - 1_000);
        assertThat(backend.started).isEmpty();
        assertThat(backend.ended).isEmpty();
        time.advance(2_000);

        assertThat(backend.ended).containsExactly(new WorkerId("local-3-1"));
        assertThat(backend.started).hasSize(1);
    }

    @Test
    void aWorkerOfThePreviousAttemptBeyondWhatASpecMayHaveCountsOnceItHasRegistered() {
        Contract backend = new Contract(spec(0, 2), "local-3-1", "local-3-2", "local-3-3");
        leads(backend, SETTINGS);
        FakeJobMaster job = requires(4);
        registers("local-3-3", Optional.of(job));
        registers("local-3-1", Optional.of(job));
        registers("local-3-2", Optional.empty());
        time.advance(SETTLE + CHECK);

        backend.die(new WorkerId("local-3-1"));
        time.advance(CHECK);
        backend.die(new WorkerId("local-3-2"));
        time.advance(CHECK);
        backend.fill();

        assertThat(backend.started).as("the job lacks two slots").hasSize(1);
        assertThat(backend.running).contains(new WorkerId("local-3-3"));
    }

    @Test
    void neverDeclaresMoreWorkersThanASpecMayHave() {
        Contract backend = new Contract(spec(0, 2), "local-3-1", "local-3-2", "local-3-3");
        leads(backend, SETTINGS);
        FakeJobMaster job = requires(6);
        registers("local-3-1", Optional.of(job));
        registers("local-3-2", Optional.of(job));
        registers("local-3-3", Optional.of(job));
        time.advance(WAIT);

        assertThat(backend.running).hasSize(3);
        assertThat(backend.last.orElseThrow().needed()).containsEntry("small", 2);
    }

    @Test
    void aWorkerBeyondWhatASpecMayHaveTakesThePlaceOfOneThatWasNotStarted() {
        Contract backend = new Contract(spec(0, 2), "local-3-1", "local-3-2", "local-3-3");
        leads(backend, SETTINGS.toBuilder().previousWorkersWaitMillis(0).build());
        FakeJobMaster job = requires(2, 6);
        registers("local-3-1", Optional.of(job));
        registers("local-3-2", Optional.of(job));
        backend.die(new WorkerId("local-3-1"));
        time.advance(CHECK);
        assertThat(backend.started).as("two workers run").isEmpty();
        assertThat(workers()).extracting(WorkerDetails::state).containsExactly("registered", "pending");
        registers("local-3-3", Optional.of(job));
        time.advance(CHECK);

        assertThat(workers()).extracting(WorkerDetails::id).containsExactly("local-3-2", "local-3-3");
        assertThat(backend.started).isEmpty();
    }

    @Test
    void waitsForAWorkerOfThePreviousAttemptBeyondWhatASpecMayHave() {
        Contract backend = new Contract(spec(0, 1), "local-3-1", "local-3-2");
        leads(backend, SETTINGS);
        FakeJobMaster job = requires(2, "local-3-2");
        FakeWorker counted = registers("local-3-1", Optional.empty());
        time.advance(SETTLE + CHECK);
        assertThat(counted.requested).as("the other one is still to come").isEmpty();
        registers("local-3-2", Optional.of(job));
        time.advance(WAIT);

        assertThat(counted.requested).as("the job has its slots").isEmpty();
    }

    @Test
    void aWorkerOfThePreviousTermThatEndsDuringTheWaitIsNoFailedStartAndNotReplacedWithoutNeed() {
        Contract backend = new Contract(spec(0, 9), "local-3-1", "local-3-2");
        leads(backend, SETTINGS.toBuilder().startFailures(1, 600_000).build());
        backend.die(new WorkerId("local-3-1"));
        backend.die(new WorkerId("local-3-2"));
        time.advance(WAIT + 1_000);
        assertThat(backend.started).isEmpty();
        assertThat(workers()).isEmpty();
        requires(2);
        time.advance(100);

        assertThat(backend.started).as("starts are not paused").hasSize(1);
    }

    @Test
    void aWorkerOfThePreviousAttemptThatHasNoWorkIsReleasedAndItsBackendEndsIt() {
        Contract backend = new Contract(spec(0, 9), "local-3-1");
        leads(backend, SETTINGS);
        FakeWorker idle = registers("local-3-1", Optional.empty());
        time.advance(WAIT + 35_000);

        assertThat(idle.told).containsExactly("exit");
        assertThat(backend.ended).containsExactly(idle.id);
        assertThat(backend.started).isEmpty();
    }
}
