package io.berth.spi.matching;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Receives the result of a {@code place} call as runs of slots, during that call and on its thread. If a run breaks a
 * rule, the host discards the whole result and ignores what follows. The methods do not throw for a broken rule.
 */
@ProviderType
public interface PlacementBuilder {

    /**
     * Places slots of an entry on a worker. May be called several times for an entry.
     *
     * @param worker the index of a worker, or what {@link #open} returned
     * @param count at least 1
     */
    void place(int entry, int worker, int count);

    /** Requests a new worker of a spec. Returns the index under which it takes slots within this result. */
    int open(int spec);

    /**
     * Says why slots of an entry were not placed: one line for people that names the short dimension. The first reason
     * for an entry is kept, cut at 500 characters. To leave out an atom although there is room for it, give a reason
     * on any of its entries.
     */
    void unplaced(int entry, String reason);
}
