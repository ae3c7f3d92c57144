package io.berth.core.policies.decision;

import io.berth.core.api.job.Reason;
import io.berth.core.api.operations.PolicyMetrics.DecisionType;
import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.api.policy.PlacementRuns;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanOutcome.GiveBack;
import io.berth.core.api.policy.PlanOutcome.Reclaim;
import io.berth.core.api.policy.PlanOutcome.Returns;
import io.berth.core.api.policy.PlanOutcome.UnitReason;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.policies.cache.AdmittedEntries;
import io.berth.core.policies.cache.UnitTable;
import io.berth.core.policies.cache.WorkerColumns;
import io.berth.core.policies.decision.Candidates.Violation;
import io.berth.core.policies.registration.Asker;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.validation.AdmissionResult;
import io.berth.policy.rules.placement.LeftOut;
import io.berth.policy.rules.placement.MissingMinimums;
import io.berth.policy.rules.placement.PlacementCheck;
import io.berth.policy.rules.placement.PlacementResult;
import io.berth.policy.rules.placement.RemainingCapacity;
import io.berth.spi.AllocationId;
import io.berth.spi.PolicyKind;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.matching.PlacementBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * One decision of a pool: admit, place, validate. What found no room goes back to admission, in at most three rounds.
 * A round that gives a unit slots above a minimum without room is made again without these slots. A policy that fails
 * or breaks a rule is left out, and the whole decision is made again without it, so that a plan never mixes two
 * generations of one kind. A minimum for which the strategy found no room is placed by the host's first fit if that
 * finds some. A strategy that says nothing about a minimum that fits is left out, and so is one that leaves it out on
 * purpose for too long, unless no other strategy is ready. Confined to the main thread of the planner.
 */
public final class PlanningDecision {

    private static final int MAX_ROUNDS = 3;
    private static final int MAX_DISCARDED = 3;
    /** Rounds, beside the others, in which the host places a minimum before later ranks. */
    private static final int MAX_MADE_ROOM = 3;

    private final DecisionHost host;
    private final WorkerColumns workers;
    private final UnitTable units;
    private final RemainingCapacity rest;
    private final LeftOutUnits leftOutUnits;
    private final Review review;
    private final Consumer<PlanOutcome> done;
    private final DecisionRecord record;
    private final PlanLines lines;
    private final Candidates<AdmissionSession> distribution;
    private final Candidates<OpenStrategy> matching;

    private boolean distributionKnows;
    private boolean matchingKnows;
    private int round;
    private int discarded;
    private int madeRoom;
    private int firstNew;
    private PlacementRuns.Builder placements = new PlacementRuns.Builder();
    private final List<Integer> newWorkers = new ArrayList<>();
    private final SortedMap<Integer, Reason> reasons = new TreeMap<>();
    /** What the strategy proposes to give back, by allocation. */
    private final Map<AllocationId, GiveBack> giveBacks = new LinkedHashMap<>();
    /** What the distribution policy reclaims in the first round. */
    private List<Reclaim> reclaims = List.of();
    /** What the host placed by first fit, and what the strategy says about its results, for people. */
    private final Set<String> remarks = new LinkedHashSet<>();

    /** @param startedNanos since when the decision could have been made, had a policy been available */
    public PlanningDecision(
            DecisionOwner owner,
            DecisionHost host,
            WorkerColumns workers,
            UnitTable units,
            RemainingCapacity rest,
            PolicySource<AdmissionSession> distribution,
            PolicySource<OpenStrategy> matching,
            LeftOutUnits leftOutUnits,
            Review review,
            long startedNanos,
            Consumer<PlanOutcome> done) {
        this.host = host;
        this.workers = workers;
        this.units = units;
        this.rest = rest;
        this.leftOutUnits = leftOutUnits;
        this.review = review;
        this.done = done;
        this.record = new DecisionRecord(host, owner, DecisionType.PLACEMENT, startedNanos);
        this.lines = new PlanLines(workers, units);
        this.distribution = new Candidates<>(distribution, Asker.of(owner), record, this::make);
        this.matching = new Candidates<>(matching, Asker.of(owner), record, this::make);
    }

    /** Starts, and starts again when a policy was left out. */
    public void make() {
        units.clearOverlay();
        workers.clearOverlay();
        round = 0;
        discarded = 0;
        madeRoom = 0;
        remarks.clear();
        firstNew = workers.limit();
        placements = new PlacementRuns.Builder();
        newWorkers.clear();
        lines.clear();
        reasons.clear();
        giveBacks.clear();
        reclaims = List.of();
        leftOutUnits.begin();
        review.begin();
        matching.take(
                () -> {
                    matchingKnows = matching.lease().fresh();
                    distribution.take(
                            () -> {
                                distributionKnows = distribution.lease().fresh();
                                admit();
                            },
                            what -> nobody(PolicyKind.DISTRIBUTION, what));
                },
                what -> nobody(PolicyKind.MATCHING, what));
    }

    private void nobody(PolicyKind kind, String what) {
        done.accept(new PlanOutcome.NotDecided(host.nobody(kind, what, record.notes())));
    }

    private void admit() {
        int[] changed = units.takeChanged();
        boolean tell = !distributionKnows && changed.length > 0;
        distributionKnows = false;
        AdmissionResult result = new AdmissionResult(units, workers);
        distribution.ask(
                List.of(result.rules()),
                tell ? PolicyCall.DELTA : PolicyCall.ADMIT,
                "admit",
                (session, phases) -> {
                    if (tell) {
                        session.delta(changed);
                        phases.enter(PolicyCall.ADMIT);
                    }
                    result.rules().begin();
                    session.admit(result.builder());
                    result.rules().end();
                    return result;
                },
                answer -> answer.rules()
                        .violation()
                        .map(text -> new Violation(PolicyCall.ADMIT, "breaks a rule of admission: " + text)),
                this::admitted);
    }

    private void admitted(AdmissionResult result) {
        review.ask(result.rules().reviewMillis());
        result.deferred()
                .forEach((unit, words) ->
                        reasons.putIfAbsent(unit, UnschedulableReasons.deferred(distribution.name(), words)));
        AdmittedEntries entries = result.entries();
        boolean first = round == 0;
        if (first) {
            reclaims = result.reclaims();
        }
        if (entries.size() == 0 && !(first && matching.lease().session().usesAllocations())) {
            finish();
            return;
        }
        int[] changed = workers.takeChanged();
        boolean tell = !matchingKnows && changed.length > 0;
        matchingKnows = false;
        PlacementResult plan = new PlacementResult(workers, entries);
        matching.ask(
                List.of(plan.rules()),
                tell ? PolicyCall.DELTA : PolicyCall.PLACE,
                "place",
                (open, phases) -> {
                    if (tell) {
                        open.session().delta(changed);
                        phases.enter(PolicyCall.PLACE);
                    }
                    plan.rules().begin();
                    open.session().place(entries, plan);
                    plan.rules().end();
                    return plan;
                },
                answer -> PlacementCheck.violation(workers, entries, answer, rest)
                        .map(text -> new Violation(PolicyCall.PLACE, "breaks a rule of placement: " + text)),
                placed -> placed(entries, placed));
    }

    private void placed(AdmittedEntries entries, PlacementResult answer) {
        SortedSet<Integer> withoutMinimum = withoutMinimum(entries, answer);
        if (placesAbove(withoutMinimum, entries, answer)) {
            withoutMinimum.forEach(unit -> units.holdToMinimum(unit, true));
            record.round("slots above the minimum for " + withoutMinimum.size()
                    + " units whose minimum found no room; made again with these held to their minimum");
            if (++discarded > MAX_DISCARDED) {
                // No more single units: with minimums only, the next round cannot be discarded.
                units.holdLackingToMinimum();
            }
            admit();
            return;
        }
        OptionalInt denied = answer.deniedRank();
        int lastRank = denied.orElse(Integer.MAX_VALUE);
        PlacementResult plan = denied.isPresent() ? answer.upTo(lastRank) : answer;
        MissingMinimums minimums = MissingMinimums.of(workers, entries, plan, rest, lastRank);
        Optional<String> unexcused = leftOutWithoutReason(entries, minimums.leftOut());
        if (unexcused.isPresent()) {
            if (matching.hasOther()) {
                matching.leaveOut(new Violation(PolicyCall.PLACE, unexcused.get()));
                return;
            }
            // What the only strategy places is better than no decision.
            host.countLeftOut(matching.lease().candidate(), unexcused.get());
            record.notes().add(matching.lease().candidate() + " " + unexcused.get() + "; no other strategy is ready");
        }
        if (denied.isEmpty() || ++madeRoom > MAX_MADE_ROOM) {
            round++;
        }
        review.ask(answer.rules().reviewMillis());
        if (!minimums.placed().isEmpty() && (minimums.bounded() || madeRoom > MAX_MADE_ROOM)) {
            // Another decision may place more.
            review.ask(OptionalLong.of(1));
        }
        take(entries, plan);
        if (denied.isEmpty()) {
            answer.notes().forEach(note -> remarks.add("matching strategy " + matching.name() + ": " + note));
        }
        placedByHost(minimums, entries, plan, denied);
        boolean leftOver = open(entries, plan, minimums.leftOut(), lastRank);
        if (leftOver && round < MAX_ROUNDS) {
            overlay(entries, plan);
            admit();
            return;
        }
        finish();
    }

    private void placedByHost(
            MissingMinimums minimums, AdmittedEntries entries, PlacementResult plan, OptionalInt denied) {
        String text = PlanLines.round(entries, plan);
        if (!minimums.placed().isEmpty()) {
            text += ", of these the minimum of "
                    + (minimums.placed().size() == 1
                            ? "one unit"
                            : minimums.placed().size() + " units")
                    + " by the host's first fit";
        }
        record.round(text + (denied.isEmpty() ? "" : "; later ranks are placed again, because it came before them"));
        minimums.placed()
                .forEach(what -> remarks.add("placed by the host's first fit, matching strategy " + matching.name()
                        + " found no room: " + what));
    }

    /**
     * Keeps what the next round must not try again.
     *
     * @param lastRank later ones were not placed, although the strategy did
     * @return whether another round may place more
     */
    private boolean open(AdmittedEntries entries, PlacementResult plan, List<LeftOut> leftOut, int lastRank) {
        leftOut.forEach(minimum -> reasons.putIfAbsent(
                entries.unitIndex(minimum.entry()), UnschedulableReasons.leftOut(minimum, matching.name())));
        boolean leftOver = lastRank < Integer.MAX_VALUE;
        SortedMap<Integer, Reason> now = new TreeMap<>();
        UnschedulableReasons.Reserved reserved = UnschedulableReasons.Reserved.of(entries, plan);
        for (int entry = 0; entry < entries.size(); entry++) {
            int missing = entries.count(entry) - plan.placed(entry);
            if (missing == 0 || entries.rank(entry) > lastRank) {
                continue;
            }
            leftOver = true;
            int unit = entries.unitIndex(entry);
            now.merge(
                    unit,
                    UnschedulableReasons.notPlaced(
                            missing + " x " + entries.profileOf(entry) + " of group " + entries.group(entry),
                            matching.name(),
                            units.groups(unit) > 1 ? entries.group(entry) : "",
                            UnschedulableReasons.words(plan, entry, reserved.text(entries, entry)),
                            plan.excludes(entry)),
                    UnschedulableReasons::notPlacedEither);
            if (entries.gang(entry) >= 0) {
                units.block(unit);
            } else {
                units.cap(unit, entries.groupIndex(entry));
            }
        }
        now.forEach(reasons::putIfAbsent);
        for (int unit : units.heldWithMinimum()) {
            leftOver = true;
            units.holdToMinimum(unit, false);
        }
        return leftOver;
    }

    /** A minimum that the strategy leaves out without a reason, or with a reason that no longer counts. */
    private Optional<String> leftOutWithoutReason(AdmittedEntries entries, List<LeftOut> leftOut) {
        long limitMillis = host.leftOutMillis();
        Optional<String> first = Optional.empty();
        for (LeftOut minimum : leftOut) {
            long millis = leftOutUnits.leftOut(
                            units.unit(entries.unitIndex(minimum.entry())),
                            matching.lease().candidate().id(),
                            workers.now() * 1_000_000)
                    / 1_000_000;
            if (first.isEmpty() && (minimum.reason().isEmpty() || millis >= limitMillis)) {
                first = Optional.of("leaves out a minimum that there is room for, " + minimum.what() + ", "
                        + (minimum.reason().isEmpty()
                                ? "and gives no reason"
                                : "for " + millis + " ms with the reason '" + minimum.reason()
                                        + "'; left.out.limit.ms is " + limitMillis));
            }
        }
        return first;
    }

    private static SortedSet<Integer> withoutMinimum(AdmittedEntries entries, PlacementResult plan) {
        SortedSet<Integer> without = new TreeSet<>();
        for (int entry = 0; entry < entries.size(); entry++) {
            if (entries.gang(entry) >= 0 && plan.placed(entry) < entries.count(entry)) {
                without.add(entries.unitIndex(entry));
            }
        }
        return without;
    }

    /**
     * Whether a unit without its minimum got slots above it. Such slots are never committed and only take room from
     * others: the round is discarded and made again with these units held to their minimum.
     */
    private static boolean placesAbove(
            SortedSet<Integer> withoutMinimum, AdmittedEntries entries, PlacementResult plan) {
        for (int entry = 0; entry < entries.size(); entry++) {
            if (entries.gang(entry) < 0
                    && plan.placed(entry) > 0
                    && withoutMinimum.contains(entries.unitIndex(entry))) {
                return true;
            }
        }
        return false;
    }

    private void take(AdmittedEntries entries, PlacementResult plan) {
        for (int nth = 0; nth < plan.openedCount(); nth++) {
            newWorkers.add(plan.openedSpec(nth));
        }
        lines.taken(entries, plan);
        plan.giveBacks().each((allocation, reason) -> {
            AllocationId id = entries.allocations().id(allocation);
            if (giveBacks.size() < PlacementBuilder.MAX_GIVE_BACKS
                    && giveBacks.putIfAbsent(id, new GiveBack(id, reason)) == null) {
                lines.givenBack(entries.allocations(), allocation, reason);
            }
        });
        entries.addTo(placements, plan);
        for (int entry = 0; entry < entries.size(); entry++) {
            if (plan.placed(entry) > 0) {
                units.overlay(entries.unitIndex(entry), entries.groupIndex(entry), plan.placed(entry));
            }
        }
    }

    /** Shows the next round what this one placed and reserved. */
    private void overlay(AdmittedEntries entries, PlacementResult plan) {
        for (int nth = 0; nth < plan.openedCount(); nth++) {
            workers.overlayNew(plan.openedSpec(nth));
        }
        for (int run = 0; run < plan.runs(); run++) {
            overlay(plan, plan.entry(run), plan.worker(run), plan.count(run));
            units.overlayOn(
                    entries.unitIndex(plan.entry(run)),
                    entries.groupIndex(plan.entry(run)),
                    plan.worker(run),
                    plan.count(run));
        }
        plan.eachReservation((entry, worker, count) -> overlay(plan, entry, worker, count));
    }

    private void overlay(PlacementResult plan, int entry, int worker, int count) {
        for (int dimension = 0; dimension < workers.dimensions(); dimension++) {
            long amount = plan.need(entry, worker, dimension) * count;
            if (amount > 0) {
                workers.overlay(worker, dimension, amount);
            }
        }
    }

    private void finish() {
        List<UnitReason> unitReasons = new ArrayList<>();
        for (int unit : units.lacking()) {
            if (lacks(unit)) {
                unitReasons.add(new UnitReason(
                        unit, reasons.getOrDefault(unit, UnschedulableReasons.deferred(distribution.name(), ""))));
            }
        }
        leftOutUnits.end();
        reclaims.forEach(lines::reclaimed);
        long number = isEmpty()
                ? 0
                : record.made(
                        workers.stateNumber(),
                        lines.jobs(),
                        lines.inputs(),
                        lines.results(),
                        Lines.of(remarks).addAll(lines.reasons(unitReasons)),
                        distribution,
                        matching);
        done.accept(new PlanOutcome.Planned(
                number,
                workers.stateNumber(),
                distribution.lease().identity(),
                matching.lease().identity(),
                placements.build(),
                newWorkers,
                firstNew,
                unitReasons,
                new Returns(List.copyOf(giveBacks.values()), reclaims)));
    }

    /** Whether nothing was to be decided. */
    private boolean isEmpty() {
        return units.nothingLacks() && giveBacks.isEmpty() && reclaims.isEmpty();
    }

    private boolean lacks(int unit) {
        List<GroupDemand> groups = units.unit(unit).groups();
        for (int group = 0; group < groups.size(); group++) {
            GroupDemand wanted = groups.get(group);
            if (wanted.allocated() + units.placed(unit, group) < Math.max(wanted.minimum(), wanted.desired())) {
                return true;
            }
        }
        return false;
    }
}
