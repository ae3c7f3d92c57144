package io.berth.benchmark;

import io.berth.benchmark.decision.Policies;
import io.berth.benchmark.measure.Measuring;
import io.berth.benchmark.report.Report;
import io.berth.benchmark.report.ReportTable;
import io.berth.benchmark.rescale.PhaseTimes;
import io.berth.benchmark.rescale.RescaleCluster;
import io.berth.benchmark.rescale.StepTimes;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.SystemClock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Measures rescales of a job by phase. */
@Command(
        name = "rescale",
        footer = {"", Benchmarks.HEAP},
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures what a rescale takes by phase: a ResourceManager, a JobMaster and a streaming job of three vertices in"
                    + " one process, with workers that start and end tasks at once. The parallelism goes from 2 to 3, 1, 4 and"
                    + " 2 times a base, with which the job has N subtasks or a few more at 4. At 4, a worker joins, whose"
                    + " slots the job uses, and leaves.",
            "Milliseconds, medians of the runs. requested: until the first worker is asked for slots. available: until the"
                    + " JobMaster has accepted all. stopped: until the first task is to end. ended: until all tasks of the"
                    + " previous execution have ended. built: until the execution graph is there and the first worker receives"
                    + " tasks. deployed: until the last one does. running: until the JobMaster knows that all run.",
            "controlPlane is the time from 'available', or from the beginning of a step that needs no slots, until 'running',"
                    + " without the stabilization, which is a wait on purpose. cpu is the processor time of all Java threads"
                    + " in a step. The aim of controlPlane is at most 100 ms with up to 1,000"
                    + " subtasks, and 1,000 ms with up to 10,000. executions is more than 1 if the job restarted in between."
        })
final class RescaleCommand implements Callable<Integer> {

    private static final int VERTICES = 3;
    private static final int HIGHEST = 4;
    private static final int MAX_SIZE = 100_000;
    private static final int MAX_RUNS = 10_000;
    private static final int MAX_WARM_MILLIS = 600_000;
    private static final int MAX_STABILIZATION_MILLIS = 60_000;

    private static final int SMALL = 1_000;
    private static final int LARGE = 10_000;
    private static final double SMALL_MILLIS = 100;
    private static final double LARGE_MILLIS = 1_000;

    private static final List<String> COLUMNS = Stream.of(
                    Stream.of("size", "step", "subtasks"), PhaseTimes.columns().stream(), Stream.of("aim"))
            .flatMap(names -> names)
            .toList();

    private final Clock clock = new SystemClock();

    @ParentCommand
    private Benchmarks benchmarks;

    @Spec
    private CommandSpec spec;

    @Mixin
    private StrategyOptions strategies;

    @Mixin
    private AimOptions aims;

    @Option(names = "--sizes", paramLabel = "N,N,...", description = "Numbers of subtasks. Default: 10,100,1000,10000")
    private String sizes = "10,100,1000,10000";

    @Option(names = "--slots", paramLabel = "N", description = "Slots of a worker: 1, 2 or 4. Default: 4")
    private int slots = HIGHEST;

    @Option(
            names = "--stabilization-ms",
            paramLabel = "MILLIS",
            description =
                    "How long the slots must not change before the job rescales. If it is too short, the job rescales"
                            + " before all slots are there. Default: 100")
    private int stabilizationMillis = 100;

    @Option(names = "--runs", paramLabel = "N", description = "Number of measured runs. Default: 5")
    private int runs = 5;

    @Option(
            names = "--warm-ms",
            paramLabel = "MILLIS",
            description = "Duration of the warm-up of each size, at least one run, in milliseconds. Default: 20000")
    private int warmMillis = 20_000;

    /** One kind of change, and the subtasks before and after it. */
    private record Step(String name, int before, int after) {

        String subtasks() {
            return before + "->" + after;
        }
    }

    @Override
    public Integer call() {
        List<Integer> chosen = sizes();
        if (slots != 1 && slots != 2 && slots != HIGHEST) {
            throw bad("--slots", Integer.toString(slots), "allowed are 1, 2 and 4");
        }
        within("--stabilization-ms", stabilizationMillis, 0, MAX_STABILIZATION_MILLIS);
        within("--runs", runs, 1, MAX_RUNS);
        within("--warm-ms", warmMillis, 0, MAX_WARM_MILLIS);
        Measuring measuring = new Measuring(clock, warmMillis, runs);
        String policy = strategies.chosen(spec).name();
        ReportTable table = new ReportTable(
                new Report()
                        .text("benchmark", "rescale")
                        .text("policy", policy)
                        .number("slotsOfWorker", slots)
                        .number("stabilizationMillis", stabilizationMillis)
                        .number("runs", runs),
                COLUMNS);
        boolean met = true;
        for (int size : chosen) {
            for (Map.Entry<Step, PhaseTimes> step : measured(measuring, size).entrySet()) {
                Report row = new Report()
                        .number("size", size)
                        .text("step", step.getKey().name())
                        .text("subtasks", step.getKey().subtasks());
                step.getValue().report(row);
                boolean within = isWithin(size, step.getValue().controlPlane());
                met &= within;
                table.add(row.text("aim", size > LARGE ? "none" : within ? "met" : "missed"));
            }
        }
        benchmarks.print(table);
        return aims.exitCode(met);
    }

    private static boolean isWithin(int size, double millis) {
        return size > LARGE || millis <= (size > SMALL ? LARGE_MILLIS : SMALL_MILLIS);
    }

    private Map<Step, PhaseTimes> measured(Measuring measuring, int size) {
        int base = (size + HIGHEST * VERTICES - 1) / (HIGHEST * VERTICES);
        Map<Step, PhaseTimes> measured = new LinkedHashMap<>();
        try (Policies policies = new Policies(strategies.chosen(spec), clock);
                RescaleCluster cluster = new RescaleCluster(
                        policies, clock, HIGHEST * base / slots, slots, 2 * base, stabilizationMillis)) {
            Cycle cycle = new Cycle(measuring, cluster, base);
            benchmarks.progress("warming up: " + HIGHEST * VERTICES * base + " subtasks");
            long begun = clock.nanos();
            do {
                cycle.run(new LinkedHashMap<>());
            } while (clock.nanos() - begun < measuring.warmMillis() * 1_000_000L);
            benchmarks.progress("measuring");
            for (int run = 0; run < measuring.runs(); run++) {
                cycle.run(measured);
            }
        }
        return measured;
    }

    /** All steps, which end where they begin. */
    private final class Cycle {

        private final Measuring measuring;
        private final RescaleCluster cluster;
        private final int base;

        Cycle(Measuring measuring, RescaleCluster cluster, int base) {
            this.measuring = measuring;
            this.cluster = cluster;
            this.base = base;
        }

        void run(Map<Step, PhaseTimes> measured) {
            scale(measured, 2, 3);
            scale(measured, 3, 1);
            scale(measured, 1, HIGHEST);
            int highest = VERTICES * HIGHEST * base;
            int more = highest + VERTICES * slots;
            add(measured, new Step("joins", highest, more), stabilizationMillis, cluster::join);
            add(measured, new Step("leaves", more, highest), 0, cluster::leave);
            scale(measured, HIGHEST, 2);
        }

        private void scale(Map<Step, PhaseTimes> measured, int before, int after) {
            add(
                    measured,
                    new Step(before + "->" + after, VERTICES * before * base, VERTICES * after * base),
                    stabilizationMillis,
                    () -> cluster.scale(after * base));
        }

        /** @param waitMillis that the step waits on purpose */
        private void add(Map<Step, PhaseTimes> measured, Step step, int waitMillis, Supplier<StepTimes> action) {
            measured.computeIfAbsent(step, first -> new PhaseTimes(waitMillis)).add(measuring, action);
        }
    }

    private List<Integer> sizes() {
        String allowed = "allowed are whole numbers from 1 to " + MAX_SIZE + " with commas between them";
        if (!sizes.matches("[0-9]{1,6}(,[0-9]{1,6})*")) {
            throw bad("--sizes", sizes, allowed);
        }
        List<Integer> chosen = Stream.of(sizes.split(",")).map(Integer::valueOf).toList();
        if (chosen.stream().anyMatch(size -> size < 1 || size > MAX_SIZE)) {
            throw bad("--sizes", sizes, allowed);
        }
        return chosen;
    }

    private void within(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw bad(option, Integer.toString(value), "allowed is a whole number from " + least + " to " + most);
        }
    }

    private ParameterException bad(String option, String value, String allowed) {
        return new ParameterException(spec.commandLine(), "option " + option + " is '" + value + "': " + allowed);
    }
}
