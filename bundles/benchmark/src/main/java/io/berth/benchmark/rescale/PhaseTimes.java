package io.berth.benchmark.rescale;

import io.berth.benchmark.measure.Figures;
import io.berth.benchmark.measure.Measuring;
import io.berth.benchmark.report.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** The phases of the same step in several runs, in milliseconds. */
public final class PhaseTimes {

    private static final String CONTROL_PLANE = "controlPlane";
    private static final String CPU = "cpu";
    private static final String EXECUTIONS = "executions";

    private final int stabilizationMillis;
    private final List<StepTimes> steps = new ArrayList<>();
    private final Figures costs = new Figures();

    /** @param stabilizationMillis that each step but a drain waits on purpose after the slots are there */
    public PhaseTimes(int stabilizationMillis) {
        this.stabilizationMillis = stabilizationMillis;
    }

    /** One step after a garbage collection. */
    public void add(Measuring measuring, Supplier<StepTimes> step) {
        measuring.once(costs, () -> steps.add(step.get()));
    }

    private static Stream<Moment> phases() {
        return Stream.of(Moment.values()).filter(moment -> moment != Moment.BEGUN);
    }

    /** The fields that {@link #report} adds for a table. */
    public static List<String> columns() {
        return Stream.concat(
                        phases().map(PhaseTimes::name),
                        Stream.of(CONTROL_PLANE, CONTROL_PLANE + "Max", CPU, EXECUTIONS))
                .toList();
    }

    private static String name(Moment end) {
        return end.name().toLowerCase(Locale.ROOT);
    }

    /** The median from the moment when all slots are there until all tasks run, without the wait on purpose. */
    public double controlPlane() {
        return Figures.median(controlPlanes());
    }

    private double[] controlPlanes() {
        return steps.stream()
                .mapToDouble(step -> step.sinceAvailable() - stabilizationMillis)
                .toArray();
    }

    /** Adds medians, and the most executions that one step took. */
    public void report(Report report) {
        phases().forEach(phase -> report.ratio(
                name(phase),
                Figures.median(
                        steps.stream().mapToDouble(step -> step.phase(phase)).toArray())));
        report.ratio(CONTROL_PLANE, controlPlane());
        report.ratio(
                CONTROL_PLANE + "Min", DoubleStream.of(controlPlanes()).min().orElseThrow());
        report.ratio(
                CONTROL_PLANE + "Max", DoubleStream.of(controlPlanes()).max().orElseThrow());
        report.ratio(CPU, costs.cpuNanos().median() / 1e6);
        report.number(
                EXECUTIONS, steps.stream().mapToInt(StepTimes::executions).max().orElseThrow());
    }
}
