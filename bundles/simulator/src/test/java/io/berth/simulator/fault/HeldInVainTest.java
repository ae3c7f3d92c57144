package io.berth.simulator.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobStatus;
import io.berth.simulator.world.Worker;
import io.berth.simulator.world.World;
import io.berth.spi.JobId;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs on a full cluster that lose a part of their minimum with one worker, which does not come back. */
class HeldInVainTest {

    private static final World.Shape THREE_WORKERS = new World.Shape(1, true, 3, 0, 0, false);
    private static final int SPLITS = 400;
    private static final long SPLIT_MILLIS = 5_000;

    private static JobId job(Scene scene, int parallelism) {
        JobId job = scene.submit(parallelism, SPLITS, SPLIT_MILLIS);
        scene.run(5);
        scene.settles();
        return job;
    }

    private static List<JobId> onTwoWorkers(Scene scene, JobId... jobs) {
        return List.of(jobs).stream()
                .filter(job -> scene.tasks(job).stream()
                                .map(task -> scene.world.workerOf(task.process()))
                                .distinct()
                                .count()
                        == 2)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 4})
    void twoJobsThatHoldWhatTheOtherLacksDoNotWaitForEachOther(long seed) {
        Scene scene = new Scene(seed, THREE_WORKERS);
        scene.run(20);
        job(scene, 2);
        JobId older = job(scene, 4);
        JobId younger = job(scene, 4);
        job(scene, 2);
        assertThat(scene.slotsAtWorkers()).hasSize(12);
        assertThat(onTwoWorkers(scene, older, younger)).containsExactly(older, younger);
        Worker shared = scene.tasks(older).stream()
                .map(task -> scene.world.workerOf(task.process()).orElseThrow())
                .filter(worker -> scene.tasks(younger).stream()
                        .anyMatch(task -> scene.world.workerOf(task.process()).orElseThrow() == worker))
                .findFirst()
                .orElseThrow();
        shared.kill("kill -9, for good");

        scene.settles();
        assertThat(scene.details(older).status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(scene.details(younger).status()).isEqualTo(JobStatus.WAITING_FOR_RESOURCES);
        scene.world.join(1);
        scene.settles();
        assertThat(scene.details(younger).status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(scene.details(older).restarts()).as("it restarted once").isEqualTo(1);
    }
}
