package io.berth.core.policies.sequence;

import java.util.List;
import java.util.SortedMap;

/**
 * Decides what a played policy does, and receives its reports. Public, because a played policy may have its own class
 * loader.
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

    /** A call begins. If the call is to hang, it hangs in this method. */
    Act enter(String what, long instance, String owner, SortedMap<String, String> configuration);

    /** The call ends with the given act. */
    void leave(String what, long instance, String owner, Act act);

    /** An instance was created for an owner, with the seed of its context. */
    long created(String owner, long seed);

    /** The generation of an instance. */
    long generation(long instance);

    /** Whether the host gave this call up: what the call still sees may be stale. */
    boolean late();

    /** A random number from 0 to {@code bound} - 1. */
    int draw(int bound);

    /** What the running call is shown and answers. */
    Answer answer();

    /** The changes that the policy received differ from what the host shows. */
    void complain(long instance, String text, List<?> known, List<?> shown);
}
