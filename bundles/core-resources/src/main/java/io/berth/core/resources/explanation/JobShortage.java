package io.berth.core.resources.explanation;

import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.resources.explanation.RoomAnalysis.Room;
import io.berth.spi.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A snapshot of what one job lacks, and why: that no plan was made, that the policies deferred it, that workers are
 * being started; otherwise the analysis of the room together with the reasons of the policies. Immutable.
 *
 * @param pool of the job
 * @param sequence of the declaration
 * @param slots of the job, including requested ones
 * @param unacknowledged how many of them their workers have not acknowledged
 * @param undecided why no plan is made at all for its pool
 * @param units that lack slots
 */
record JobShortage(
        JobId job,
        String pool,
        long sequence,
        int slots,
        int unacknowledged,
        Optional<Reason> undecided,
        List<Unit> units) {

    /**
     * One unit that lacks slots.
     *
     * @param groups that lack slots
     * @param attempted whether a plan has seen its present declaration
     * @param said why the last plan left it without slots, including the reasons of the policies
     * @param startFailures why workers that it waits for do not start
     * @param waitingFor specs of pending workers on which the last plan placed slots of it
     */
    record Unit(
            List<Group> groups,
            boolean attempted,
            Optional<Reason> said,
            List<String> startFailures,
            List<String> waitingFor) {

        Unit {
            groups = List.copyOf(groups);
            startFailures = List.copyOf(startFailures);
            waitingFor = List.copyOf(waitingFor);
        }
    }

    record Group(GroupRequirement requirement, int have) {

        int missing() {
            return requirement.desired() - have;
        }

        String text() {
            return requirement.needs() + (have > 0 ? ", has " + have : "");
        }
    }

    JobShortage {
        units = List.copyOf(units);
    }

    /**
     * Why the job does not have everything that it declared.
     *
     * @param rooms returns the analysis for what one slot needs
     */
    Reason why(ClusterCapacity capacity, Function<SlotNeed, RoomAnalysis> rooms) {
        if (units.isEmpty()) {
            return Reason.counted(
                    ReasonCode.SLOTS_REQUESTED,
                    slots,
                    unacknowledged > 0
                            ? unacknowledged + " of " + slots
                                    + " slots are requested, but their workers have not acknowledged them yet"
                            : slots + " slots are granted: their workers offer them to the job");
        }
        List<Reason> reasons =
                units.stream().map(unit -> why(unit, capacity, rooms)).toList();
        return reasons.size() == 1
                ? reasons.get(0)
                : Reason.of(reasons.get(0).code(), reasons.size() + " units lack slots", reasons);
    }

    private Reason why(Unit unit, ClusterCapacity capacity, Function<SlotNeed, RoomAnalysis> rooms) {
        String needs = unit.groups().stream().map(Group::text).collect(Collectors.joining("; "));
        if (undecided.isPresent()) {
            return Reason.of(undecided.get().code(), needs, List.of(undecided.get()));
        }
        if (!unit.attempted()) {
            return Reason.of(
                    ReasonCode.NOT_ATTEMPTED,
                    needs,
                    List.of(Reason.of(
                            ReasonCode.NOT_ATTEMPTED, "not attempted yet: no plan was made since it was declared")));
        }
        if (!unit.startFailures().isEmpty()) {
            return Reason.of(
                    ReasonCode.START_FAILED,
                    needs,
                    unit.startFailures().stream()
                            .map(text -> Reason.of(ReasonCode.START_FAILED, text))
                            .toList());
        }
        if (!unit.waitingFor().isEmpty()) {
            return Reason.of(
                    ReasonCode.STARTING_WORKERS,
                    needs,
                    unit.waitingFor().stream()
                            .map(spec -> starting(spec, capacity.starting(spec), capacity.queued(spec)))
                            .toList());
        }
        Optional<Reason> decided =
                unit.said().filter(said -> said.code() != ReasonCode.NOT_PLACED && said.code() != ReasonCode.POLICY);
        if (decided.isPresent()) {
            return Reason.of(decided.get().code(), needs, List.of(decided.get()));
        }
        return noRoom(unit, rooms);
    }

    private static Reason starting(String spec, int workers, String queued) {
        if (workers == 0 && queued.isEmpty()) {
            return Reason.counted(
                    ReasonCode.STARTING_WORKERS,
                    0,
                    "no worker of " + spec + " is being started now: the next plan decides");
        }
        return Reason.counted(
                ReasonCode.STARTING_WORKERS,
                workers,
                workers + (workers == 1 ? " worker" : " workers") + " of " + spec + (workers == 1 ? " is" : " are")
                        + " being started"
                        + (queued.isEmpty() ? "" : ", and the cluster manager has queued the request: " + queued));
    }

    private static Reason noRoom(Unit unit, Function<SlotNeed, RoomAnalysis> rooms) {
        List<Reason> words = unit.said().stream()
                .flatMap(said -> said.causes().stream())
                .filter(cause -> cause.code() == ReasonCode.POLICY || cause.code() == ReasonCode.EXCLUDED)
                .toList();
        boolean excluded = words.stream().anyMatch(cause -> cause.code() == ReasonCode.EXCLUDED);
        List<Reason> groups = new ArrayList<>();
        for (Group group : unit.groups()) {
            Room room = rooms.apply(SlotNeed.of(group.requirement())).explain(group.missing());
            List<Reason> causes = new ArrayList<>(room.causes());
            if (unit.groups().size() == 1) {
                if (room.code() == ReasonCode.NOT_PLACED && !excluded) {
                    causes.add(Reason.of(
                            ReasonCode.NOT_PLACED,
                            "no plan used it, to keep the order of jobs or because the policy found none"));
                }
                causes.addAll(words);
            }
            boolean only = unit.groups().size() == 1;
            ReasonCode code =
                    only && excluded && room.code() == ReasonCode.NOT_PLACED ? ReasonCode.EXCLUDED : room.code();
            groups.add(Reason.of(code, group.text() + fits(room.fits(), group.missing()), causes));
        }
        if (groups.size() == 1) {
            return groups.get(0);
        }
        ReasonCode code = groups.stream()
                .map(Reason::code)
                .filter(one -> one != ReasonCode.NOT_PLACED)
                .findFirst()
                .orElse(excluded ? ReasonCode.EXCLUDED : ReasonCode.NOT_PLACED);
        List<Reason> causes = new ArrayList<>(groups);
        if (code == ReasonCode.NOT_PLACED) {
            causes.add(Reason.of(ReasonCode.NOT_PLACED, "each group has room, but not all groups together"));
        }
        causes.addAll(words);
        return Reason.of(code, groups.size() + " groups lack slots", causes);
    }

    private static String fits(long fits, int missing) {
        long shown = Math.min(fits, missing);
        return ", " + shown + (shown == 1 ? " fits" : " fit");
    }
}
