package io.berth.itests.stub;

import io.berth.spi.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Jobs that arrive, change their requirements and leave, at random from a seed. Confined to the one thread of {@link
 * StubCluster}.
 */
final class StubArrivals {

    private static final int MAX_SLOTS = 3;
    /** Jobs that no worker can serve: while one waits, each change triggers a decision. */
    private static final int WAITING = 3;

    private static final long TOO_MUCH = 1_000_000;

    private final StubCluster cluster;
    private final StubLoad load;
    private final Random random;
    private final SortedMap<JobId, StubJobMaster> jobs = new TreeMap<>();
    private final List<StubJobMaster> list = new ArrayList<>();
    private final List<StubJobMaster> leaving = new ArrayList<>();
    private final List<StubJobMaster> waiting = new ArrayList<>();
    private final List<String> delays = new ArrayList<>();
    private boolean running;
    private boolean ticking;
    private int wanted;
    private int arrived;
    private int changed;
    private int gone;

    StubArrivals(StubCluster cluster, StubLoad load) {
        this.cluster = cluster;
        this.load = load;
        this.random = new Random(load.seed());
    }

    void run(boolean on) {
        running = on;
        if (on && waiting.isEmpty()) {
            for (int number = 0; number < WAITING; number++) {
                StubJobMaster job =
                        new StubJobMaster(cluster, "stub-waits-" + number, 1_000_000_000L + number, TOO_MUCH);
                waiting.add(job);
                job.start(1);
            }
        }
        if (on && !ticking) {
            ticking = true;
            tick();
        }
    }

    private void tick() {
        if (!running) {
            ticking = false;
            return;
        }
        leaving.removeIf(job -> job.unsettled().isEmpty());
        step();
        // Faster until the first jobs exist.
        long rate = arrived < load.jobs() ? Math.max(load.rate(), 500) : load.rate();
        cluster.schedule(1_000_000L / rate, this::tick);
    }

    private void step() {
        boolean many = list.size() >= load.jobs();
        int choice = random.nextInt(10);
        if (list.isEmpty() || arrived < load.jobs() || !many && choice < 4) {
            arrive();
        } else if (many && choice < 4) {
            depart(random.nextInt(list.size()));
        } else {
            change(list.get(random.nextInt(list.size())));
        }
    }

    /** All jobs together request less than nine tenths of what exists. */
    private int room(int slots) {
        return Math.min(slots, (int) (load.workers() * load.slots() * 0.9) - wanted);
    }

    private void arrive() {
        int slots = room(1 + random.nextInt(MAX_SLOTS));
        if (slots < 1) {
            return;
        }
        arrived++;
        StubJobMaster job = new StubJobMaster(cluster, "stub-job-" + arrived, arrived, 1);
        wanted += slots;
        jobs.put(job.job(), job);
        list.add(job);
        job.start(slots);
    }

    private void change(StubJobMaster job) {
        if (!job.unsettled().isEmpty()) {
            return;
        }
        int before = job.wanted();
        int after = before + room(1 + random.nextInt(MAX_SLOTS) - before);
        if (after != before && after > 0) {
            changed++;
            wanted += after - before;
            job.want(after);
        }
    }

    private void depart(int index) {
        StubJobMaster job = list.get(index);
        if (!job.unsettled().isEmpty() && random.nextInt(4) != 0) {
            return;
        }
        gone++;
        list.set(index, list.get(list.size() - 1));
        list.remove(list.size() - 1);
        jobs.remove(job.job());
        leaving.add(job);
        wanted -= job.wanted();
        job.leave();
    }

    void allLeave() {
        while (!list.isEmpty()) {
            int index = list.size() - 1;
            StubJobMaster job = list.remove(index);
            jobs.remove(job.job());
            leaving.add(job);
            job.leave();
        }
        waiting.forEach(StubJobMaster::leave);
        leaving.addAll(waiting);
        waiting.clear();
        wanted = 0;
    }

    void requested(JobId id, long arrivedNanos) {
        StubJobMaster job = jobs.get(id);
        long declared = job == null ? 0 : job.takeDeclaredNanos();
        if (declared > 0) {
            delays.add(declared + " " + (arrivedNanos - declared));
        }
    }

    List<String> unsettled() {
        leaving.removeIf(job -> job.unsettled().isEmpty());
        List<String> texts = new ArrayList<>();
        list.forEach(job -> texts.add(job.unsettled()));
        leaving.forEach(job -> texts.add(job.unsettled()));
        texts.removeIf(String::isEmpty);
        return texts;
    }

    List<String> held() {
        return list.stream().flatMap(job -> job.held().stream()).toList();
    }

    List<String> takeDelays() {
        List<String> taken = List.copyOf(delays);
        delays.clear();
        return taken;
    }

    String counts() {
        return list.size() + " jobs there, " + arrived + " arrived, " + changed + " changes, " + gone + " left, "
                + wanted + " slots wanted";
    }
}
