package io.berth.policy.support;

import io.berth.testkit.PlainWorkersView;
import java.util.Arrays;

/** Workers of one size that count how often they are read. */
final class CountedWorkers implements PlainWorkersView {

    static final long SIZE = 8;

    final long[] free;
    long reads;

    CountedWorkers(int count, long freeOfEach) {
        free = new long[count];
        Arrays.fill(free, freeOfEach);
    }

    @Override
    public int limit() {
        return free.length;
    }

    @Override
    public boolean present(int worker) {
        reads++;
        return worker >= 0 && worker < free.length;
    }

    @Override
    public long total(int worker, int dimension) {
        reads++;
        return SIZE;
    }

    @Override
    public long free(int worker, int dimension) {
        reads++;
        return free[worker];
    }
}
