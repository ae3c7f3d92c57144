package io.berth.spi.matching;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Takes the result of a placing call as runs, during that call and on its thread. A run that breaks a rule makes the host
 * discard the whole result; what comes after it is ignored. Methods do not throw for a broken rule.
 */
@ProviderType
public interface PlacementBuilder {

    /**
     * Places slots of an entry on a worker, as often as wanted for an entry.
     *
     * @param worker the index of a worker, or what {@link #open} returned
     * @param count at least 1
     */
    void place(int entry, int worker, int count);

    /** Asks for a new worker of a spec; returns the index under which it takes slots within this result. */
    int open(int spec);

    /**
     * Says why slots of an entry were not placed: one line for people, names the dimension that is short. The first
     * reason for an entry is kept, cut at 500 characters. An atom for which there is room must have one to be left out, on
     * any of its entries.
     */
    void unplaced(int entry, String reason);
}
