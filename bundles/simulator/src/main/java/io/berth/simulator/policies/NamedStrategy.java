package io.berth.simulator.policies;

import io.berth.spi.matching.MatchingStrategyFactory;

/**
 * A matching strategy.
 *
 * @param name by which it is chosen
 * @param bundle symbolic name of its bundle
 */
public record NamedStrategy(String name, String bundle, MatchingStrategyFactory factory) {}
