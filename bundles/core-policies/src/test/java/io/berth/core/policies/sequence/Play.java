package io.berth.core.policies.sequence;

import java.util.List;
import java.util.SortedMap;

/**
 * What a played policy is told to do, and what it tells of itself. Public, because played policies may be loaded by a
 * class loader of their own.
 */
public interface Play {

    /** What a played policy does in one call. */
    enum Act {
        GOOD,
        INVALID,
        THROW,
        ERROR,
        REFUSE
    }

    /** A call begins; hangs in here when that is what is played. */
    Act enter(String what, long instance, String owner, SortedMap<String, String> configuration);

    /** The call ends as it was told to. */
    void leave(String what, long instance, String owner, Act act);

    /** An instance was created for an owner, with the seed of its context. */
    long created(String owner, long seed);

    /** The generation of an instance. */
    long generation(long instance);

    /** Whether this call was given up on already: what it sees need not fit any more. */
    boolean late();

    /** A number from 0 to below {@code bound}. */
    int draw(int bound);

    /** An instance proposed to place slots. */
    void proposed(long instance, String job, String group, int worker, int count);

    /** What the host told does not fit what it shows. */
    void complain(long instance, String text, List<?> told, List<?> shown);
}
