package io.berth.core.dispatcher.bundle;

/**
 * An operator that job descriptions may name.
 *
 * @param keyed whether its input must be partitioned by hash
 */
public record OfferedOperator(String name, boolean keyed) {}
