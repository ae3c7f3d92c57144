package io.berth.spi;

/**
 * Identity of one allocation of a slot to a job, made by the ResourceManager (FLIP-6, FLIP-138).
 *
 * @param epoch the epoch of the ResourceManager that made it
 * @param number counted from 1 within the epoch
 */
public record AllocationId(long epoch, long number) implements Comparable<AllocationId> {

    @Override
    public int compareTo(AllocationId other) {
        int byEpoch = Long.compare(epoch, other.epoch);
        return byEpoch != 0 ? byEpoch : Long.compare(number, other.number);
    }

    @Override
    public String toString() {
        return Long.toString(epoch, 36) + "-" + number;
    }
}
