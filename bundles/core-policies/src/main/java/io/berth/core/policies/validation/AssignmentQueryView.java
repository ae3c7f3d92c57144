package io.berth.core.policies.validation;

import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.policy.AssignmentQuery;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.policies.cache.DecisionTime;
import io.berth.policy.rules.AssignmentResult;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.spi.matching.AssignmentView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An assignment query as a strategy sees it, by the rule of the pool.
 */
public final class AssignmentQueryView implements AssignmentView {

    private final AssignmentQuery query;
    /** Numbers of the constraints of requirements and slots. */
    private final int[] constraints;

    private final int[] slotConstraints;
    private final DecisionTime now;
    private final AssignmentResult result;

    public AssignmentQueryView(AssignmentQuery query, DecisionTime now) {
        this.query = query;
        this.now = now;
        Map<PlacementConstraints, Integer> numbers = new HashMap<>();
        numbers.put(PlacementConstraints.NONE, -1);
        this.constraints = query.requirements().stream()
                .mapToInt(one -> numbers.computeIfAbsent(one.constraints(), added -> numbers.size()))
                .toArray();
        this.slotConstraints = query.slots().stream()
                .mapToInt(one -> numbers.computeIfAbsent(one.constraints(), added -> numbers.size()))
                .toArray();
        this.result = new AssignmentResult(
                this,
                query.rule().toString(),
                requirement -> "group " + query.requirements().get(requirement).group());
    }

    /** What the strategy answers with. */
    public AssignmentResult result() {
        return result;
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
        for (int slot = 0; slot < slots(); slot++) {
            AssignmentQuery.Slot of = query.slots().get(slot);
            int requirement = result.requirementOf(slot);
            lines.add("allocation " + of.allocation() + " on " + of.worker() + ": "
                    + (requirement < 0
                            ? "unused"
                            : "group " + query.requirements().get(requirement).group()));
        }
        return lines;
    }

    /** Why requirements have fewer slots than required, in the strategy's words. */
    public List<String> reasons() {
        List<String> lines = new ArrayList<>();
        result.reasons().forEach((requirement, reason) -> {
            if (result.assigned(requirement) < count(requirement)) {
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
}
