package io.berth.spi.distribution;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Receives the result of an admission, in order of precedence, during that call and on its thread. If an entry breaks
 * a rule, the host discards the whole result. The methods do not throw for a broken rule.
 */
@ProviderType
public interface AdmissionBuilder {

    /** Admits what the unit lacks of its minimum across all its groups, all or nothing. */
    void admitMinimum(int unit);

    /**
     * Admits single slots above the minimum.
     *
     * @param count at least 1, at most what is missing to the desired number
     */
    void admit(int unit, int group, int count);

    /**
     * What is admitted from here to {@link #endRank} has one rank: nothing of it has precedence over the rest, so that
     * the matching strategy may choose what it places. Otherwise each call that admits is a rank of its own, before the
     * ones that follow. A unit's minimum and its slots above it may have one rank; the minimum still comes first.
     */
    void beginRank();

    /** Ends what {@link #beginRank} began. */
    void endRank();

    /** Says why a unit does not compete now: one line for people, cut at 500 characters. The job shows it. */
    void defer(int unit, String reason);

    /**
     * Proposes that a job returns slots of a group, because others have a better claim to the room. The host chooses the
     * slots, those that the job has had for the shortest time first, and asks the job, with the reason; the job decides.
     * One that runs restarts without them. What it still requires is a demand as before: a policy that reclaims slots
     * does not admit the unit for them again.
     *
     * <p>A group keeps its minimum, unless it lacks some of it anyway. The first {@value #MAX_RECLAIMED} slots of a
     * decision count, and units that are not {@link DemandsView#returnable} do not.
     *
     * @param count at least 1; at most what the group has above its minimum, or all that it has if it lacks some
     * @param reason one line for people, not blank, cut at 500 characters
     */
    void reclaim(int unit, int group, int count, String reason);

    /** How many slots jobs are asked to return because of one decision. */
    int MAX_RECLAIMED = 64;

    /**
     * Asks to be called again for the pool after this many milliseconds at the latest, even if nothing changes until then. The
     * smallest number counts. It ends with the next result, which may ask again. The host may call earlier, and not
     * more often than ten times a second for this reason.
     *
     * @param millis 1 to 86,400,000 (a day)
     */
    void reviewAfter(long millis);
}
