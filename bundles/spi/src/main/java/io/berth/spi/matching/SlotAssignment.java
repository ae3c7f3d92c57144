package io.berth.spi.matching;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Assigns as many slots as can serve, for strategies that have no other wish than an order of slots: first each slot to
 * what it was allocated for, then each other one in the given order, moving slots along augmenting paths where that
 * makes room (a maximum bipartite matching). What is short gets a reason. For the thread and the length of one call of
 * {@link MatchingStrategy#assign}; keeps nothing.
 */
public final class SlotAssignment {

    private static final int NONE = -1;

    private final AssignmentView input;
    private final int[] requirementOf;
    private final List<List<Integer>> slotsOf = new ArrayList<>();
    private int missing;

    private SlotAssignment(AssignmentView input) {
        this.input = input;
        this.requirementOf = new int[input.slots()];
        Arrays.fill(requirementOf, NONE);
        for (int requirement = 0; requirement < input.requirements(); requirement++) {
            slotsOf.add(new ArrayList<>());
            missing += input.count(requirement);
        }
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
            if (requirement != NONE && hasRoom(requirement) && input.accepts(requirement, slot)) {
                put(slot, requirement);
            }
        }
        for (int slot : order) {
            if (missing == 0) {
                break;
            }
            if (requirementOf[slot] == NONE) {
                findPlace(slot, new boolean[slotsOf.size()]);
            }
        }
    }

    private void tell(AssignmentBuilder result) {
        for (int slot = 0; slot < requirementOf.length; slot++) {
            if (requirementOf[slot] != NONE) {
                result.assign(slot, requirementOf[slot]);
            }
        }
        for (int requirement = 0; requirement < slotsOf.size() && missing > 0; requirement++) {
            int got = slotsOf.get(requirement).size();
            if (got < input.count(requirement)) {
                result.unassigned(
                        requirement,
                        "has " + got + " of " + input.count(requirement) + " slots: "
                                + accepted(requirement) + " of the job's " + input.slots() + " slots fulfil "
                                + input.requirementProfile(requirement) + ", the others of them serve elsewhere");
            }
        }
    }

    private int accepted(int requirement) {
        int accepted = 0;
        for (int slot = 0; slot < input.slots(); slot++) {
            accepted += input.accepts(requirement, slot) ? 1 : 0;
        }
        return accepted;
    }

    private boolean findPlace(int slot, boolean[] seen) {
        for (int requirement = 0; requirement < seen.length; requirement++) {
            if (!seen[requirement] && hasRoom(requirement) && input.accepts(requirement, slot)) {
                put(slot, requirement);
                return true;
            }
        }
        for (int requirement = 0; requirement < seen.length; requirement++) {
            if (seen[requirement] || !input.accepts(requirement, slot)) {
                continue;
            }
            seen[requirement] = true;
            for (int other : List.copyOf(slotsOf.get(requirement))) {
                if (findPlace(other, seen)) {
                    slotsOf.get(requirement).remove((Integer) other);
                    missing++;
                    put(slot, requirement);
                    return true;
                }
            }
        }
        return false;
    }

    private boolean hasRoom(int requirement) {
        return slotsOf.get(requirement).size() < input.count(requirement);
    }

    private void put(int slot, int requirement) {
        requirementOf[slot] = requirement;
        slotsOf.get(requirement).add(slot);
        missing--;
    }
}
