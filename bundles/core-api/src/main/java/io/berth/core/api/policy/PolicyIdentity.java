package io.berth.core.api.policy;

import io.berth.spi.PolicyKind;

/**
 * Identifies the policy that decided.
 *
 * @param bundle symbolic name of its bundle
 * @param version of its bundle
 * @param generation number of the instance, counted by the host over all policies; each swap creates a new instance
 * @param configurationRevision number of the configuration that it was created with
 */
public record PolicyIdentity(
        PolicyKind kind, String name, String bundle, String version, long generation, long configurationRevision) {

    @Override
    public String toString() {
        return kind.label() + " " + name + " (" + bundle + " " + version + ", generation " + generation + ")";
    }
}
