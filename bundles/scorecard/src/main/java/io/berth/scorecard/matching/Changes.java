package io.berth.scorecard.matching;

import io.berth.scorecard.check.Cost;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.JobId;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.testkit.PlainWorkersView;
import io.berth.testkit.UnconstrainedView;
import java.util.Arrays;
import java.util.Random;

/**
 * A cluster on which most slots are taken. Before each decision a slot ends, and a job wants one. A decision follows the
 * two workers that changed: the one of the slot, and the one of the previous placement.
 */
final class Changes implements Cost.Decisions {

    private static final int DIMENSIONS = 4;
    private static final int SLOTS = 8;
    private static final JobId JOB = new JobId("job");

    private final Random random = new Random(1);
    /** Free slots of each worker. */
    private final byte[] free;

    private final Entry entry = new Entry();
    private final Plan plan = new Plan();
    private final PlacementSession session;
    private int placed = -1;
    private long state;

    Changes(MatchingStrategyFactory factory, int workers) throws InvalidConfigurationException {
        free = new byte[workers];
        for (int worker = 0; worker < workers; worker++) {
            free[worker] = (byte) (random.nextInt(8) == 0 ? random.nextInt(SLOTS) : 0);
        }
        free[0] = 1;
        session = Pools.open(factory, new Workers());
    }

    @Override
    public void next() {
        int ended = random.nextInt(free.length);
        free[ended] = (byte) Math.min(SLOTS, free[ended] + 1);
        state++;
        int[] changed = placed < 0 || placed == ended ? new int[] {ended} : new int[] {ended, placed};
        Arrays.sort(changed);
        session.delta(changed);
        session.place(entry, plan);
    }

    @Override
    public void close() {
        session.close();
    }

    private final class Workers implements PlainWorkersView {

        @Override
        public long stateNumber() {
            return state;
        }

        @Override
        public int dimensions() {
            return DIMENSIONS;
        }

        @Override
        public String dimension(int dimension) {
            return "dimension " + dimension;
        }

        @Override
        public int limit() {
            return free.length;
        }

        @Override
        public boolean present(int worker) {
            return worker >= 0 && worker < free.length;
        }

        @Override
        public long total(int worker, int dimension) {
            return dimension < 2 ? SLOTS : 0;
        }

        @Override
        public long free(int worker, int dimension) {
            return dimension < 2 ? free[worker] : 0;
        }
    }

    /** A slot for a job. */
    private static final class Entry implements UnconstrainedView {

        @Override
        public int size() {
            return 1;
        }

        @Override
        public JobId job(int entry) {
            return JOB;
        }

        @Override
        public String group(int entry) {
            return "group";
        }

        @Override
        public int count(int entry) {
            return 1;
        }

        @Override
        public int gang(int entry) {
            return -1;
        }

        @Override
        public int profile(int entry) {
            return 0;
        }

        @Override
        public long amount(int entry, int dimension) {
            return dimension < 2 ? 1 : 0;
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

    private final class Plan implements PlacementBuilder {

        @Override
        public void place(int entry, int worker, int count) {
            free[worker] -= (byte) count;
            placed = worker;
        }

        @Override
        public int open(int spec) {
            throw new IndexOutOfBoundsException("spec " + spec);
        }

        @Override
        public void reserve(int entry, int worker, int count) {
            // Nothing waits here.
        }

        @Override
        public void exclude(int entry, int worker, String reason) {
            // Only for people.
        }

        @Override
        public void excludeSpec(int entry, int spec, String reason) {
            // Only for people.
        }

        @Override
        public void giveBack(int allocation, String reason) {
            // No job is asked here.
        }

        @Override
        public void unplaced(int entry, String reason) {
            // The next decision has another slot.
        }

        @Override
        public void leaveOut(int entry, String reason) {
            // No gang is here.
        }

        @Override
        public void note(String text) {
            // Only for people.
        }

        @Override
        public void reviewAfter(long millis) {
            // Each decision follows a change.
        }
    }
}
