package io.berth.testkit;

import io.berth.spi.matching.AdmittedView;

/** Admitted entries without constraints, for views that tests and benchmarks write themselves. */
public interface UnconstrainedView extends AdmittedView {

    @Override
    default int constraints(int entry) {
        return -1;
    }

    @Override
    default boolean feasible(int entry, int worker) {
        return true;
    }

    @Override
    default boolean feasibleOnSpec(int entry, int spec) {
        return true;
    }

    @Override
    default int preference(int entry, int worker) {
        return 0;
    }
}
