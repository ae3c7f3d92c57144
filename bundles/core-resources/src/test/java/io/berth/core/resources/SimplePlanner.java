package io.berth.core.resources;

import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.policy.CommittedSlot;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlacementRuns;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.SpecColumn;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.api.policy.PlanningInput.WorkerColumn;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.spi.PolicyKind;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Submission order, first fit, registered workers before pending ones before new ones; answers at once or on demand.
 */
public final class SimplePlanner implements PlacementPlanner {

    public final List<PlanningInput> inputs = new ArrayList<>();
    final List<Commit> commits = new ArrayList<>();
    public final List<CommittedSlot> committed = new ArrayList<>();
    public final List<String> dropped = new ArrayList<>();
    public boolean held;
    /** Its plans name new workers in the other order. */
    public boolean opensLastFirst;

    /** Whether its policies look at slots. */
    public boolean usesSlots;

    public boolean countsUse;
    /** What its next plan proposes to give back. */
    public final List<PlanOutcome.GiveBack> giveBacks = new ArrayList<>();

    public final List<PlanOutcome.Reclaim> reclaims = new ArrayList<>();

    public Optional<SortedMap<String, Long>> queueRoom = Optional.empty();

    boolean closed;
    public Optional<String> undecided = Optional.empty();
    /** How many of the next plans lose their input and fail. */
    public int failing;
    /** How: as an exception, else as an outcome. */
    public boolean exceptionally;

    private final SortedMap<Integer, WorkerColumn> workers = new TreeMap<>();
    private final SortedMap<Integer, UnitDemand> units = new TreeMap<>();
    private Optional<Runnable> waiting = Optional.empty();
    private long decisions;

    @Override
    public Optional<SortedMap<String, Long>> queueRoom(String queue) {
        return queueRoom;
    }

    @Override
    public CompletionStage<PlanOutcome> plan(PlanningInput input) {
        if (waiting.isPresent()) {
            throw new AssertionError("a plan is outstanding");
        }
        inputs.add(input);
        if (failing > 0) {
            failing--;
            return exceptionally
                    ? CompletableFuture.failedFuture(new IllegalStateException("a test"))
                    : CompletableFuture.completedFuture(new PlanOutcome.NotDecided("a test"));
        }
        input.workers()
                .forEach(change -> change.worker()
                        .ifPresentOrElse(
                                column -> workers.put(change.index(), column), () -> workers.remove(change.index())));
        input.units()
                .forEach(change -> change.unit()
                        .ifPresentOrElse(
                                demand -> units.put(change.index(), demand), () -> units.remove(change.index())));
        PlanOutcome outcome = undecided
                .<PlanOutcome>map(text -> new PlanOutcome.NotDecided(Reason.of(ReasonCode.NO_STRATEGY, text)))
                .orElseGet(() -> new Round(input).decide());
        if (!held) {
            return CompletableFuture.completedFuture(outcome);
        }
        CompletableFuture<PlanOutcome> later = new CompletableFuture<>();
        waiting = Optional.of(() -> later.complete(outcome));
        return later;
    }

    /** Gives out the plan that was held back; later ones are not held. */
    public void release() {
        held = false;
        Runnable answer = waiting.orElseThrow();
        waiting = Optional.empty();
        answer.run();
    }

    /** Gives out the plan that was held back, if there is one. */
    void releaseIfWaiting() {
        if (waiting.isPresent()) {
            release();
        }
    }

    @Override
    public boolean usesSlots() {
        return usesSlots;
    }

    @Override
    public boolean countsUse() {
        return countsUse;
    }

    @Override
    public Optional<PolicyIdentity> asked() {
        return waiting.map(plan -> new PolicyIdentity(PolicyKind.MATCHING, "simple", "simple", "1.0.0", 1, 1));
    }

    @Override
    public void committed(long decision, Commit commit) {
        commits.add(commit);
        committed.addAll(commit.slots());
        if (!commit.dropped().isEmpty()) {
            dropped.add(commit.dropped());
        }
    }

    @Override
    public void close() {
        closed = true;
    }

    private final class Round {

        private final PlanningInput input;
        private final List<SortedMap.Entry<Integer, WorkerColumn>> order;
        private final SortedMap<Integer, ResourceProfile> free = new TreeMap<>();
        private final SortedMap<Integer, ResourceProfile> defaults = new TreeMap<>();
        private final List<Integer> newWorkers = new ArrayList<>();
        private final int firstNew;
        private final List<PlanOutcome.Placement> placements = new ArrayList<>();
        private final List<PlanOutcome.UnitReason> reasons = new ArrayList<>();

        Round(PlanningInput input) {
            this.input = input;
            order = workers.entrySet().stream()
                    .sorted(Comparator.comparing((Map.Entry<Integer, WorkerColumn> entry) ->
                            entry.getValue().pending()))
                    .toList();
            workers.forEach((index, column) -> {
                free.put(index, column.free());
                defaults.put(index, column.defaultSlot());
            });
            firstNew = workers.isEmpty() ? 0 : workers.lastKey() + 1;
        }

        PlanOutcome decide() {
            units.entrySet().stream()
                    .sorted(Comparator.comparing((Map.Entry<Integer, UnitDemand> entry) ->
                            entry.getValue().submissionIndex()))
                    .forEach(entry -> decide(entry.getKey(), entry.getValue()));
            PlacementRuns.Builder runs = new PlacementRuns.Builder();
            placements.forEach(
                    run -> runs.add(run.unit(), run.group(), named(run.worker()), run.count(), run.minimum()));
            if (opensLastFirst) {
                Collections.reverse(newWorkers);
            }
            boolean nothing = placements.isEmpty() && reasons.isEmpty() && giveBacks.isEmpty() && reclaims.isEmpty();
            PlanOutcome.Returns returns = new PlanOutcome.Returns(giveBacks, reclaims);
            giveBacks.clear();
            reclaims.clear();
            return new PlanOutcome.Planned(
                    nothing ? 0 : ++decisions,
                    input.stateNumber(),
                    identity(PolicyKind.DISTRIBUTION),
                    identity(PolicyKind.MATCHING),
                    runs.build(),
                    newWorkers,
                    firstNew,
                    reasons,
                    returns);
        }

        private int named(int worker) {
            return opensLastFirst && worker >= firstNew
                    ? firstNew + newWorkers.size() - 1 - (worker - firstNew)
                    : worker;
        }

        private void decide(int index, UnitDemand unit) {
            SortedMap<Integer, ResourceProfile> freeBefore = new TreeMap<>(free);
            int placedBefore = placements.size();
            int newBefore = newWorkers.size();
            for (int group = 0; group < unit.groups().size(); group++) {
                GroupDemand demand = unit.groups().get(group);
                for (int slot = demand.allocated(); slot < demand.minimum(); slot++) {
                    if (!place(index, group, demand.profile(), true)) {
                        free.clear();
                        free.putAll(freeBefore);
                        placements.subList(placedBefore, placements.size()).clear();
                        newWorkers.subList(newBefore, newWorkers.size()).clear();
                        reasons.add(new PlanOutcome.UnitReason(
                                index, Reason.of(ReasonCode.NOT_PLACED, "no room for " + demand.profile())));
                        return;
                    }
                }
            }
            for (int group = 0; group < unit.groups().size(); group++) {
                GroupDemand demand = unit.groups().get(group);
                for (int slot = Math.max(demand.allocated(), demand.minimum()); slot < demand.desired(); slot++) {
                    if (!place(index, group, demand.profile(), false)) {
                        reasons.add(new PlanOutcome.UnitReason(
                                index, Reason.of(ReasonCode.NOT_PLACED, "no room for more of " + demand.profile())));
                        return;
                    }
                }
            }
        }

        private boolean place(int unit, int group, ResourceProfile profile, boolean minimum) {
            for (Map.Entry<Integer, WorkerColumn> entry : order) {
                if (take(unit, group, entry.getKey(), profile, minimum)) {
                    return true;
                }
            }
            for (int added = 0; added < newWorkers.size(); added++) {
                if (take(unit, group, firstNew + added, profile, minimum)) {
                    return true;
                }
            }
            for (int spec = 0; spec < input.specs().size(); spec++) {
                int index = spec;
                SpecColumn column = input.specs().get(spec);
                long used = newWorkers.stream().filter(there -> there == index).count();
                if (used < column.left() && column.total().covers(profile)) {
                    newWorkers.add(spec);
                    int worker = firstNew + newWorkers.size() - 1;
                    free.put(worker, column.total());
                    defaults.put(worker, column.defaultSlot());
                    return take(unit, group, worker, profile, minimum);
                }
            }
            return false;
        }

        private boolean take(int unit, int group, int worker, ResourceProfile profile, boolean minimum) {
            ResourceProfile need = profile.isUnknown() ? defaults.get(worker) : profile;
            if (!free.get(worker).covers(need)) {
                return false;
            }
            free.put(worker, free.get(worker).minus(need));
            placements.add(new PlanOutcome.Placement(unit, group, worker, 1, minimum));
            return true;
        }

        private PolicyIdentity identity(PolicyKind kind) {
            return new PolicyIdentity(kind, "simple", "test", "1", 1, 1);
        }
    }
}
