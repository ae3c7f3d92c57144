package io.berth.policy.support;

import io.berth.spi.matching.PlacementBuilder;

/** A result of strategies that only place slots, on workers that are there. */
abstract class PlacesOnly implements PlacementBuilder {

    @Override
    public void unplaced(int entry, String reason) {
        // Most tests see it by what is placed.
    }

    @Override
    public int open(int spec) {
        throw new UnsupportedOperationException("spec " + spec);
    }

    @Override
    public void leaveOut(int entry, String reason) {
        throw new UnsupportedOperationException(reason);
    }

    @Override
    public void reviewAfter(long millis) {
        throw new UnsupportedOperationException(millis + " ms");
    }

    @Override
    public void reserve(int entry, int worker, int count) {
        throw new UnsupportedOperationException("worker " + worker);
    }

    @Override
    public void giveBack(int allocation, String reason) {
        throw new UnsupportedOperationException(reason);
    }

    @Override
    public void note(String text) {
        throw new UnsupportedOperationException(text);
    }

    @Override
    public void exclude(int entry, int worker, String reason) {
        throw new UnsupportedOperationException(reason);
    }

    @Override
    public void excludeSpec(int entry, int spec, String reason) {
        throw new UnsupportedOperationException(reason);
    }
}
