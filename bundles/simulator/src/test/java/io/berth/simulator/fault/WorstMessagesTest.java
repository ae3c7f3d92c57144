package io.berth.simulator.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotsToFree;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.simulator.job.SimulatedTask;
import io.berth.simulator.network.NetworkConditions.Cut;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.world.Worker;
import io.berth.simulator.world.World;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.WorkerSpec;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * The worst that can happen to each message of the protocol, at chosen moments. {@link NamedFaultsTest} draws the
 * rest.
 */
class WorstMessagesTest {

    private static final List<Long> SEEDS = List.of(1L, 2L, 5L);
    private static final World.Shape SHAPE = new World.Shape(2, false, 3, 0, 0, true);
    private static final int SLOTS = 2;
    private static final int ALL_SLOTS = 3 * Worker.DEFAULT_SLOTS;
    private static final int SPLITS = 200;
    private static final long SPLIT_MILLIS = 1_500;
    private static final int FEW_SPLITS = 4;

    private static final String REGISTER_JOBMASTER = "ResourceManager/RegisterJobMaster";
    private static final String DECLARE = "ResourceManager/DeclareRequirements";
    private static final String LEAVE = "ResourceManager/DisconnectJobMaster";
    private static final String REQUEST = "TaskExecutor/RequestSlots";
    private static final String OFFER = "JobMaster/OfferSlots";
    private static final String NOT_ENOUGH = "JobMaster/NotEnoughResources";

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

    /** What happens does not change anything for the job. */
    private static void goesOn(Scene scene, JobId job, Runnable what) {
        List<SimulatedTask> tasks = scene.tasks(job);
        EndpointRef jobMaster = scene.jobMaster(job);
        int restarts = scene.details(job).restarts();
        assertThat(tasks).isNotEmpty();

        what.run();
        scene.run(15);

        scene.settles();
        assertThat(scene.tasks(job)).isEqualTo(tasks);
        assertThat(scene.jobMaster(job)).isEqualTo(jobMaster);
        assertThat(scene.details(job).restarts()).isEqualTo(restarts);
        scene.finishesWithAllRecords(job, SPLITS);
    }

    private static List<AllocationId> allocations(Worker worker) {
        return worker.slots().orElseThrow().slots().stream()
                .map(SlotReport.Slot::allocation)
                .toList();
    }

    private static void nobodyHasSlots(Scene scene, int seconds) {
        for (int step = 0; step < 10 * seconds; step++) {
            scene.world.runFor(VirtualTime.SECOND / 10);
            assertThat(scene.slotsAtWorkers()).isEmpty();
        }
    }

    @Test
    void f01_anOldJobMasterRegistersAfterANewerOne() {
        each(scene -> {
            MessageInterceptor interceptor = new MessageInterceptor(scene.world);
            interceptor.hold(REGISTER_JOBMASTER, 1);
            JobId job = runs(scene);
            scene.kill(scene.leading(EndpointName.JOB_MASTERS));
            scene.run(10);
            scene.settles();
            assertThat(interceptor.held(REGISTER_JOBMASTER)).isEqualTo(1);

            goesOn(scene, job, () -> interceptor.deliver(REGISTER_JOBMASTER));
        });
    }

    @Test
    void f02_anOlderDeclarationArrivesAfterTheLastOne() {
        each(scene -> {
            MessageInterceptor interceptor = new MessageInterceptor(scene.world);
            interceptor.copy(DECLARE, 1);
            interceptor.hold(LEAVE, 1);
            JobId job = scene.submit(SLOTS, FEW_SPLITS, 500);
            scene.finishesWithAllRecords(job, FEW_SPLITS);
            for (int step = 0; step < 100 && interceptor.held(LEAVE) == 0; step++) {
                scene.world.runFor(VirtualTime.SECOND / 100);
            }
            assertThat(interceptor.held(LEAVE)).isEqualTo(1);
            assertThat(scene.slotsAtWorkers()).isEmpty();

            interceptor.deliver(DECLARE);

            nobodyHasSlots(scene, 4);
            scene.run(10);
            scene.settles();
        });
    }

    @Test
    void f02_slotsAreFreedBeforeItIsDeclaredThatTheyAreNotNeeded() {
        each(scene -> {
            JobId job = runs(scene);
            MessageInterceptor interceptor = new MessageInterceptor(scene.world);
            interceptor.hold(DECLARE, 1);
            scene.finishesWithAllRecords(job, SPLITS);
            scene.run(2);
            assertThat(interceptor.held(DECLARE)).isEqualTo(1);
            interceptor.deliver(DECLARE);

            scene.settles();

            nobodyHasSlots(scene, 10);
        });
    }

    @Test
    void f03_neitherTheLastDeclarationNorTheDisconnectArrives() {
        each(scene -> {
            JobId job = runs(scene);
            MessageInterceptor interceptor = new MessageInterceptor(scene.world);
            interceptor.lose(DECLARE, 100);
            interceptor.lose(LEAVE, 100);
            scene.finishesWithAllRecords(job, SPLITS);
            scene.run(25);
            assertThat(interceptor.lost()).isGreaterThan(1);
            interceptor.release();

            JobId next = scene.submit(ALL_SLOTS, FEW_SPLITS, 500);

            scene.world.calm(true);
            scene.run(5);
            scene.settles();
            assertThat(scene.details(next).slots()).hasSize(ALL_SLOTS);
        });
    }

    @Test
    void f04_aWorkerExistsTwice() {
        each(scene -> {
            JobId job = runs(scene);
            WorkerId worker = scene.workerOf(job).id();

            scene.world
                    .fleet()
                    .start(
                            worker,
                            WorkerSpec.of("twin", Worker.TOTAL)
                                    .defaultSlots(Worker.DEFAULT_SLOTS)
                                    .build(),
                            "other",
                            () -> {});
            scene.run(30);

            scene.settles();
            assertThat(scene.world.workers().stream().filter(Worker::isAlive)).hasSize(3);
            scene.rests();
            scene.finishesWithAllRecords(job, SPLITS);
        });
    }

    @Test
    void f05_slotsAreRequestedAfterTheResourceManagerHasGivenUpOnThem() {
        each(scene -> {
            MessageInterceptor interceptor = new MessageInterceptor(scene.world);
            interceptor.hold(REQUEST, 1);
            JobId job = runs(scene);
            assertThat(interceptor.held(REQUEST)).isEqualTo(1);

            goesOn(scene, job, () -> interceptor.deliver(REQUEST));
        });
    }

    @Test
    void f07_offersArriveAtAJobMasterThatHasEnded() {
        each(scene -> {
            MessageInterceptor interceptor = new MessageInterceptor(scene.world);
            interceptor.hold(OFFER, 100);
            JobId job = scene.submit(SLOTS, SPLITS, SPLIT_MILLIS);
            for (int seconds = 0; seconds < 20 && interceptor.held(OFFER) < 2; seconds++) {
                scene.run(1);
            }
            scene.kill(scene.leading(EndpointName.JOB_MASTERS));
            interceptor.release();
            scene.run(10);
            scene.settles();

            goesOn(scene, job, () -> interceptor.deliver(OFFER));
        });
    }

    @Test
    void f07_offersArriveWhenNothingIsNeeded() {
        each(scene -> {
            MessageInterceptor interceptor = new MessageInterceptor(scene.world);
            interceptor.hold(OFFER, 1);
            JobId job = scene.submit(SLOTS, FEW_SPLITS, 500);
            scene.finishesWithAllRecords(job, FEW_SPLITS);
            scene.run(2);
            assertThat(interceptor.held(OFFER)).isEqualTo(1);

            interceptor.deliver(OFFER);

            nobodyHasSlots(scene, 10);
            scene.settles();
        });
    }

    @Test
    void f08_theRejectionOfAnOfferIsLost() {
        each(scene -> {
            MessageInterceptor interceptor = new MessageInterceptor(scene.world);
            interceptor.hold(REQUEST, 1);
            JobId job = runs(scene);
            interceptor.lose(OFFER + " answer", 1);

            goesOn(scene, job, () -> interceptor.deliver(REQUEST));

            assertThat(interceptor.lost()).isEqualTo(1);
        });
    }

    @Test
    void f09_slotsOfTheNextTenantAreFreedByThePreviousOne() {
        each(scene -> {
            MessageInterceptor interceptor = new MessageInterceptor(scene.world);
            interceptor.copy("TaskExecutor/DisconnectJobMaster", 3);
            scene.world.calm(true);
            JobId before = scene.submit(SLOTS, FEW_SPLITS, 500);
            scene.run(5);
            JobMasterId jobMaster = new JobMasterId(scene.jobMaster(before).token());
            List<AllocationId> ended = allocations(scene.workerOf(before));
            scene.finishesWithAllRecords(before, FEW_SPLITS);
            scene.run(5);
            JobId job = runs(scene);
            Worker worker = scene.workerOf(job);
            JobMasterId present = new JobMasterId(scene.jobMaster(job).token());
            List<AllocationId> theirs = allocations(worker);
            assertThat(ended).isNotEmpty().doesNotContainAnyElementsOf(theirs);
            List<SlotsToFree> late = List.of(
                    new SlotsToFree(before, jobMaster, theirs, "for the previous tenant"),
                    new SlotsToFree(job, jobMaster, theirs, "by another JobMaster"),
                    new SlotsToFree(job, present, ended, "of slots that were freed"));
            assertThat(interceptor.held("TaskExecutor/DisconnectJobMaster")).isPositive();

            goesOn(scene, job, () -> {
                interceptor.deliver("TaskExecutor/DisconnectJobMaster");
                scene.world
                        .observer()
                        .resolve(worker.address(), EndpointName.worker(worker.id()))
                        .thenAccept(endpoint -> {
                            for (int time = 0; time < 100; time++) {
                                late.forEach(scene.world.observer().taskExecutor(endpoint)::freeSlots);
                            }
                        });
            });
        });
    }

    @Test
    void f10_noticesOfMissingResourcesArriveWhenNothingIsMissing() {
        each(scene -> {
            MessageInterceptor interceptor = new MessageInterceptor(scene.world);
            interceptor.copy(NOT_ENOUGH, 100);
            JobId job = scene.submit(ALL_SLOTS + 2, SPLITS, ALL_SLOTS * SPLIT_MILLIS / SLOTS);
            scene.run(30);
            assertThat(scene.tasks(job)).isEmpty();
            assertThat(interceptor.held(NOT_ENOUGH)).isPositive();
            interceptor.release();
            scene.world.join(1);
            scene.run(5);
            scene.settles();

            goesOn(scene, job, () -> interceptor.deliver(NOT_ENOUGH));
        });
    }

    @Test
    void f11_onlyOneDirectionIsDead() {
        for (int way = 0; way < 6; way++) {
            int cut = way;
            each(scene -> {
                JobId job = runs(scene);
                List<RpcAddress> ends = List.of(
                        scene.leading(EndpointName.RESOURCE_MANAGER).address(),
                        scene.leading(EndpointName.JOB_MASTERS).address(),
                        scene.workerOf(job).address());
                Cut oneWay = new Cut(List.of(ends.get(cut / 2)), List.of(ends.get((cut / 2 + 1 + cut % 2) % 3)));
                scene.world.conditions.cut(oneWay);
                scene.run(40);
                scene.world.conditions.repair(oneWay);
                scene.run(5);

                scene.settles();

                scene.rests();
                scene.finishesWithAllRecords(job, SPLITS);
            });
        }
    }

    @Test
    void f12_theResourceManagerDisconnectsAWorkerThatHasRegisteredAgain() {
        each(scene -> {
            JobId job = runs(scene);
            MessageInterceptor interceptor = new MessageInterceptor(scene.world);
            interceptor.hold("TaskExecutor/DisconnectResourceManager", 1);
            Incarnation process = scene.workerOf(job).life().orElseThrow();
            process.pause();
            scene.resumeAfter(process, 30);
            scene.run(40);
            scene.settles();
            assertThat(interceptor.held("TaskExecutor/DisconnectResourceManager"))
                    .isEqualTo(1);

            goesOn(scene, job, () -> interceptor.deliver("TaskExecutor/DisconnectResourceManager"));
        });
    }

    /** The notice names the registration that it ends. */
    @Test
    void f12_theJobMasterDisconnectsAWorkerThatHasRegisteredAgain() {
        each(scene -> {
            JobId job = scene.submit(ALL_SLOTS, SPLITS, ALL_SLOTS * SPLIT_MILLIS / SLOTS);
            scene.run(5);
            scene.settles();
            MessageInterceptor interceptor = new MessageInterceptor(scene.world);
            interceptor.hold("TaskExecutor/DisconnectJobMaster", 1);
            Incarnation process = scene.workerOf(job).life().orElseThrow();
            process.pause();
            scene.resumeAfter(process, 30);
            scene.run(40);
            scene.settles();
            assertThat(interceptor.held("TaskExecutor/DisconnectJobMaster")).isEqualTo(1);
            int restarts = scene.details(job).restarts();

            interceptor.deliver("TaskExecutor/DisconnectJobMaster");
            scene.run(15);

            scene.settles();
            assertThat(scene.details(job).restarts()).isEqualTo(restarts);
            scene.rests();
            scene.finishesWithAllRecords(job, SPLITS);
        });
    }
}
