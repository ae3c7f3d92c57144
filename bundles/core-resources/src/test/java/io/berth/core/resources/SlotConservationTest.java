package io.berth.core.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.gateway.ClusterDetails.SlotDetails;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.spi.AllocationId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random histories: workers come, die and lose answers, jobs change their minds, plans come late. */
class SlotConservationTest {

    private static final int STEPS = 400;
    private static final int SLOTS_PER_WORKER = 2;
    private static final int JOBS = 4;

    private TestCluster cluster;
    private Random random;
    private final List<FakeWorker> workers = new ArrayList<>();
    private final List<FakeJobMaster> jobs = new ArrayList<>();
    private final Map<FakeJobMaster, Integer> desired = new java.util.LinkedHashMap<>();
    private int workerCount;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void noSlotIsDoubledAndNoneIsLostForever(long seed) {
        cluster = new TestCluster();
        random = new Random(seed);
        for (int number = 0; number < JOBS; number++) {
            jobs.add(cluster.job("job-" + number, number));
        }
        for (int step = 0; step < STEPS; step++) {
            step();
            checkAlways();
        }
        settleDown();
        checkAtRest();
    }

    private void step() {
        switch (random.nextInt(11)) {
            case 0 -> join();
            case 1 ->
                anyWorker(worker -> {
                    worker.dead = true;
                    workers.remove(worker);
                });
            case 2 -> anyWorker(worker -> worker.losesAnswers = !worker.losesAnswers);
            case 3 ->
                anyWorker(worker -> {
                    boolean refusing = random.nextBoolean();
                    worker.refuses = request -> refusing;
                });
            case 4 -> anyWorker(worker -> cluster.register(worker, "standalone", ""));
            case 5, 6, 7 -> require(jobs.get(random.nextInt(JOBS)));
            case 8 ->
                anyWorker(worker -> {
                    if (!worker.slots.isEmpty()) {
                        cluster.free(worker, worker.slots.firstKey());
                    }
                });
            case 9 -> {
                if (cluster.planner.held) {
                    cluster.planner.held = false;
                    cluster.planner.releaseIfWaiting();
                } else {
                    cluster.planner.held = true;
                }
            }
            default -> cluster.time.advance(random.nextInt(3_000));
        }
        cluster.time.advance(random.nextInt(100));
    }

    private void join() {
        if (workers.size() < 6) {
            FakeWorker worker = new FakeWorker("w" + ++workerCount, 1);
            worker.capacity = SLOTS_PER_WORKER;
            assertThat(cluster.register(worker, "standalone", "")).isInstanceOf(RegistrationResponse.Accepted.class);
            workers.add(worker);
        }
    }

    private void anyWorker(java.util.function.Consumer<FakeWorker> action) {
        if (!workers.isEmpty()) {
            action.accept(workers.get(random.nextInt(workers.size())));
        }
    }

    /** A job asks for more or less; what is beyond it gives back, as a SlotPool does. */
    private void require(FakeJobMaster job) {
        int most = random.nextInt(5);
        int least = most == 0 ? 0 : 1 + random.nextInt(most);
        cluster.declare(job, least, most);
        desired.put(job, most);
        giveBack(job);
    }

    private void giveBack(FakeJobMaster job) {
        int excess = held(job).size() - desired.getOrDefault(job, 0);
        for (AllocationId allocation : held(job)) {
            if (excess-- > 0) {
                workers.stream()
                        .filter(worker -> worker.slots.containsKey(allocation))
                        .findFirst()
                        .ifPresent(worker -> cluster.free(worker, allocation));
            }
        }
    }

    private Set<AllocationId> held(FakeJobMaster job) {
        Set<AllocationId> held = new TreeSet<>();
        workers.forEach(worker -> worker.slots.values().stream()
                .filter(slot -> slot.job().equals(job.job))
                .forEach(slot -> held.add(slot.allocation())));
        return held;
    }

    private void checkAlways() {
        ClusterDetails details = cluster.details();
        Set<String> allocations = new HashSet<>();
        Map<String, Integer> perWorker = new TreeMap<>();
        for (SlotDetails slot : details.slots()) {
            assertThat(allocations.add(slot.allocation()))
                    .as("%s is there once", slot.allocation())
                    .isTrue();
            perWorker.merge(slot.worker(), 1, Integer::sum);
        }
        // A worker that lost an answer may have a slot more than the ResourceManager thinks, never one it was not asked
        // for.
        perWorker.forEach(
                (worker, count) -> assertThat(count).as("slots of %s", worker).isLessThanOrEqualTo(SLOTS_PER_WORKER));
        Set<AllocationId> requested = new HashSet<>();
        workers.forEach(worker -> worker.requested.forEach(request -> assertThat(requested.add(request.allocation()))
                .as("%s is requested once", request)
                .isTrue()));
    }

    private void settleDown() {
        cluster.planner.held = false;
        cluster.planner.releaseIfWaiting();
        for (FakeWorker worker : workers) {
            worker.losesAnswers = false;
            worker.refuses = request -> false;
        }
        for (int round = 0; round < 5; round++) {
            cluster.time.advance(60_000);
            jobs.forEach(this::giveBack);
        }
        cluster.time.advance(60_000);
    }

    private void checkAtRest() {
        Set<String> believed = cluster.details().slots().stream()
                .map(slot -> slot.worker() + " " + slot.allocation() + " " + slot.state())
                .collect(Collectors.toSet());
        Set<String> real = new HashSet<>();
        workers.forEach(worker ->
                worker.slots.keySet().forEach(allocation -> real.add(worker.id + " " + allocation + " allocated")));
        assertThat(believed).isEqualTo(real);
        assertThat(cluster.details().workers()).hasSize(workers.size());
        int first = desired.getOrDefault(jobs.get(0), 0);
        assertThat(held(jobs.get(0)).size()).isLessThanOrEqualTo(first);
        int wanted = desired.values().stream().mapToInt(Integer::intValue).sum();
        int capacity = workers.size() * SLOTS_PER_WORKER;
        if (wanted <= capacity) {
            assertThat(real).as("there is room for all").hasSize(wanted);
        }
    }
}
