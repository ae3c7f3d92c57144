package io.berth.core.policies.validation;

/**
 * A minimum that a plan leaves out although it fits, by the first fit that {@link
 * io.berth.spi.matching.PlacementSession#place} defines.
 *
 * @param unit whose minimum it is
 * @param what was left out, for people
 * @param reason of the strategy, which leaves it out on purpose; empty when it said nothing
 */
public record LeftOut(int unit, String what, String reason) {}
