package io.berth.core.policies.sequence;

import io.berth.core.api.operations.PolicyOperations.DecisionDetails;
import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome;
import io.berth.core.policies.PolicyPlatform;
import io.berth.core.policies.swap.Swap;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks the outcome of a round. */
final class SequenceRounds {

    private static final Pattern GENERATION =
            Pattern.compile("(deferred|left out|excluded|by) (?:by )?generation (\\d+)\\.");
    /** A policy is not asked again sooner. */
    private static final long MIN_REVIEW_MILLIS = 100;

    private static final Map<PolicyKind, String> NO_POLICY = Map.of(
            PolicyKind.MATCHING, "no matching strategy",
            PolicyKind.DISTRIBUTION, "no distribution policy",
            PolicyKind.SCALING, "no scaling policy");

    private final PolicyPlatform platform;
    private final World world;
    private final Happenings happenings;
    private final Set<SequenceOwners.Notice> notified;
    private final boolean storm;

    SequenceRounds(
            PolicyPlatform platform,
            World world,
            Happenings happenings,
            Set<SequenceOwners.Notice> notified,
            boolean storm) {
        this.platform = platform;
        this.world = world;
        this.happenings = happenings;
        this.notified = notified;
        this.storm = storm;
    }

    /** @return ids of the policies that decided */
    List<Long> check(SequenceOwners.Round round) {
        if (!round.outcome.isDone() || round.outcome.isCompletedExceptionally()) {
            world.fail(round.owner + ": a round ended without a decision or a reason");
            return List.of();
        }
        Object outcome = round.outcome.join();
        List<Long> deciders = new ArrayList<>();
        if (outcome instanceof PlanOutcome.Planned planned) {
            plan(round, planned);
            if (planned.decision() > 0) {
                deciders.add(decider(round, planned.matching(), planned.decision()));
                deciders.add(decider(round, planned.distribution(), planned.decision()));
            }
        } else if (outcome instanceof AssignmentOutcome.Assigned assigned) {
            deciders.add(decider(round, assigned.matching(), assigned.decision()));
            if (!storm) {
                review(round, assigned.matching(), assigned.reviewAfterMillis());
            }
        } else if (outcome instanceof ScalingOutcome.Decided decided) {
            generations(round, decided.reason(), "by", decided.scaling());
            deciders.add(decider(round, decided.scaling(), decided.decision()));
            review(round, decided.scaling(), decided.reviewAfterMillis());
        } else if (outcome instanceof PlanOutcome.NotDecided not) {
            checkNotDecided(round, not.reason());
        } else if (outcome instanceof AssignmentOutcome.NotDecided not) {
            checkNotDecided(round, not.reason());
        } else if (outcome instanceof ScalingOutcome.NotDecided not) {
            checkNotDecided(round, not.reason());
        }
        return deciders;
    }

    private void checkNotDecided(SequenceOwners.Round round, String reason) {
        Optional<PolicyKind> kind = NO_POLICY.entrySet().stream()
                .filter(entry -> reason.startsWith(entry.getValue()))
                .map(Map.Entry::getKey)
                .findFirst();
        if (kind.isEmpty()) {
            if (!round.closed) {
                world.fail(round.owner + ": not decided for an unknown reason: " + reason);
            }
            return;
        }
        if (!storm && !round.closed) {
            Set<Long> failed = failed(round, kind.get());
            round.orders.get(kind.get()).stream()
                    .filter(actor -> !failed.contains(actor.id()) && !capped(actor))
                    .forEach(actor -> world.fail(round.owner + ": " + reason + ", but " + actor.id() + " is ready"));
        }
    }

    /** The policies that failed for this owner in this round. */
    private Set<Long> failed(SequenceOwners.Round round, PolicyKind kind) {
        Set<Long> failed = new HashSet<>();
        List<Happenings.Event> events = happenings.events();
        for (Happenings.Event event : events.subList(round.eventsFrom, events.size())) {
            boolean counts = event.owner().equals(round.owner)
                    && List.of("create", "open", "delta", "plan").contains(event.what());
            if (counts && event.bad() && round.orders.get(kind).stream().anyMatch(one -> one.id() == event.id())) {
                failed.add(event.id());
            }
        }
        return failed;
    }

    private boolean capped(Actor actor) {
        return world.mostAbandoned(actor.guard()) >= SequenceModel.MAX_ABANDONED;
    }

    private long decider(SequenceOwners.Round round, PolicyIdentity identity, long decision) {
        long id = Long.parseLong(identity.version().substring("1.0.".length()));
        boolean made = happenings.instances().stream()
                .anyMatch(instance -> instance.id == id
                        && !instance.late
                        && instance.generation == identity.generation()
                        && instance.owner.equals(round.owner));
        if (!made) {
            world.fail(round.owner + ": " + identity + " decided and was never created");
        }
        Optional<DecisionDetails> kept = platform.decision(decision);
        if (kept.filter(details -> details.policies().contains(Swap.stamp(identity)))
                .isEmpty()) {
            world.fail(round.owner + ": decision " + decision + " is not recorded with " + identity);
        }
        if (storm || round.closed) {
            return id;
        }
        Set<Long> failed = failed(round, identity.kind());
        Optional<Actor> expected = round.orders.get(identity.kind()).stream()
                .filter(actor -> actor.id() == id || !failed.contains(actor.id()) && !capped(actor))
                .findFirst();
        if (failed.contains(id) || expected.filter(actor -> actor.id() == id).isEmpty()) {
            world.fail(round.owner + ": " + identity + " decided instead of " + expected.map(Actor::id) + "; failed "
                    + failed);
        }
        return id;
    }

    /** Checks that the reasons come from this generation and from no other. */
    private void generations(SequenceOwners.Round round, String text, String verb, PolicyIdentity identity) {
        Matcher matcher = GENERATION.matcher(text);
        while (matcher.find()) {
            if (matcher.group(1).equals(verb) && Long.parseLong(matcher.group(2)) != identity.generation()) {
                world.fail(round.owner + ": " + text + " in a decision of " + identity);
            }
        }
    }

    private long generation(Happenings.Event event) {
        return happenings
                .instance(event.instance())
                .map(instance -> instance.generation)
                .orElse(-1L);
    }

    /** Checks the review of an assignment or of a scaling decision, by what its policy answered last. */
    private void review(SequenceOwners.Round round, PolicyIdentity identity, OptionalLong reviewMillis) {
        Optional<Answer> last = Optional.empty();
        for (Happenings.Event event : happenings
                .events()
                .subList(round.eventsFrom, happenings.events().size())) {
            boolean ofRound = event.what().equals("plan")
                    && event.owner().equals(round.owner)
                    && generation(event) == identity.generation()
                    && (!storm || event.answer().state() == round.state);
            if (ofRound && event.bad()) {
                world.fail(round.owner + ": " + identity + " decided after its answer was " + event.outcome());
            }
            last = ofRound ? Optional.of(event.answer()) : last;
        }
        OptionalLong expected = atLeastMinimum(last.map(Answer::reviewMillis).orElse(OptionalLong.empty()));
        if (!expected.equals(reviewMillis)) {
            world.fail(round.owner + ": review after " + reviewMillis + " instead of " + expected);
        }
    }

    private static OptionalLong atLeastMinimum(OptionalLong millis) {
        return millis.isPresent() ? OptionalLong.of(Math.max(MIN_REVIEW_MILLIS, millis.getAsLong())) : millis;
    }

    /**
     * The calls that led to the plan. A decision is made again from its beginning when a policy fails. It may fail
     * without a call, when its bundle has no threads left; then something is admitted twice in a row.
     */
    private List<SequencePlan.Step> steps(SequenceOwners.Round round, PlanOutcome.Planned planned) {
        List<Happenings.Event> events = happenings.events();
        int to = events.size();
        while (to > round.eventsFrom && !isPlanOf(events.get(to - 1), round)) {
            to--;
        }
        List<SequencePlan.Step> steps = new ArrayList<>();
        for (Happenings.Event event : events.subList(round.eventsFrom, to)) {
            boolean counts = event.owner().equals(round.owner)
                    && List.of("create", "open", "delta", "plan").contains(event.what());
            if (counts && event.bad()) {
                steps.clear();
                boolean decided = generation(event) == planned.matching().generation()
                        || generation(event) == planned.distribution().generation();
                if (decided && event.answer().state() == round.state) {
                    world.fail(round.owner + ": generation " + generation(event) + " decided after its answer was "
                            + event.outcome());
                }
            } else if (counts && isPlanOf(event, round)) {
                boolean admits = happenings.instance(event.instance()).orElseThrow().kind == PolicyKind.DISTRIBUTION;
                if (admits && beginsAgain(steps, generation(event))) {
                    steps.clear();
                }
                steps.add(new SequencePlan.Step(admits, generation(event), event.answer()));
            }
        }
        return steps;
    }

    /** Whether an admission by a generation does not follow these steps, so that the decision is made again. */
    private static boolean beginsAgain(List<SequencePlan.Step> steps, long generation) {
        return !steps.isEmpty()
                && (steps.get(steps.size() - 1).admits()
                        || steps.stream().anyMatch(step -> step.admits() && step.generation() != generation));
    }

    private static boolean isPlanOf(Happenings.Event event, SequenceOwners.Round round) {
        return event.what().equals("plan")
                && event.owner().equals(round.owner)
                && !event.bad()
                && event.answer().state() == round.state;
    }

    private void plan(SequenceOwners.Round round, PlanOutcome.Planned planned) {
        List<SequencePlan.Step> steps = steps(round, planned);
        for (SequencePlan.Step step : steps) {
            PolicyIdentity asked = step.admits() ? planned.distribution() : planned.matching();
            if (step.generation() != asked.generation()) {
                world.fail(round.owner + ": generation " + step.generation() + " answered in a decision of " + asked);
            }
        }
        SequencePlan expected = new SequencePlan(steps, round.shown);
        expected.mismatch().ifPresent(text -> world.fail(round.owner + ": " + text));
        same(round, "placed", sorted(expected.placements()), sorted(planned.placements()));
        same(round, "given back", expected.giveBacks(), planned.returns().giveBacks());
        same(round, "reclaimed", expected.reclaims(), planned.returns().reclaims());
        OptionalLong review = atLeastMinimum(expected.reviewMillis());
        if (review.isPresent() && !storm && !round.closed) {
            long due = round.answeredNanos + review.getAsLong() * 1_000_000;
            if (!notified.contains(new SequenceOwners.Notice(round.owner, due))) {
                world.fail(round.owner + " is not reminded " + review.getAsLong() + " ms after " + round.answeredNanos
                        + ": " + notified);
            }
        }
        for (PlanOutcome.UnitReason reason : planned.reasons()) {
            String text = String.join("\n", reason.why().lines());
            generations(round, text, "deferred", planned.distribution());
            generations(round, text, "left out", planned.matching());
            generations(round, text, "excluded", planned.matching());
            for (String words : expected.words(reason.unit())) {
                if (!text.contains(words)) {
                    world.fail(
                            round.owner + ": the reason of unit " + reason.unit() + " lacks '" + words + "': " + text);
                }
            }
        }
        rules(round, planned, expected);
    }

    private void same(SequenceOwners.Round round, String what, List<?> expected, List<?> is) {
        if (!expected.equals(is)) {
            world.fail(round.owner + ": " + what + " is " + is + " instead of " + expected);
        }
    }

    private static List<PlanOutcome.Placement> sorted(List<PlanOutcome.Placement> placements) {
        return placements.stream()
                .sorted(Comparator.comparing(PlanOutcome.Placement::toString))
                .toList();
    }

    /** Rules that each plan keeps, whatever the policies answer. */
    private void rules(SequenceOwners.Round round, PlanOutcome.Planned planned, SequencePlan expected) {
        Map<Integer, Integer> onWorker = new HashMap<>(expected.reservedOn());
        Map<String, Integer> ofGroup = new HashMap<>();
        for (PlanOutcome.Placement placement : planned.placements()) {
            onWorker.merge(placement.worker(), placement.count(), Integer::sum);
            String group = placement.unit() + "/" + placement.group();
            ofGroup.merge(group, placement.count(), Integer::sum);
        }
        onWorker.forEach((worker, slots) -> {
            if (slots > round.shown.free().getOrDefault(worker, 0)) {
                world.fail(round.owner + ": " + slots + " slots placed or reserved on worker " + worker + " of "
                        + round.shown);
            }
        });
        round.shown.units().forEach((unit, groups) -> {
            boolean any = false;
            boolean whole = true;
            for (int group = 0; group < groups.size(); group++) {
                SequenceDemand.Wanted wanted = groups.get(group);
                int placed = ofGroup.getOrDefault(unit + "/" + group, 0);
                any |= placed > 0;
                whole &= wanted.allocated() + placed >= wanted.minimum();
                if (placed > Math.max(0, wanted.missing())) {
                    world.fail(round.owner + ": unit " + unit + " gets " + placed + " of " + wanted);
                }
            }
            if (any && !whole) {
                world.fail(round.owner + ": unit " + unit + " gets a part of its minimum: " + planned.placements());
            }
        });
    }
}
