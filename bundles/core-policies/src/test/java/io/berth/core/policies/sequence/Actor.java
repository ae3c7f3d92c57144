package io.berth.core.policies.sequence;

import io.berth.core.policies.registration.Registration;
import io.berth.spi.PolicyKind;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/** One registered policy of a sequence: its registration, and what it does in its calls. */
final class Actor implements Registration, Play {

    /** A fault: in which call, in which way, and in how many percent of the calls. */
    record Trouble(String what, String way, int percent) {

        static final Trouble NONE = new Trouble("", "", 0);

        static Trouble random(Random random) {
            if (random.nextInt(100) < 45) {
                return NONE;
            }
            String[] calls = {"describe", "create", "open", "delta", "plan", "plan", "plan", "close", "*", "*"};
            String[] ways = {"THROW", "ERROR", "INVALID", "INVALID", "INVALID", "HANG", "STUBBORN", "SLOW"};
            return new Trouble(
                    calls[random.nextInt(calls.length)],
                    ways[random.nextInt(ways.length)],
                    random.nextBoolean() ? 100 : 30);
        }
    }

    /** An instance that a policy created. */
    static final class Instance {
        final long id;
        final PolicyKind kind;
        final String owner;
        final long generation;
        final boolean late;
        boolean running;
        boolean opened;
        boolean hung;
        int closed;

        private Instance(long id, PolicyKind kind, String owner, long generation, boolean late) {
            this.id = id;
            this.kind = kind;
            this.owner = owner;
            this.generation = generation;
            this.late = late;
        }
    }

    private static final int LOCK_CHECK_INTERVAL = 2_048;

    private final long id;
    private final PolicyKind kind;
    private final String name;
    private final String bundle;
    private final ClassLoader loader;
    private final World world;
    private final Happenings happenings;
    private final Random random;
    private Object factory;
    int ranking;
    String tier;
    Trouble trouble;
    int released;

    Actor(
            long id,
            PolicyKind kind,
            String name,
            String bundle,
            Random random,
            World world,
            Happenings happenings,
            boolean ownLoader) {
        this.id = id;
        this.kind = kind;
        this.name = name;
        this.bundle = bundle;
        this.random = new Random(random.nextLong());
        this.world = world;
        this.happenings = happenings;
        this.ranking = random.nextInt(4);
        this.tier = random.nextBoolean() ? "gold" : "tin";
        this.trouble = Trouble.random(random);
        ThrowAwayLoader own = ownLoader ? new ThrowAwayLoader() : null;
        this.loader = ownLoader ? own : Actor.class.getClassLoader();
        this.factory = ownLoader ? own.factory(kind, name, this) : Played.factory(kind, name, this);
    }

    @Override
    public Act enter(String what, long number, String owner, SortedMap<String, String> configuration) {
        checkPlace(what);
        World.Frame frame = world.frame();
        if (frame.expired) {
            return Act.GOOD;
        }
        Optional<Instance> instance = happenings.instance(number);
        instance.ifPresent(of -> {
            check(!of.running, what + " while another call is in the instance");
            check(!of.hung, what + " in an instance that hangs or hung");
            check(of.closed == 0, what + " in an instance that is closed");
            check(of.id == id, what + " in an instance of another policy");
            of.running = true;
            of.closed += what.equals("close") ? 1 : 0;
        });
        frame.id = id;
        frame.what = what.equals("create") && owner.equals("check") ? "check" : what;
        frame.owner = instance.map(of -> of.owner).orElse(owner);
        frame.instance = number;
        happenings.configuration = configuration;
        String way = way(what, owner, configuration);
        switch (way) {
            case "HANG", "STUBBORN" -> {
                world.stay(frame, Long.MAX_VALUE, way.equals("HANG"));
                return frame.interrupted ? Act.THROW : Act.GOOD;
            }
            case "SLOW" -> {
                world.stay(frame, 1 + random.nextInt(99), false);
                return Act.GOOD;
            }
            default -> {
                return Act.valueOf(way);
            }
        }
    }

    private String way(String what, String owner, SortedMap<String, String> configuration) {
        if (what.equals("create")) {
            check(!configuration.containsKey("unknown"), "with a configuration that has a key it does not know");
            check(owner.equals("check") || !refuses(configuration), "with a configuration that it never accepted");
            if (configuration.getOrDefault("limit", "1").equals("50")) {
                return "REFUSE";
            }
            switch (configuration.getOrDefault("mode", "")) {
                case "throw" -> {
                    return "THROW";
                }
                case "hang" -> {
                    return "HANG";
                }
                case "later" -> {
                    return owner.equals("check") ? "GOOD" : "REFUSE";
                }
                default -> {
                    // No special behavior.
                }
            }
        }
        boolean here = trouble.what().equals("*") || trouble.what().equals(what);
        if (!here || random.nextInt(100) >= trouble.percent()) {
            return "GOOD";
        }
        boolean rare = trouble.what().equals("*") && random.nextInt(3) > 0;
        return rare ? "GOOD" : trouble.way();
    }

    /** Whether the trial of the configuration fails. */
    private static boolean refuses(SortedMap<String, String> configuration) {
        return configuration.getOrDefault("limit", "1").equals("50")
                || List.of("throw", "hang").contains(configuration.getOrDefault("mode", ""));
    }

    /**
     * Foreign code must not run on a main thread or under a lock of the host, and needs its class loader as context.
     */
    private void checkPlace(String what) {
        check(!world.onMain(), what + " on a main thread");
        check(Thread.currentThread().getContextClassLoader() == loader, what + " without its class loader as context");
        if (random.nextInt(LOCK_CHECK_INTERVAL) == 0) {
            long self = Thread.currentThread().getId();
            for (MonitorInfo held : ManagementFactory.getThreadMXBean()
                    .getThreadInfo(new long[] {self}, true, false)[0]
                    .getLockedMonitors()) {
                check(!held.getClassName().startsWith("io.berth."), what + " under the lock of " + held.getClassName());
            }
        }
    }

    private void check(boolean right, String what) {
        if (!right) {
            world.fail(name + " (" + id + ") is called: " + what);
        }
    }

    @Override
    public void leave(String what, long number, String owner, Act act) {
        World.Frame frame = world.frame();
        happenings.instance(number).ifPresent(of -> of.running = false);
        if (frame.expired) {
            return;
        }
        happenings.instance(number).ifPresent(of -> of.opened |= what.equals("open") && act == Act.GOOD);
        happenings.add(new Happenings.Event(
                id, frame.what, frame.owner, act.name(), frame.instance, happenings.configuration, frame.answer));
    }

    @Override
    public long created(String owner, long seed) {
        return happenings.created(new Instance(id, kind, owner, seed - 31L * owner.hashCode(), world.frame().expired));
    }

    @Override
    public long generation(long instance) {
        return happenings.instance(instance).orElseThrow().generation;
    }

    @Override
    public boolean late() {
        return world.frame().expired;
    }

    @Override
    public int draw(int bound) {
        return random.nextInt(bound);
    }

    @Override
    public Answer answer() {
        return world.frame().answer;
    }

    @Override
    public void complain(long instance, String text, List<?> known, List<?> shown) {
        world.fail(name + " (" + id + ") " + text + ": knows " + known + ", is shown " + shown);
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public PolicyKind kind() {
        return kind;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String bundle() {
        return bundle;
    }

    @Override
    public String version() {
        return "1.0." + id;
    }

    @Override
    public int ranking() {
        return ranking;
    }

    @Override
    public SortedMap<String, Object> properties() {
        SortedMap<String, Object> properties = new TreeMap<>();
        properties.put("io.berth.policy.name", name);
        properties.put("tier", tier);
        return properties;
    }

    @Override
    public ClassLoader loader() {
        return loader;
    }

    @Override
    public Object fetch() {
        if (factory == null) {
            throw new IllegalStateException("the service is gone");
        }
        return factory;
    }

    @Override
    public void release() {
        released++;
        factory = null;
        check(released == 1, "released twice");
    }

    @Override
    public String guard() {
        return bundle;
    }
}
