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

    /**
     * Reserves room for slots of a gang that cannot be placed now: no later entry may be placed there in this decision.
     * A reservation ends with the decision; a strategy reserves again until the gang fits. Reserving room for a gang
     * that can never fit keeps the room from all others for nothing.
     *
     * @param entry of a gang that this result does not place
     * @param worker index of a worker, not of a new one
     * @param count at least 1; all together at most the number that the entry requests
     */
    void reserve(int entry, int worker, int count);

    /**
     * Says that slots of an entry must not be on a worker, by a rule of the strategy. Then room there counts for nothing
     * when the host checks the order of entries and what was left out. The decision shows the reasons.
     *
     * @param worker index of a worker, not of a new one
     * @param reason one line for people, not blank, cut at 500 characters; ten different ones for each entry are kept
     */
    void exclude(int entry, int worker, String reason);

    /**
     * The same for new workers of a spec: the result may open one, but not for this entry, and the host opens none for it
     * either.
     *
     * @param spec index of a spec
     * @param reason as for {@link #exclude}
     */
    void excludeSpec(int entry, int spec, String reason);

    /**
     * In how many different ways a result may exclude workers and specs. Entries of one profile for which it excludes the
     * same ones count once. A result with more breaks a rule; so does one that excludes for more entries than fit into 32
     * MiB, with a bit for each worker: on 100,000 workers, 2,684 entries.
     */
    int MAX_EXCLUSIONS = 1_000;

    /**
     * Proposes that a job returns a slot, because others need its place more or the job would be better off elsewhere.
     * The host asks the job, with the reason; the job decides. One that runs restarts without the slot. What it still
     * requires is placed again by later decisions, and nothing keeps the room for anyone.
     *
     * <p>A group keeps its minimum: at most {@link AllocationsView#aboveMinimum} of its slots may be named, all of them
     * if it lacks some anyway. The first {@value #MAX_GIVE_BACKS} slots of a decision count, and those that are not
     * {@link AllocationsView#returnable} do not.
     *
     * @param allocation index in the {@link AllocationsView}, named once
     * @param reason one line for people, not blank, cut at 500 characters
     */
    void giveBack(int allocation, String reason);

    /** How many slots jobs are asked to return because of one decision. */
    int MAX_GIVE_BACKS = 64;

    /** Requests a new worker of a spec. Returns the index under which it takes slots within this result. */
    int open(int spec);

    /**
     * Says why slots of an entry found no room: one line for people that names the short dimension. The first reason
     * for an entry is kept, cut at 500 characters. If one of its entries is named, the host tries a first fit for a
     * gang that is not placed, see {@link PlacementSession#place}.
     */
    void unplaced(int entry, String reason);

    /**
     * Leaves out a gang on purpose, although there may be room for it: the host does not try to place it. Any of its
     * entries may be named. After a limited time this counts as a failure, because a job that could run must not wait
     * forever.
     *
     * @param entry of a gang
     * @param reason one line for people, not blank, cut at 500 characters; the first one counts
     */
    void leaveOut(int entry, String reason);

    /**
     * Says what people should know about this result as a whole, for example how far it is from the best one. The
     * decision shows it, unless only a part of the result counts.
     *
     * @param text one line for people, not blank, cut at 500 characters; the first {@value #MAX_NOTES} different ones
     *     count
     */
    void note(String text);

    /** How many notes of a result are kept. */
    int MAX_NOTES = 4;

    /**
     * Asks to be called again for the pool after this many milliseconds at the latest, even if nothing changes until then. The
     * smallest number counts. It ends with the next result, which may ask again. The host may call earlier, and not
     * more often than ten times a second for this reason.
     *
     * @param millis 1 to 86,400,000 (a day)
     */
    void reviewAfter(long millis);
}
