package io.berth.spi.matching;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Takes the result of an assigning call, during that call and on its thread. What breaks a rule makes the host discard
 * the whole result. Methods do not throw for a broken rule.
 */
@ProviderType
public interface AssignmentBuilder {

    /** The slot serves the requirement; a slot at most once, and only what {@link AssignmentView#accepts} allows. */
    void assign(int slot, int requirement);

    /**
     * Says why a requirement has fewer slots than it asks for: one line for people. The first reason for a requirement
     * is kept with the decision, cut at 500 characters.
     */
    void unassigned(int requirement, String reason);
}
