package io.berth.core.resources;

import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlacementRuns;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Places on the first workers with room, in runs, at a cost that follows what it is told: so that what is measured is
 * the rest. All slots are of the size of {@link TestCluster#SLOT}.
 */
final class RunPlanner implements PlacementPlanner {

    final List<PlanningInput> inputs = new ArrayList<>();
    final List<Commit> commits = new ArrayList<>();
    private final SortedMap<Integer, Integer> room = new TreeMap<>();
    private final SortedMap<Integer, UnitDemand> lacking = new TreeMap<>();
    private long decisions;

    @Override
    public CompletionStage<PlanOutcome> plan(PlanningInput input) {
        inputs.add(input);
        input.workers().forEach(change -> {
            int slots = (int) change.worker()
                    .map(worker -> worker.free().cpuMillis() / TestCluster.SLOT.cpuMillis())
                    .orElse(0L)
                    .longValue();
            if (slots > 0) {
                room.put(change.index(), slots);
            } else {
                room.remove(change.index());
            }
        });
        input.units()
                .forEach(change -> change.unit()
                        .filter(unit -> unit.groups().stream().anyMatch(group -> group.allocated() < group.desired()))
                        .ifPresentOrElse(
                                unit -> lacking.put(change.index(), unit), () -> lacking.remove(change.index())));
        PlacementRuns.Builder runs = new PlacementRuns.Builder();
        lacking.forEach((index, unit) -> place(index, unit, runs));
        PlacementRuns placed = runs.build();
        PolicyIdentity identity = new PolicyIdentity(PolicyKind.MATCHING, "runs", "test", "1", 1, 1);
        return CompletableFuture.completedFuture(new PlanOutcome.Planned(
                placed.size() == 0 ? 0 : ++decisions,
                input.stateNumber(),
                identity,
                identity,
                placed,
                List.of(),
                Integer.MAX_VALUE,
                List.of()));
    }

    private void place(int index, UnitDemand unit, PlacementRuns.Builder runs) {
        for (int group = 0; group < unit.groups().size(); group++) {
            GroupDemand demand = unit.groups().get(group);
            int left = demand.desired() - demand.allocated();
            while (left > 0 && !room.isEmpty()) {
                int worker = room.firstKey();
                int count = Math.min(left, room.get(worker));
                runs.add(index, group, worker, count, false);
                left -= count;
                if (count == room.get(worker)) {
                    room.remove(worker);
                } else {
                    room.merge(worker, -count, Integer::sum);
                }
            }
        }
    }

    @Override
    public void committed(long decision, Commit commit) {
        commits.add(commit);
    }

    @Override
    public void close() {}
}
