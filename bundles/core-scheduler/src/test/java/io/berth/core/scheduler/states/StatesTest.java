package io.berth.core.scheduler.states;

import static io.berth.core.scheduler.Jobs.graph;
import static io.berth.core.scheduler.Jobs.vertex;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.FencingToken;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.core.api.policy.ScalingAdvisor.Feasible;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.task.TaskState;
import io.berth.core.api.time.Timers.Cancellable;
import io.berth.core.scheduler.Configurations;
import io.berth.core.scheduler.Jobs;
import io.berth.core.scheduler.execution.ExecutionGraph;
import io.berth.core.scheduler.execution.ExecutionTask;
import io.berth.core.scheduler.execution.ExecutionTask.Blame;
import io.berth.core.scheduler.execution.ExecutionTask.Failure;
import io.berth.core.scheduler.execution.TaskUpdates;
import io.berth.core.scheduler.job.JobIdentity;
import io.berth.core.scheduler.slotpool.PoolSlot;
import io.berth.spi.AllocationId;
import io.berth.spi.PolicyKind;
import io.berth.spi.WorkerId;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What each state does with each event: each cell of the table of FLIP-160 on its own, also the empty ones. The context
 * is recorded; a state without an effect calls nothing of it but questions.
 */
class StatesTest {

    private static final EndpointRef REF =
            new EndpointRef(new RpcAddress("h", 1), EndpointName.DISPATCHER, new FencingToken(1, new UUID(0, 0)));
    private static final Failure OWN = new Failure("it broke", false, Blame.TASK);
    private static final Failure PEER_LOST = new Failure("its producer is gone", true, Blame.TASK);
    private static final String STABILIZES = "runLater 30000, runLater 3000";
    private static final String RESCALES_LATER = "runLater 30000, runLater 1000";
    private static final long BACKOFF_MILLIS = 777;

    private static final PolicyIdentity IDENTITY = new PolicyIdentity(PolicyKind.SCALING, "s", "s", "1.0.0", 1, 1);

    private enum Event {
        CANCEL,
        SLOTS_ADDED,
        SLOTS_LOST,
        SLOTS_TAKEN,
        SLOTS_LEAVING,
        WORKERS_LEAVE,
        POLICIES_CHANGED,
        BOUNDS_CHANGED,
        TASK_FAILED,
        TASK_ENDED
    }

    /** What a state may call. */
    private interface Everything
            extends Created.Context,
                    WaitingForResources.Context,
                    CreatingExecutionGraph.Context,
                    Executing.Context,
                    Restarting.Context,
                    Canceling.Context,
                    Failing.Context,
                    Finished.Context {}

    private record Timer(State owner, long delayMillis, Runnable action) {}

    /** Records what a state does, in order. */
    private static final class World {

        private static final Set<String> QUESTIONS = Set.of(
                "isFulfilled",
                "isMinimumFulfilled",
                "doesAnotherUnitRun",
                "missing",
                "hasUnusedSlots",
                "isAboveMaximum",
                "feasible",
                "move",
                "hasInputs",
                "nowMillis",
                "countFailure",
                "createExecution",
                "backoffOf");

        private final ExecutionGraph execution = execution();
        private final List<String> effects = new ArrayList<>();
        final List<Timer> timers = new ArrayList<>();
        private final Set<String> yes = new TreeSet<>();
        private Optional<String> noRestart = Optional.empty();
        private Optional<Consumer<ScalingOutcome>> asked = Optional.empty();
        final Everything context = (Everything) Proxy.newProxyInstance(
                StatesTest.class.getClassLoader(),
                new Class<?>[] {Everything.class},
                (proxy, method, arguments) -> call(method, arguments));

        private static ExecutionGraph execution() {
            JobIdentity job = new JobIdentity(graph(List.of(vertex("a", 1, 1, "default")), List.of()), REF);
            PoolSlot slot =
                    new PoolSlot(new AllocationId(1, 1), new WorkerId("w"), "default", "default", Jobs.SLOT, false, 1);
            ExecutionGraph execution =
                    new ExecutionGraph(job, 1, List.of(1), new TreeMap<>(Map.of("default", List.of(slot))), 0, 60_000);
            execution.tasksInOrder().forEach(task -> task.apply(TaskUpdates.of(task, TaskState.RUNNING)));
            return execution;
        }

        ExecutionTask task() {
            return execution.tasksInOrder().get(0);
        }

        @SuppressWarnings("unchecked")
        private Object call(Method method, Object[] arguments) {
            String name = method.getName();
            if (!QUESTIONS.contains(name)) {
                effects.add(name + detail(name, arguments));
            }
            if (name.equals("decide")) {
                asked = Optional.of((Consumer<ScalingOutcome>) arguments[1]);
            }
            if (name.equals("runLater")) {
                timers.add(new Timer((State) arguments[0], (long) arguments[1], (Runnable) arguments[2]));
                return (Cancellable) () -> {};
            }
            return answer(name, method.getReturnType());
        }

        private static String detail(String name, Object[] arguments) {
            return switch (name) {
                case "runLater" -> " " + arguments[1];
                case "goToFinished" -> " " + arguments[0];
                default -> "";
            };
        }

        private Object answer(String name, Class<?> type) {
            if (type == boolean.class) {
                return yes.contains(name);
            }
            if (type == long.class) {
                return 0L;
            }
            return switch (name) {
                case "countFailure" -> noRestart;
                case "createExecution" -> Optional.of(execution).filter(built -> yes.contains(name));
                case "missing" -> Reason.of(ReasonCode.NOT_ATTEMPTED, "needs a slot");
                case "feasible" -> new Feasible(Optional.of(List.of(1)), "");
                default -> type == Optional.class ? Optional.empty() : null;
            };
        }

        /** The policy answers. */
        void decided(boolean accepted) {
            Feasible feasible = new Feasible(Optional.of(List.of(1)), "");
            asked.orElseThrow()
                    .accept(new ScalingOutcome.Decided(
                            1, IDENTITY, List.of(1), feasible, accepted, OptionalLong.empty(), ""));
        }

        String effects() {
            String all = String.join(", ", effects);
            effects.clear();
            return all;
        }
    }

    private static Executing executing(World world) {
        return new Executing(world.context, Configurations.EXACT, world.execution, "", OptionalLong.empty());
    }

    private static Restarting restarting(World world, Failure cause, Optional<ReasonCode> planned) {
        return new Restarting(world.context, Configurations.EXACT, world.execution, cause, planned, BACKOFF_MILLIS);
    }

    private static Failing failing(World world, Failure cause) {
        return new Failing(world.context, Configurations.EXACT, world.execution, "", cause);
    }

    private static Canceling canceling(World world) {
        return new Canceling(world.context, Configurations.EXACT, world.execution, "by a user");
    }

    private static WaitingForResources waiting(World world) {
        return new WaitingForResources(world.context, Configurations.EXACT, Optional.empty());
    }

    private static Finished ended(World world, JobStatus outcome) {
        return new Finished(world.context, outcome, "", Optional.of(world.execution));
    }

    /** A state in each way of being in it: how it is made, which questions are answered with yes, and the cells of its row. */
    private static Stream<Arguments> rows() {
        return Stream.of(
                row("Created", world -> new Created(world.context), Map.of(Event.CANCEL, "goToFinished CANCELED")),
                row(
                        "WaitingForResources, before the policy has decided",
                        StatesTest::waiting,
                        Map.of(
                                Event.CANCEL, "goToFinished CANCELED",
                                Event.POLICIES_CHANGED, "decide",
                                Event.BOUNDS_CHANGED, "decide")),
                row(
                        "WaitingForResources, below its minimum",
                        world -> decided(world, waiting(world)),
                        Map.of(
                                Event.CANCEL, "goToFinished CANCELED",
                                Event.POLICIES_CHANGED, "decide",
                                Event.BOUNDS_CHANGED, "decide")),
                row(
                        "WaitingForResources, with its minimum",
                        world -> decided(world, waiting(world)),
                        Map.of(
                                Event.CANCEL, "goToFinished CANCELED",
                                Event.SLOTS_ADDED, STABILIZES,
                                Event.SLOTS_LOST, STABILIZES,
                                Event.POLICIES_CHANGED, "decide",
                                Event.BOUNDS_CHANGED, "decide"),
                        "isMinimumFulfilled"),
                row(
                        "WaitingForResources, with all that it desires",
                        world -> decided(world, waiting(world)),
                        Map.of(
                                Event.CANCEL, "goToFinished CANCELED",
                                Event.SLOTS_ADDED, "goToCreatingExecutionGraph",
                                Event.SLOTS_LOST, "goToCreatingExecutionGraph",
                                Event.POLICIES_CHANGED, "decide",
                                Event.BOUNDS_CHANGED, "decide"),
                        "isMinimumFulfilled",
                        "isFulfilled"),
                row(
                        "CreatingExecutionGraph",
                        world -> new CreatingExecutionGraph(world.context),
                        Map.of(Event.CANCEL, "goToFinished CANCELED")),
                row(
                        "Executing",
                        StatesTest::executing,
                        Map.of(
                                Event.CANCEL, "goToCanceling",
                                Event.SLOTS_ADDED, RESCALES_LATER,
                                Event.SLOTS_LOST, RESCALES_LATER,
                                Event.SLOTS_TAKEN, "goToRematched",
                                Event.SLOTS_LEAVING, "decide",
                                Event.POLICIES_CHANGED, RESCALES_LATER,
                                Event.BOUNDS_CHANGED, RESCALES_LATER,
                                Event.TASK_FAILED, "goToRestarting",
                                Event.TASK_ENDED, "goToFinished FINISHED")),
                row(
                        "Executing, with slots that it does not use",
                        StatesTest::executing,
                        Map.of(
                                Event.CANCEL,
                                "goToCanceling",
                                Event.SLOTS_ADDED,
                                RESCALES_LATER,
                                Event.SLOTS_LOST,
                                RESCALES_LATER,
                                Event.SLOTS_TAKEN,
                                "goToRematched",
                                Event.SLOTS_LEAVING,
                                "decide",
                                Event.WORKERS_LEAVE,
                                RESCALES_LATER,
                                Event.POLICIES_CHANGED,
                                RESCALES_LATER,
                                Event.BOUNDS_CHANGED,
                                RESCALES_LATER,
                                Event.TASK_FAILED,
                                "goToRestarting",
                                Event.TASK_ENDED,
                                "goToFinished FINISHED"),
                        "hasUnusedSlots"),
                row(
                        "Restarting",
                        world -> restarting(world, OWN, Optional.empty()),
                        Map.of(
                                Event.CANCEL, "goToCanceling",
                                Event.TASK_FAILED, "executionEnded",
                                Event.TASK_ENDED, "executionEnded")),
                row(
                        "Restarting, after a consequence",
                        world -> restarting(world, PEER_LOST, Optional.empty()),
                        Map.of(
                                Event.CANCEL, "goToCanceling",
                                Event.TASK_FAILED, "rootCauseFound, executionEnded",
                                Event.TASK_ENDED, "executionEnded")),
                row(
                        "Canceling",
                        StatesTest::canceling,
                        Map.of(
                                Event.TASK_FAILED, "executionEnded, goToFinished CANCELED",
                                Event.TASK_ENDED, "executionEnded, goToFinished CANCELED")),
                row(
                        "Failing",
                        world -> failing(world, OWN),
                        Map.of(
                                Event.CANCEL, "goToCanceling",
                                Event.TASK_FAILED, "executionEnded, goToFinished FAILED",
                                Event.TASK_ENDED, "executionEnded, goToFinished FAILED")),
                row(
                        "Failing, after a consequence",
                        world -> failing(world, PEER_LOST),
                        Map.of(
                                Event.CANCEL, "goToCanceling",
                                Event.TASK_FAILED, "rootCauseFound, executionEnded, goToFinished FAILED",
                                Event.TASK_ENDED, "executionEnded, goToFinished FAILED")),
                row("Finished", world -> ended(world, JobStatus.FINISHED), Map.of()),
                row("Canceled", world -> ended(world, JobStatus.CANCELED), Map.of()),
                row("Failed", world -> ended(world, JobStatus.FAILED), Map.of()));
    }

    private static Arguments row(
            String name, Function<World, State> made, Map<Event, String> cells, String... answeredWithYes) {
        return Arguments.of(name, made, cells, Set.of(answeredWithYes));
    }

    private static State decided(World world, State state) {
        state.enter();
        world.decided(false);
        return state;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void c125_eachStateDoesWithEachEventWhatItsRowSays(
            String name, Function<World, State> made, Map<Event, String> cells, Set<String> answeredWithYes) {
        Map<Event, String> actual = new TreeMap<>();
        for (Event event : Event.values()) {
            World world = new World();
            State state = made.apply(world);
            world.yes.addAll(answeredWithYes);
            world.effects();
            happen(event, state, world);
            String effects = world.effects();
            if (!effects.isEmpty()) {
                actual.put(event, effects);
            }
        }
        assertThat(actual).isEqualTo(new TreeMap<>(cells));
    }

    private static void happen(Event event, State state, World world) {
        switch (event) {
            case CANCEL -> state.cancel("by a user");
            case SLOTS_ADDED -> state.slotsAdded();
            case SLOTS_LOST -> state.slotsLost();
            case SLOTS_TAKEN -> state.slotsTaken("another group has its slot");
            case SLOTS_LEAVING -> state.slotsLeaving("another job needs it");
            case WORKERS_LEAVE -> state.workersLeave();
            case POLICIES_CHANGED -> state.policiesChanged();
            case BOUNDS_CHANGED -> state.boundsChanged();
            case TASK_FAILED -> {
                world.task().fail(OWN);
                state.taskChanged(world.task());
            }
            case TASK_ENDED -> {
                world.task().finished();
                state.taskChanged(world.task());
            }
        }
    }

    @Test
    void c125_noStateIsLeftWhileItIsEntered() {
        rows().map(Arguments::get).forEach(row -> {
            World world = new World();
            @SuppressWarnings("unchecked")
            State state = ((Function<World, State>) row[1]).apply(world);
            world.effects();
            state.enter();
            assertThat(world.effects()).as((String) row[0]).doesNotContain("goTo");
        });
    }

    @Test
    void timersBelongToTheStateThatSetsThem() {
        World world = new World();
        State state = canceling(world);
        state.enter();
        assertThat(world.timers)
                .isNotEmpty()
                .allSatisfy(timer -> assertThat(timer.owner()).isSameAs(state));
    }

    @Test
    void anAnswerOfThePolicyStartsTheJobOrExplainsWhyNot() {
        World world = new World();
        new CreatingExecutionGraph(world.context).enter();
        world.effects();
        world.decided(false);
        assertThat(world.effects()).as("slots were lost meanwhile").isEqualTo("declare, goToWaitingForResources");
        world.yes.add("createExecution");
        world.decided(false);
        assertThat(world.effects()).isEqualTo("declare, goToExecuting");
    }

    @Test
    void aJobWhoseSlotsLeaveRescalesWhenThePolicyHasDecided() {
        World world = new World();
        State state = executing(world);
        state.slotsLeaving("another job needs it");
        world.effects();
        world.decided(true);
        assertThat(world.effects()).isEqualTo("declare, goToRescaling");
    }

    @Test
    void c121_aPlannedRestartWithItsMinimumDoesNotWait() {
        World world = new World();
        world.yes.add("hasInputs");
        restartEnds(world, Optional.of(ReasonCode.RESCALING));
        assertThat(world.effects()).isEqualTo("goToWaitingForResources");

        World ready = new World();
        ready.yes.addAll(Set.of("hasInputs", "isMinimumFulfilled"));
        restartEnds(ready, Optional.of(ReasonCode.RESCALING));
        assertThat(ready.effects()).isEqualTo("goToCreatingExecutionGraph");

        World failed = new World();
        failed.yes.addAll(Set.of("hasInputs", "isMinimumFulfilled"));
        restartEnds(failed, Optional.empty());
        assertThat(failed.effects()).as("after a failure it declares again").isEqualTo("goToWaitingForResources");
    }

    @Test
    void aUnitWhoseInputIsLostEndsInsteadOfStartingAgain() {
        World world = new World();
        restartEnds(world, Optional.empty());
        assertThat(world.effects()).isEqualTo("goToFinished CANCELED");
    }

    private static void restartEnds(World world, Optional<ReasonCode> planned) {
        State state = restarting(world, OWN, planned);
        state.enter();
        world.task().canceled();
        state.taskChanged(world.task());
        world.effects();
        List.copyOf(world.timers).stream()
                .filter(timer -> timer.delayMillis() == BACKOFF_MILLIS)
                .forEach(timer -> timer.action().run());
    }

    @Test
    void aConsequenceIsCountedWhenAllTasksHaveEndedAndMayFailTheJob() {
        World world = new World();
        world.noRestart = Optional.of("too often");
        State state = restarting(world, PEER_LOST, Optional.empty());
        state.enter();
        world.task().canceled();
        world.effects();
        state.taskChanged(world.task());
        assertThat(world.effects()).isEqualTo("executionEnded, goToFailing");
    }

    @Test
    void tasksThatDoNotEndLoseTheirSlots() {
        World world = new World();
        State state = canceling(world);
        state.enter();
        assertThat(world.effects()).isEqualTo("cancelTasks, runLater 1000, runLater 30000, runLater 0");
        world.timers.stream()
                .filter(timer -> timer.delayMillis() == 30_000)
                .findFirst()
                .orElseThrow()
                .action()
                .run();
        assertThat(world.effects()).isEqualTo("giveUpSlots, executionEnded, goToFinished CANCELED");
    }
}
