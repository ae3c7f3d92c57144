package io.berth.spi.distribution;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Takes the result of an admission, in the order of precedence, during that call and on its thread. What breaks a rule
 * makes the host discard the whole result. Methods do not throw for a broken rule.
 */
@ProviderType
public interface AdmissionBuilder {

    /** Admits what the unit lacks of its minimum over all its groups, whole or not at all. */
    void admitMinimum(int unit);

    /**
     * Admits slots above the minimum, slot by slot.
     *
     * @param count at least 1, at most what is still missing to the desired number
     */
    void admit(int unit, int group, int count);

    /** Says why a unit does not compete now: one line for people, cut at 500 characters; the job shows it. */
    void defer(int unit, String reason);
}
