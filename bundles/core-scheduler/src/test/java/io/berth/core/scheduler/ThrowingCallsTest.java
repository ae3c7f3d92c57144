package io.berth.core.scheduler;

import static io.berth.core.scheduler.Jobs.SLOT;
import static io.berth.core.scheduler.Jobs.wordCount;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.FencingToken;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.fake.FakeRpc;
import io.berth.core.api.fake.ManualTime;
import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMastersGateway;
import io.berth.core.api.gateway.JobMastersGateway.JobStart;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.JobMasterRegistration;
import io.berth.core.api.gateway.ResourceManagerGateway.RequirementsDeclaration;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.gateway.TaskExecutorGateway.AllocatedSlots;
import io.berth.core.api.gateway.TaskExecutorGateway.Deployments;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotsToFree;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.ParallelismBounds;
import io.berth.core.api.job.ParallelismBounds.VertexBounds;
import io.berth.core.api.policy.PolicyHost;
import io.berth.core.api.policy.ScalingAdvisor;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RoleDirectory;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskState;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Timers;
import io.berth.core.scheduler.job.SchedulerConfiguration;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * While a job goes through losses, failures and changes of leaders, each call that leaves a main thread of the role
 * job-masters fails once: calls to the clock, timers and thread pool, the transport, workers, the ResourceManager and
 * the Dispatcher, policies and the directory. Either the job continues, or its JobMaster or the role ends and the next
 * one takes over the job. Nothing that ended acts (P3), no slot serves two executions (P1), the job has no more slots
 * than it declared (P2), it runs again within a bound (P4), and everything is released at the end.
 */
class ThrowingCallsTest {

    private static final PrintStream ERR = System.err;
    private static final int MAX_ROUNDS = 90;
    private static final long ROUND_MILLIS = 1_000;

    /** How the call fails. */
    enum Way {
        /** The call has no effect and throws. */
        THROWS_AT_ONCE,
        /** The call takes effect and then throws. */
        THROWS_AFTERWARDS,
        /** The returned future fails, with an exception that no transport throws. Only calls that return a future. */
        FAILS_LATER
    }

    private interface Ids extends Supplier<UUID> {}

    private interface Settings extends Supplier<SchedulerConfiguration> {}

    /** The failure of the chosen call. */
    private static final class InjectedFault extends RuntimeException {

        private static final long serialVersionUID = 1L;

        InjectedFault(String call) {
            super(call);
        }
    }

    /** A host with two slots. Its worker keeps slots when a JobMaster ends. */
    private final class Host {

        private final String name;
        private final Life life;
        private final Set<AllocationId> slots = new TreeSet<>();
        private FakeWorker worker;
        private Optional<EndpointRef> registered = Optional.empty();
        private int seenDisconnects;
        private int seenCommits;
        private int seenReports;
        /** Slots that were there before the last heartbeat: the JobMaster lists them, or does not have them. */
        private Set<AllocationId> early = Set.of();

        private long sessions;

        Host(String name, Life life) {
            this.name = name;
            this.life = life;
            restart();
        }

        /** Replaces the worker process with a new one. */
        void restart() {
            slots.clear();
            registered = Optional.empty();
            seenDisconnects = 0;
            seenCommits = 0;
            seenReports = 0;
            early = Set.of();
            worker = new FakeWorker(life.rpc, life.jobMaster().orElse(null), name, ++sessions);
            worker.offerNumber = 1_000 * sessions;
        }

        /** Obeys the calls of the JobMaster, registers at the next one, and offers the slots that it kept. */
        void round() {
            slots.removeAll(worker.freed);
            boolean disconnected = worker.disconnected.size() > seenDisconnects;
            if (disconnected && worker.disconnected.get(worker.disconnected.size() - 1)) {
                slots.clear();
                worker.tasks.clear();
            }
            seenDisconnects = worker.disconnected.size();
            if (disconnected) {
                registered = Optional.empty();
            }
            if (worker.reports.size() > seenReports) {
                seenReports = worker.reports.size();
                slots.removeIf(slot -> early.contains(slot) && !worker.listedSlots.contains(slot));
                early = Set.copyOf(slots);
            }
            Optional<EndpointRef> found = life.served();
            if (found.isPresent() && !registered.equals(found)) {
                registered = life.jobMaster()
                        .flatMap(jobMaster -> answer(worker.moveTo(jobMaster)))
                        .flatMap(accepted -> found);
                early = Set.of();
                offer(slots);
            }
            while (seenCommits < worker.commits.size()) {
                AttemptId attempt = worker.commits.get(seenCommits++).attempt();
                if (worker.tasks.containsKey(attempt)) {
                    worker.update(attempt, TaskState.FINISHED);
                }
            }
        }

        void offer(Set<AllocationId> offered) {
            if (registered.isPresent() && !offered.isEmpty()) {
                answer(worker.offerSlots(offered.stream()
                                .map(allocation -> FakeWorker.offer((int) allocation.number(), "default", SLOT))
                                .toList()))
                        .ifPresentOrElse(
                                answer -> {
                                    slots.clear();
                                    slots.addAll(answer.accepted());
                                },
                                () -> registered = Optional.empty());
            }
        }

        private static <T> Optional<T> answer(CompletionStage<T> stage) {
            CompletableFuture<T> answer = stage.toCompletableFuture();
            return answer.isDone() && !answer.isCompletedExceptionally()
                    ? Optional.of(answer.join())
                    : Optional.empty();
        }

        boolean deploys(TaskDeployment task) {
            return worker.tasks.keySet().stream()
                    .map(worker.deployments::get)
                    .filter(other -> other.allocation().equals(task.allocation()))
                    .noneMatch(other ->
                            other.attempt().chain().equals(task.attempt().chain())
                                    || other.attempt().execution()
                                            != task.attempt().execution());
        }
    }

    private final class Life {

        private final int faulty;
        private final Way way;
        private int calls;
        private Optional<String> failed = Optional.empty();
        private boolean mayLeak;
        private final ManualTime time = new ManualTime();
        private final FakeRpc rpc = new FakeRpc();
        private final FakePolicies policies = new FakePolicies();
        private final FakeDirectory directory = new FakeDirectory(rpc.address());
        private final FakeResourceManager resourceManager = new FakeResourceManager();
        private final FakeDispatcher dispatcher = new FakeDispatcher();
        private final JobGraph graph = wordCount(1, 3);
        private final List<Host> hosts = new ArrayList<>();
        private final List<Throwable> failures = new ArrayList<>();
        private final EndpointRef dispatcherAt;
        private Optional<FencingToken> newest = Optional.empty();
        private FencingToken resourceManagerToken = new FencingToken(1, new UUID(0, 1));
        private JobMastersTerm term;
        private long epoch;
        private long ids;
        private int allocations;

        Life(Way way, int faulty) {
            this.faulty = faulty;
            this.way = way;
            rpc.serve(EndpointName.RESOURCE_MANAGER, resourceManagerToken, resourceManager);
            dispatcherAt = rpc.serve(EndpointName.DISPATCHER, new FencingToken(1, new UUID(0, 2)), dispatcher)
                    .endpoint();
            hosts.add(new Host("w1", this));
            hosts.add(new Host("w2", this));
            nextTerm();
        }

        // Calls to other components

        private Object call(Object real, Method method, Object[] given) throws Throwable {
            if (method.getDeclaringClass() == Object.class) {
                return method.invoke(real, given);
            }
            String name = method.getDeclaringClass().getSimpleName() + "." + method.getName();
            boolean isAsync = CompletionStage.class.isAssignableFrom(method.getReturnType());
            boolean fails = (way != Way.FAILS_LATER || isAsync) && ++calls == faulty;
            if (fails) {
                failed = Optional.of(name + ", call " + faulty + " " + way);
            }
            InjectedFault fault = new InjectedFault(name);
            if (fails && way != Way.THROWS_AFTERWARDS) {
                // What could not be closed stays open.
                mayLeak = List.of("close", "cancel").contains(method.getName());
                if (way == Way.FAILS_LATER) {
                    return CompletableFuture.failedFuture(fault);
                }
                throw fault;
            }
            check(method.getName(), real, given == null ? List.of() : Arrays.asList(given));
            Object result;
            try {
                result = method.invoke(real, given);
            } catch (InvocationTargetException failure) {
                throw failure.getCause();
            }
            if (fails) {
                mayLeak = List.of("serve", "schedule", "openScaling", "follow").contains(method.getName());
                throw fault;
            }
            return List.of(
                                    TaskExecutorGateway.class,
                                    ResourceManagerGateway.class,
                                    DispatcherGateway.class,
                                    RpcService.Served.class,
                                    ScalingAdvisor.class,
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

        /** Checks P1 and P3 for each message. */
        private void check(String method, Object receiver, List<Object> given) {
            for (Object part : given) {
                Optional<JobMasterId> sender = part instanceof JobMasterId id
                        ? Optional.of(id)
                        : part instanceof AllocatedSlots slots
                                ? Optional.of(slots.jobMaster())
                                : part instanceof SlotsToFree slots
                                        ? Optional.of(slots.jobMaster())
                                        : part instanceof Deployments tasks
                                                ? Optional.of(tasks.jobMaster())
                                                : part instanceof JobMasterRegistration registration
                                                        ? Optional.of(registration.jobMaster())
                                                        : part instanceof RequirementsDeclaration declaration
                                                                ? Optional.of(declaration.jobMaster())
                                                                : Optional.empty();
                sender.ifPresent(id -> assertThat(
                                newest.filter(newer -> id.token().compareTo(newer) < 0))
                        .as("P3 after %s: an earlier JobMaster calls %s", failed, method)
                        .isEmpty());
                if (part instanceof Deployments tasks) {
                    Host host = hosts.stream()
                            .filter(each -> each.worker.gateway == receiver)
                            .findFirst()
                            .orElseThrow();
                    assertThat(tasks.tasks())
                            .as("P1 after %s: tasks of two executions in a slot", failed)
                            .allMatch(host::deploys);
                }
            }
        }

        // The peers of the role

        private void nextTerm() {
            term = new JobMastersTerm(
                    new FencingToken(++epoch, new UUID(0, 9)),
                    new JobMastersTerm.Environment(
                            throwing(Clock.class, time),
                            throwing(Timers.class, time),
                            throwing(Executor.class, (Executor) Runnable::run),
                            throwing(RpcService.class, rpc),
                            throwing(PolicyHost.class, policies),
                            throwing(RoleDirectory.class, directory),
                            throwing(Ids.class, (Ids) () -> new UUID(1, ++ids)),
                            throwing(Settings.class, (Settings) () -> SchedulerConfiguration.DEFAULTS)),
                    failures::add);
            try {
                term.start();
            } catch (InjectedFault fault) {
                failures.add(fault);
            }
        }

        Optional<JobMasterGateway> jobMaster() {
            return Optional.ofNullable((JobMasterGateway) rpc.served.get(EndpointName.jobMaster(graph.id())));
        }

        private Optional<JobDetails> details() {
            return jobMaster().flatMap(gateway -> Host.answer(gateway.details()));
        }

        /** The endpoint of the JobMaster, when it answers. */
        Optional<EndpointRef> served() {
            return details()
                    .flatMap(known -> Host.answer(rpc.resolve(rpc.address(), EndpointName.jobMaster(graph.id()))));
        }

        private boolean isEnded() {
            return !dispatcher.reports.isEmpty()
                    && dispatcher.lastReport().status().isTerminal();
        }

        private void round() {
            if (!failures.isEmpty()) {
                failures.clear();
                endTerm();
            }
            if (!isEnded() && details().isEmpty()) {
                JobMastersGateway role = (JobMastersGateway) rpc.served.get(EndpointName.JOB_MASTERS);
                role.startJob(new JobStart(graph, 5, dispatcherAt)).whenComplete((endpoint, failure) -> {
                    if (failure == null) {
                        newest = Optional.of(endpoint.token());
                    }
                });
            }
            hosts.forEach(Host::round);
            grant();
            time.advance(ROUND_MILLIS);
        }

        private void endTerm() {
            try {
                term.close();
            } catch (InjectedFault fault) {
                // The owner of the term logs it.
            }
            nextTerm();
        }

        private int required() {
            return resourceManager.declarations.isEmpty()
                    ? 0
                    : resourceManager.lastDeclaration().units().stream()
                            .flatMap(unit -> unit.groups().stream())
                            .mapToInt(ResourceManagerGateway.GroupRequirement::desired)
                            .sum();
        }

        private int held() {
            return hosts.stream().mapToInt(host -> host.slots.size()).sum();
        }

        /** Does what the ResourceManager does: grants the required slots while there are free ones. */
        private void grant() {
            for (Host host : hosts) {
                while (host.registered.isPresent() && host.slots.size() < 2 && held() < required()) {
                    Set<AllocationId> all = new TreeSet<>(host.slots);
                    all.add(new AllocationId(1, ++allocations));
                    int before = host.slots.size();
                    host.offer(all);
                    if (host.slots.size() <= before) {
                        break;
                    }
                }
            }
        }

        private void until(String what, BooleanSupplier there) {
            for (int round = 0; round < MAX_ROUNDS; round++) {
                round();
                if (failures.isEmpty() && there.getAsBoolean()) {
                    return;
                }
            }
            assertThat(details().map(JobDetails::status))
                    .as("P4 after %s: not %s within a bound, %s reports", failed, what, dispatcher.reports.size())
                    .isNull();
        }

        private void untilItRuns() {
            until("running with all its slots", () -> {
                Optional<JobDetails> now = details();
                return now.filter(details -> details.status() == JobStatus.EXECUTING)
                                .filter(details -> details.vertices().get(0).parallelism() == 3)
                                .isPresent()
                        && hosts.stream()
                                        .mapToInt(host -> host.worker.tasks.size())
                                        .sum()
                                == 6;
            });
            assertThat(held()).as("P2 after %s", failed).isLessThanOrEqualTo(required());
        }

        private ResourceManagerId resourceManagerId() {
            return new ResourceManagerId(resourceManagerToken);
        }

        private void send(Consumer<JobMasterGateway> message) {
            jobMaster().ifPresent(message);
        }

        void run(boolean cancels) {
            untilItRuns();

            Host lost = hosts.get(1);
            WorkerId gone = lost.worker.id;
            send(gateway -> gateway.disconnectWorker(resourceManagerId(), gone, lost.worker.session, "exit code 1"));
            lost.restart();
            untilItRuns();

            FakeWorker failing = hosts.get(0).worker;
            List.copyOf(failing.tasks.keySet()).subList(0, 1).forEach(task -> failing.fail(task, "a test", false));
            untilItRuns();

            send(gateway -> gateway.blockWorkers(resourceManagerId(), 1, List.of(gone), List.of()));
            send(gateway -> gateway.requestSlotReturn(
                    resourceManagerId(), List.copyOf(hosts.get(0).slots), true, "somebody needs them"));
            send(gateway -> gateway.blockWorkers(resourceManagerId(), 2, List.of(), List.of()));
            policies.changed.run();
            untilItRuns();

            send(gateway -> gateway.changeBounds(new ParallelismBounds(
                    2,
                    graph.bounds().vertices().stream()
                            .map(vertex -> new VertexBounds(vertex.vertex(), 2, 3, 4))
                            .toList())));
            untilItRuns();

            resourceManagerToken = new FencingToken(2, new UUID(0, 1));
            rpc.serve(EndpointName.RESOURCE_MANAGER, resourceManagerToken, resourceManager);
            directory.change();
            untilItRuns();

            try {
                term.stop("the process stops");
            } catch (InjectedFault fault) {
                // The owner of the term logs it.
            }
            endTerm();
            untilItRuns();

            if (cancels) {
                until("canceled", () -> {
                    if (!isEnded()) {
                        send(gateway -> gateway.cancel("enough"));
                    }
                    return isEnded();
                });
            } else {
                until("finished", () -> {
                    for (Host host : hosts) {
                        List.copyOf(host.worker.tasks.keySet()).stream()
                                .filter(attempt -> host.worker.tasks.get(attempt) == TaskState.RUNNING)
                                .forEach(host.worker::ready);
                    }
                    return isEnded();
                });
            }
            until("gone", () -> details().isEmpty());
            assertThat(dispatcher.lastReport().status())
                    .as("the job after %s", failed)
                    .isEqualTo(cancels ? JobStatus.CANCELED : JobStatus.FINISHED);
            if (failed.isEmpty()) {
                hosts.forEach(Host::round);
                assertThat(held()).as("slots after the job").isZero();
                assertThat(required()).as("requirements after the job").isZero();
                assertThat(resourceManager.disconnected).containsExactly(graph.id());
            }
            endTerm();
            term.close();
            if (!mayLeak) {
                assertThat(time.pending()).as("timers after %s", failed).isZero();
                assertThat(policies.open).as("policies after %s", failed).hasValue(0);
                assertThat(directory.followers())
                        .as("followers after %s", failed)
                        .isZero();
                assertThat(rpc.served.keySet())
                        .as("served after %s", failed)
                        .doesNotContain(EndpointName.JOB_MASTERS, EndpointName.jobMaster(graph.id()));
            }
        }
    }

    /** The injected faults would log thousands of stack traces. */
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
    void F30_whereverACallFailsTheJobContinuesOrTheNextJobMasterRunsIt(Way way) {
        List<String> problems = new ArrayList<>();
        int faulty = 0;
        Optional<String> failed;
        do {
            Life life = new Life(way, ++faulty);
            try {
                life.run(faulty % 2 == 0);
            } catch (RuntimeException | AssertionError problem) {
                problems.add(life.failed + ": " + problem);
            }
            failed = life.failed;
        } while (failed.isPresent());
        assertThat(problems).isEmpty();
        assertThat(faulty).as("calls that failed").isGreaterThan(way == Way.FAILS_LATER ? 30 : 500);
    }

    @Test
    void everythingIsReleasedAfterARunWithoutFaults() {
        new Life(Way.THROWS_AT_ONCE, 0).run(false);
        new Life(Way.THROWS_AT_ONCE, 0).run(true);
    }
}
