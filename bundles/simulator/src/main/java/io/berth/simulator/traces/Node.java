package io.berth.simulator.traces;

import io.berth.spi.ResourceProfile;

/**
 * A node of a cluster: one worker of a replay.
 *
 * @param name unique in its cluster
 * @param model that jobs may request; empty for none
 * @param total what it offers to slots
 */
public record Node(String name, String model, ResourceProfile total) {}
