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
import java.util.function.LongConsumer;

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

    private static final long DAY_MILLIS = 86_400_000;

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

    /** Sometimes asks for a review, or for two. */
    static void review(Play play, LongConsumer result) {
        for (int asked = play.draw(5); asked > 2; asked--) {
            long millis = switch (play.draw(8)) {
                case 0 -> 1;
                case 1 -> DAY_MILLIS;
                default -> 50 + play.draw(500);
            };
            result.accept(millis);
            play.answer().review(millis);
        }
    }

    /** Asks for a review at a time that is not allowed. */
    static void badReview(Play play, LongConsumer result) {
        long[] wrong = {0, -1, DAY_MILLIS + 1};
        result.accept(wrong[play.draw(wrong.length)]);
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
            return Played.create(
                    play, configuration, context, instance -> new Strategy(play, instance, play.draw(2) == 0));
        }
    }

    private record Strategy(Play play, long instance, boolean usesAllocations) implements MatchingStrategy {

        @Override
        public PlacementSession openPlacement(WorkersView workers) {
            return Played.open(play, instance, () -> new Placing(play, instance, workers, usesAllocations));
        }

        @Override
        public AssignmentSession openAssignment() {
            return (input, result) -> new Call(play, "plan", instance, "", null)
                    .run(
                            () -> {
                                result.assign(0, 0);
                                review(play, result::reviewAfter);
                            },
                            () -> {
                                result.assign(0, 0);
                                switch (play.draw(3)) {
                                    case 0 -> result.assign(0, 0);
                                    case 1 -> result.assign(77, 0);
                                    default -> badReview(play, result::reviewAfter);
                                }
                            });
        }
    }

    private static final class Placing implements PlacementSession {
        private final Play play;
        private final long instance;
        private final WorkersView workers;
        private final boolean usesSlots;
        private final List<List<Long>> copy = new ArrayList<>();

        private Placing(Play play, long instance, WorkersView workers, boolean usesSlots) {
            this.play = play;
            this.instance = instance;
            this.workers = workers;
            this.usesSlots = usesSlots;
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
                                placement(admitted, plan).byTheRules(usesSlots);
                            },
                            () -> placement(admitted, plan).withOneRuleBroken(usesSlots));
        }

        private PlayedPlacement placement(AdmittedView admitted, PlacementBuilder plan) {
            return new PlayedPlacement(play, instance, workers, admitted, plan);
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
                                new PlayedAdmission(play, instance, demands, result).byTheRules();
                            },
                            () -> new PlayedAdmission(play, instance, demands, result).withOneRuleBroken());
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
                                desireAll(result);
                                review(play, result::reviewAfter);
                            },
                            () -> {
                                desireAll(result);
                                if (play.draw(2) == 0) {
                                    result.parallelism(0, 99);
                                } else {
                                    badReview(play, result::reviewAfter);
                                }
                            });
        }

        private void desireAll(ParallelismBuilder result) {
            play.answer().sees(job.stateNumber());
            for (int vertex = 0; vertex < job.vertices(); vertex++) {
                result.parallelism(vertex, job.maximum(vertex));
            }
            result.reason("by generation " + play.generation(instance) + ".");
        }

        @Override
        public void judge(FeasibleChange change, JudgementBuilder result) {
            result.decline();
            review(play, result::reviewAfter);
        }

        @Override
        public void close() {
            new Call(play, "close", instance, "", null).run(() -> {}, throwing());
        }
    }
}
