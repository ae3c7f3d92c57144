package io.berth.core.scheduler.slotpool;

import io.berth.core.api.gateway.JobMasterGateway.SlotOffer;
import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.policy.AssignmentQuery;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PolicyHost;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import io.berth.core.scheduler.job.JobIdentity;
import io.berth.core.scheduler.slotpool.PooledSlots.Use;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Matches the pooled and offered slots of a job again (FLIP-138, "Accepting resources": offers come in any order). The
 * matching strategy is asked one question at a time; an answer about an older pool is asked again. First only free slots
 * are matched. When there are enough slots and the requirements are still not fulfilled, running slots are matched too;
 * that result is used only if it fulfills all requirements, as it restarts the execution. Confined to the main thread of
 * the job.
 */
final class Rematching {

    private static final int MAX_STALE_ANSWERS = 5;

    /** The pool. */
    interface Context {

        boolean isClosed();

        /** Whether a better matching may take slots from the running execution. */
        boolean mayCancelReservations();

        void add(WorkerId worker, SlotOffer offer, String group);

        /**
         * Slots serve other groups now, or are new.
         *
         * @param taken those that were in use for another group
         */
        void rematched(List<PoolSlot> taken);
    }

    /** An offer of a worker that waits for its answer. */
    private static final class Waiting {
        private final WorkerId worker;
        private final Predicate<WorkerId> stillThere;
        private final List<SlotOffer> open;
        private final List<AllocationId> accepted = new ArrayList<>();
        private final CompletableFuture<List<AllocationId>> answer = new CompletableFuture<>();

        Waiting(WorkerId worker, List<AllocationId> taken, List<SlotOffer> offers, Predicate<WorkerId> stillThere) {
            this.worker = worker;
            this.accepted.addAll(taken);
            this.open = new ArrayList<>(offers);
            this.stillThere = stillThere;
        }

        void end() {
            answer.complete(List.copyOf(accepted));
        }
    }

    private record Question(
            AssignmentQuery query, List<GroupRequirement> groups, List<Waiting> offering, boolean everything) {}

    private final JobIdentity job;
    private final MainThread thread;
    private final PolicyHost policies;
    private final Supplier<MatchingRule> rule;
    private final PooledSlots slots;
    private final Context context;
    private final SortedMap<WorkerId, Waiting> waiting = new TreeMap<>();
    private boolean wanted;
    private boolean asking;
    /** An offer in the current question has ended: its answer may use slots that are no longer offered. */
    private boolean outdated;

    private int stale;
    private Optional<Timers.Cancellable> review = Optional.empty();

    Rematching(
            JobIdentity job,
            MainThread thread,
            PolicyHost policies,
            Supplier<MatchingRule> rule,
            PooledSlots slots,
            Context context) {
        this.job = job;
        this.thread = thread;
        this.policies = policies;
        this.rule = rule;
        this.slots = slots;
        this.context = context;
    }

    /** Free slots may serve other groups better. */
    void want() {
        wanted = true;
        askNext();
    }

    /**
     * Offered slots that do not serve the group they were made for. A later offer of a worker replaces the waiting
     * one.
     *
     * @param taken slots of the same offer that are taken already
     * @return all taken allocations
     */
    CompletionStage<List<AllocationId>> offered(
            WorkerId worker, List<AllocationId> taken, List<SlotOffer> offers, Predicate<WorkerId> stillThere) {
        Waiting offer = new Waiting(worker, taken, offers, stillThere);
        Optional.ofNullable(waiting.put(worker, offer)).ifPresent(Waiting::end);
        askNext();
        return offer.answer;
    }

    /** The pending answer to an offer of the worker; empty when there is none. */
    Optional<CompletionStage<List<AllocationId>>> answerTo(WorkerId worker) {
        return Optional.ofNullable(waiting.get(worker)).map(offer -> offer.answer);
    }

    /** Whether an offer of the worker waits for its answer. */
    boolean isOffering(WorkerId worker) {
        return waiting.containsKey(worker);
    }

    /** Whether a question is running or waiting. */
    boolean isRunning() {
        return asking || wanted;
    }

    /**
     * No slots of these workers are wanted: their waiting offers end with those of their slots that are in the pool.
     */
    void refuse(Collection<WorkerId> workers) {
        for (Waiting offer : List.copyOf(waiting.values())) {
            if (workers.contains(offer.worker)) {
                waiting.remove(offer.worker);
                outdated = asking;
                offer.accepted.removeIf(allocation -> slots.find(allocation).isEmpty());
                offer.end();
            }
        }
    }

    /** The job gives these slots back: waiting offers of them do not count. */
    void returning(Set<AllocationId> allocations) {
        for (Waiting offer : waiting.values()) {
            if (offer.open.removeIf(slot -> allocations.contains(slot.allocation()))) {
                outdated = asking;
            }
        }
    }

    /** The answer to the current question no longer counts. */
    void ruleChanged() {
        outdated = asking;
    }

    private void askNext() {
        if (!asking && (wanted || !waiting.isEmpty())) {
            ask(false);
        }
    }

    private void ask(boolean everything) {
        wanted = false;
        asking = true;
        review.ifPresent(Timers.Cancellable::cancel);
        outdated = false;
        Question question = question(everything);
        thread.whenComplete(policies.assign(question.query()), (outcome, failure) -> {
            asking = false;
            if (context.isClosed()) {
                end(List.copyOf(waiting.values()));
            } else if (outcome instanceof AssignmentOutcome.Assigned assigned) {
                assigned.reviewAfterMillis().ifPresent(this::askAfter);
                answered(question, assigned.requirementOfSlot());
            } else {
                end(question.offering());
            }
            askNext();
        });
    }

    /** The strategy wishes another query by then, even if nothing changes. */
    private void askAfter(long millis) {
        review = Optional.of(thread.schedule(millis, () -> {
            if (!context.isClosed()) {
                want();
            }
        }));
    }

    private void answered(Question question, List<Integer> requirementOfSlot) {
        if (outdated || question.query().stateNumber() != slots.number()) {
            if (++stale < MAX_STALE_ANSWERS) {
                wanted = true;
            } else {
                stale = 0;
                end(question.offering());
            }
            return;
        }
        stale = 0;
        Map<AllocationId, String> served = new LinkedHashMap<>();
        for (int index = 0; index < requirementOfSlot.size(); index++) {
            int requirement = requirementOfSlot.get(index);
            if (requirement >= 0) {
                served.put(
                        question.query().slots().get(index).allocation(),
                        question.groups().get(requirement).group());
            }
        }
        if (question.everything() && !(context.mayCancelReservations() && served.size() >= slots.desired())) {
            end(question.offering());
            return;
        }
        apply(question, served);
    }

    private void apply(Question question, Map<AllocationId, String> served) {
        List<PoolSlot> taken = new ArrayList<>();
        boolean changed = false;
        for (Use use : slots.all()) {
            String group =
                    served.getOrDefault(use.slot().allocation(), use.slot().group());
            if (!group.equals(use.slot().group())) {
                changed = true;
                slots.put(use.serving(group));
                if (use.reserved()) {
                    taken.add(use.slot());
                }
            }
        }
        for (Waiting offer : question.offering()) {
            if (isWaiting(offer)) {
                changed |= accept(offer, served);
            }
        }
        if (question.everything() || !mayFulfilAll()) {
            end(question.offering());
        } else {
            end(question.offering().stream()
                    .filter(offer -> offer.open.isEmpty())
                    .toList());
        }
        if (changed) {
            context.rematched(taken);
        }
        if (!question.everything() && !asking && !context.isClosed() && mayFulfilAll()) {
            ask(true);
        }
    }

    private boolean accept(Waiting offer, Map<AllocationId, String> served) {
        int before = offer.accepted.size();
        if (!offer.stillThere.test(offer.worker)) {
            offer.open.clear();
        }
        for (SlotOffer slot : List.copyOf(offer.open)) {
            String group = served.get(slot.allocation());
            if (group != null) {
                context.add(offer.worker, slot, group);
                offer.open.remove(slot);
                offer.accepted.add(slot.allocation());
            }
        }
        return offer.accepted.size() > before;
    }

    private boolean isWaiting(Waiting offer) {
        return waiting.get(offer.worker) == offer;
    }

    private void end(List<Waiting> offers) {
        for (Waiting offer : offers) {
            if (isWaiting(offer)) {
                waiting.remove(offer.worker);
                offer.end();
            }
        }
    }

    /** Whether pooled and offered slots might fulfill all requirements if running slots may be taken. */
    private boolean mayFulfilAll() {
        int there = slots.staying().size()
                + waiting.values().stream().mapToInt(offer -> offer.open.size()).sum();
        return context.mayCancelReservations() && !slots.isFulfilled() && there >= slots.desired();
    }

    private Question question(boolean everything) {
        List<GroupRequirement> groups = List.copyOf(slots.requirements());
        List<Waiting> offering = List.copyOf(waiting.values());
        List<AssignmentQuery.Slot> candidates = new ArrayList<>();
        int[] taken = new int[groups.size()];
        for (Use use : slots.staying()) {
            PoolSlot slot = use.slot();
            int group = indexOf(groups, slot.group());
            if (everything || !use.reserved()) {
                candidates.add(new AssignmentQuery.Slot(
                        slot.allocation(),
                        slot.worker(),
                        slot.profile(),
                        group,
                        slot.defaultSlot(),
                        constraints(groups, group >= 0 ? group : indexOf(groups, slot.madeFor()))));
            } else if (group >= 0) {
                taken[group]++;
            }
        }
        Set<AllocationId> seen = new TreeSet<>();
        for (Waiting offer : offering) {
            for (SlotOffer slot : offer.open) {
                if (slots.find(slot.allocation()).isEmpty() && seen.add(slot.allocation())) {
                    int group = indexOf(groups, slot.group());
                    boolean defaultSlot =
                            group >= 0 && groups.get(group).profile().isUnknown();
                    candidates.add(new AssignmentQuery.Slot(
                            slot.allocation(),
                            offer.worker,
                            slot.profile(),
                            group,
                            defaultSlot,
                            constraints(groups, group)));
                }
            }
        }
        List<AssignmentQuery.Requirement> required = new ArrayList<>();
        for (int index = 0; index < groups.size(); index++) {
            GroupRequirement group = groups.get(index);
            required.add(new AssignmentQuery.Requirement(
                    job.unit().name(),
                    group.group(),
                    group.profile(),
                    Math.max(0, group.desired() - taken[index]),
                    group.constraints()));
        }
        return new Question(
                new AssignmentQuery(
                        job.id(), job.graph().attributes().pool(), rule.get(), slots.number(), candidates, required),
                groups,
                offering,
                everything);
    }

    /** Those that the slots of a group were placed with; none when the group is no longer required. */
    private static PlacementConstraints constraints(List<GroupRequirement> groups, int group) {
        return group < 0 ? PlacementConstraints.NONE : groups.get(group).constraints();
    }

    private static int indexOf(List<GroupRequirement> groups, String name) {
        for (int index = 0; index < groups.size(); index++) {
            if (groups.get(index).group().equals(name)) {
                return index;
            }
        }
        return -1;
    }
}
