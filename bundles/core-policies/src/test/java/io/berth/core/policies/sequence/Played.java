package io.berth.core.policies.sequence;

import io.berth.core.policies.sequence.Play.Act;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.PolicyKind;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DemandsView;
import io.berth.spi.distribution.DistributionPolicy;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import io.berth.spi.scaling.FeasibleChange;
import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.JudgementBuilder;
import io.berth.spi.scaling.ParallelismBuilder;
import io.berth.spi.scaling.ScalingPolicy;
import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.spi.scaling.ScalingSession;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Policies that act in each call as a {@link Play} decides, and check what they receive from the host. */
public final class Played {

    /** An exception of the policy's own class loader. An object that keeps the exception keeps the class loader. */
    static final class Outrage extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Outrage() {
            super("on purpose");
        }
    }

    /** An error of the policy's own class loader. */
    static final class OutrageError extends Error {
        private static final long serialVersionUID = 1L;

        OutrageError() {
            super("on purpose");
        }
    }

    private Played() {}

    /** A factory of the kind. It is called by reflection when the policy has its own class loader. */
    public static Object factory(PolicyKind kind, String name, Play play) {
        return switch (kind) {
            case MATCHING -> new Matching(name, play);
            case DISTRIBUTION -> new Distribution(name, play);
            case SCALING -> new Scaling(name, play);
            case BACKEND -> throw new IllegalArgumentException("no backend is played");
        };
    }

    private interface Part<T> {
        T play() throws InvalidConfigurationException;
    }

    private record Call(Play play, String what, long instance, String owner, PolicyConfiguration configuration) {

        <T> T act(Part<T> good, Part<T> invalid) throws InvalidConfigurationException {
            Act act = play.enter(
                    what, instance, owner, configuration == null ? new TreeMap<>() : configuration.entries());
            try {
                return switch (act) {
                    case GOOD -> good.play();
                    case INVALID -> invalid.play();
                    case THROW -> throw new Outrage();
                    case ERROR -> throw new OutrageError();
                    case REFUSE -> throw new InvalidConfigurationException("refused on purpose");
                };
            } finally {
                play.leave(what, instance, owner, act);
            }
        }

        void run(Runnable good, Runnable invalid) {
            try {
                act(
                        () -> {
                            good.run();
                            return true;
                        },
                        () -> {
                            invalid.run();
                            return true;
                        });
            } catch (InvalidConfigurationException never) {
                throw new IllegalStateException(never);
            }
        }
    }

    private static Runnable throwing() {
        return () -> {
            throw new Outrage();
        };
    }

    private static PolicyDescription describe(String name, Play play) {
        try {
            return new Call(play, "describe", 0, "", null)
                    .act(
                            () -> new PolicyDescription(
                                    name,
                                    "played",
                                    List.of(
                                            ConfigurationKey.text("limit", "1", "1 to 10"),
                                            ConfigurationKey.text("mode", "", "any"))),
                            () -> play.draw(2) == 0 ? null : new PolicyDescription(name + "-other", "played"));
        } catch (InvalidConfigurationException never) {
            throw new IllegalStateException(never);
        }
    }

    private static <T> T create(Play play, PolicyConfiguration configuration, PolicyContext context, Made<T> made)
            throws InvalidConfigurationException {
        return new Call(play, "create", 0, context.owner(), configuration)
                .act(() -> made.of(play.created(context.owner(), context.seed())), () -> null);
    }

    private interface Made<T> {
        T of(long instance);
    }

    private static <T> T open(Play play, long instance, Part<T> good) {
        try {
            return new Call(play, "open", instance, "", null).act(good, () -> null);
        } catch (InvalidConfigurationException never) {
            throw new IllegalStateException(never);
        }
    }

    private static void set(List<List<Long>> copy, int index, List<Long> values) {
        while (copy.size() <= index) {
            copy.add(List.of());
        }
        copy.set(index, values);
    }

    private static void compare(Play play, long instance, List<List<Long>> copy, List<List<Long>> shown) {
        while (copy.size() < shown.size()) {
            copy.add(List.of());
        }
        while (shown.size() < copy.size()) {
            shown.add(List.of());
        }
        if (!play.late() && !copy.equals(shown)) {
            play.complain(instance, "did not receive a change", copy, shown);
        }
    }

    private record Matching(String name, Play play) implements MatchingStrategyFactory {

        @Override
        public PolicyDescription describe() {
            return Played.describe(name, play);
        }

        @Override
        public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context)
                throws InvalidConfigurationException {
            return Played.create(play, configuration, context, instance -> new Strategy(play, instance));
        }
    }

    private record Strategy(Play play, long instance) implements MatchingStrategy {

        @Override
        public PlacementSession openPlacement(WorkersView workers) {
            return Played.open(play, instance, () -> new Placing(play, instance, workers));
        }

        @Override
        public AssignmentSession openAssignment() {
            return (input, result) -> new Call(play, "plan", instance, "", null).run(() -> result.assign(0, 0), () -> {
                result.assign(0, 0);
                result.assign(play.draw(2) == 0 ? 0 : 77, 0);
            });
        }
    }

    private static final class Placing implements PlacementSession {
        private final Play play;
        private final long instance;
        private final WorkersView workers;
        private final List<List<Long>> copy = new ArrayList<>();

        private Placing(Play play, long instance, WorkersView workers) {
            this.play = play;
            this.instance = instance;
            this.workers = workers;
            copy.addAll(shown());
        }

        private List<Long> shown(int worker) {
            return workers.present(worker) ? List.of(workers.free(worker, 0)) : List.of();
        }

        private List<List<Long>> shown() {
            List<List<Long>> all = new ArrayList<>();
            for (int worker = 0; worker < workers.limit(); worker++) {
                all.add(shown(worker));
            }
            return all;
        }

        @Override
        public void delta(int[] changed) {
            new Call(play, "delta", instance, "", null)
                    .run(
                            () -> {
                                for (int worker : changed) {
                                    set(copy, worker, shown(worker));
                                }
                            },
                            throwing());
        }

        @Override
        public void place(AdmittedView admitted, PlacementBuilder plan) {
            new Call(play, "plan", instance, "", null)
                    .run(
                            () -> {
                                compare(play, instance, copy, shown());
                                placeAll(admitted, plan);
                            },
                            () -> {
                                switch (play.draw(4)) {
                                    case 0 -> plan.place(0, 10_000, 1);
                                    case 1 -> plan.place(-1, 0, 1);
                                    case 2 -> plan.place(0, 0, 0);
                                    default -> plan.place(0, 0, admitted.count(0) + 1);
                                }
                            });
        }

        /** Places on the workers in turn, beginning with one that depends on the generation. */
        private void placeAll(AdmittedView admitted, PlacementBuilder plan) {
            int limit = workers.limit();
            long[] room = new long[limit];
            for (int worker = 0; worker < limit; worker++) {
                room[worker] = workers.present(worker) ? workers.free(worker, 0) / 1_000 : 0;
            }
            long sum = 0;
            for (long slots : room) {
                sum += slots;
            }
            int entry = 0;
            while (entry < admitted.size()) {
                int from = entry;
                long asked = 0;
                do {
                    asked += admitted.count(entry++);
                } while (admitted.gang(from) >= 0
                        && entry < admitted.size()
                        && admitted.gang(entry) == admitted.gang(from));
                boolean whole = asked <= sum;
                long most = whole ? asked : admitted.gang(from) >= 0 ? 0 : sum;
                sum -= most;
                for (int of = from; of < entry; of++) {
                    most -= place(admitted, plan, of, Math.min(most, admitted.count(of)), room);
                }
                if (!whole) {
                    plan.unplaced(from, "left out by generation " + play.generation(instance) + ".");
                }
            }
        }

        private long place(AdmittedView admitted, PlacementBuilder plan, int entry, long count, long[] room) {
            long missing = count;
            for (int nth = 0; nth < room.length && missing > 0; nth++) {
                int worker = (int) ((nth + play.generation(instance)) % room.length);
                int here = (int) Math.min(missing, room[worker]);
                if (here > 0) {
                    plan.place(entry, worker, here);
                    play.proposed(instance, admitted.job(entry).value(), admitted.group(entry), worker, here);
                    room[worker] -= here;
                    missing -= here;
                }
            }
            return count;
        }

        @Override
        public void close() {
            new Call(play, "close", instance, "", null).run(() -> {}, throwing());
        }
    }

    private record Distribution(String name, Play play) implements DistributionPolicyFactory {

        @Override
        public PolicyDescription describe() {
            return Played.describe(name, play);
        }

        @Override
        public DistributionPolicy create(PolicyConfiguration configuration, PolicyContext context)
                throws InvalidConfigurationException {
            return Played.create(
                    play,
                    configuration,
                    context,
                    instance -> demands -> Played.open(play, instance, () -> new Admitting(play, instance, demands)));
        }
    }

    private static final class Admitting implements AdmissionSession {
        private final Play play;
        private final long instance;
        private final DemandsView demands;
        private final List<List<Long>> copy = new ArrayList<>();

        private Admitting(Play play, long instance, DemandsView demands) {
            this.play = play;
            this.instance = instance;
            this.demands = demands;
            copy.addAll(shown());
        }

        private List<Long> shown(int unit) {
            List<Long> all = new ArrayList<>();
            for (int group = 0; demands.candidate(unit) && group < demands.groups(unit); group++) {
                all.add((long) demands.minimum(unit, group));
                all.add((long) demands.desired(unit, group));
                all.add((long) demands.allocated(unit, group));
            }
            return all;
        }

        private List<List<Long>> shown() {
            List<List<Long>> all = new ArrayList<>();
            for (int unit = 0; unit < demands.limit(); unit++) {
                all.add(shown(unit));
            }
            return all;
        }

        @Override
        public void delta(int[] changed) {
            new Call(play, "delta", instance, "", null)
                    .run(
                            () -> {
                                for (int unit : changed) {
                                    set(copy, unit, shown(unit));
                                }
                            },
                            throwing());
        }

        @Override
        public void admit(AdmissionBuilder result) {
            new Call(play, "plan", instance, "", null)
                    .run(
                            () -> {
                                compare(play, instance, copy, shown());
                                for (int unit = 0; unit < demands.limit(); unit++) {
                                    if (demands.candidate(unit)) {
                                        admit(unit, result);
                                    }
                                }
                            },
                            () -> result.admit(99, 0, 1));
        }

        private void admit(int unit, AdmissionBuilder result) {
            if (play.draw(8) == 0) {
                result.defer(unit, "deferred by generation " + play.generation(instance) + ".");
                return;
            }
            result.admitMinimum(unit);
            for (int group = 0; group < demands.groups(unit); group++) {
                int count = demands.desired(unit, group)
                        - Math.max(demands.minimum(unit, group), demands.allocated(unit, group));
                if (count > 0) {
                    result.admit(unit, group, count);
                }
            }
        }

        @Override
        public void close() {
            new Call(play, "close", instance, "", null).run(() -> {}, throwing());
        }
    }

    private record Scaling(String name, Play play) implements ScalingPolicyFactory {

        @Override
        public PolicyDescription describe() {
            return Played.describe(name, play);
        }

        @Override
        public ScalingPolicy create(PolicyConfiguration configuration, PolicyContext context)
                throws InvalidConfigurationException {
            return Played.create(
                    play,
                    configuration,
                    context,
                    instance -> job -> Played.open(play, instance, () -> new Advising(play, instance, job)));
        }
    }

    private record Advising(Play play, long instance, JobView job) implements ScalingSession {

        @Override
        public void delta() {
            new Call(play, "delta", instance, "", null).run(() -> {}, throwing());
        }

        @Override
        public void desire(ParallelismBuilder result) {
            new Call(play, "plan", instance, "", null)
                    .run(
                            () -> {
                                for (int vertex = 0; vertex < job.vertices(); vertex++) {
                                    result.parallelism(vertex, job.maximum(vertex));
                                }
                                result.reason("by generation " + play.generation(instance) + ".");
                            },
                            () -> result.parallelism(0, 99));
        }

        @Override
        public void judge(FeasibleChange change, JudgementBuilder result) {
            result.decline();
        }

        @Override
        public void close() {
            new Call(play, "close", instance, "", null).run(() -> {}, throwing());
        }
    }
}
