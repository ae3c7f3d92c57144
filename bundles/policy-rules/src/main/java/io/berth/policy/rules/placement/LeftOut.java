package io.berth.policy.rules.placement;

/**
 * A minimum that a plan leaves out although it fits, by the first fit that {@link
 * io.berth.spi.matching.PlacementSession#place} defines.
 *
 * @param entry the first one of the minimum
 * @param what was left out, for people
 * @param reason of the strategy, which leaves it out on purpose; empty when it said nothing
 */
public record LeftOut(int entry, String what, String reason) {}
