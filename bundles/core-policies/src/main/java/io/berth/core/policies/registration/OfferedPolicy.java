package io.berth.core.policies.registration;

import io.berth.spi.PolicyKind;

/**
 * A policy that an installed bundle says it offers.
 *
 * @param verdict why it is not registered: {@code not resolved}, {@code not started} or {@code not registered}
 * @param text state of the bundle, what it lacks and the next step
 */
public record OfferedPolicy(PolicyKind kind, String name, String bundle, String version, String verdict, String text) {}
