package io.berth.benchmark.churn;

import io.berth.benchmark.measure.Measuring;
import io.berth.benchmark.workload.SplitMix;
import io.berth.benchmark.workload.Workload;
import io.berth.spi.JobId;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import io.berth.testkit.PlainWorkersView;
import io.berth.testkit.UnconstrainedView;
import java.util.Arrays;
import java.util.function.Function;

/**
 * Frees slots on a full cluster and places them again, with the strategy alone. Each call has a delta of the workers
 * that changed, by freed slots and by the previous placement, and a placement of the freed slots. Each run starts from
 * the state that the previous one left. A run includes drawing the slots and updating the state of the cluster. The
 * same calls with {@link RecordedPlacements} measure that part.
 */
public final class ChurnCalls implements Measuring.Subject, AutoCloseable {

    private final Workload workload;
    private final Occupancy occupancy;
    private final int calls;
    private final int changes;
    private final SplitMix random = new SplitMix(99);
    private final Workers workers;
    private final Waiting waiting;
    private final PlacementSession session;
    private final Plan plan = new Plan();

    /**
     * @param sessions opens the session that places
     * @param calls of a run
     * @param changes number of slots that are freed before each call
     */
    public ChurnCalls(Workload workload, Function<WorkersView, PlacementSession> sessions, int calls, int changes) {
        this.workload = workload;
        this.calls = calls;
        this.changes = changes;
        this.occupancy = new Occupancy(workload);
        this.workers = new Workers();
        this.waiting = new Waiting(workload.jobs() * workload.profiles());
        session = sessions.apply(workers);
        occupancy.takeChangedWorkers();
        waiting.take();
        session.place(waiting, plan);
    }

    @Override
    public void restore() {
        // The cluster stays as full as it is.
    }

    @Override
    public void run() {
        for (int call = 0; call < calls; call++) {
            ChurnDecisions.freeSome(occupancy, workload, random, changes);
            workers.state++;
            session.delta(occupancy.takeChangedWorkers());
            waiting.take();
            session.place(waiting, plan);
        }
    }

    public int unplaced() {
        return occupancy.missing();
    }

    @Override
    public void close() {
        session.close();
    }

    private final class Plan implements PlacementBuilder {

        @Override
        public void place(int entry, int worker, int count) {
            occupancy.place(waiting.jobs[entry], waiting.profiles[entry], worker, count);
        }

        @Override
        public int open(int spec) {
            throw new IllegalStateException("no worker can be started here");
        }

        @Override
        public void unplaced(int entry, String reason) {
            // The slot waits for the next call.
        }

        @Override
        public void leaveOut(int entry, String reason) {
            throw new IllegalStateException("slots are placed one by one here");
        }

        @Override
        public void reviewAfter(long millis) {
            // Nothing changes with time here.
        }

        @Override
        public void reserve(int entry, int worker, int count) {
            // No gang waits here.
        }

        @Override
        public void giveBack(int allocation, String reason) {}

        @Override
        public void exclude(int entry, int worker, String reason) {
            // Only for people.
        }

        @Override
        public void excludeSpec(int entry, int spec, String reason) {
            // Only for people.
        }

        @Override
        public void note(String text) {
            // Only for people.
        }
    }

    /** The demands that changed, ordered by job and then by profile. */
    private final class Waiting implements UnconstrainedView {

        private final int[] jobs;
        private final int[] profiles;
        private final int[] counts;
        private final JobId[] ids = new JobId[workload.jobs()];
        private final String[] groups = new String[workload.profiles()];
        private int size;

        private Waiting(int most) {
            jobs = new int[most];
            profiles = new int[most];
            counts = new int[most];
            Arrays.setAll(ids, job -> new JobId("job-" + job));
            Arrays.setAll(groups, profile -> "group-" + profile);
        }

        private void take() {
            size = 0;
            for (int changed : occupancy.takeChangedDemands()) {
                int job = changed / workload.profiles();
                int profile = changed % workload.profiles();
                int count = occupancy.waiting(job, profile);
                if (count > 0) {
                    jobs[size] = job;
                    profiles[size] = profile;
                    counts[size++] = count;
                }
            }
        }

        @Override
        public int size() {
            return size;
        }

        @Override
        public JobId job(int entry) {
            return ids[jobs[entry]];
        }

        @Override
        public String group(int entry) {
            return groups[profiles[entry]];
        }

        @Override
        public int count(int entry) {
            return counts[entry];
        }

        @Override
        public int gang(int entry) {
            return -1;
        }

        @Override
        public int profile(int entry) {
            return profiles[entry];
        }

        @Override
        public long amount(int entry, int dimension) {
            return occupancy.need(profiles[entry], dimension);
        }

        @Override
        public long need(int entry, int worker, int dimension) {
            return amount(entry, dimension);
        }

        @Override
        public long needOnSpec(int entry, int spec, int dimension) {
            return amount(entry, dimension);
        }
    }

    private final class Workers implements PlainWorkersView {

        private final long[] total = {
            workload.worker().cpuMillis(),
            workload.worker().heapBytes(),
            0,
            workload.worker().managedBytes()
        };
        private long state = 1;

        @Override
        public long stateNumber() {
            return state;
        }

        @Override
        public int dimensions() {
            return Occupancy.DIMENSIONS;
        }

        @Override
        public int limit() {
            return workload.workers();
        }

        @Override
        public boolean present(int worker) {
            return worker >= 0 && worker < workload.workers();
        }

        @Override
        public long total(int worker, int dimension) {
            return total[dimension];
        }

        @Override
        public long free(int worker, int dimension) {
            return occupancy.free(worker, dimension);
        }
    }
}
