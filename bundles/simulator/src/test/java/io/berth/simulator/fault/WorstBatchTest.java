package io.berth.simulator.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobDetails.VertexDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.rpc.EndpointName;
import io.berth.simulator.fault.AtStep.Struck;
import io.berth.simulator.fault.ProcessFaults.Fault;
import io.berth.simulator.job.JobStore;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.time.VirtualTime.What;
import io.berth.simulator.world.Master;
import io.berth.simulator.world.Worker;
import io.berth.simulator.world.World;
import io.berth.spi.JobId;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The worst that can happen to jobs with blocking edges, to timers of the scheduler and to policies, at chosen moments. */
class WorstBatchTest {

    private static final World.Shape SHAPE = new World.Shape(2, false, 3, 0, 0, true);
    private static final String FORK = "a>b a>c";
    private static final String DIAMOND = "a>b a>c b>d c>d";
    private static final int SPLITS = 6;
    private static final int MANY_SPLITS = 600;
    private static final long MILLIS = 500;
    /** They take longer than the pause, one after the other. */
    private static final int LONG_SPLITS = 400;

    private static final long LONG_SECONDS = 190;
    private static final long PAUSE_SECONDS = 150;
    private static final long LAG_NANOS = 400 * VirtualTime.MILLI;
    private static final int ACTIONS = 60;
    private static final long SLOW_END_NANOS = 5 * VirtualTime.SECOND;
    private static final long UPDATE_NANOS = 300 * VirtualTime.MILLI;

    /** Slots are granted, the last one is accepted, the tasks are deployed. */
    private static final List<String> FULFILLED_TO_DEPLOYED =
            List.of("JobMaster/OfferSlots answer", "TaskExecutor/DeployTasks", "TaskExecutor/DeployTasks answer");

    private static Scene scene(long seed) {
        Scene scene = new Scene(seed, SHAPE);
        scene.run(20);
        return scene;
    }

    private static void until(Scene scene, AtStep at) {
        for (int seconds = 0; seconds < 120 && !at.isDone(); seconds++) {
            scene.run(1);
        }
        assertThat(at.isDone()).isTrue();
    }

    /** Checks that the world is at rest, and then that the job finishes. What it commits is checked by the oracles. */
    private static void recovers(Scene scene, JobId job) {
        scene.world.calm(true);
        scene.run(15);
        scene.settles();
        scene.finishes(job);
        scene.run(scene.bound() / VirtualTime.SECOND);
        assertThat(scene.world.exchange.results().size())
                .as("results after the end")
                .isZero();
    }

    @Test
    void f15_timersOfTheSchedulerRunWhenTheirStateIsLeft() {
        for (long seed = 1; seed <= 4; seed++) {
            Scene scene = scene(seed);
            SplittableRandom random = new SplittableRandom(seed);
            ProcessFaults faults = new ProcessFaults(scene.world, random.split());
            JobId job = scene.submit(FORK, 1, 5, SPLITS, MILLIS);
            for (int action = 0; action < ACTIONS; action++) {
                Incarnation process =
                        scene.leading(EndpointName.JOB_MASTERS).life().orElseThrow();
                process.lag(LAG_NANOS);
                scene.world.runFor(random.nextLong(3 * VirtualTime.SECOND));
                process.stopLagging();
                faults.strike(
                        switch (random.nextInt(4)) {
                            case 0 -> Fault.JOB_CANCELED;
                            case 1 -> Fault.REQUIREMENTS_CHANGED;
                            default -> Fault.KILL_WORKER;
                        });
                if (scene.world.jobs.find(job).filter(JobStore.Stored::hasEnded).isPresent()) {
                    job = scene.submit(FORK, 1, 5, SPLITS, MILLIS);
                }
            }
            faults.heal();
            scene.run(20);
            recovers(scene, scene.submit(FORK, 1, 5, SPLITS, MILLIS));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void f16_aWorkerIsLostBetweenTheLastSlotOfAUnitAndItsDeployment(int number) {
        for (String step : FULFILLED_TO_DEPLOYED) {
            for (Struck struck : Struck.values()) {
                Scene scene = scene(number + 10L * struck.ordinal());
                AtStep at = new AtStep(scene.world, step, number, struck, scene.world::kill);
                JobId job = scene.submit(DIAMOND, 2, 2, SPLITS, MILLIS);
                until(scene, at);

                recovers(scene, job);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aResultThatIsLostIsProducedAgainAndReadOnce(long seed) {
        Scene scene = scene(seed);
        JobId job = scene.submit(DIAMOND, 2, 2, SPLITS, 4_000);
        for (int seconds = 0; seconds < 120 && scene.world.exchange.results().size() == 0; seconds++) {
            scene.run(1);
        }
        Worker worker = scene.world.workers().stream()
                .filter(any -> any.life()
                        .filter(life -> !scene.world.exchange.results().on(life).isEmpty())
                        .isPresent())
                .findFirst()
                .orElseThrow();
        worker.kill("kill -9");
        scene.world.time.in(VirtualTime.SECOND, What.WORLD, scene.world.outside, () -> worker.restart(true));

        recovers(scene, job);
    }

    /** A job is canceled while a request to commit is under way to a task, which takes long to end. */
    static void commitAfterTheCancellation(long seed) {
        Scene scene = scene(seed);
        MessageInterceptor messages = new MessageInterceptor(scene.world);
        messages.hold("TaskExecutor/CommitTask", 1);
        scene.world.slowEnd(() -> SLOW_END_NANOS);
        JobId job = scene.submit("a>b", 1, 1, SPLITS, MILLIS);
        for (int seconds = 0; seconds < 120 && messages.held("TaskExecutor/CommitTask") == 0; seconds++) {
            scene.run(1);
        }
        scene.world.jobs.find(job).orElseThrow().cancelRequested();
        scene.world.observer().jobMaster(scene.jobMaster(job)).cancel("a user wants it");
        scene.run(1);
        messages.deliver("TaskExecutor/CommitTask");
        scene.run(SLOW_END_NANOS / VirtualTime.SECOND + 5);

        assertThat(scene.world.jobs.find(job).orElseThrow().end().orElseThrow().status())
                .isEqualTo(JobStatus.CANCELED);
        assertThat(scene.world.ledger.commits()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void aRequestToCommitThatComesAfterTheCancellationHasNoEffect(long seed) {
        commitAfterTheCancellation(seed);
    }

    /** A worker is paused when it is asked to commit, until the job has long been running without it. */
    static void commitAfterAPause(long seed) {
        Scene scene = scene(seed);
        AtomicReference<Incarnation> paused = new AtomicReference<>();
        AtStep at = new AtStep(scene.world, "TaskExecutor/CommitTask", 1, Struck.RECEIVER_BEFORE, process -> {
            process.pause();
            paused.set(process);
        });
        JobId job = scene.submit("a>b", 1, 1, LONG_SPLITS, MILLIS);
        scene.run(LONG_SECONDS);
        until(scene, at);
        scene.run(PAUSE_SECONDS);
        assertThat(scene.details(job).restarts()).isOne();
        paused.get().resume();
        scene.run(10);

        assertThat(scene.world.ledger.commits()).isZero();
        recovers(scene, job);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aRequestToCommitThatWaitedForAPausedWorkerHasNoEffect(long seed) {
        commitAfterAPause(seed);
    }

    @Test
    void f66_policiesAreUpdatedWhileAJobWaits() {
        updatedAt("ResourceManager/DeclareRequirements", 1, scene -> {});
        updatedAt("TaskExecutor/RequestSlots", 1, scene -> {});
    }

    @Test
    void f66_policiesAreUpdatedWhileAUnitIsHalfPlaced() {
        updatedAt("JobMaster/OfferSlots answer", 1, scene -> {});
        updatedAt("JobMaster/OfferSlots", 3, scene -> {});
    }

    @Test
    void f66_policiesAreUpdatedWhileAJobRestarts() {
        updatedAt("TaskExecutor/CancelTasks", 1, scene -> {
            scene.run(8);
            scene.world.kill(scene.world.exchange.running().get(0).process());
        });
    }

    @Test
    void f66_policiesAreUpdatedWhileAnotherProcessBeginsToLead() {
        for (EndpointName role : List.of(EndpointName.RESOURCE_MANAGER, EndpointName.JOB_MASTERS)) {
            updatedAt("ResourceManager/RegisterJobMaster", 2, scene -> {
                scene.run(8);
                scene.world.election.depose(role, VirtualTime.SECOND);
            });
        }
    }

    /** Each policy is updated when a message is sent, with and without another ranking. */
    private static void updatedAt(String step, int number, Consumer<Scene> provoke) {
        Optional<Integer> restarts = Optional.empty();
        for (long policy = Master.FIRST_POLICY - 1; policy < Master.FIRST_POLICY + Master.UPDATED_POLICIES; policy++) {
            long updated = policy;
            Scene scene = scene(1);
            AtStep at = new AtStep(
                    scene.world,
                    step,
                    number,
                    Struck.SENDER,
                    process -> scene.world
                            .masters()
                            .forEach(master -> master.updatePolicy(updated, updated % 2 == 0, UPDATE_NANOS)));
            JobId job = scene.submit("a>b", 2, 3, MANY_SPLITS, MILLIS);
            provoke.accept(scene);
            until(scene, at);
            scene.run(30);

            JobDetails details = scene.details(job);
            assertThat(details.status()).as("policy %d", updated).isEqualTo(JobStatus.EXECUTING);
            assertThat(details.vertices())
                    .extracting(VertexDetails::running)
                    .as("policy %d", updated)
                    .containsExactly(3, 0);
            // The first of them does not exist: nothing is updated.
            assertThat(details.restarts()).as("policy %d", updated).isEqualTo(restarts.orElse(details.restarts()));
            restarts = Optional.of(details.restarts());
            recovers(scene, job);
        }
    }
}
