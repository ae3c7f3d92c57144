package io.berth.core.policies.sequence;

import io.berth.core.api.operations.PolicyOperations.UseResult;
import io.berth.core.policies.PolicyPlatform;
import io.berth.core.policies.registry.HostSettings;
import io.berth.core.policies.registry.PolicyLimits;
import io.berth.spi.PolicyKind;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** One random sequence of steps. The same seed always gives the same sequence. */
final class Sequence implements World.Script {
    /** The model only counts failures in a row. */
    private static final PolicyLimits LIMITS = new PolicyLimits(
            PolicyLimits.DEFAULTS.leftOutMillis(), PolicyLimits.DEFAULTS.failuresInARow(), 1_000, 1_000, 100, 0, 0);

    static final int STEPS = 30;
    private static final PolicyKind[] KINDS = {
        PolicyKind.MATCHING,
        PolicyKind.MATCHING,
        PolicyKind.MATCHING,
        PolicyKind.DISTRIBUTION,
        PolicyKind.DISTRIBUTION,
        PolicyKind.SCALING
    };

    private final long seed;
    private final BitSet dropped;
    private final boolean storm;
    private final boolean recording;
    private final boolean ownLoaders;
    private final World world;
    private final Happenings happenings = new Happenings();
    private final SequenceModel model = new SequenceModel();
    private final SortedMap<String, SortedMap<String, String>> configured = new TreeMap<>();
    private final PolicyPlatform platform;
    private final SequenceOwners owners;
    private final List<Actor> gone = new ArrayList<>();
    private final List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
    private final List<String> steps = new ArrayList<>();
    private Map<PolicyKind, String> choicesConfigured = new EnumMap<>(PolicyKind.class);
    private Map<PolicyKind, List<String>> fallbacks = new EnumMap<>(PolicyKind.class);
    private Random random = new Random(0);
    private int at;
    private int applied;
    private long ids;
    private boolean hostClosed;

    /**
     * @param dropped steps that are left out
     * @param recording whether each step is recorded, which takes time
     * @param ownLoaders whether each policy has its own class loader, which must be garbage collected at the end
     */
    Sequence(long seed, BitSet dropped, boolean recording, boolean ownLoaders) {
        this.recording = recording;
        this.seed = seed;
        this.dropped = dropped;
        this.storm = seed % 2 == 1;
        this.ownLoaders = ownLoaders;
        this.world = new World(seed, storm, happenings::expired);
        HostSettings settings = HostSettings.defaults().withLimits(LIMITS);
        this.platform = world.host(bundle -> configured.getOrDefault(bundle, new TreeMap<>()), settings);
        this.owners = new SequenceOwners(platform, world, happenings, model, storm);
    }

    /** The steps so far, for the message of a failure. */
    List<String> steps() {
        return steps;
    }

    void run() {
        random = new Random(seed);
        for (PolicyKind kind : List.of(PolicyKind.MATCHING, PolicyKind.DISTRIBUTION, PolicyKind.SCALING)) {
            register(kind, "p0", true);
        }
        owners.open(random);
        world.run(this);
        quiet();
        world.drain();
        end();
    }

    @Override
    public boolean more() {
        return at < STEPS;
    }

    @Override
    public void step() {
        if (dropped.get(at)) {
            at++;
            return;
        }
        random = new Random(seed * 1_000_003L + at++);
        int roll = random.nextInt(100);
        if (roll < 16) {
            register(KINDS[random.nextInt(KINDS.length)], "p" + random.nextInt(4), false);
        } else if (roll < 24) {
            any().ifPresent(this::unregister);
        } else if (roll < 31) {
            any().ifPresent(this::rank);
        } else if (roll < 40) {
            any().ifPresent(this::configure);
        } else if (roll < 46) {
            any().ifPresent(one -> {
                one.actor.trouble = Actor.Trouble.random(random);
                note(() -> "from now on " + one.actor.id() + " does " + one.actor.trouble);
            });
        } else if (roll < 53) {
            choose();
        } else if (roll < 56) {
            release();
        } else if (roll < 59) {
            settings();
        } else if (roll < 63) {
            List<World.Frame> hanging = world.hanging();
            if (!hanging.isEmpty()) {
                World.Frame woken = hanging.get(random.nextInt(hanging.size()));
                woken.woken = true;
                note(() -> "a hanging " + woken.what + " of " + woken.id + " may return");
            }
        } else if (roll == 63 && at > STEPS / 2 && random.nextInt(4) == 0) {
            hostClosed = true;
            note(() -> "the host is closed");
            platform.close();
            owners.hostClosed();
        } else {
            Supplier<String> done = owners.step(random);
            note(done);
        }
    }

    private void note(Supplier<String> text) {
        if (recording) {
            steps.add("step " + (at - 1) + ": " + text.get());
        }
    }

    private java.util.Optional<SequenceModel.Known> any() {
        List<SequenceModel.Known> all = model.all();
        return all.isEmpty() ? java.util.Optional.empty() : java.util.Optional.of(all.get(random.nextInt(all.size())));
    }

    private void register(PolicyKind kind, String name, boolean good) {
        Actor actor = new Actor(++ids, kind, name, "b" + random.nextInt(4), random, world, happenings, ownLoaders);
        if (good) {
            actor.trouble = Actor.Trouble.NONE;
        }
        if (ownLoaders) {
            loaders.add(new WeakReference<>(actor.loader()));
        }
        note(() -> "register " + kind + " " + name + " (" + actor.id() + ") of " + actor.bundle() + ", ranking "
                + actor.ranking() + ", tier " + actor.tier + ", " + actor.trouble);
        model.added(actor);
        platform.registry().add(actor);
    }

    private void unregister(SequenceModel.Known one) {
        note(() -> "unregister " + one.actor.id());
        model.removed(one.actor);
        gone.add(one.actor);
        platform.registry().remove(one.actor.id());
    }

    private void rank(SequenceModel.Known one) {
        one.actor.ranking = random.nextInt(4);
        one.actor.tier = random.nextBoolean() ? "gold" : "tin";
        note(() -> "rank " + one.actor.id() + " " + one.actor.ranking + ", tier " + one.actor.tier);
        platform.registry().updated(one.actor.id());
    }

    private void configure(SequenceModel.Known of) {
        SortedMap<String, String> entries = new TreeMap<>(
                switch (random.nextInt(8)) {
                    case 0 -> Map.of("limit", "50");
                    case 1 -> Map.of("unknown", "1");
                    case 2 -> Map.of("limit", "5");
                    case 3 -> Map.of("limit", "6");
                    case 4 -> Map.of("mode", "throw");
                    case 5 -> Map.of("mode", "hang");
                    case 6 -> Map.of("mode", "later", "limit", "" + (1 + random.nextInt(9)));
                    default -> Map.of();
                });
        String bundle = of.actor.bundle();
        note(() -> "configure " + bundle + " " + entries);
        configured.put(bundle, entries);
        for (SequenceModel.Known one : model.all()) {
            if (one.actor.bundle().equals(bundle)
                    && one.described
                    && !one.tried.equals(java.util.Optional.of(entries))) {
                one.tried = java.util.Optional.of(entries);
                one.due = !entries.containsKey("unknown");
            }
        }
        platform.registry().configurationChanged(bundle);
    }

    private PolicyKind chosenKind() {
        return KINDS[random.nextInt(KINDS.length)];
    }

    private void choose() {
        PolicyKind kind = chosenKind();
        OptionalLong expected = random.nextInt(3) > 0
                ? OptionalLong.empty()
                : OptionalLong.of(Math.max(0, model.choice(kind).index() - random.nextInt(2)));
        if (random.nextInt(4) == 0) {
            note(() -> "revert " + kind + " at " + expected);
            checkAnswer(model.revert(kind, expected), () -> platform.revert(kind, expected, "anna"));
            return;
        }
        String[] selectors = {"", "", "p0", "p1", "p2", "p3", "absent", "(tier=gold)", "(io.berth.policy.name=p*)"};
        String wanted = selectors[random.nextInt(selectors.length)];
        note(() -> "use " + kind + " '" + wanted + "' at " + expected);
        checkAnswer(model.use(kind, wanted, expected), () -> platform.use(kind, wanted, expected, "anna"));
    }

    private void checkAnswer(long expected, Supplier<UseResult> call) {
        long answer;
        try {
            answer = call.get() instanceof UseResult.Changed changed ? changed.index() : 0;
        } catch (IllegalArgumentException refused) {
            answer = -1;
        }
        if (answer != expected) {
            world.fail("a choice is answered with " + answer + " instead of " + expected
                    + " (0: a conflict, -1: refused)");
        }
    }

    private void release() {
        any().ifPresent(one -> {
            note(() -> "release " + one.actor.kind() + " " + one.actor.name());
            try {
                platform.release(one.actor.kind(), one.actor.name(), "anna");
            } catch (IllegalArgumentException notQuarantined) {
                return;
            }
            model.released(
                    one.actor.kind(),
                    one.actor.name(),
                    other -> configured
                            .getOrDefault(other.actor.bundle(), new TreeMap<>())
                            .containsKey("unknown"));
        });
    }

    private void settings() {
        Map<PolicyKind, String> choices = new EnumMap<>(choicesConfigured);
        Map<PolicyKind, List<String>> newFallbacks = new EnumMap<>(fallbacks);
        PolicyKind kind = chosenKind();
        if (random.nextBoolean()) {
            choices.put(kind, random.nextBoolean() ? "p" + random.nextInt(4) : "(tier=gold)");
        }
        newFallbacks.put(kind, List.of("p" + random.nextInt(4), "p" + random.nextInt(4)));
        choicesConfigured = choices;
        fallbacks = newFallbacks;
        HostSettings changed = new HostSettings(
                        new TreeMap<>(choices), new TreeMap<>(newFallbacks), new TreeMap<>(), 10_000)
                .withDeadline(kind, random.nextBoolean() ? 100 : 3_000)
                .withLimits(LIMITS);
        note(() -> "settings " + changed);
        model.settings(choices, newFallbacks);
        platform.settings(changed);
    }

    @Override
    public void quiet() {
        List<Happenings.Event> events = happenings.events();
        owners.checkRounds();
        for (; applied < events.size(); applied++) {
            long id = events.get(applied).id();
            model.find(id)
                    .ifPresent(one -> model.happened(
                            events.get(applied), configured.getOrDefault(one.actor.bundle(), new TreeMap<>())));
        }
        for (SequenceModel.Known one : model.all()) {
            if (one.due) {
                // A due call was not made. That is correct only when too many calls into the bundle never returned.
                boolean capped = world.mostAbandoned(one.actor.guard() + "-trials") >= SequenceModel.MAX_ABANDONED;
                if (!storm && !capped && !hostClosed) {
                    world.fail((one.described ? "create of " : "describe of ") + one.actor.id() + " was not called");
                }
                one.unusable |= !one.described;
                one.quarantined |= one.described && one.accepted.isEmpty();
                one.due = false;
            }
        }
        owners.roundsApplied();
        SequenceChecks.quiet(platform, world, model, owners, storm, hostClosed, steps);
        world.stepBegins();
    }

    private void end() {
        List.copyOf(model.all()).forEach(this::unregister);
        world.drain();
        if (ownLoaders && !hostClosed) {
            gone.clear();
            SequenceChecks.collected(world, loaders);
        }
        owners.close();
        world.drain();
        if (!hostClosed) {
            platform.close();
            world.drain();
        }
        SequenceChecks.ended(platform, world, happenings, gone, owners, hostClosed);
        world.drain();
    }
}
