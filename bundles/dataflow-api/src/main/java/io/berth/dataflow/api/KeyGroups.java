package io.berth.dataflow.api;

/**
 * Maps keys to key groups, and key groups to subtasks. When the parallelism changes, keyed state moves by whole key
 * groups. Pure functions with the same result in every JVM.
 */
public final class KeyGroups {

    /** The maximum number of key groups of a vertex. */
    public static final int LIMIT = 1 << 15;

    private KeyGroups() {}

    /** The key group, in [0, maxParallelism), of a key with this {@code hashCode}. */
    public static int keyGroup(int hashCode, int maxParallelism) {
        int spread = spread(hashCode) & Integer.MAX_VALUE;
        // The usual numbers are powers of two, and a division is dear beside the rest of the way of a record.
        boolean powerOfTwo = (maxParallelism & maxParallelism - 1) == 0;
        return powerOfTwo ? spread & maxParallelism - 1 : spread % maxParallelism;
    }

    /** The subtask, in [0, parallelism), that owns {@code keyGroup}. */
    public static int subtask(int keyGroup, int parallelism, int maxParallelism) {
        return keyGroup * parallelism / maxParallelism;
    }

    /** The first key group of {@code subtask}. */
    public static int first(int subtask, int parallelism, int maxParallelism) {
        return (subtask * maxParallelism + parallelism - 1) / parallelism;
    }

    /** The key group after the last one of {@code subtask}. */
    public static int end(int subtask, int parallelism, int maxParallelism) {
        return first(subtask + 1, parallelism, maxParallelism);
    }

    /** Mixes a hash code so that close codes spread evenly (the finish of MurmurHash3). */
    public static int spread(int hashCode) {
        int h = hashCode;
        h ^= h >>> 16;
        h *= 0x85ebca6b;
        h ^= h >>> 13;
        h *= 0xc2b2ae35;
        h ^= h >>> 16;
        return h;
    }
}
