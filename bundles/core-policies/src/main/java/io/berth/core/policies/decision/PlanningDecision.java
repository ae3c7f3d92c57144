package io.berth.core.policies.decision;

import io.berth.core.api.job.Reason;
import io.berth.core.api.operations.PolicyMetrics.DecisionType;
import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.api.operations.PolicyOperations.ConsideredPolicy;
import io.berth.core.api.policy.PlacementRuns;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanOutcome.UnitReason;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.policies.mirror.AdmittedEntries;
import io.berth.core.policies.mirror.UnitTable;
import io.berth.core.policies.mirror.WorkerColumns;
import io.berth.core.policies.mirror.WorkerSummary;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.swap.Swap;
import io.berth.core.policies.validation.AdmissionResult;
import io.berth.core.policies.validation.LeftOut;
import io.berth.core.policies.validation.PlacementCheck;
import io.berth.core.policies.validation.PlacementResult;
import io.berth.core.policies.validation.RemainingCapacity;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.matching.PlacementSession;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One decision of a pool: admit, place, validate, and what found no room goes back to admission, in at most three
 * rounds; a round that gives a unit slots above a minimum that found no room is made again without that. A policy that
 * fails or breaks a rule is left out and the whole decision is made again without it, so that a plan never mixes two
 * generations of one kind. So is a strategy that leaves out a minimum for which there is room, unless it says why, for a
 * while, or nobody else is there. Main thread of the planner.
 */
final class PlanningDecision {

    private static final Logger LOG = LoggerFactory.getLogger(PlanningDecision.class);
    private static final int MAX_ROUNDS = 3;
    private static final int MAX_DISCARDED = 3;

    private final DecisionOwner owner;
    private final Services services;
    private final WorkerColumns workers;
    private final UnitTable units;
    private final RemainingCapacity rest;
    private final PolicyBinding<AdmissionSession> distributionSeat;
    private final PolicyBinding<PlacementSession> matchingSeat;
    private final LeftOutUnits leftOutUnits;
    private final Consumer<PlanOutcome> done;
    private final long startedNanos;

    private final SortedMap<Long, String> leftOutDistribution = new TreeMap<>();
    private final SortedMap<Long, String> leftOutMatching = new TreeMap<>();
    private final Lines rounds = new Lines();
    private final Set<String> notes = new LinkedHashSet<>();

    @SuppressWarnings("NullAway.Init")
    private Lease<AdmissionSession> distribution;

    @SuppressWarnings("NullAway.Init")
    private Lease<PlacementSession> matching;

    private boolean distributionKnows;
    private boolean matchingKnows;
    private int round;
    private int discarded;
    private int tries;
    private int firstNew;
    private boolean ended;
    private PlacementRuns.Builder placements = new PlacementRuns.Builder();
    private final List<Integer> newWorkers = new ArrayList<>();
    private final Lines results = new Lines();
    private final SortedMap<Integer, Reason> reasons = new TreeMap<>();

    /** @param startedNanos since when the decision could have been made, had who decides been there */
    PlanningDecision(
            DecisionOwner owner,
            Services services,
            WorkerColumns workers,
            UnitTable units,
            RemainingCapacity rest,
            PolicyBinding<AdmissionSession> distribution,
            PolicyBinding<PlacementSession> matching,
            LeftOutUnits leftOutUnits,
            long startedNanos,
            Consumer<PlanOutcome> done) {
        this.owner = owner;
        this.services = services;
        this.workers = workers;
        this.units = units;
        this.rest = rest;
        this.distributionSeat = distribution;
        this.matchingSeat = matching;
        this.leftOutUnits = leftOutUnits;
        this.done = done;
        this.startedNanos = startedNanos;
    }

    /** Begins, and begins again when a policy was left out. */
    void start() {
        step(this::begin);
    }

    private void begin() {
        takeOff();
        round = 0;
        discarded = 0;
        firstNew = workers.limit();
        placements = new PlacementRuns.Builder();
        newWorkers.clear();
        results.clear();
        reasons.clear();
        leftOutUnits.begin();
        matchingSeat.take(
                leftOutMatching,
                lease -> step(() -> {
                    matching = lease;
                    matchingKnows = lease.fresh();
                    distributionSeat.take(
                            leftOutDistribution,
                            other -> step(() -> {
                                distribution = other;
                                distributionKnows = other.fresh();
                                admit();
                            }),
                            what -> nobody(PolicyKind.DISTRIBUTION, what));
                }),
                what -> nobody(PolicyKind.MATCHING, what));
    }

    private void nobody(PolicyKind kind, String what) {
        takeOff();
        end(new PlanOutcome.NotDecided(
                Obstacles.nobody(kind, what, notes, services.registry().diagnose())));
    }

    /** A decision always ends: a step of the host's own that fails must not keep the pool waiting for good. */
    private void step(Runnable step) {
        try {
            step.run();
        } catch (Throwable failure) {
            LOG.error("{}: the decision on state {} failed", owner, workers.stateNumber(), failure);
            takeOff();
            end(new PlanOutcome.NotDecided("the decision failed: " + failure));
        }
    }

    private void end(PlanOutcome outcome) {
        if (!ended) {
            ended = true;
            done.accept(outcome);
        }
    }

    private void admit() {
        int[] changed = units.takeChanged();
        boolean tell = !distributionKnows && changed.length > 0;
        distributionKnows = false;
        AdmissionResult result = new AdmissionResult(units, workers);
        distributionSeat.call(
                distribution,
                tell ? PolicyCall.DELTA : PolicyCall.ADMIT,
                "admit",
                (session, phases) -> {
                    if (tell) {
                        session.delta(changed);
                        phases.enter(PolicyCall.ADMIT);
                    }
                    result.rules().begin();
                    session.admit(result);
                    result.rules().end();
                    return result;
                },
                told -> step(() -> admitted(told)),
                text -> step(() -> withoutDistribution(text)));
    }

    private void admitted(AdmissionResult result) {
        Optional<String> violation = result.rules().violation();
        if (violation.isPresent()) {
            String text = "breaks a rule of admission: " + violation.get();
            distributionSeat.violated(distribution, PolicyCall.ADMIT, text);
            withoutDistribution(text);
            return;
        }
        String decider = distribution.candidate().name();
        result.deferred().forEach((unit, words) -> reasons.putIfAbsent(unit, Obstacles.deferred(decider, words)));
        AdmittedEntries entries = result.entries();
        if (entries.size() == 0) {
            finish();
            return;
        }
        int[] changed = workers.takeChanged();
        boolean tell = !matchingKnows && changed.length > 0;
        matchingKnows = false;
        PlacementResult plan = new PlacementResult(workers, entries);
        matchingSeat.call(
                matching,
                tell ? PolicyCall.DELTA : PolicyCall.PLACE,
                "place",
                (session, phases) -> {
                    if (tell) {
                        session.delta(changed);
                        phases.enter(PolicyCall.PLACE);
                    }
                    plan.rules().begin();
                    session.place(entries, plan);
                    plan.rules().end();
                    return plan;
                },
                placed -> step(() -> placed(entries, placed)),
                text -> step(() -> withoutMatching(text)));
    }

    private void placed(AdmittedEntries entries, PlacementResult plan) {
        Optional<String> violation = PlacementCheck.violation(workers, entries, plan, rest);
        if (violation.isPresent()) {
            String text = "breaks a rule of placement: " + violation.get();
            matchingSeat.violated(matching, PolicyCall.PLACE, text);
            withoutMatching(text);
            return;
        }
        SortedSet<Integer> withoutMinimum = withoutMinimum(entries, plan);
        if (placesAbove(withoutMinimum, entries, plan)) {
            withoutMinimum.forEach(unit -> units.holdToMinimum(unit, true));
            madeAgain("slots above the minimum for " + withoutMinimum.size()
                    + " units whose minimum found no room; made again with these held to their minimum");
            if (++discarded > MAX_DISCARDED) {
                // Enough of finding out by one: with minimums only, the next round cannot be discarded.
                units.holdLackingToMinimum();
            }
            admit();
            return;
        }
        List<LeftOut> leftOut = LeftOut.of(workers, entries, plan, rest);
        Optional<String> unexcused = unexcused(leftOut);
        if (unexcused.isPresent()) {
            if (matchingSeat.hasOther(leftOutMatching)) {
                matchingSeat.violated(matching, PolicyCall.PLACE, unexcused.get());
                withoutMatching(unexcused.get());
                return;
            }
            // Nobody else is there: what it does place is better than no decision at all.
            services.registry().counted(matching.candidate(), unexcused.get());
            notes.add(matching.candidate() + " " + unexcused.get() + "; no other strategy is ready");
        }
        round++;
        take(entries, plan);
        tellRound(entries, plan);
        leftOut.forEach(minimum -> reasons.putIfAbsent(
                minimum.unit(), Obstacles.leftOut(minimum, matching.candidate().name())));
        boolean leftOver = false;
        for (int entry = 0; entry < entries.size(); entry++) {
            int missing = entries.count(entry) - plan.placed(entry);
            if (missing == 0) {
                continue;
            }
            leftOver = true;
            int unit = entries.unit(entry);
            reasons.putIfAbsent(
                    unit,
                    Obstacles.notPlaced(
                            missing + " x " + entries.profileOf(entry) + " of group " + entries.group(entry),
                            matching.candidate().name(),
                            plan.reason(entry)));
            if (entries.atom(entry) >= 0) {
                units.block(unit);
            } else {
                units.cap(unit, entries.groupIndex(entry));
            }
        }
        for (int unit : units.heldWithMinimum()) {
            leftOver = true;
            units.holdToMinimum(unit, false);
        }
        if (leftOver && round < MAX_ROUNDS) {
            layOver(plan);
            again(true);
        } else {
            again(false);
        }
    }

    /** What the strategy leaves out for no reason, or for a reason that it has given for too long. */
    private Optional<String> unexcused(List<LeftOut> leftOut) {
        long limitMillis = services.registry().limits().leftOutMillis();
        Optional<String> first = Optional.empty();
        for (LeftOut minimum : leftOut) {
            long millis = leftOutUnits.leftOut(
                            units.unit(minimum.unit()),
                            matching.candidate().id(),
                            services.clock().nanos())
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

    private void madeAgain(String why) {
        int tried = ++tries;
        rounds.add(() -> "round " + tried + ": " + why);
    }

    private void tellRound(AdmittedEntries entries, PlacementResult plan) {
        int tried = ++tries;
        int admitted = 0;
        int placed = 0;
        for (int entry = 0; entry < entries.size(); entry++) {
            admitted += entries.count(entry);
            placed += plan.placed(entry);
        }
        int wanted = admitted;
        int found = placed;
        int opened = plan.openedCount();
        rounds.add(() -> "round " + tried + ": taken, " + found + " of " + wanted + " admitted slots placed"
                + (opened == 0 ? "" : " with " + opened + " new workers"));
    }

    private void again(boolean worthIt) {
        if (worthIt) {
            admit();
        } else {
            finish();
        }
    }

    private static SortedSet<Integer> withoutMinimum(AdmittedEntries entries, PlacementResult plan) {
        SortedSet<Integer> without = new TreeSet<>();
        for (int entry = 0; entry < entries.size(); entry++) {
            if (entries.atom(entry) >= 0 && plan.placed(entry) < entries.count(entry)) {
                without.add(entries.unit(entry));
            }
        }
        return without;
    }

    /**
     * Whether a unit that lacks its minimum got slots above it. Such slots are never committed and would only keep the
     * room from others: the round counts for nothing, and is made again with these units held to their minimum.
     */
    private static boolean placesAbove(
            SortedSet<Integer> withoutMinimum, AdmittedEntries entries, PlacementResult plan) {
        for (int entry = 0; entry < entries.size(); entry++) {
            if (entries.atom(entry) < 0 && plan.placed(entry) > 0 && withoutMinimum.contains(entries.unit(entry))) {
                return true;
            }
        }
        return false;
    }

    private void take(AdmittedEntries entries, PlacementResult plan) {
        for (int nth = 0; nth < plan.openedCount(); nth++) {
            int spec = plan.openedSpec(nth);
            newWorkers.add(spec);
            if (results.takes()) {
                String name = name(plan, plan.firstNew() + nth);
                String specName = workers.specName(spec);
                results.add(() -> "new worker " + name + " of spec " + specName);
            }
        }
        plan.addTo(placements, entries.addTo(placements));
        tellRuns(entries, plan);
        for (int entry = 0; entry < entries.size(); entry++) {
            if (plan.placed(entry) > 0) {
                units.layOver(entries.unit(entry), entries.groupIndex(entry), plan.placed(entry));
            }
        }
    }

    private void tellRuns(AdmittedEntries entries, PlacementResult plan) {
        for (int run = 0; run < plan.runs(); run++) {
            if (!results.takes()) {
                results.more(plan.runs() - run - 1);
                return;
            }
            int entry = plan.entry(run);
            String name = name(plan, plan.worker(run));
            int count = plan.count(run);
            ResourceProfile profile = entries.profileOf(entry);
            String group = entries.group(entry);
            JobId job = entries.job(entry);
            results.add(() -> name + ": " + count + " x " + profile + " of group " + group + " of job " + job);
        }
    }

    private String name(PlacementResult plan, int worker) {
        return worker < plan.firstNew() ? workers.name(worker) : WorkerColumns.nameOfNew(worker);
    }

    /** Shows what a round placed to the next one. */
    private void layOver(PlacementResult plan) {
        for (int nth = 0; nth < plan.openedCount(); nth++) {
            workers.layOverNew(plan.openedSpec(nth));
        }
        for (int run = 0; run < plan.runs(); run++) {
            int worker = plan.worker(run);
            for (int dimension = 0; dimension < workers.dimensions(); dimension++) {
                long amount = plan.need(plan.entry(run), worker, dimension) * plan.count(run);
                if (amount > 0) {
                    workers.layOver(worker, dimension, amount);
                }
            }
        }
    }

    private void withoutDistribution(String text) {
        notes.add(distribution.candidate() + " " + text);
        leftOutDistribution.put(distribution.candidate().id(), text);
        madeAgain(distribution.candidate() + " " + text + "; made again without it");
        begin();
    }

    private void withoutMatching(String text) {
        notes.add(matching.candidate() + " " + text);
        leftOutMatching.put(matching.candidate().id(), text);
        madeAgain(matching.candidate() + " " + text + "; made again without it");
        begin();
    }

    private void finish() {
        if (!distribution.note().isEmpty()) {
            notes.add(distribution.note());
        }
        if (!matching.note().isEmpty()) {
            notes.add(matching.note());
        }
        distributionSeat.takeSlow().ifPresent(notes::add);
        matchingSeat.takeSlow().ifPresent(notes::add);
        List<UnitReason> unitReasons = new ArrayList<>();
        Lines inputs = new Lines();
        WorkerSummary there = workers.summary();
        inputs.add(there::toString);
        workers.kinds()
                .forEach(kind -> inputs.add(() -> "may start " + kind.left() + " workers of spec " + kind.backend()
                        + "/" + kind.spec() + " with " + kind.total()));
        Lines reasonLines = new Lines();
        notes.forEach(note -> reasonLines.add(() -> note));
        Set<String> jobs = new LinkedHashSet<>();
        for (int unit : units.lacking()) {
            UnitDemand demand = units.unit(unit);
            jobs.add(demand.job().value());
            boolean lacks = false;
            for (int group = 0; group < demand.groups().size(); group++) {
                GroupDemand wanted = demand.groups().get(group);
                int wants = Math.max(wanted.minimum(), wanted.desired());
                if (wanted.have() < wants && inputs.takes()) {
                    inputs.add(
                            () -> "job " + demand.job() + " unit " + demand.unit() + " group " + wanted.group() + ": "
                                    + wants + " x " + wanted.profile() + ", minimum " + wanted.minimum() + ", has "
                                    + wanted.have());
                }
                lacks |= wanted.have() + units.placed(unit, group) < wants;
            }
            if (lacks) {
                Reason reason = reasons.getOrDefault(
                        unit, Obstacles.deferred(distribution.candidate().name(), ""));
                unitReasons.add(new UnitReason(unit, reason));
                if (reasonLines.takes()) {
                    reasonLines.add(() -> "job " + demand.job() + " unit " + demand.unit() + ": " + reason.line());
                }
            }
        }
        takeOff();
        leftOutUnits.end();
        long number = services.log().next();
        distributionSeat.decided(distribution, number);
        matchingSeat.decided(matching, number);
        services.guard()
                .meters()
                .decided(owner, DecisionType.PLACEMENT, services.clock().nanos() - startedNanos);
        List<ConsideredPolicy> considered = new ArrayList<>(distribution.told(leftOutDistribution));
        considered.addAll(matching.told(leftOutMatching));
        services.log()
                .record(new StoredDecision(
                        number,
                        services.clock().wallMillis(),
                        owner,
                        List.of(Swap.stamp(distribution.identity()), Swap.stamp(matching.identity())),
                        workers.stateNumber(),
                        List.copyOf(jobs),
                        inputs,
                        results,
                        reasonLines,
                        (services.clock().nanos() - startedNanos) / 1_000,
                        considered,
                        rounds,
                        Optional.empty()));
        end(new PlanOutcome.Planned(
                number,
                workers.stateNumber(),
                distribution.identity(),
                matching.identity(),
                placements.build(),
                newWorkers,
                firstNew,
                unitReasons));
    }

    private void takeOff() {
        units.takeOff();
        workers.takeOff();
    }
}
