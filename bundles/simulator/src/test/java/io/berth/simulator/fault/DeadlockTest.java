package io.berth.simulator.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobStatus;
import io.berth.simulator.world.Worker;
import io.berth.simulator.world.World;
import io.berth.spi.JobId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Jobs on a full cluster that lose a part of their minimum with a worker that does not return. */
class DeadlockTest {

    private static final World.Shape THREE_WORKERS = new World.Shape(1, true, 3, 0, 0, false);
    /** With other seeds the strategy keeps the jobs apart. */
    static final List<Long> SEEDS = List.of(2L, 6L);

    private static final int SPLITS = 400;
    private static final long SPLIT_MILLIS = 5_000;

    private static JobId job(Scene scene, int parallelism) {
        JobId job = scene.submit(parallelism, SPLITS, SPLIT_MILLIS);
        scene.run(5);
        scene.settles();
        return job;
    }

    private static List<Worker> workers(Scene scene, JobId job) {
        return scene.tasks(job).stream()
                .map(task -> scene.world.workerOf(task.process()).orElseThrow())
                .distinct()
                .toList();
    }

    /**
     * Plays a scene in which a worker is lost on which two jobs have slots. All oracles must see the older job run
     * again.
     */
    static void loseASharedWorker(long seed) {
        Scene scene = new Scene(seed, THREE_WORKERS);
        scene.run(20);
        job(scene, 2);
        JobId older = job(scene, 4);
        JobId younger = job(scene, 4);
        job(scene, 2);
        assertThat(scene.slotsAtWorkers()).hasSize(12);
        List<Worker> shared = new ArrayList<>(workers(scene, older));
        shared.retainAll(workers(scene, younger));
        assertThat(shared).hasSize(1);
        shared.get(0).kill("kill -9, permanently");

        scene.settles();
        assertThat(scene.details(older).status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(scene.details(younger).status()).isEqualTo(JobStatus.WAITING_FOR_RESOURCES);
        scene.world.join(1);
        scene.settles();
        assertThat(scene.details(younger).status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(scene.details(older).restarts()).as("it restarted once").isEqualTo(1);
    }

    @ParameterizedTest
    @FieldSource("SEEDS")
    void twoJobsThatHoldWhatTheOtherOneLacksDoNotWaitForEachOther(long seed) {
        loseASharedWorker(seed);
    }
}
