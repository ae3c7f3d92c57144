package io.berth.policy.support;

import io.berth.spi.WorkerId;
import io.berth.spi.matching.WorkersView;
import java.util.Optional;

/** Workers with four dimensions, without names, and without specs for new workers. */
abstract class PlainWorkers implements WorkersView {

    static final int DIMENSIONS = 4;

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
        return DIMENSIONS;
    }

    @Override
    public String dimension(int dimension) {
        return "dimension " + dimension;
    }

    @Override
    public WorkerId id(int worker) {
        return new WorkerId("w" + worker);
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

    @Override
    public long wallTime() {
        return 0;
    }

    @Override
    public Optional<String> taint(int worker, String key) {
        return Optional.empty();
    }

    @Override
    public int revision(int worker) {
        return 0;
    }
}
