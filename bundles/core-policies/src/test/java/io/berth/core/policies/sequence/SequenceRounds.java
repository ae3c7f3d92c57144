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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks the outcome of a round. */
final class SequenceRounds {

    private static final Pattern GENERATION = Pattern.compile("(deferred|left out|by) (?:by )?generation (\\d+)\\.");
    private static final Map<PolicyKind, String> NO_POLICY = Map.of(
            PolicyKind.MATCHING, "no matching strategy",
            PolicyKind.DISTRIBUTION, "no distribution policy",
            PolicyKind.SCALING, "no scaling policy");

    private final PolicyPlatform platform;
    private final World world;
    private final Happenings happenings;
    private final boolean storm;

    SequenceRounds(PolicyPlatform platform, World world, Happenings happenings, boolean storm) {
        this.platform = platform;
        this.world = world;
        this.happenings = happenings;
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
            if (planned.decision() > 0) {
                plan(round, planned);
                deciders.add(decider(round, planned.matching(), planned.decision()));
                deciders.add(decider(round, planned.distribution(), planned.decision()));
            }
        } else if (outcome instanceof AssignmentOutcome.Assigned assigned) {
            deciders.add(decider(round, assigned.matching(), assigned.decision()));
        } else if (outcome instanceof ScalingOutcome.Decided decided) {
            generations(round, decided.reason(), "by", decided.scaling());
            deciders.add(decider(round, decided.scaling(), decided.decision()));
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

    private void plan(SequenceOwners.Round round, PlanOutcome.Planned planned) {
        for (PlanOutcome.UnitReason reason : planned.reasons()) {
            generations(round, reason.reason(), "deferred", planned.distribution());
            generations(round, reason.reason(), "left out", planned.matching());
        }
        Map<Integer, Integer> onWorker = new HashMap<>();
        Map<String, Integer> ofGroup = new HashMap<>();
        Map<String, Integer> ofMinimum = new HashMap<>();
        for (PlanOutcome.Placement placement : planned.placements()) {
            String proposal = "j" + placement.unit() + "/g" + placement.group() + " on " + placement.worker() + " x "
                    + placement.count();
            if (!happenings.wasProposed(planned.matching().generation(), proposal)) {
                world.fail(round.owner + ": " + proposal + " was not proposed by " + planned.matching());
            }
            onWorker.merge(placement.worker(), placement.count(), Integer::sum);
            String group = placement.unit() + "/" + placement.group();
            ofGroup.merge(group, placement.count(), Integer::sum);
            if (placement.minimum()) {
                ofMinimum.merge(group, placement.count(), Integer::sum);
            }
        }
        onWorker.forEach((worker, slots) -> {
            if (slots > round.shown.free().getOrDefault(worker, 0)) {
                world.fail(round.owner + ": " + slots + " slots on worker " + worker + " of " + round.shown);
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
