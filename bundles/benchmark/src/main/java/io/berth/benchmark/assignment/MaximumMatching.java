package io.berth.benchmark.assignment;

import io.berth.spi.matching.AssignmentView;
import java.util.Arrays;

/**
 * The most slots that can serve: a maximum flow from slots to requirements by the algorithm of Dinic, with one arc for each
 * slot that a requirement accepts. It shares nothing with the strategies that it judges.
 */
public final class MaximumMatching {

    private static final int NONE = -1;

    private final AssignmentView input;
    private final boolean[][] accepts;
    private final int[] requirementOf;
    private final int[] left;
    private final int[] levelOfSlot;
    private final int[] levelOfRequirement;
    private final int[] nextRequirement;
    private final int[] nextSlot;

    private MaximumMatching(AssignmentView input) {
        this.input = input;
        int slots = input.slots();
        int requirements = input.requirements();
        accepts = new boolean[slots][requirements];
        for (int slot = 0; slot < slots; slot++) {
            for (int requirement = 0; requirement < requirements; requirement++) {
                accepts[slot][requirement] = input.accepts(requirement, slot);
            }
        }
        requirementOf = new int[slots];
        Arrays.fill(requirementOf, NONE);
        left = new int[requirements];
        Arrays.setAll(left, input::count);
        levelOfSlot = new int[slots];
        levelOfRequirement = new int[requirements];
        nextRequirement = new int[slots];
        nextSlot = new int[requirements];
    }

    /** How many slots can serve at most. */
    public static int of(AssignmentView input) {
        MaximumMatching matching = new MaximumMatching(input);
        int matched = 0;
        while (matching.level()) {
            for (int slot = 0; slot < input.slots(); slot++) {
                if (matching.requirementOf[slot] == NONE && matching.augment(slot)) {
                    matched++;
                }
            }
        }
        return matched;
    }

    /** Distances from the slots that do not serve. Whether a requirement with room can be reached. */
    private boolean level() {
        Arrays.fill(levelOfSlot, NONE);
        Arrays.fill(levelOfRequirement, NONE);
        Arrays.fill(nextRequirement, 0);
        Arrays.fill(nextSlot, 0);
        int[] queue = new int[input.slots()];
        int end = 0;
        for (int slot = 0; slot < queue.length; slot++) {
            if (requirementOf[slot] == NONE) {
                levelOfSlot[slot] = 0;
                queue[end++] = slot;
            }
        }
        boolean found = false;
        for (int at = 0; at < end; at++) {
            int slot = queue[at];
            for (int requirement = 0; requirement < left.length; requirement++) {
                if (accepts[slot][requirement] && levelOfRequirement[requirement] == NONE) {
                    levelOfRequirement[requirement] = levelOfSlot[slot] + 1;
                    found |= left[requirement] > 0;
                    for (int other = 0; other < queue.length; other++) {
                        if (requirementOf[other] == requirement && levelOfSlot[other] == NONE) {
                            levelOfSlot[other] = levelOfRequirement[requirement];
                            queue[end++] = other;
                        }
                    }
                }
            }
        }
        return found;
    }

    private boolean augment(int slot) {
        for (; nextRequirement[slot] < left.length; nextRequirement[slot]++) {
            int requirement = nextRequirement[slot];
            if (!accepts[slot][requirement] || levelOfRequirement[requirement] != levelOfSlot[slot] + 1) {
                continue;
            }
            if (left[requirement] > 0) {
                left[requirement]--;
                requirementOf[slot] = requirement;
                return true;
            }
            for (; nextSlot[requirement] < requirementOf.length; nextSlot[requirement]++) {
                int other = nextSlot[requirement];
                if (requirementOf[other] == requirement
                        && levelOfSlot[other] == levelOfRequirement[requirement]
                        && augment(other)) {
                    requirementOf[slot] = requirement;
                    return true;
                }
            }
        }
        return false;
    }
}
