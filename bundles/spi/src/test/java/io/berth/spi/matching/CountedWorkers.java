package io.berth.spi.matching;

import io.berth.spi.WorkerId;
import java.util.Arrays;
import java.util.Optional;

/** Workers of one size, of which the reads are counted. */
final class CountedWorkers implements WorkersView {

    static final long SIZE = 8;

    final long[] free;
    long reads;

    CountedWorkers(int count, long freeOfEach) {
        free = new long[count];
        Arrays.fill(free, freeOfEach);
    }

    @Override
    public long stateNumber() {
        return 0;
    }

    @Override
    public long now() {
        return 0;
    }

    @Override
    public int dimensions() {
        return 4;
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
        reads++;
        return worker >= 0 && worker < free.length;
    }

    @Override
    public boolean pending(int worker) {
        return false;
    }

    @Override
    public WorkerId id(int worker) {
        return new WorkerId("w" + worker);
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

    @Override
    public String backend(int worker) {
        return "";
    }

    @Override
    public Optional<String> label(int worker, String key) {
        return Optional.empty();
    }

    @Override
    public int specs() {
        return 0;
    }

    @Override
    public long specTotal(int spec, int dimension) {
        throw new IndexOutOfBoundsException("spec " + spec);
    }

    @Override
    public int specLeft(int spec) {
        throw new IndexOutOfBoundsException("spec " + spec);
    }
}
