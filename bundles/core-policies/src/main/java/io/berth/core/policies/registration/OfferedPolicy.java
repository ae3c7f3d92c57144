package io.berth.core.policies.registration;

import io.berth.core.api.operations.PolicyVerdict;
import io.berth.spi.PolicyKind;

/**
 * A policy that the manifest of an installed bundle names.
 *
 * @param verdict why it is not registered
 * @param text state of the bundle, what it lacks and the next step
 */
public record OfferedPolicy(
        PolicyKind kind, String name, String bundle, String version, PolicyVerdict verdict, String text) {}
