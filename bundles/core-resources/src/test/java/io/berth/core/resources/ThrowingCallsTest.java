package io.berth.core.resources;

import static io.berth.core.resources.TestCluster.SLOT;
import static io.berth.core.resources.TestCluster.TWO_SLOTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.FencingToken;
import io.berth.core.api.InstanceId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.fake.FakeRpc;
import io.berth.core.api.fake.ManualTime;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMasterGateway.NotEnoughResources;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.RequirementsDeclaration;
import io.berth.core.api.gateway.ResourceManagerGateway.SlotFreed;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequests;
import io.berth.core.api.policy.BackendHost;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PolicyHost;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Timers;
import io.berth.core.resources.backends.WorkerLaunch;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.spi.AllocationId;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each call out of the ResourceManager's main thread fails in turn while workers and JobMasters come, go and change
 * what they require: to clock, timers and pools, to the transport, to workers and JobMasters, to policies and backends.
 * Either the term goes on, or it reports the failure and ends, and the next one serves the jobs with the same workers.
 * Nothing of the ended term acts (P3), no allocation is on two workers (P1), no job has more slots than
 * it declared (P2), and each has them within a bound (P4).
 */
class ThrowingCallsTest {

    private static final PrintStream ERR = System.err;
    private static final int MAX_ROUNDS = 90;
    private static final long ROUND_MILLIS = 1_000;

    /** How the call fails. */
    enum Way {
        /** Nothing is done and it throws. */
        THROWS_AT_ONCE,
        /** It does what it is for and throws then. */
        THROWS_AFTERWARDS,
        /** What it promises fails, with what no transport says; only calls that promise. */
        FAILS_LATER
    }

    /** Of the call of that number. */
    private static final class InjectedFault extends RuntimeException {

        private static final long serialVersionUID = 1L;

        InjectedFault(String call) {
            super(call);
        }
    }

    private static <T> Optional<T> answer(CompletionStage<T> stage) {
        CompletableFuture<T> answer = stage.toCompletableFuture();
        return answer.isDone() && !answer.isCompletedExceptionally() ? Optional.of(answer.join()) : Optional.empty();
    }

    /** Registers again when its ResourceManager is another one, does not answer or lets it go. */
    private abstract static class Peer {

        private Optional<ResourceManagerGateway> at = Optional.empty();
        private Optional<CompletionStage<RegistrationResponse>> asked = Optional.empty();
        private int farewells;

        abstract List<String> told();

        abstract CompletionStage<RegistrationResponse> register(ResourceManagerGateway manager);

        abstract void registered(ResourceManagerGateway manager, InstanceId instance);

        void follow(ResourceManagerGateway manager) {
            List<String> told = told();
            boolean letGo = told.subList(farewells, told.size()).stream().anyMatch(each -> each.startsWith("disc"));
            farewells = told.size();
            if (letGo || at.filter(known -> known == manager).isEmpty()) {
                at = Optional.of(manager);
                asked = Optional.empty();
            }
            if (asked.isEmpty() || asked.get().toCompletableFuture().isCompletedExceptionally()) {
                asked = Optional.of(register(manager));
            } else {
                asked.flatMap(ThrowingCallsTest::answer)
                        .ifPresent(
                                response -> registered(manager, ((RegistrationResponse.Accepted) response).instance()));
            }
        }

        boolean isRegistered() {
            return asked.flatMap(ThrowingCallsTest::answer).isPresent();
        }
    }

    private static final class Worker extends Peer {

        private final FakeWorker worker;

        Worker(String name) {
            worker = new FakeWorker(name, 1);
            worker.capacity = 2;
        }

        @Override
        List<String> told() {
            return worker.told;
        }

        @Override
        CompletionStage<RegistrationResponse> register(ResourceManagerGateway manager) {
            return manager.registerWorker(worker.registration(TWO_SLOTS, 2, "standalone", ""));
        }

        @Override
        void registered(ResourceManagerGateway manager, InstanceId instance) {
            worker.instance = instance;
            worker.take();
        }
    }

    private static final class Job extends Peer {

        private final FakeJobMaster job;
        private RequirementsDeclaration required;
        private Optional<CompletionStage<?>> declaring = Optional.empty();
        private Optional<ResourceManagerGateway> declaredAt = Optional.empty();
        private int desired;

        Job(String name, long index, int minimum, int most) {
            job = new FakeJobMaster(name, index, index);
            require(minimum, most);
        }

        void require(int minimum, int most) {
            required = job.requires(minimum, most, SLOT);
            desired = most;
            declaring = Optional.empty();
        }

        @Override
        List<String> told() {
            return job.told;
        }

        @Override
        CompletionStage<RegistrationResponse> register(ResourceManagerGateway manager) {
            declaring = Optional.empty();
            return manager.registerJobMaster(job.registration());
        }

        @Override
        void registered(ResourceManagerGateway manager, InstanceId instance) {
            if (declaring
                            .filter(known -> !known.toCompletableFuture().isCompletedExceptionally())
                            .isEmpty()
                    || declaredAt.filter(known -> known == manager).isEmpty()) {
                declaredAt = Optional.of(manager);
                declaring = Optional.of(manager.declareRequirements(required));
            }
        }
    }

    private final class Life {

        private final int faulty;
        private final Way way;
        private int calls;
        private Optional<String> failed = Optional.empty();
        private Optional<ResourceManagerId> over = Optional.empty();
        private final ManualTime time = new ManualTime();
        private final FakeRpc rpc = new FakeRpc();
        private final PolicyHost policies = RealPolicies.on(time);
        private final List<Throwable> failures = new ArrayList<>();
        private final List<Worker> workers = new ArrayList<>();
        private final List<Job> jobs = new ArrayList<>();
        private ResourceManagerTerm term;
        private long epoch;

        Life(Way way, int faulty) {
            this.way = way;
            this.faulty = faulty;
            nextTerm();
        }

        // The calls out

        private Object call(Object real, Method method, Object[] given) throws Throwable {
            if (method.getDeclaringClass() == Object.class) {
                return method.invoke(real, given);
            }
            String name = method.getDeclaringClass().getSimpleName() + "." + method.getName();
            boolean promises = CompletionStage.class.isAssignableFrom(method.getReturnType());
            boolean fails = (way != Way.FAILS_LATER || promises) && ++calls == faulty;
            InjectedFault fault = new InjectedFault(name);
            if (fails) {
                failed = Optional.of(name + ", call " + faulty + " " + way);
                if (way == Way.FAILS_LATER) {
                    return CompletableFuture.failedFuture(fault);
                }
                if (way == Way.THROWS_AT_ONCE) {
                    throw fault;
                }
            }
            fenced(method.getName(), given == null ? List.of() : Arrays.asList(given));
            Object result;
            try {
                result = method.invoke(real, given);
            } catch (InvocationTargetException failure) {
                throw failure.getCause();
            }
            conserved();
            if (fails) {
                throw fault;
            }
            return List.of(
                                    TaskExecutorGateway.class,
                                    JobMasterGateway.class,
                                    RpcService.Served.class,
                                    PlacementPlanner.class,
                                    Timers.Cancellable.class,
                                    AutoCloseable.class)
                            .contains(method.getReturnType())
                    ? throwing(method.getReturnType(), result)
                    : result;
        }

        private <T> T throwing(Class<T> type, Object real) {
            return type.cast(Proxy.newProxyInstance(
                    ThrowingCallsTest.class.getClassLoader(),
                    new Class<?>[] {type},
                    (self, method, given) -> call(real, method, given)));
        }

        /** P3 at each message. */
        private void fenced(String method, List<Object> given) {
            for (Object part : given) {
                Optional<ResourceManagerId> sender = part instanceof ResourceManagerId id
                        ? Optional.of(id)
                        : part instanceof SlotRequests requests
                                ? Optional.of(requests.resourceManager())
                                : part instanceof NotEnoughResources notice
                                        ? Optional.of(notice.resourceManager())
                                        : Optional.empty();
                sender.ifPresent(id -> assertThat(over)
                        .as("P3 after %s: a ResourceManager that is over says %s", failed, method)
                        .isNotEqualTo(Optional.of(id)));
            }
        }

        private List<AllocationId> slots() {
            return workers.stream()
                    .flatMap(each -> each.worker.slots.keySet().stream())
                    .toList();
        }

        private List<AllocationId> slotsOf(Job job) {
            return workers.stream()
                    .flatMap(each -> each.worker.slots.values().stream())
                    .filter(slot -> slot.job().equals(job.job.job))
                    .map(slot -> slot.allocation())
                    .toList();
        }

        /** P1 and P2 after each call. */
        private void conserved() {
            assertThat(slots()).as("P1 after %s", failed).doesNotHaveDuplicates();
            for (Job job : jobs) {
                assertThat(slotsOf(job).size())
                        .as("P2 after %s: slots of %s", failed, job.job.job)
                        .isLessThanOrEqualTo(job.desired);
            }
        }

        // The world around it

        private void nextTerm() {
            ResourceManagerId id = new ResourceManagerId(new FencingToken(++epoch, new UUID(0, epoch)));
            try {
                term = term(id);
                term.start();
            } catch (InjectedFault fault) {
                failures.add(fault);
            }
        }

        private ResourceManagerTerm term(ResourceManagerId id) {
            return new ResourceManagerTerm(
                    id,
                    new ResourceManagerTerm.Environment(
                            throwing(Clock.class, time),
                            throwing(Timers.class, time),
                            throwing(Executor.class, time),
                            throwing(Executor.class, time),
                            throwing(Executor.class, time),
                            throwing(RpcService.class, rpc),
                            throwing(PolicyHost.class, policies),
                            throwing(BackendHost.class, (BackendHost) follower -> () -> {})),
                    ResourceSettings.defaults().toBuilder()
                            .previousWorkersWaitMillis(0)
                            .build(),
                    new WorkerLaunch(
                            "java",
                            Path.of("worker"),
                            List.of(),
                            64,
                            Path.of("work"),
                            new RpcAddress("127.0.0.1", 7077),
                            1_000),
                    failure -> {
                        failures.add(failure);
                        over = Optional.of(id);
                    });
        }

        private void endTerm() {
            try {
                Optional.ofNullable(term).ifPresent(ResourceManagerTerm::close);
            } catch (InjectedFault fault) {
                // Who holds the role logs it.
            }
            over = Optional.of(new ResourceManagerId(new FencingToken(epoch, new UUID(0, epoch))));
            nextTerm();
        }

        private void round() {
            if (!failures.isEmpty()) {
                assertThat(failures).as("after %s", failed).hasOnlyElementsOfType(InjectedFault.class);
                failures.clear();
                endTerm();
            }
            rpc.newest(ResourceManagerGateway.class).ifPresent(manager -> {
                workers.forEach(each -> each.follow(manager));
                jobs.forEach(each -> each.follow(manager));
            });
            time.advance(ROUND_MILLIS);
        }

        private void untilServed() {
            for (int round = 0; round < MAX_ROUNDS; round++) {
                round();
                if (failures.isEmpty()
                        && workers.stream().allMatch(Peer::isRegistered)
                        && jobs.stream()
                                .allMatch(job ->
                                        job.isRegistered() && slotsOf(job).size() == job.desired)) {
                    return;
                }
            }
            assertThat(jobs.stream()
                            .map(job -> job.desired + " " + slotsOf(job))
                            .toList())
                    .as("P4 after %s: desired and slots", failed)
                    .isNull();
        }

        private Worker worker(String name) {
            Worker worker = new Worker(name);
            workers.add(worker);
            rpc.connect(worker.worker.endpoint(), worker.worker);
            return worker;
        }

        private Job job(String name, long index, int minimum, int desired) {
            Job job = new Job(name, index, minimum, desired);
            jobs.add(job);
            rpc.connect(job.job.endpoint(), job.job);
            return job;
        }

        private void tell(Consumer<ResourceManagerGateway> message) {
            rpc.newest(ResourceManagerGateway.class).ifPresent(message);
        }

        /** A job requires less, and gives back what it has too many. */
        private void lower(Job job, int minimum, int desired) {
            job.desired = Integer.MAX_VALUE;
            for (Worker worker : workers) {
                for (AllocationId slot : List.copyOf(worker.worker.slots.keySet())) {
                    if (slotsOf(job).size() > desired && slotsOf(job).contains(slot)) {
                        worker.worker.slots.remove(slot);
                        tell(manager -> manager.slotFreed(
                                new SlotFreed(worker.worker.instance, slot, job.job.job, "not required")));
                    }
                }
            }
            job.require(minimum, desired);
        }

        void pass() {
            worker("w1");
            Worker leaving = worker("w2");
            Job count = job("count", 1, 3, 4);
            untilServed();

            leaving.worker.dead = true;
            leaving.worker.slots.clear();
            workers.remove(leaving);
            worker("w3");
            untilServed();

            lower(count, 1, 2);
            untilServed();

            Job copy = job("copy", 2, 1, 2);
            untilServed();

            tell(manager -> manager.blockWorkers("w1", 60_000, "maintenance"));
            round();
            tell(manager -> manager.unblockWorkers("w1"));
            count.require(2, 3);
            Worker fourth = worker("w4");
            untilServed();

            tell(manager -> manager.disconnectWorker(fourth.worker.instance, "a test"));
            fourth.worker.dead = true;
            workers.remove(fourth);
            fourth.worker.slots.clear();
            worker("w5");
            untilServed();

            jobs.remove(copy);
            copy.job.dead = true;
            tell(manager -> manager.disconnectJobMaster(copy.job.job, copy.job.id, "it has ended"));
            for (Worker worker : workers) {
                worker.worker.slots.values().removeIf(slot -> slot.job().equals(copy.job.job));
            }
            count.require(4, 5);
            untilServed();

            try {
                term.stop("the process stops");
            } catch (InjectedFault fault) {
                // Who holds the role logs it.
            }
            time.advance(ROUND_MILLIS);
            endTerm();
            untilServed();
        }
    }

    /** Thousands of stack traces that are as they should be. */
    @BeforeEach
    void logNothing() {
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
    }

    @AfterEach
    void logAgain() {
        System.setErr(ERR);
    }

    @ParameterizedTest
    @EnumSource
    void F30_whereverACallFailsTheTermContinuesOrTheNextOneServesTheJobs(Way way) {
        List<String> problems = new ArrayList<>();
        int faulty = 0;
        Optional<String> failed;
        do {
            Life life = new Life(way, faulty);
            try {
                life.pass();
            } catch (RuntimeException | AssertionError problem) {
                problems.add(life.failed + ": " + problem);
            }
            failed = life.failed;
        } while (faulty++ == 0 || failed.isPresent());
        assertThat(problems).isEmpty();
        assertThat(faulty).as("calls that failed").isGreaterThan(way == Way.FAILS_LATER ? 30 : 400);
    }
}
