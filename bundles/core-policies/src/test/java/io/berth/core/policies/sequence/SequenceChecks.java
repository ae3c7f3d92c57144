package io.berth.core.policies.sequence;

import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import io.berth.core.api.operations.PolicyOperations.PolicyStamp;
import io.berth.core.api.operations.PolicyOperations.SwapDetails;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.SystemClock;
import io.berth.core.policies.PolicyPlatform;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.registration.Preference;
import io.berth.core.policies.swap.SwapLog;
import io.berth.spi.PolicyKind;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Conditions that hold whenever nothing is running, and at the end. */
final class SequenceChecks {

    private static final Clock CLOCK = new SystemClock();
    private static final int MAX_COLLECTIONS = 10;
    /**
     * The JIT compiler keeps the class of a method that it compiles. On a loaded machine this can outlast a few
     * collections.
     */
    private static final int PATIENCE_SECONDS = Integer.getInteger("berth.sequences.patience", 20);

    private SequenceChecks() {}

    static void quiet(
            PolicyPlatform platform,
            World world,
            SequenceModel model,
            SequenceOwners owners,
            boolean storm,
            boolean hostClosed,
            List<String> steps) {
        if (hostClosed) {
            return;
        }
        Set<Long> ready = new HashSet<>();
        for (PolicyDetails details : platform.policies()) {
            // One that is quarantined for a pool may decide for others.
            if (details.state().startsWith("deciding")
                    || details.state().startsWith("ready")
                    || details.state().startsWith("quarantined for ")) {
                ready.add(Long.parseLong(details.version().substring("1.0.".length())));
            }
        }
        if (!storm) {
            for (SequenceModel.Known one : model.all()) {
                if (one.ready() && !ready.contains(one.actor.id()) && wasNotTried(platform, world, one.actor)) {
                    one.quarantined = true;
                }
                if (one.ready() != ready.contains(one.actor.id())) {
                    world.fail(one.actor.id() + " is " + (one.ready() ? "ready" : "not ready")
                            + " by the rules, but the host says: "
                            + platform.policies().stream()
                                    .filter(details -> details.version().equals(one.actor.version()))
                                    .toList());
                }
            }
        }
        owners.choosers()
                .forEach((kind, choices) -> choices.forEach(own -> {
                    List<Long> expected = model.order(kind, own, one -> ready.contains(one.actor.id())).stream()
                            .map(Actor::id)
                            .toList();
                    List<Long> selected = platform.registry().select(kind, Optional.of(own)).candidates().stream()
                            .map(PolicyCandidate::id)
                            .toList();
                    if (!expected.equals(selected)) {
                        world.fail(kind + " " + own + ": expected candidates are " + expected + ", selected are "
                                + selected);
                    }
                }));
        if (!storm) {
            owners.pools().forEach(pool -> pool(platform, world, model, pool));
        }
        int inUse = platform.registry().generationsInUse();
        if (inUse > owners.maxGenerations()) {
            world.fail(inUse + " generations are in use by " + owners.maxGenerations() + " owners");
        }
        if (platform.guard().abandoned() != world.abandoned()) {
            world.fail(platform.guard().abandoned() + " calls are counted as abandoned, but there are "
                    + world.abandoned());
        }
        for (SequenceModel.Known one : model.all()) {
            int abandoned = world.mostAbandoned(one.actor.guard());
            if (abandoned >= SequenceModel.MAX_ABANDONED + World.LANE_THREADS) {
                world.fail(abandoned + " threads of bundle " + one.actor.guard() + " are abandoned");
            }
        }
    }

    /** Checks which strategies may decide for a pool. */
    private static void pool(PolicyPlatform platform, World world, SequenceModel model, String pool) {
        DecisionOwner owner = DecisionOwner.plans(pool);
        List<Long> selected =
                platform.registry().select(PolicyKind.MATCHING, Preference.NONE, owner).candidates().stream()
                        .map(PolicyCandidate::id)
                        .toList();
        for (SequenceModel.Known one : model.all()) {
            if (one.actor.kind() == PolicyKind.MATCHING
                    && one.ready(owner.toString())
                    && !selected.contains(one.actor.id())
                    && world.mostAbandoned(one.actor.guard()) >= SequenceModel.MAX_ABANDONED) {
                // Too many calls into its bundle never returned, so it was quarantined without a call.
                one.quarantinedFor.add(owner.toString());
            }
        }
        List<Long> expected = model.order(PolicyKind.MATCHING, "", one -> one.ready(owner.toString())).stream()
                .map(Actor::id)
                .toList();
        if (!expected.equals(selected)) {
            world.fail(owner + ": expected candidates are " + expected + ", selected are " + selected);
        }
    }

    /** Whether it is quarantined without a call, because too many calls into its bundle never returned. */
    private static boolean wasNotTried(PolicyPlatform platform, World world, Actor actor) {
        return world.mostAbandoned(actor.guard()) >= SequenceModel.MAX_ABANDONED
                && platform.policies().stream()
                        .anyMatch(details -> details.version().equals(actor.version())
                                && details.state().startsWith("quarantined")
                                && details.state().contains("was not tried"));
    }

    /** Checks that nothing keeps the class loaders of removed policies. */
    static void collected(World world, List<WeakReference<ClassLoader>> loaders) {
        long left = loaders.size();
        long given = CLOCK.nanos() + Duration.ofSeconds(PATIENCE_SECONDS).toNanos();
        for (int made = 0; left > 0 && (made < MAX_COLLECTIONS || CLOCK.nanos() < given); made++) {
            System.gc();
            left = loaders.stream().filter(loader -> loader.get() != null).count();
        }
        if (left > 0) {
            world.fail(left + " of " + loaders.size() + " class loaders of removed policies are kept");
        }
    }

    static void ended(
            PolicyPlatform platform,
            World world,
            Happenings happenings,
            List<Actor> gone,
            SequenceOwners owners,
            boolean hostClosed) {
        owners.checkRounds();
        if (platform.registry().generationsInUse() != 0) {
            world.fail(platform.registry().generationsInUse()
                    + " generations are in use after all owners have ended; not closed are "
                    + happenings.instances().stream()
                            .filter(instance -> instance.generation > 0 && instance.closed == 0)
                            .map(instance -> instance.generation + " of " + instance.id + " for " + instance.owner
                                    + (instance.hung ? ", which hung" : "") + (instance.late ? ", too late" : ""))
                            .toList());
        }
        gone.stream()
                .filter(actor -> actor.released != 1)
                .forEach(actor -> world.fail(actor.id() + " was released " + actor.released + " times"));
        if (world.abandoned() != 0 || platform.guard().abandoned() != 0) {
            world.fail(platform.guard().abandoned() + " calls are counted as abandoned, but all have returned");
        }
        if (!world.lanesNotEnded().isEmpty()) {
            world.fail("threads of bundles " + world.lanesNotEnded() + " are kept though no policy is left");
        }
        if (!hostClosed && !world.everCapped()) {
            happenings.instances().stream()
                    .filter(instance -> instance.opened && !instance.hung && instance.closed == 0)
                    .filter(instance -> instance.kind != PolicyKind.MATCHING
                            || !instance.owner.equals("assignments of pool assigned"))
                    .forEach(instance -> world.fail(
                            "an instance of " + instance.id + " for " + instance.owner + " was never closed"));
        }
        chains(platform, world);
    }

    /** Checks that each swap record begins with the policy with which the previous one ended. */
    private static void chains(PolicyPlatform platform, World world) {
        Map<String, PolicyStamp> last = new TreeMap<>();
        List<SwapDetails> newestFirst = platform.swaps(Optional.empty(), SwapLog.MAX_COUNT);
        for (int nth = newestFirst.size() - 1; nth >= 0; nth--) {
            SwapDetails swap = newestFirst.get(nth);
            String owner = swap.owner() + " " + swap.kind();
            PolicyStamp before = last.put(owner, swap.to());
            if (before != null && !same(before, swap.from())) {
                world.fail("record " + swap.number() + " of " + owner + " begins with " + swap.from() + ", before was "
                        + before);
            }
            if (same(swap.from(), swap.to())) {
                world.fail("record " + swap.number() + " of " + owner + " changes nothing: " + swap.from());
            }
        }
    }

    private static boolean same(PolicyStamp one, PolicyStamp other) {
        return one.name().equals(other.name())
                && one.bundle().equals(other.bundle())
                && one.version().equals(other.version())
                && one.configurationRevision() == other.configurationRevision();
    }
}
