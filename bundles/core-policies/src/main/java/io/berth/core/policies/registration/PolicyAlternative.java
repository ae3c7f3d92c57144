package io.berth.core.policies.registration;

import io.berth.spi.PolicyKind;

/**
 * A policy that could have decided a round, as it was when the round began. Holds texts only: the log of decisions
 * must not keep a bundle.
 *
 * @param obstacle why it could not decide; empty when it could
 */
public record PolicyAlternative(
        long id, PolicyKind kind, String name, String bundle, String version, long revision, String obstacle) {}
