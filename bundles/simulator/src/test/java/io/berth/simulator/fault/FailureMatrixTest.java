package io.berth.simulator.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.WorkerLeave;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.simulator.job.SimulatedTask;
import io.berth.simulator.network.Network.Interference;
import io.berth.simulator.network.Network.Message;
import io.berth.simulator.network.Operator;
import io.berth.simulator.recovery.Convergence;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.world.Worker;
import io.berth.simulator.world.World;
import io.berth.spi.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/**
 * The failures of FLIP-6, "Failure Handling", while a job runs: of the worker (TM), the ResourceManager (RM), the
 * JobMaster (JM), of two of them at once, and of all leaders. Each failure is tested once with processes that end, and
 * once with a pause after which they continue in their old roles. What must survive survives, the job restarts no more
 * often than necessary, the cluster recovers within the bound, and the job outputs each record once.
 */
class FailureMatrixTest {

    private static final List<Long> SEEDS = List.of(1L, 2L, 5L);
    private static final int SLOTS = 2;
    private static final int TASKS = 2 * SLOTS;
    private static final int SPLITS = 300;
    private static final long SPLIT_MILLIS = 1_500;
    /** Length of a pause after which others have taken over, in seconds: three times the heartbeat timeout. */
    private static final long PAUSE = 30;
    /** How many seconds a paused leader continues before it learns that it no longer leads. */
    private static final long UNTOLD = 3;
    /** Length of a pause that nobody should notice, in seconds. */
    private static final long SHORT_PAUSE = 4;
    /** Two processes of each role, and more workers than are needed. */
    private static final World.Shape SHAPE = new World.Shape(2, false, 3, 0, 0, true);
    /** The same with workers that a backend starts. */
    private static final World.Shape WITH_BACKEND = new World.Shape(2, false, 0, 3, 0, true);
    /** How many seconds before it leaves a worker is drained or announced. */
    private static final long NOTICE = 60;

    private enum Expected {
        /** The same tasks continue in the same slots. */
        RUNS_ON,
        /** Its JobMaster restarts it once. */
        RESTARTS_ONCE,
        /** It starts again under another JobMaster, in the slots that it had. */
        STARTS_UNDER_ANOTHER_JOBMASTER
    }

    /** The state before a failure. */
    private record Before(JobId job, EndpointRef jobMaster, List<SimulatedTask> tasks, SortedSet<String> slots) {}

    /** Counts messages of processes after their pause. */
    private static final class MessagesAfterPause implements Interference {

        private final List<Incarnation> processes;
        private int messages;

        MessagesAfterPause(List<Incarnation> processes) {
            this.processes = processes;
        }

        @Override
        public Optional<Operator> on(Message message) {
            messages += processes.contains(message.sender) ? 1 : 0;
            return Optional.empty();
        }

        @Override
        public void awaitsDeath(Message message) {}

        @Override
        public void awaitsEpoch(Message message) {}
    }

    private static Before begin(Scene scene) {
        scene.run(20);
        JobId job = scene.submit(SLOTS, SPLITS, SPLIT_MILLIS);
        scene.run(5);
        scene.settles();
        assertThat(scene.tasks(job)).hasSize(TASKS);
        return new Before(job, scene.jobMaster(job), scene.tasks(job), scene.slotsAtWorkers());
    }

    private static void crash(Expected expected, boolean worker, EndpointName... roles) {
        for (long seed : SEEDS) {
            Scene scene = new Scene(seed, SHAPE);
            Before before = begin(scene);
            if (worker) {
                scene.workerOf(before.job()).kill("kill -9");
            }
            for (EndpointName role : roles) {
                scene.kill(scene.leading(role));
            }
            scene.run(10);

            scene.settles();

            check(scene, before, expected);
        }
    }

    private static void pause(Expected expected, boolean worker, EndpointName... roles) {
        for (long seed : SEEDS) {
            Scene scene = new Scene(seed, SHAPE);
            Before before = begin(scene);
            List<Incarnation> paused = paused(scene, before, worker, roles, PAUSE);
            for (EndpointName role : roles) {
                scene.world.election.depose(role, (PAUSE + UNTOLD) * VirtualTime.SECOND);
            }
            MessagesAfterPause messagesAfterPause = new MessagesAfterPause(paused);
            scene.world.network.interference(messagesAfterPause);
            scene.run(PAUSE - 1);
            assertThat(messagesAfterPause.messages).isZero();
            scene.run(1 + UNTOLD + 1);

            assertThat(messagesAfterPause.messages)
                    .as("messages of paused processes")
                    .isPositive();
            scene.settles();

            check(scene, before, expected);
        }
    }

    private static List<Incarnation> paused(
            Scene scene, Before before, boolean worker, EndpointName[] roles, long seconds) {
        List<Incarnation> paused = new ArrayList<>();
        if (worker) {
            paused.add(scene.workerOf(before.job()).life().orElseThrow());
        }
        for (EndpointName role : roles) {
            paused.add(scene.leading(role).life().orElseThrow());
        }
        for (Incarnation process : paused) {
            process.pause();
            scene.resumeAfter(process, seconds);
        }
        return paused;
    }

    private static void check(Scene scene, Before before, Expected expected) {
        JobId job = before.job();
        EndpointRef jobMaster = scene.jobMaster(job);
        JobDetails details = scene.details(job);
        assertThat(details.rescales()).as("rescales").isZero();
        assertThat(scene.tasks(job)).hasSize(TASKS);
        assertThat(scene.ownersAtWorkers()).containsExactly(new JobMasterId(jobMaster.token()));
        if (expected == Expected.STARTS_UNDER_ANOTHER_JOBMASTER) {
            assertThat(jobMaster.token()).isGreaterThan(before.jobMaster().token());
        } else {
            assertThat(jobMaster).isEqualTo(before.jobMaster());
        }
        if (expected == Expected.RUNS_ON) {
            assertThat(scene.tasks(job)).isEqualTo(before.tasks());
        } else {
            assertThat(scene.tasks(job)).doesNotContainAnyElementsOf(before.tasks());
        }
        if (expected != Expected.RESTARTS_ONCE) {
            assertThat(scene.slotsAtWorkers()).isEqualTo(before.slots());
        }
        assertThat(details.restarts()).as("restarts").isEqualTo(expected == Expected.RESTARTS_ONCE ? 1 : 0);
        scene.rests();
        scene.finishesWithAllRecords(job, SPLITS);
        assertThat(scene.world.output.starts(job))
                .as("tasks started")
                .isEqualTo(expected == Expected.RUNS_ON ? TASKS : 2 * TASKS);
    }

    @Test
    void theWorkerCrashes() {
        crash(Expected.RESTARTS_ONCE, true);
    }

    @Test
    void theWorkerIsPausedAndContinues() {
        pause(Expected.RESTARTS_ONCE, true);
    }

    @Test
    void theResourceManagerCrashes() {
        crash(Expected.RUNS_ON, false, EndpointName.RESOURCE_MANAGER);
    }

    @Test
    void theResourceManagerIsPausedAndContinues() {
        pause(Expected.RUNS_ON, false, EndpointName.RESOURCE_MANAGER);
    }

    @Test
    void theJobMasterCrashes() {
        crash(Expected.STARTS_UNDER_ANOTHER_JOBMASTER, false, EndpointName.JOB_MASTERS);
    }

    @Test
    void theJobMasterIsPausedAndContinues() {
        pause(Expected.STARTS_UNDER_ANOTHER_JOBMASTER, false, EndpointName.JOB_MASTERS);
    }

    @Test
    void theJobMasterAndTheResourceManagerCrash() {
        crash(Expected.STARTS_UNDER_ANOTHER_JOBMASTER, false, EndpointName.JOB_MASTERS, EndpointName.RESOURCE_MANAGER);
    }

    @Test
    void theJobMasterAndTheResourceManagerArePausedAndContinue() {
        pause(Expected.STARTS_UNDER_ANOTHER_JOBMASTER, false, EndpointName.JOB_MASTERS, EndpointName.RESOURCE_MANAGER);
    }

    @Test
    void theWorkerAndTheResourceManagerCrash() {
        crash(Expected.RESTARTS_ONCE, true, EndpointName.RESOURCE_MANAGER);
    }

    @Test
    void theWorkerAndTheResourceManagerArePausedAndContinue() {
        pause(Expected.RESTARTS_ONCE, true, EndpointName.RESOURCE_MANAGER);
    }

    @Test
    void allLeadersCrash() {
        crash(
                Expected.STARTS_UNDER_ANOTHER_JOBMASTER,
                false,
                EndpointName.JOB_MASTERS,
                EndpointName.RESOURCE_MANAGER,
                EndpointName.DISPATCHER);
    }

    @Test
    void allLeadersArePausedAndContinue() {
        pause(
                Expected.STARTS_UNDER_ANOTHER_JOBMASTER,
                false,
                EndpointName.JOB_MASTERS,
                EndpointName.RESOURCE_MANAGER,
                EndpointName.DISPATCHER);
    }

    @Test
    void theDispatcherCrashes() {
        crash(Expected.RUNS_ON, false, EndpointName.DISPATCHER);
    }

    /** With enough time, also when another ResourceManager takes over meanwhile. */
    private static void leaves(World.Shape shape, BiConsumer<World, Worker> how) {
        for (boolean takeover : List.of(false, true)) {
            for (long seed : SEEDS) {
                Scene scene = new Scene(seed, shape);
                JobId job = begin(scene).job();
                Worker worker = scene.workerOf(job);
                how.accept(scene.world, worker);
                scene.run(1);
                if (takeover) {
                    scene.kill(scene.leading(EndpointName.RESOURCE_MANAGER));
                }
                scene.run(NOTICE + 5);

                scene.settles();

                JobDetails details = scene.details(job);
                assertThat(details.restarts()).as("failed restarts").isZero();
                assertThat(details.rescales()).as("planned restarts").isEqualTo(1);
                assertThat(scene.tasks(job)).hasSize(TASKS).noneMatch(task -> worker.isOf(task.process()));
                scene.rests();
                scene.finishesWithAllRecords(job, SPLITS);
                assertThat(scene.world.output.starts(job)).as("tasks started").isEqualTo(2 * TASKS);
            }
        }
    }

    @Test
    void theWorkerIsDrained() {
        leaves(
                SHAPE,
                (world, worker) -> world.observer()
                        .resourceManager(
                                world.serving(EndpointName.RESOURCE_MANAGER).orElseThrow())
                        .drainWorkers(worker.id().value(), new WorkerLeave(NOTICE * 1_000, "new kernel")));
    }

    @Test
    void theWorkerIsTakenAwayByItsBackend() {
        leaves(WITH_BACKEND, (world, worker) -> world.takeAway(worker.id(), NOTICE * VirtualTime.SECOND, true));
    }

    @Test
    void aPauseShorterThanTheTimeoutIsNotNoticed() {
        for (boolean worker : List.of(true, false)) {
            for (long seed : SEEDS) {
                Scene scene = new Scene(seed, SHAPE);
                Before before = begin(scene);
                EndpointName[] roles = worker
                        ? new EndpointName[] {}
                        : new EndpointName[] {EndpointName.RESOURCE_MANAGER, EndpointName.JOB_MASTERS};
                Convergence.Look look = Convergence.at(scene.world);
                paused(scene, before, worker, roles, SHORT_PAUSE);
                scene.run(SHORT_PAUSE + 20);

                scene.settles();

                assertThat(Convergence.at(scene.world).agrees(look)).isTrue();
                check(scene, before, Expected.RUNS_ON);
            }
        }
    }
}
