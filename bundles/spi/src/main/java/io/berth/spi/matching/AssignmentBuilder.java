package io.berth.spi.matching;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Receives the result of an {@code assign} call, during that call and on its thread. If an entry breaks a rule, the
 * host discards the whole result. The methods do not throw for a broken rule.
 */
@ProviderType
public interface AssignmentBuilder {

    /**
     * Lets the slot serve the requirement. A slot may serve at most once, and only a requirement that {@link
     * AssignmentView#accepts} allows.
     */
    void assign(int slot, int requirement);

    /**
     * Says why a requirement has fewer slots than it requests: one line for people. The decision keeps the first
     * reason for each requirement, cut at 500 characters.
     */
    void unassigned(int requirement, String reason);

    /**
     * Asks to be called again for the same job after this many milliseconds at the latest, even if nothing changes until then. The
     * smallest number counts. It ends with the next result, which may ask again. The host may call earlier, and not
     * more often than ten times a second for this reason.
     *
     * @param millis 1 to 86,400,000 (a day)
     */
    void reviewAfter(long millis);
}
