package io.berth.scaling.targetrate;

import io.berth.scaling.steps.StepsFactory;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.scaling.EdgeKind;
import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.spi.scaling.ScalingSession;
import io.berth.testkit.FixedConfiguration;
import io.berth.testkit.FixedContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Replays series of a load against {@code target-rate}, {@code steps}, a fixed peak, an oracle, and what is possible with
 * twelve rescales a day when one knows the future and may be behind for a hundredth of the time. It is not part of a
 * build: run {@code main} with CSV files with the columns timestamp and value, such as those of the Numenta Anomaly
 * Benchmark, {@code KEY=VALUE} for parameters of {@code target-rate}, and {@code at-best=no} to leave out what is possible,
 * which takes most of the time. The last rows are those of all series together: their sums, so a long series counts more.
 *
 * <p>The job is {@link ModelJob} with three vertices in one slot sharing group. The second one does most of the work; it
 * needs 20 tasks at the peak of the series. Between two values, the load is linear. The oracle has, in each minute, just
 * as many tasks as that minute needs, and rescales in no time.
 */
public final class LoadReplay {

    private static final int TASKS_AT_PEAK = 20;
    private static final int MAXIMUM = 64;
    private static final int DAY_MINUTES = 24 * 60;
    private static final String AT_BEST = "at-best";
    /** Limits of the row "at best". */
    private static final double RESCALES_A_DAY = 12;

    private static final double BEHIND = 0.01;

    /** Of all series together, by policy, in the order of the rows. */
    private final Map<String, Sums> sums = new LinkedHashMap<>();

    private LoadReplay() {}

    private static final class Sums {
        private long minutes;
        private double rescales;
        private double behindMinutes;
        private double slotHours;
        private double oracleHours;
        private double worst;
    }

    public static void main(String[] arguments) throws IOException, InvalidConfigurationException {
        Map<String, String> parameters = new TreeMap<>();
        for (String argument : arguments) {
            if (argument.contains("=")) {
                parameters.put(argument.split("=")[0], argument.split("=")[1]);
            }
        }
        boolean bound = !"no".equals(parameters.remove(AT_BEST));
        System.out.printf(
                Locale.ROOT,
                "%-34s %-12s %14s %14s %16s %12s%n",
                "series",
                "policy",
                "rescales a day",
                "behind, % time",
                "slot-h / oracle",
                "backlog, s");
        LoadReplay replay = new LoadReplay();
        int series = 0;
        for (String argument : arguments) {
            if (!argument.contains("=")) {
                replay.replay(Path.of(argument), parameters, bound);
                series++;
            }
        }
        if (series > 1) {
            String name = "all " + series + " series";
            replay.sums.forEach((policy, sum) -> print(name, policy, sum));
        }
    }

    private void add(String series, String policy, Sums one) {
        print(series, policy, one);
        Sums sum = sums.computeIfAbsent(policy, first -> new Sums());
        sum.minutes += one.minutes;
        sum.rescales += one.rescales;
        sum.behindMinutes += one.behindMinutes;
        sum.slotHours += one.slotHours;
        sum.oracleHours += one.oracleHours;
        sum.worst = Math.max(sum.worst, one.worst);
    }

    private static void print(String series, String policy, Sums sum) {
        System.out.printf(
                Locale.ROOT,
                "%-34s %-12s %14.1f %14.2f %16.2f %12.0f%n",
                series,
                policy,
                sum.rescales * DAY_MINUTES / sum.minutes,
                100.0 * sum.behindMinutes / sum.minutes,
                sum.slotHours / sum.oracleHours,
                sum.worst);
    }

    private static Sums sums(double[] load, double oracleHours) {
        Sums sums = new Sums();
        sums.minutes = load.length;
        sums.oracleHours = oracleHours;
        return sums;
    }

    private void replay(Path series, Map<String, String> parameters, boolean bound)
            throws IOException, InvalidConfigurationException {
        double[] load = minutes(series);
        double peak = Arrays.stream(load).max().orElseThrow();
        double perTask = peak / TASKS_AT_PEAK;
        double oracle = Arrays.stream(load)
                        .map(value -> Math.max(1, Math.ceil(value / perTask)))
                        .sum()
                / 60;
        String name = String.valueOf(series.getFileName());
        run(name, "target-rate", new TargetRateFactory(), parameters, load, perTask, oracle);
        run(name, "steps", new StepsFactory(), Map.of(), load, perTask, oracle);
        Sums peaks = sums(load, oracle);
        peaks.slotHours = TASKS_AT_PEAK * load.length / 60.0;
        add(name, "peak", peaks);
        if (bound) {
            Sums best = sums(load, oracle);
            best.rescales = RESCALES_A_DAY * load.length / DAY_MINUTES;
            best.behindMinutes = BEHIND * load.length;
            best.slotHours = atBest(load, perTask) / 60;
            // Not for all together, as a plan could take from one series what it gives another.
            print(name, "at best", best);
        }
    }

    /** Task minutes that no plan within the limits undercuts, whatever it knows. */
    private static double atBest(double[] load, double perTask) {
        int step = 5;
        int[][] minutesByNeed = new int[load.length / step][TASKS_AT_PEAK + 1];
        for (int minute = 0; minute < minutesByNeed.length * step; minute++) {
            minutesByNeed[minute / step][
                    (int) Math.min(TASKS_AT_PEAK, Math.max(1, Math.ceil(load[minute] / perTask)))]++;
        }
        return new FewRescales(minutesByNeed, step, DAY_MINUTES / step)
                .taskMinutes(Math.floor(RESCALES_A_DAY * load.length / DAY_MINUTES), BEHIND * load.length);
    }

    private void run(
            String series,
            String policy,
            ScalingPolicyFactory factory,
            Map<String, String> parameters,
            double[] load,
            double perTask,
            double oracle)
            throws InvalidConfigurationException {
        ModelJob job = new ModelJob(
                MAXIMUM, new double[] {perTask * 4, perTask, perTask * 3}, new double[] {1, 1, 0}, EdgeKind.HASH);
        double worst = 0;
        try (ScalingSession session = factory.create(
                        FixedConfiguration.of(factory.describe(), parameters), FixedContext.of("job replay"))
                .open(job.view())) {
            for (double value : load) {
                job.run(session, 1, minute -> value);
                worst = Math.max(worst, job.backlog() / Math.max(1e-9, value));
            }
        }
        Sums one = sums(load, oracle);
        one.rescales = job.rescales();
        one.behindMinutes = job.behindMinutes();
        one.slotHours = job.slotHours();
        one.worst = worst;
        add(series, policy, one);
    }

    /** The load of each minute. */
    private static double[] minutes(Path series) throws IOException {
        List<String> lines = Files.readAllLines(series);
        List<String> rows = lines.subList(1, lines.size());
        int step = (int) Math.max(
                1, Duration.between(time(rows.get(0)), time(rows.get(1))).toMinutes());
        double[] load = new double[(rows.size() - 1) * step];
        for (int minute = 0; minute < load.length; minute++) {
            double from = value(rows.get(minute / step));
            double to = value(rows.get(minute / step + 1));
            load[minute] = Math.max(1, from + (to - from) * (minute % step) / step);
        }
        return load;
    }

    private static LocalDateTime time(String row) {
        return LocalDateTime.parse(row.split(",")[0].replace(' ', 'T'));
    }

    private static double value(String row) {
        return Double.parseDouble(row.split(",")[1]);
    }
}
