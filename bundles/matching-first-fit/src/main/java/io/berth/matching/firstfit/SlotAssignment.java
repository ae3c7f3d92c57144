package io.berth.matching.firstfit;

import io.berth.spi.matching.AssignmentBuilder;
import io.berth.spi.matching.AssignmentView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Assigns as many slots as can serve: first each to what it was allocated for, then each other one in the given order,
 * moving slots along augmenting paths where that makes room (a maximum bipartite matching).
 */
final class SlotAssignment {

    private static final int NONE = -1;

    private final AssignmentView input;
    private final int[] requirementOf;
    private final List<List<Integer>> slotsOf = new ArrayList<>();
    private int missing;

    SlotAssignment(AssignmentView input) {
        this.input = input;
        this.requirementOf = new int[input.slots()];
        Arrays.fill(requirementOf, NONE);
        for (int requirement = 0; requirement < input.requirements(); requirement++) {
            slotsOf.add(new ArrayList<>());
            missing += input.count(requirement);
        }
    }

    void assign(int[] order, AssignmentBuilder result) {
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
        for (int slot = 0; slot < requirementOf.length; slot++) {
            if (requirementOf[slot] != NONE) {
                result.assign(slot, requirementOf[slot]);
            }
        }
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
