package io.berth.policy.rules.placement;

import io.berth.policy.rules.PlainText;
import io.berth.spi.JobId;
import io.berth.spi.matching.AllocationsView;
import io.berth.spi.matching.PlacementBuilder;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The slots that a result proposes to give back, in the order of the proposals. */
public final class GiveBacks {

    private record Group(JobId job, String unit, String group) {}

    /** Receives each proposal that counts. */
    public interface Receiver {
        void giveBack(int allocation, String reason);
    }

    private final AllocationsView allocations;
    private final BitSet named = new BitSet();
    private final Map<Integer, String> proposals = new LinkedHashMap<>();
    private final Map<Group, Integer> counts = new HashMap<>();

    GiveBacks(AllocationsView allocations) {
        this.allocations = allocations;
    }

    /** @return the rule that the proposal breaks */
    Optional<String> add(int allocation, String reason) {
        if (!allocations.present(allocation)) {
            return Optional.of("gives back allocation " + allocation + ", which is not there");
        }
        if (named.get(allocation)) {
            return Optional.of("gives back allocation " + allocations.id(allocation) + " twice");
        }
        if (reason.isBlank()) {
            return Optional.of("gives back allocation " + allocations.id(allocation) + " of job "
                    + allocations.job(allocation) + " and gives no reason: " + PlainText.REQUIRED);
        }
        named.set(allocation);
        if (proposals.size() == PlacementBuilder.MAX_GIVE_BACKS || !allocations.returnable(allocation)) {
            return Optional.empty();
        }
        Group group =
                new Group(allocations.job(allocation), allocations.unit(allocation), allocations.group(allocation));
        int count = counts.merge(group, 1, Integer::sum);
        int above = allocations.aboveMinimum(allocation);
        if (above >= 0 && count > above) {
            return Optional.of("gives back " + count + " slots of group " + group.group() + " of job " + group.job()
                    + ", which has " + above + " above its minimum");
        }
        proposals.put(allocation, reason);
        return Optional.empty();
    }

    public boolean isEmpty() {
        return proposals.isEmpty();
    }

    public void each(Receiver receiver) {
        proposals.forEach(receiver::giveBack);
    }
}
