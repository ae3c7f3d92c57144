package io.berth.testkit;

import io.berth.spi.WorkerId;
import io.berth.spi.matching.WorkersView;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Registered workers with four dimensions that differ only in their amounts, without specs for new workers, for views
 * that tests and benchmarks write themselves.
 */
public interface PlainWorkersView extends WorkersView {

    @Override
    default long stateNumber() {
        return 0;
    }

    @Override
    default long now() {
        return 0;
    }

    @Override
    default long wallTime() {
        return 0;
    }

    @Override
    default int dimensions() {
        return 4;
    }

    @Override
    default String dimension(int dimension) {
        return "dimension " + dimension;
    }

    @Override
    default boolean pending(int worker) {
        return false;
    }

    @Override
    default OptionalLong startedAt(int worker) {
        return OptionalLong.empty();
    }

    @Override
    default OptionalLong leavingAt(int worker) {
        return OptionalLong.empty();
    }

    @Override
    default WorkerId id(int worker) {
        return new WorkerId("w" + worker);
    }

    @Override
    default String backend(int worker) {
        return "";
    }

    @Override
    default String spec(int worker) {
        return "";
    }

    @Override
    default double costPerHour(int worker) {
        return 0;
    }

    @Override
    default Optional<String> label(int worker, String key) {
        return Optional.empty();
    }

    @Override
    default Optional<String> taint(int worker, String key) {
        return Optional.empty();
    }

    @Override
    default int revision(int worker) {
        return 0;
    }

    @Override
    default int specs() {
        return 0;
    }

    @Override
    default String specName(int spec) {
        throw new IndexOutOfBoundsException("spec " + spec);
    }

    @Override
    default String specBackend(int spec) {
        throw new IndexOutOfBoundsException("spec " + spec);
    }

    @Override
    default Optional<String> specLabel(int spec, String key) {
        throw new IndexOutOfBoundsException("spec " + spec);
    }

    @Override
    default Optional<String> specTaint(int spec, String key) {
        throw new IndexOutOfBoundsException("spec " + spec);
    }

    @Override
    default double specCostPerHour(int spec) {
        throw new IndexOutOfBoundsException("spec " + spec);
    }

    @Override
    default long specStartMillis(int spec) {
        throw new IndexOutOfBoundsException("spec " + spec);
    }

    @Override
    default long specTotal(int spec, int dimension) {
        throw new IndexOutOfBoundsException("spec " + spec);
    }

    @Override
    default int specLeft(int spec) {
        throw new IndexOutOfBoundsException("spec " + spec);
    }
}
