package io.berth.core.policies.registration;

import io.berth.spi.PolicyKind;

/**
 * A policy that a round could have been decided by, in its place in the order, as it was when the round began. Holds
 * texts only: what is remembered of a decision must not hold on to a bundle.
 *
 * @param obstacle why it could not decide, empty when it could
 */
public record PolicyAlternative(
        long id, PolicyKind kind, String name, String bundle, String version, long revision, String obstacle) {}
