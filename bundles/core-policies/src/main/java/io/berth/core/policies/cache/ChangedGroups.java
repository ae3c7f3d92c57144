package io.berth.core.policies.cache;

import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The groups in which two demands of a unit differ. Groups that did not change are usually the same objects, which are
 * not read: a unit may have hundreds of groups.
 */
record ChangedGroups(List<GroupDemand> gone, List<GroupDemand> came) {

    static ChangedGroups of(Optional<UnitDemand> before, Optional<UnitDemand> after) {
        List<GroupDemand> old = before.map(UnitDemand::groups).orElse(List.of());
        List<GroupDemand> now = after.map(UnitDemand::groups).orElse(List.of());
        if (before.isEmpty() || after.isEmpty() || !isOfSameOwner(before.get(), after.get())) {
            return new ChangedGroups(old, now);
        }
        List<GroupDemand> gone = new ArrayList<>();
        List<GroupDemand> came = new ArrayList<>();
        for (int at = 0; at < Math.max(old.size(), now.size()); at++) {
            if (at >= now.size()) {
                gone.add(old.get(at));
            } else if (at >= old.size()) {
                came.add(now.get(at));
            } else if (isOther(old.get(at), now.get(at))) {
                gone.add(old.get(at));
                came.add(now.get(at));
            }
        }
        return new ChangedGroups(gone, came);
    }

    /** What they use counts for the same queue and the same submitter. */
    private static boolean isOfSameOwner(UnitDemand before, UnitDemand after) {
        return before.attributes().queue().equals(after.attributes().queue())
                && before.attributes().submitter().equals(after.attributes().submitter());
    }

    @SuppressWarnings("ReferenceEquality") // Comparing them would read them.
    private static boolean isOther(GroupDemand before, GroupDemand after) {
        return before != after;
    }
}
