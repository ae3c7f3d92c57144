package io.berth.core.policies.validation;

import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.policy.AssignmentQuery;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.policies.cache.DecisionTime;
import io.berth.core.policies.text.PlainText;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.spi.matching.AssignmentBuilder;
import io.berth.spi.matching.AssignmentView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An assignment query as a strategy sees it, by the rule of the pool, and the answer with the first rule that it
 * breaks.
 */
public final class AssignmentCheck implements AssignmentView, AssignmentBuilder {

    private final AssignmentQuery query;
    private final int[] requirementOf;
    private final int[] assigned;
    /** Numbers of the constraints of requirements and slots. */
    private final int[] constraints;

    private final int[] slotConstraints;
    private final SortedMap<Integer, String> reasons = new TreeMap<>();
    private final BuilderAccess rules = new BuilderAccess();
    private final DecisionTime now;

    public AssignmentCheck(AssignmentQuery query, DecisionTime now) {
        this.query = query;
        this.now = now;
        this.requirementOf = new int[query.slots().size()];
        this.assigned = new int[query.requirements().size()];
        Arrays.fill(requirementOf, -1);
        Map<PlacementConstraints, Integer> numbers = new HashMap<>();
        numbers.put(PlacementConstraints.NONE, -1);
        this.constraints = query.requirements().stream()
                .mapToInt(one -> numbers.computeIfAbsent(one.constraints(), added -> numbers.size()))
                .toArray();
        this.slotConstraints = query.slots().stream()
                .mapToInt(one -> numbers.computeIfAbsent(one.constraints(), added -> numbers.size()))
                .toArray();
    }

    public BuilderAccess rules() {
        return rules;
    }

    public List<Integer> requirementOfSlot() {
        return Arrays.stream(requirementOf).boxed().toList();
    }

    public List<String> inputs() {
        List<String> lines = new ArrayList<>();
        for (AssignmentQuery.Requirement requirement : query.requirements()) {
            lines.add("job " + query.job() + " unit " + requirement.unit() + " group " + requirement.group()
                    + " requires " + requirement.count() + " x " + requirement.profile());
        }
        lines.add("job " + query.job() + " has " + query.slots().size() + " slots");
        return lines;
    }

    public List<String> results() {
        List<String> lines = new ArrayList<>();
        for (int slot = 0; slot < requirementOf.length; slot++) {
            AssignmentQuery.Slot of = query.slots().get(slot);
            lines.add("allocation " + of.allocation() + " on " + of.worker() + ": "
                    + (requirementOf[slot] < 0
                            ? "unused"
                            : "group "
                                    + query.requirements()
                                            .get(requirementOf[slot])
                                            .group()));
        }
        return lines;
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
        } else if (!accepts(requirement, slot)) {
            rules.violated("assigns a slot of " + slotProfile(slot) + " to a requirement of "
                    + requirementProfile(requirement) + ", which the rule " + query.rule() + " does not accept");
        } else if (assigned[requirement] >= count(requirement)) {
            rules.violated("assigns more than the " + count(requirement) + " slots of group "
                    + query.requirements().get(requirement).group());
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

    /** Why requirements have fewer slots than required, in the strategy's words. */
    public List<String> reasons() {
        List<String> lines = new ArrayList<>();
        reasons.forEach((requirement, reason) -> {
            if (assigned[requirement] < count(requirement)) {
                lines.add("group " + query.requirements().get(requirement).group() + " " + reason);
            }
        });
        return lines;
    }

    @Override
    public long now() {
        return now.millis();
    }

    @Override
    public long wallTime() {
        return now.wallMillis();
    }

    @Override
    public int slots() {
        return query.slots().size();
    }

    @Override
    public ResourceProfile slotProfile(int slot) {
        return query.slots().get(slot).profile();
    }

    @Override
    public WorkerId slotWorker(int slot) {
        return query.slots().get(slot).worker();
    }

    @Override
    public int allocatedFor(int slot) {
        return query.slots().get(slot).allocatedFor();
    }

    @Override
    public int requirements() {
        return query.requirements().size();
    }

    @Override
    public ResourceProfile requirementProfile(int requirement) {
        return query.requirements().get(requirement).profile();
    }

    @Override
    public int count(int requirement) {
        return query.requirements().get(requirement).count();
    }

    @Override
    public int constraints(int requirement) {
        return constraints[requirement];
    }

    @Override
    public int slotConstraints(int slot) {
        return slotConstraints[slot];
    }

    @Override
    public boolean accepts(int requirement, int slot) {
        ResourceProfile required = requirementProfile(requirement);
        AssignmentQuery.Slot offered = query.slots().get(slot);
        if (slotConstraints[slot] != constraints[requirement]) {
            return false;
        }
        if (query.rule() == MatchingRule.LOOSE) {
            return offered.profile().covers(required);
        }
        return required.isUnknown() ? offered.defaultSlot() : offered.profile().equals(required);
    }

    @Override
    public void reviewAfter(long millis) {
        rules.review(millis);
    }
}
