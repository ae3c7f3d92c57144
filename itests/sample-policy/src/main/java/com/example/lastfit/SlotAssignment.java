package com.example.lastfit;

import io.berth.spi.matching.AssignmentBuilder;
import io.berth.spi.matching.AssignmentView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Assigns as many slots as can serve: each to what it was allocated for, the others along augmenting paths. */
final class SlotAssignment {

    private final AssignmentView input;
    private final int[] requirementOf;
    private final List<List<Integer>> slotsOf = new ArrayList<>();

    SlotAssignment(AssignmentView input) {
        this.input = input;
        this.requirementOf = new int[input.slots()];
        Arrays.fill(requirementOf, -1);
        for (int requirement = 0; requirement < input.requirements(); requirement++) {
            slotsOf.add(new ArrayList<>());
        }
    }

    void assign(AssignmentBuilder result) {
        for (int slot = 0; slot < requirementOf.length; slot++) {
            int wanted = input.allocatedFor(slot);
            if (wanted >= 0 && slotsOf.get(wanted).size() < input.count(wanted) && input.accepts(wanted, slot)) {
                put(slot, wanted);
            }
        }
        for (int slot = 0; slot < requirementOf.length; slot++) {
            if (requirementOf[slot] < 0) {
                findPlace(slot, new boolean[slotsOf.size()]);
            }
        }
        for (int slot = 0; slot < requirementOf.length; slot++) {
            if (requirementOf[slot] >= 0) {
                result.assign(slot, requirementOf[slot]);
            }
        }
    }

    /** Takes a free place, or one whose slot can serve elsewhere. */
    private boolean findPlace(int slot, boolean[] seen) {
        for (int requirement = 0; requirement < seen.length; requirement++) {
            if (seen[requirement] || !input.accepts(requirement, slot)) {
                continue;
            }
            seen[requirement] = true;
            List<Integer> holders = slotsOf.get(requirement);
            if (holders.size() < input.count(requirement)) {
                put(slot, requirement);
                return true;
            }
            for (Integer holder : List.copyOf(holders)) {
                if (findPlace(holder, seen)) {
                    holders.remove(holder);
                    put(slot, requirement);
                    return true;
                }
            }
        }
        return false;
    }

    private void put(int slot, int requirement) {
        requirementOf[slot] = requirement;
        slotsOf.get(requirement).add(slot);
    }
}
