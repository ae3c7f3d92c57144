package io.berth.matching.spread;

import io.berth.policy.support.ByUtilization;
import io.berth.policy.support.SlotAssignment;
import io.berth.policy.support.SlotPlacement;
import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.WorkerId;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.AssignmentView;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.osgi.service.component.annotations.Component;

/** Provides the matching strategy {@code spread}: the least utilized worker first. */
@Component(service = MatchingStrategyFactory.class, property = "service.ranking:Integer=50")
@Policy(kind = "matching", name = "spread")
public final class SpreadFactory implements MatchingStrategyFactory {

    /** If a gang of several profiles finds no room on the least utilized workers, first fit packs it. */
    static PlacementSession session(WorkersView workers) {
        return new SlotPlacement(workers, ByUtilization.leastFirst());
    }

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(
                "spread", "The least utilized worker that has room: registered, then pending, then a new one");
    }

    @Override
    public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
        return new MatchingStrategy() {
            @Override
            public PlacementSession openPlacement(WorkersView workers) {
                return session(workers);
            }

            @Override
            public AssignmentSession openAssignment() {
                return (input, result) -> SlotAssignment.assign(input, acrossWorkers(input), result);
            }
        };
    }

    /** The first slot of each worker, then the second of each, and so on. */
    private static int[] acrossWorkers(AssignmentView input) {
        Map<WorkerId, Integer> seen = new TreeMap<>();
        int[] nth = new int[input.slots()];
        for (int slot = 0; slot < nth.length; slot++) {
            nth[slot] = seen.merge(input.slotWorker(slot), 1, Integer::sum);
        }
        return IntStream.range(0, nth.length)
                .boxed()
                .sorted(Comparator.comparingInt((Integer slot) -> nth[slot]))
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
