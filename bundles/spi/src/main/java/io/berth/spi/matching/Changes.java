package io.berth.spi.matching;

/** The last workers that changed, for those who take that over later. */
final class Changes {

    private static final int KEPT = 4_096;

    private final FreeRoom room;
    private final int[] last = new int[KEPT];
    private long number;

    Changes(FreeRoom room) {
        this.room = room;
    }

    void add(int worker) {
        last[(int) (number++ % KEPT)] = worker;
    }

    /**
     * Adds what changed after a number, or all workers when that is too long ago.
     *
     * @param from of a call before; -1: nothing is known
     * @return the number to come with the next time
     */
    long addTo(WorkerSet workers, long from) {
        if (from < 0 || number - from > KEPT) {
            workers.addAll(room.registered());
            workers.addAll(room.pending());
        } else {
            for (long change = from; change < number; change++) {
                workers.add(last[(int) (change % KEPT)]);
            }
        }
        return number;
    }
}
