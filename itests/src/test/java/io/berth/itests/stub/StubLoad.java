package io.berth.itests.stub;

import java.util.Arrays;

/**
 * The size of the load.
 *
 * @param first number of the first worker: different for several processes
 * @param slots of each worker
 * @param jobs that exist at once, approximately
 * @param rate of jobs that arrive, change or leave, per second
 * @param seed of everything random
 */
public record StubLoad(int first, int workers, int slots, int jobs, int rate, int seed) {

    /** For a single process. */
    public StubLoad(int workers, int slots, int jobs, int rate, int seed) {
        this(0, workers, slots, jobs, rate, seed);
    }

    static StubLoad parse(String text) {
        int[] values =
                Arrays.stream(text.split(",")).mapToInt(Integer::parseInt).toArray();
        return new StubLoad(values[0], values[1], values[2], values[3], values[4], values[5]);
    }

    /** The form that {@link #parse} reads. */
    public String text() {
        return first + "," + workers + "," + slots + "," + jobs + "," + rate + "," + seed;
    }
}
