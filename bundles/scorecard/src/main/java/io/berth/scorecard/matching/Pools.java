package io.berth.scorecard.matching;

import io.berth.scorecard.check.Check;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.ResourceProfile;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import io.berth.testkit.ArrayAdmittedView;
import io.berth.testkit.ArrayWorkersView;
import io.berth.testkit.FixedConfiguration;
import io.berth.testkit.FixedContext;
import io.berth.testkit.RecordedPlacement;
import io.berth.testkit.rules.Expect;
import io.berth.testkit.rules.Seeds;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/** Small random pools on which a strategy places slots. */
final class Pools {

    private static final int MINUTES = 60;
    private static final int MINUTE_MILLIS = 60_000;
    private static final double MAX_RATIO = 1.7;

    private final MatchingStrategyFactory factory;
    private final Seeds seeds;

    Pools(MatchingStrategyFactory factory, Seeds seeds) {
        this.factory = factory;
        this.seeds = seeds;
    }

    /** A session of an instance of its own, with the defaults. */
    static PlacementSession open(MatchingStrategyFactory factory, WorkersView workers)
            throws InvalidConfigurationException {
        return factory.create(FixedConfiguration.of(factory.describe(), Map.of()), FixedContext.of("pool default"))
                .openPlacement(workers);
    }

    private RecordedPlacement place(ArrayWorkersView workers, ArrayAdmittedView admitted)
            throws InvalidConfigurationException {
        try (PlacementSession session = open(factory, workers)) {
            RecordedPlacement plan = new RecordedPlacement(workers);
            session.place(admitted, plan);
            return plan;
        }
    }

    /** Cores from 1, and memory for as many slots of one core. */
    private static ResourceProfile cores(int number) {
        return ResourceProfile.of(1_000L * number, 100L * number);
    }

    private static ArrayWorkersView workers(Random random) {
        ArrayWorkersView workers = new ArrayWorkersView();
        for (int count = 1 + random.nextInt(6); count > 0; count--) {
            workers.worker(cores(2 + random.nextInt(7)));
        }
        return workers;
    }

    /** @param entries how many; the first one is always the same for a seed */
    private static ArrayAdmittedView entries(int seed, ArrayWorkersView workers, int entries) {
        Random random = Seeds.random(~seed);
        ArrayAdmittedView admitted = new ArrayAdmittedView(workers);
        for (int entry = 0; entry < entries; entry++) {
            admitted.add("job-" + entry, cores(1 + random.nextInt(3)), 1 + random.nextInt(12));
        }
        return admitted;
    }

    void placesNoLessOfTheFirstEntryOnOneWorkerMore() throws InvalidConfigurationException {
        seeds.each(seed -> {
            Random random = Seeds.random(seed);
            ArrayWorkersView workers = workers(random);
            int entries = 1 + random.nextInt(4);
            int before = place(workers, entries(seed, workers, entries)).placed(0);
            workers.worker(cores(2 + random.nextInt(7)));
            int after = place(workers, entries(seed, workers, entries)).placed(0);
            Expect.that(
                    after >= before,
                    "places %s slots of the first entry on %s workers, and only %s when there is one more",
                    before,
                    workers.limit() - 1,
                    after);
        });
    }

    void placesNoLessOfTheFirstEntryWithoutTheOthers() throws InvalidConfigurationException {
        seeds.each(seed -> {
            ArrayWorkersView workers = workers(Seeds.random(seed));
            int beside = place(workers, entries(seed, workers, 4)).placed(0);
            int alone = place(workers, entries(seed, workers, 1)).placed(0);
            Expect.that(
                    alone >= beside,
                    "places %s slots of the first entry beside others, and only %s when it is alone",
                    beside,
                    alone);
        });
    }

    /** A decision each minute. The host lets a gang be left out on purpose, but not forever. */
    void placesAGangThatFitsWithinAnHour() throws InvalidConfigurationException {
        seeds.oneIn(10).each(seed -> {
            ArrayWorkersView workers = workers(Seeds.random(seed));
            int room = 0;
            for (int worker = 0; worker < workers.limit(); worker++) {
                room += (int) (workers.free(worker, 0) / 1_000);
            }
            int gang = 1 + room / 2;
            try (PlacementSession session = open(factory, workers)) {
                for (int minute = 0; minute < MINUTES; minute++) {
                    workers.now((long) minute * MINUTE_MILLIS).wallTime((long) minute * MINUTE_MILLIS);
                    session.delta(new int[0]);
                    RecordedPlacement plan = new RecordedPlacement(workers);
                    session.place(new ArrayAdmittedView(workers).add("gang", cores(1), gang, 0), plan);
                    if (plan.placed(0) == gang) {
                        return;
                    }
                }
            }
            Expect.that(false, "a gang of %s slots is not placed in %s minutes, with room for %s", gang, MINUTES, room);
        });
    }

    Check.Found fillsThePool() throws InvalidConfigurationException {
        int[] sums = new int[2];
        seeds.each(seed -> {
            ArrayWorkersView workers = workers(Seeds.random(seed));
            int room = 0;
            for (int worker = 0; worker < workers.limit(); worker++) {
                room += (int) (workers.free(worker, 0) / 1_000);
            }
            RecordedPlacement plan = place(
                    workers,
                    new ArrayAdmittedView(workers)
                            .add("a", cores(1), 1 + room / 2)
                            .add("b", cores(1), room));
            int placed = plan.placed(0) + plan.placed(1);
            sums[0] += placed;
            sums[1] += room;
            Expect.that(placed == room, "places %s slots of one core on %s free cores, where more wait", placed, room);
        });
        return Check.Found.of(sums[0] + " of " + sums[1] + " slots");
    }

    Check.Found opensFewWorkers() throws InvalidConfigurationException {
        double[] worst = {1};
        seeds.each(seed -> {
            Random random = Seeds.random(seed);
            int size = 4 + random.nextInt(5);
            ArrayWorkersView workers = new ArrayWorkersView().spec(cores(size), 1_000);
            ArrayAdmittedView admitted = new ArrayAdmittedView(workers);
            int volume = 0;
            int slots = 0;
            for (int entry = 0; entry < 4; entry++) {
                int cores = 1 + random.nextInt(size / 2);
                int count = 1 + random.nextInt(15);
                admitted.add("job-" + entry, cores(cores), count);
                volume += cores * count;
                slots += count;
            }
            RecordedPlacement plan = place(workers, admitted);
            int placed =
                    plan.runs().stream().mapToInt(RecordedPlacement.Run::count).sum();
            int bound = (volume + size - 1) / size;
            int opened = plan.opened().size();
            worst[0] = Math.max(worst[0], (double) opened / bound);
            Expect.that(placed == slots, "places %s of %s slots, where new workers could be started", placed, slots);
            Expect.that(
                    opened <= MAX_RATIO * bound + 1,
                    "opens %s workers for slots whose volume needs %s: at most %s times as many and one more are allowed",
                    opened,
                    bound,
                    MAX_RATIO);
        });
        return Check.Found.of(String.format(Locale.ROOT, "at most %.2f times the bound", worst[0]));
    }
}
