package io.berth.policy.support;

import io.berth.spi.ResourceProfile;
import io.berth.spi.matching.AssignmentBuilder;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.AssignmentView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Assigns as many slots as possible, for strategies that only have an order of slots. First each slot goes to the
 * requirement that it was allocated for. Then the others follow in the given order; slots move along augmenting paths
 * where that makes room (a maximum bipartite matching). Each requirement that is short gets a reason. An instance
 * belongs to the thread of one call of {@link AssignmentSession#assign} and keeps nothing afterwards.
 *
 * <p>Slots with the same profile are of one kind, and paths are searched between kinds and required profiles. After a
 * failed search, a kind is not searched again, because no later step creates a path for it. The cost is one look at
 * each slot, and one at each requirement for each kind. A slot that others must move for costs at most a bit for each
 * kind and profile more, and a step for each kind on the way.
 */
public final class SlotAssignment {

    private static final int NONE = -1;

    /**
     * The matching rule distinguishes slots by their profile, by whether they serve a requirement without a size, and by
     * the constraints that they were placed with.
     */
    private record Kind(ResourceProfile profile, boolean servesUnknown, int constraints) {}

    /** Requirements of the same profile with the same constraints accept the same slots. */
    private record Required(ResourceProfile profile, int constraints) {}

    private final AssignmentView input;
    /** The different required profiles, each by its first requirement; and the profile of each requirement. */
    private final List<Integer> firstOfProfile = new ArrayList<>();

    private final int[] profileOf;
    /** Slots that a requirement still lacks. */
    private final int[] room;

    private int missing;
    private final int[] kindOf;
    private final List<BitSet> acceptedProfiles = new ArrayList<>();
    private final List<Integer> slotsOfKind = new ArrayList<>();
    /** By kind: no requirement before this one accepts the kind and has room. */
    private final int[] firstWithRoom;
    /** The kinds without a path to a requirement with room. */
    private final BitSet shut = new BitSet();

    private final int[] requirementOf;
    /**
     * By kind and profile, the slots that serve as a linked list: the last one, and for each slot the one before it.
     */
    private final int[] lastPut;

    private final int[] putBefore;
    /** By profile, the kinds of which slots serve. */
    private final BitSet[] serving;
    /** By kind that a search reached: the one that moves there, and the profile in which it gives way. */
    private final int[] cameFrom;

    private final int[] givesWayIn;

    private SlotAssignment(AssignmentView input) {
        this.input = input;
        profileOf = new int[input.requirements()];
        room = new int[input.requirements()];
        readRequirements();
        kindOf = new int[input.slots()];
        readSlots();
        firstWithRoom = new int[acceptedProfiles.size()];
        requirementOf = filled(input.slots());
        lastPut = filled(acceptedProfiles.size() * firstOfProfile.size());
        putBefore = filled(input.slots());
        serving = new BitSet[firstOfProfile.size()];
        Arrays.setAll(serving, profile -> new BitSet(acceptedProfiles.size()));
        cameFrom = new int[acceptedProfiles.size()];
        givesWayIn = new int[acceptedProfiles.size()];
    }

    private static int[] filled(int size) {
        int[] all = new int[size];
        Arrays.fill(all, NONE);
        return all;
    }

    private void readRequirements() {
        Map<Required, Integer> numbers = new HashMap<>();
        for (int requirement = 0; requirement < room.length; requirement++) {
            room[requirement] = input.count(requirement);
            missing += room[requirement];
            Required required = new Required(input.requirementProfile(requirement), input.constraints(requirement));
            Integer number = numbers.putIfAbsent(required, firstOfProfile.size());
            if (number == null) {
                number = firstOfProfile.size();
                firstOfProfile.add(requirement);
            }
            profileOf[requirement] = number;
        }
    }

    private void readSlots() {
        int[] unknown = firstOfProfile.stream()
                .filter(requirement -> input.requirementProfile(requirement).isUnknown())
                .mapToInt(Integer::intValue)
                .toArray();
        Map<Kind, Integer> numbers = new HashMap<>();
        for (int slot = 0; slot < kindOf.length; slot++) {
            boolean serves = false;
            for (int requirement : unknown) {
                serves |= input.accepts(requirement, slot);
            }
            Kind kind = new Kind(input.slotProfile(slot), serves, input.slotConstraints(slot));
            Integer number = numbers.get(kind);
            if (number == null) {
                number = numbers.size();
                numbers.put(kind, number);
                acceptedProfiles.add(acceptedProfiles(slot));
                slotsOfKind.add(0);
            }
            kindOf[slot] = number;
            slotsOfKind.set(number, slotsOfKind.get(number) + 1);
        }
    }

    private BitSet acceptedProfiles(int slot) {
        BitSet accepted = new BitSet();
        for (int profile = 0; profile < firstOfProfile.size(); profile++) {
            accepted.set(profile, input.accepts(firstOfProfile.get(profile), slot));
        }
        return accepted;
    }

    /** Assigns with the slots in the order of their indexes. */
    public static void assign(AssignmentView input, AssignmentBuilder result) {
        int[] order = new int[input.slots()];
        Arrays.setAll(order, slot -> slot);
        assign(input, order, result);
    }

    /** @param order the indexes of all slots, each once, the preferred ones first */
    public static void assign(AssignmentView input, int[] order, AssignmentBuilder result) {
        SlotAssignment assignment = new SlotAssignment(input);
        assignment.match(order);
        assignment.tell(result);
    }

    private void match(int[] order) {
        for (int slot : order) {
            int requirement = input.allocatedFor(slot);
            if (requirement != NONE && room[requirement] > 0 && accepts(requirement, kindOf[slot])) {
                room[requirement]--;
                put(slot, requirement);
            }
        }
        for (int slot : order) {
            if (missing == 0) {
                break;
            }
            if (requirementOf[slot] == NONE && !shut.get(kindOf[slot])) {
                findPlace(slot);
            }
        }
    }

    private boolean accepts(int requirement, int kind) {
        return acceptedProfiles.get(kind).get(profileOf[requirement]);
    }

    /** Puts the slot where there is room, or where another slot can move to other room. */
    private void findPlace(int slot) {
        int start = kindOf[slot];
        int free = firstWithRoom(start);
        if (free < room.length) {
            room[free]--;
            put(slot, free);
            return;
        }
        BitSet reached = new BitSet();
        BitSet lookedAt = new BitSet();
        Deque<Integer> next = new ArrayDeque<>();
        reached.set(start);
        cameFrom[start] = NONE;
        next.add(start);
        while (!next.isEmpty()) {
            int kind = next.remove();
            if (firstWithRoom(kind) < room.length) {
                move(slot, kind);
                return;
            }
            BitSet accepted = acceptedProfiles.get(kind);
            for (int profile = accepted.nextSetBit(0); profile >= 0; profile = accepted.nextSetBit(profile + 1)) {
                if (lookedAt.get(profile)) {
                    continue;
                }
                lookedAt.set(profile);
                BitSet there = serving[profile];
                for (int other = there.nextSetBit(0); other >= 0; other = there.nextSetBit(other + 1)) {
                    if (!reached.get(other)) {
                        reached.set(other);
                        cameFrom[other] = kind;
                        givesWayIn[other] = profile;
                        next.add(other);
                    }
                }
            }
        }
        shut.or(reached);
    }

    /**
     * Walks back from the end of the path: a slot of each kind takes the room, and the place that it leaves is the
     * next room.
     */
    private void move(int slot, int last) {
        int requirement = firstWithRoom(last);
        room[requirement]--;
        int kind = last;
        while (cameFrom[kind] != NONE) {
            int at = at(kind, givesWayIn[kind]);
            int moved = lastPut[at];
            lastPut[at] = putBefore[moved];
            serving[givesWayIn[kind]].set(kind, lastPut[at] != NONE);
            missing++;
            int left = requirementOf[moved];
            put(moved, requirement);
            requirement = left;
            kind = cameFrom[kind];
        }
        put(slot, requirement);
    }

    private int firstWithRoom(int kind) {
        int requirement = firstWithRoom[kind];
        while (requirement < room.length && (room[requirement] == 0 || !accepts(requirement, kind))) {
            requirement++;
        }
        firstWithRoom[kind] = requirement;
        return requirement;
    }

    private int at(int kind, int profile) {
        return kind * firstOfProfile.size() + profile;
    }

    private void put(int slot, int requirement) {
        requirementOf[slot] = requirement;
        int at = at(kindOf[slot], profileOf[requirement]);
        putBefore[slot] = lastPut[at];
        lastPut[at] = slot;
        serving[profileOf[requirement]].set(kindOf[slot]);
        missing--;
    }

    private void tell(AssignmentBuilder result) {
        for (int slot = 0; slot < requirementOf.length; slot++) {
            if (requirementOf[slot] != NONE) {
                result.assign(slot, requirementOf[slot]);
            }
        }
        for (int requirement = 0; requirement < room.length; requirement++) {
            if (room[requirement] > 0) {
                int count = input.count(requirement);
                result.unassigned(
                        requirement,
                        "has " + (count - room[requirement]) + " of " + count + " slots: " + accepted(requirement)
                                + " of the job's " + input.slots() + " slots fulfill "
                                + input.requirementProfile(requirement) + ", the others of them serve elsewhere");
            }
        }
    }

    private int accepted(int requirement) {
        int accepted = 0;
        for (int kind = 0; kind < slotsOfKind.size(); kind++) {
            accepted += accepts(requirement, kind) ? slotsOfKind.get(kind) : 0;
        }
        return accepted;
    }
}
