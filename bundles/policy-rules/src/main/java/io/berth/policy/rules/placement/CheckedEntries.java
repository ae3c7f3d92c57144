package io.berth.policy.rules.placement;

import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.SpreadView;
import java.util.List;

/** What a decision admitted, as the checks read it. A profile is a number, see {@link AdmittedView#profile}. */
public interface CheckedEntries extends AdmittedView {

    /** One more than the largest number of a profile. */
    int profiles();

    /** The profile of an entry, for people. */
    String profileName(int entry);

    /** The amounts that a slot of the entry takes, by dimension; empty when they depend on the worker. */
    long[] known(int entry);

    /** The amount that a slot of the profile takes of a worker. */
    long needOf(int profile, int worker, int dimension);

    /** The amount that a slot of the profile takes of a new worker of a spec. */
    long needOfOnSpec(int profile, int spec, int dimension);

    /** Whether an entry may not be on every worker. */
    boolean constrained();

    /** Whether a slot of the profile may be on the worker. */
    boolean feasibleOf(int profile, int worker);

    /** Whether a slot of the profile may be on a new worker of a spec. */
    boolean feasibleOfOnSpec(int profile, int spec);

    /** Why a slot of the entry may not be on the worker; empty when it may be. */
    String obstacle(int entry, int worker);

    /** How the slots of groups are spread, for those that are; entries of one group have the same. */
    List<? extends SpreadView> spreads();

    /** Index of the spread of the entry in {@link #spreads}; -1 when its slots are not spread. */
    int spreadIndex(int entry);
}
