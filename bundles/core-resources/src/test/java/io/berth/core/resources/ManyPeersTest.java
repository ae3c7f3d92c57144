package io.berth.core.resources;

import static io.berth.core.resources.TestCluster.SLOT;
import static io.berth.core.resources.TestCluster.TWO_SLOTS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManyPeersTest {

    private final TestCluster cluster = new TestCluster();
    private final List<FakeWorker> workers = new ArrayList<>();
    private final List<FakeJobMaster> jobs = new ArrayList<>();

    private void workers(int count) {
        for (int number = 0; number < count; number++) {
            FakeWorker worker = new FakeWorker("w" + number, 1);
            workers.add(worker);
            cluster.register(worker, worker.registration(TWO_SLOTS, 2, "standalone", ""));
            cluster.time.advance(1_000 / count);
        }
    }

    @Test
    void f29_manyRegistrationsAndDeclarationsInASecondAreFewPlansAndOneCallForEachWorker() {
        workers(200);
        int before = cluster.planner.inputs.size();
        for (int number = 0; number < 1_000; number++) {
            FakeJobMaster job = cluster.job("job-" + number, number);
            jobs.add(job);
            cluster.call(cluster.manager.declareRequirements(job.requires(0, 1, SLOT)));
            cluster.time.advance(1);
        }
        cluster.time.advance(100);

        assertThat(cluster.planner.inputs.size() - before)
                .as("a plan each 50 ms")
                .isLessThanOrEqualTo(22);
        assertThat(cluster.details().slots()).hasSize(400);
        assertThat(workers).allSatisfy(worker -> assertThat(worker.calls).isLessThanOrEqualTo(2));
        assertThat(jobs.subList(0, 400)).allSatisfy(job -> assertThat(job.told).isEmpty());
    }

    @Test
    void f29_whenHalfOfTheWorkersVanishNoOtherIsLostAndOnlyTheirJobsAreNotified() {
        workers(200);
        FakeJobMaster job = cluster.job("count", 1);
        FakeJobMaster bystander = cluster.job("bystander", 2);
        cluster.declare(job, 0, 300);
        cluster.time.advance(100);
        List<FakeWorker> gone = workers.subList(0, 100);
        gone.forEach(worker -> worker.dead = true);
        long hit = gone.stream().filter(worker -> !worker.slots.isEmpty()).count();
        cluster.time.advance(5_000);

        assertThat(cluster.workerStates()).hasSize(100).containsOnly("registered");
        assertThat(job.lostWorkers)
                .as("once for each with slots of it")
                .hasSize((int) hit)
                .doesNotHaveDuplicates();
        assertThat(bystander.lostWorkers).isEmpty();
        assertThat(job.told).isEmpty();
        assertThat(cluster.states(job)).as("all that is left is its").hasSize(200);
    }
}
