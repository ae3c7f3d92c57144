package io.berth.simulator.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.simulator.fault.AtStep.Struck;
import io.berth.simulator.job.SimulatedTask;
import io.berth.simulator.network.NetworkConditions;
import io.berth.simulator.network.NetworkConditions.Cut;
import io.berth.simulator.recovery.Convergence;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.time.VirtualTime.What;
import io.berth.simulator.world.SimulatedBackend;
import io.berth.simulator.world.Worker;
import io.berth.simulator.world.World;
import io.berth.spi.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * The worst that can happen to processes, clocks, leaders, backends and the network, at chosen moments. {@link
 * NamedFaultsTest} draws the rest. The failures of FLIP-6 are in {@link FailureMatrixTest}.
 */
class WorstProcessesTest {

    private static final List<Long> SEEDS = List.of(1L, 2L, 5L);
    private static final World.Shape SHAPE = new World.Shape(2, false, 3, 0, 0, true);
    private static final World.Shape WITH_BACKEND = new World.Shape(1, false, 0, 4, 0, true);
    private static final int SLOTS = 2;
    private static final int SPLITS = 300;
    private static final int FEW_SPLITS = 20;
    private static final long SPLIT_MILLIS = 1_500;
    private static final long LATE = 30;
    private static final List<EndpointName> ROLES =
            List.of(EndpointName.RESOURCE_MANAGER, EndpointName.JOB_MASTERS, EndpointName.DISPATCHER);
    /** The messages from the submission of a job until its tasks run. */
    private static final List<String> STEPS = List.of(
            "JobMasters/StartJob",
            "ResourceManager/RegisterJobMaster",
            "ResourceManager/DeclareRequirements",
            "ResourceManager/RegisterWorker",
            "ResourceManager/RegisterWorker answer",
            "TaskExecutor/RequestSlots",
            "TaskExecutor/RequestSlots answer",
            "JobMaster/RegisterWorker",
            "JobMaster/OfferSlots",
            "JobMaster/OfferSlots answer",
            "TaskExecutor/DeployTasks",
            "TaskExecutor/DeployTasks answer",
            "JobMaster/UpdateTask",
            "TaskExecutor/CommitTask",
            "TaskExecutor/CommitTask answer");

    private static void each(Consumer<Scene> play) {
        for (long seed : SEEDS) {
            Scene scene = new Scene(seed, SHAPE);
            scene.run(20);
            play.accept(scene);
        }
    }

    private static JobId runs(Scene scene) {
        JobId job = scene.submit(SLOTS, SPLITS, SPLIT_MILLIS);
        scene.run(5);
        scene.settles();
        return job;
    }

    private static void atEachStep(BiConsumer<Scene, Incarnation> blow) {
        for (String step : STEPS) {
            for (Struck struck : Struck.values()) {
                Scene scene = new Scene(1 + struck.ordinal() * 3L, SHAPE);
                scene.run(20);
                AtStep at = new AtStep(scene.world, step, 1, struck, process -> blow.accept(scene, process));
                JobId job = scene.submit(SLOTS, FEW_SPLITS, 500);
                scene.world.join(1);
                for (int seconds = 0; seconds < 60 && !at.isDone(); seconds++) {
                    scene.run(1);
                }
                assertThat(at.isDone()).as(step).isTrue();
                boolean atItsEnd = step.contains("Commit");
                scene.world.calm(!atItsEnd);
                scene.run(LATE + 10);

                scene.settles();

                if (atItsEnd) {
                    // A partial commit is repeated and replaces its previous output.
                    scene.finishes(job);
                } else {
                    scene.rests();
                    scene.finishesWithAllRecords(job, FEW_SPLITS);
                }
            }
        }
    }

    @Test
    void f13_backendsStartTwiceFailLoseAndDoNotAnswer() {
        List<Consumer<SimulatedBackend.Faults>> moods = List.of(
                mood -> mood.twicePercent = 100,
                mood -> mood.failPercent = 100,
                mood -> mood.lostPercent = 100,
                mood -> mood.silent = true);
        for (Consumer<SimulatedBackend.Faults> change : moods) {
            for (long seed : SEEDS) {
                Scene scene = new Scene(seed, WITH_BACKEND);
                scene.run(20);
                change.accept(scene.world.backendFaults);
                JobId job = scene.submit(SLOTS, SPLITS, SPLIT_MILLIS);
                scene.run(LATE);
                scene.world.backendFaults.clear();

                scene.settles();

                scene.rests();
                scene.finishesWithAllRecords(job, SPLITS);
            }
        }
    }

    @Test
    void f13_aWorkerStartsThatIsNoLongerWanted() {
        for (long seed : SEEDS) {
            Scene scene = new Scene(seed, WITH_BACKEND, true);
            scene.run(20);
            JobId job = scene.submit(SLOTS, SPLITS, SPLIT_MILLIS);
            for (int step = 0; step < 1_000 && scene.sent("ResourceManager/DeclareRequirements answer") == 0; step++) {
                scene.world.runFor(10 * VirtualTime.MILLI);
            }
            scene.world.runFor(100 * VirtualTime.MILLI);
            EndpointRef jobMasters = scene.leading(EndpointName.JOB_MASTERS)
                    .serving(EndpointName.JOB_MASTERS)
                    .orElseThrow();
            scene.world
                    .observer()
                    .resolve(jobMasters.address(), EndpointName.jobMaster(job))
                    .thenAccept(jobMaster ->
                            scene.world.observer().jobMaster(jobMaster).cancel("no longer wanted"));
            scene.world.jobs.find(job).orElseThrow().cancelRequested();
            assertThat(scene.workersBegun()).isZero();
            scene.run(10);

            scene.settles();

            assertThat(scene.workersBegun()).isPositive();
            scene.run(60);
            assertThat(scene.world.jobs.unfinished()).isEmpty();
            assertThat(scene.world.workers()).isEmpty();
        }
    }

    @Test
    void f13_aLivingWorkerIsReportedLost() {
        for (long seed : SEEDS) {
            Scene scene = new Scene(seed, WITH_BACKEND);
            scene.run(20);
            JobId job = runs(scene);
            scene.world.backendFaults.reportOneDead();
            scene.run(5);

            scene.settles();

            scene.rests();
            scene.finishesWithAllRecords(job, SPLITS);
        }
    }

    @Test
    void f14_twoLeadAtOnce() {
        for (EndpointName role : ROLES) {
            each(scene -> {
                JobId job = runs(scene);
                List<SimulatedTask> tasks = scene.tasks(job);
                scene.world.election.depose(role, LATE * VirtualTime.SECOND);
                scene.run(LATE + 5);

                scene.settles();

                if (!role.equals(EndpointName.JOB_MASTERS)) {
                    assertThat(scene.tasks(job))
                            .as("tasks while two lead %s", role)
                            .isEqualTo(tasks);
                }
                scene.rests();
                scene.finishesWithAllRecords(job, SPLITS);
            });
        }
    }

    @Test
    void f14_leadershipIsGrantedRevokedAndGrantedWithinTenMilliseconds() {
        for (EndpointName role : ROLES) {
            each(scene -> {
                JobId job = runs(scene);
                List<SimulatedTask> tasks = scene.tasks(job);
                long notifiedAfter = 5 * VirtualTime.MILLI;
                scene.world.election.depose(role, notifiedAfter);
                scene.world.time.in(
                        2 * notifiedAfter,
                        What.WORLD,
                        scene.world.outside,
                        () -> scene.world.election.depose(role, notifiedAfter));
                scene.run(10);

                scene.settles();

                if (!role.equals(EndpointName.JOB_MASTERS)) {
                    assertThat(scene.tasks(job))
                            .as("tasks while %s changes hands", role)
                            .isEqualTo(tasks);
                }
                scene.rests();
                scene.finishesWithAllRecords(job, SPLITS);
            });
        }
    }

    @Test
    void f20_eachProcessIsKilledAtEachStepOfAJob() {
        atEachStep((scene, process) -> scene.world.kill(process));
    }

    @Test
    void f21_eachProcessIsPausedAtEachStepOfAJobWhileAnotherOneLeads() {
        atEachStep((scene, process) -> {
            process.pause();
            scene.resumeAfter(process, LATE);
            for (EndpointName role : ROLES) {
                if (scene.world
                        .election
                        .leader(role)
                        .filter(leader -> leader.process() == process)
                        .isPresent()) {
                    scene.world.election.depose(role, (LATE + 3) * VirtualTime.SECOND);
                }
            }
        });
    }

    @Test
    void f22_garbageCollectionsOfLeadersAndWorkersCostNoStormOfRegistrations() {
        each(scene -> {
            JobId job = runs(scene);
            List<Incarnation> processes = new ArrayList<>();
            ROLES.forEach(role -> processes.add(scene.leading(role).life().orElseThrow()));
            processes.add(scene.workerOf(job).life().orElseThrow());
            long seconds = 5 * scene.world.tuning.heartbeatTimeout() / 1_000;
            long registrations = scene.sent("ResourceManager/RegisterWorker");
            long jobMasters = scene.sent("ResourceManager/RegisterJobMaster");
            for (Incarnation process : processes) {
                process.pause();
                scene.resumeAfter(process, seconds);
            }
            scene.run(seconds + 5);

            scene.settles();

            scene.rests();
            assertThat(scene.sent("ResourceManager/RegisterWorker") - registrations)
                    .isLessThan(3 * seconds);
            assertThat(scene.sent("ResourceManager/RegisterJobMaster") - jobMasters)
                    .isLessThan(seconds);
            scene.finishesWithAllRecords(job, SPLITS);
        });
    }

    @Test
    void f23_wallClocksJumpAndClocksDriftAndNobodyNotices() {
        each(scene -> {
            JobId job = runs(scene);
            List<SimulatedTask> tasks = scene.tasks(job);
            EndpointRef jobMaster = scene.jobMaster(job);
            Convergence.Look look = Convergence.at(scene.world);
            for (long jump : ProcessFaults.JUMPS_MILLIS) {
                for (Incarnation process : scene.world.living()) {
                    process.jump(jump);
                    scene.run(1);
                }
            }
            for (double rate : List.of(1 + ProcessFaults.DRIFT, 1 - ProcessFaults.DRIFT)) {
                for (Incarnation process : scene.world.living()) {
                    process.drift(rate);
                    scene.run(5);
                    process.drift(1);
                }
            }

            Convergence.Look after = Convergence.at(scene.world);

            assertThat(after.problems()).isEmpty();
            assertThat(after.agrees(look)).as("%s, then %s", look, after).isTrue();
            assertThat(scene.tasks(job)).isEqualTo(tasks);
            assertThat(scene.jobMaster(job)).isEqualTo(jobMaster);
            scene.finishesWithAllRecords(job, SPLITS);
        });
    }

    @Test
    void f24_theNetworkIsCutBetweenRolesAndWorkers() {
        for (int cut = 0; cut < 4; cut++) {
            int which = cut;
            each(scene -> {
                JobId job = runs(scene);
                List<RpcAddress> resourceManager =
                        List.of(scene.leading(EndpointName.RESOURCE_MANAGER).address());
                List<RpcAddress> jobMasters =
                        List.of(scene.leading(EndpointName.JOB_MASTERS).address());
                List<RpcAddress> workers =
                        scene.world.workers().stream().map(Worker::address).toList();
                List<RpcAddress> others = new ArrayList<>(scene.world.addresses());
                List<RpcAddress> one = switch (which) {
                    case 0 -> jobMasters;
                    case 1 -> resourceManager;
                    case 2 -> resourceManager;
                    default -> List.of(workers.get(0), jobMasters.get(0));
                };
                others.removeAll(one);
                List<RpcAddress> other = switch (which) {
                    case 0 -> workers;
                    case 1 -> jobMasters;
                    default -> others;
                };
                Cut there = new Cut(one, other);
                Cut back = new Cut(other, one);
                scene.world.conditions.cut(there);
                scene.world.conditions.cut(back);
                scene.run(40);
                scene.world.conditions.clear();
                scene.run(5);

                scene.settles();

                scene.rests();
                scene.finishesWithAllRecords(job, SPLITS);
            });
        }
    }

    @Test
    void f25_aJobStartsWhileMessagesAreLostOrSlow() {
        List<Consumer<NetworkConditions>> weathers = List.of(
                conditions -> conditions.lossy(ProcessFaults.LOSS_SHARE),
                conditions -> conditions.slow(ProcessFaults.LATENCY_NANOS, ProcessFaults.LATENCY_NANOS / 2));
        for (Consumer<NetworkConditions> conditions : weathers) {
            each(scene -> {
                conditions.accept(scene.world.conditions);
                // A simulated source that gets no answer asks again, and so loses a split; a real one fails.
                scene.world.calm(true);
                JobId job = scene.submit(SLOTS, SPLITS, SPLIT_MILLIS);
                scene.run(60);
                scene.world.conditions.clear();
                // The effects of the network conditions may end within the bound.
                scene.run(scene.bound() / VirtualTime.SECOND);

                scene.settles();

                scene.rests();
                scene.finishesWithAllRecords(job, SPLITS);
            });
        }
    }
}
