package io.berth.policy.rules;

import io.berth.spi.matching.AssignmentBuilder;
import io.berth.spi.matching.AssignmentView;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * Collects an assignment and names the first rule that it breaks; collects nothing after that. Confined to the thread
 * of one call.
 */
public final class AssignmentResult implements AssignmentBuilder {

    private final AssignmentView query;
    private final String rule;
    private final IntFunction<String> names;
    private final int[] requirementOf;
    private final int[] assigned;
    private final SortedMap<Integer, String> reasons = new TreeMap<>();
    private final BuilderAccess rules = new BuilderAccess();

    /**
     * @param rule by which slots fulfill requirements, for people
     * @param names of the requirements, for people
     */
    public AssignmentResult(AssignmentView query, String rule, IntFunction<String> names) {
        this.query = query;
        this.rule = rule;
        this.names = names;
        this.requirementOf = new int[query.slots()];
        this.assigned = new int[query.requirements()];
        Arrays.fill(requirementOf, -1);
    }

    public BuilderAccess rules() {
        return rules;
    }

    /** The requirement that the slot is assigned to; -1 for none. */
    public int requirementOf(int slot) {
        return requirementOf[slot];
    }

    /** The requirement of each slot; -1 for none. */
    public List<Integer> requirementOfSlot() {
        return Arrays.stream(requirementOf).boxed().toList();
    }

    /** How many slots are assigned to the requirement. */
    public int assigned(int requirement) {
        return assigned[requirement];
    }

    /** Why requirements have fewer slots than required, in the words of the strategy, by index. */
    public SortedMap<Integer, String> reasons() {
        return reasons;
    }

    @Override
    public void assign(int slot, int requirement) {
        if (!rules.open()) {
            return;
        }
        if (slot < 0 || slot >= requirementOf.length) {
            rules.violated("assigns slot " + slot + " of " + requirementOf.length);
        } else if (requirement < 0 || requirement >= assigned.length) {
            rules.violated("assigns to requirement " + requirement + " of " + assigned.length);
        } else if (requirementOf[slot] >= 0) {
            rules.violated("assigns slot " + slot + " twice");
        } else if (!query.accepts(requirement, slot)) {
            rules.violated("assigns a slot of " + query.slotProfile(slot) + " to a requirement of "
                    + query.requirementProfile(requirement) + ", which the rule " + rule + " does not accept");
        } else if (assigned[requirement] >= query.count(requirement)) {
            rules.violated(
                    "assigns more than the " + query.count(requirement) + " slots of " + names.apply(requirement));
        } else {
            requirementOf[slot] = requirement;
            assigned[requirement]++;
        }
    }

    @Override
    public void unassigned(int requirement, String reason) {
        if (!rules.open()) {
            return;
        }
        if (requirement < 0 || requirement >= assigned.length) {
            rules.violated("gives a reason for requirement " + requirement + " of " + assigned.length);
        } else {
            reasons.putIfAbsent(requirement, PlainText.cut(reason));
        }
    }

    @Override
    public void reviewAfter(long millis) {
        rules.review(millis);
    }
}
