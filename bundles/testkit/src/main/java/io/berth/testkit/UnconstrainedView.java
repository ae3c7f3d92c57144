package io.berth.testkit;

import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.AllocationsView;
import io.berth.spi.matching.SpreadView;
import java.util.Optional;

/** Admitted entries of jobs without constraints, labels and priorities, for views that tests and benchmarks write themselves. */
public interface UnconstrainedView extends AdmittedView {

    @Override
    default int rank(int entry) {
        return entry;
    }

    @Override
    default String unit(int entry) {
        return "all";
    }

    @Override
    default String queue(int entry) {
        return "default";
    }

    @Override
    default int priority(int entry) {
        return 0;
    }

    @Override
    default Optional<String> label(int entry, String key) {
        return Optional.empty();
    }

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
    default Optional<SpreadView> spread(int entry) {
        return Optional.empty();
    }

    @Override
    default boolean prefers(int entry) {
        return false;
    }

    @Override
    default int preference(int entry, int worker) {
        return 0;
    }

    @Override
    default int preferenceOnSpec(int entry, int spec) {
        return 0;
    }

    @Override
    default boolean ranOn(int entry, int worker) {
        return false;
    }

    @Override
    default AllocationsView allocations() {
        return new ArrayAllocationsView(new ArrayWorkersView());
    }
}
