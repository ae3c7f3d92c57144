package io.berth.spi.matching;

import io.berth.spi.JobId;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The admitted demands of one placing call, in the order of their precedence. Constant, and valid during that call.
 * Indexes count from 0; one out of range throws an IndexOutOfBoundsException.
 */
@ProviderType
public interface AdmittedView {

    /** How many entries there are. */
    int size();

    /** The job that the entry is for. */
    JobId job(int entry);

    /** Name of the slot sharing group. */
    String group(int entry);

    /** How many slots of one profile the entry asks for, at least 1. */
    int count(int entry);

    /**
     * Entries next to each other with the same atom, at least 0, are placed all and whole or not at all; -1: each slot
     * stands for itself.
     */
    int atom(int entry);

    /** Whether two entries ask for the same profile: equal numbers, counted from 0. */
    int profile(int entry);

    /**
     * What one slot of the entry takes of any worker, old or new; -1 in all dimensions for an unknown profile, of which
     * each worker has its own size.
     */
    long amount(int entry, int dimension);

    /**
     * What one slot of the entry takes of a worker. A slot that is cut out of free capacity has the profile that was
     * asked for, which both matching rules accept; an unknown profile takes the worker's default slot, which both accept
     * too. So it is the same on all workers unless the profile is unknown.
     */
    long need(int entry, int worker, int dimension);

    /** The same on a new worker of a spec. */
    long needOnSpec(int entry, int spec, int dimension);
}
