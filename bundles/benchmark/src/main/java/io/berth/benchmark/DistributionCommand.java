package io.berth.benchmark;

import io.berth.benchmark.admission.AdmissionCalls;
import io.berth.benchmark.admission.AdmissionCalls.Situation;
import io.berth.benchmark.measure.Figures;
import io.berth.benchmark.measure.Measuring;
import io.berth.benchmark.report.Report;
import io.berth.benchmark.report.ReportTable;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.SystemClock;
import io.berth.simulator.policies.ChosenPolicy;
import io.berth.simulator.policies.PoliciesOfKind;
import io.berth.simulator.policies.PolicyJar;
import io.berth.spi.distribution.DistributionPolicyFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Measures calls of a distribution policy. */
@Command(
        name = "distribution",
        footer = {"", Benchmarks.HEAP},
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures one call of a distribution policy after one unit changed: the delta, and what it admits, on the tables"
                    + " of the policy host and checked by it, without a host and with the defaults of the policy. A decision"
                    + " has one such call, or a few.",
            "arrival: all units run, and one more waits, for which there is room. backlog: a tenth of the units runs, the"
                    + " others wait, and there is room for one. policyCpuMicros and policyBytes are a call without what the"
                    + " measurement itself takes."
        })
final class DistributionCommand implements Callable<Integer> {

    private static final int MAX_UNITS = 1_000_000;
    /** As many as a pool may have, with those above them. */
    private static final int MAX_QUEUES = 900;

    private static final int MAX_RUNS = 10_000;
    private static final int MAX_WARM_MILLIS = 600_000;
    private static final List<String> COLUMNS =
            List.of("situation", "units", "callCpuMicros", "policyCpuMicros", "policyBytes", "admitted", "deferred");

    private final Clock clock = new SystemClock();

    @ParentCommand
    private Benchmarks benchmarks;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            description =
                    "Distribution policy: one of this release or of the bundles. Default: that of the bundles, or fifo")
    private Optional<String> policy = Optional.empty();

    @Option(
            names = "--bundle",
            paramLabel = "JAR",
            description = "A bundle with distribution policies, beside those of this release; may come again")
    private List<Path> bundles = new ArrayList<>();

    @Option(names = "--units", paramLabel = "N,N,...", description = "Numbers of units. Default: 1000,10000")
    private String units = "1000,10000";

    @Option(
            names = "--queues",
            paramLabel = "N",
            description =
                    "Queues to which the units belong, below others in a tree of two levels, with guarantees; 0: only"
                            + " the root. Default: 0")
    private int queues;

    @Option(names = "--runs", paramLabel = "N", description = "Number of measured runs. Default: 15")
    private int runs = 15;

    @Option(
            names = "--warm-ms",
            paramLabel = "MILLIS",
            description = "Duration of each warm-up, in milliseconds. Default: 5000")
    private int warmMillis = 5_000;

    @Override
    public Integer call() {
        List<Integer> sizes = sizes();
        within("--queues", queues, 0, MAX_QUEUES);
        Measuring measuring = new Measuring(
                clock, within("--warm-ms", warmMillis, 0, MAX_WARM_MILLIS), within("--runs", runs, 1, MAX_RUNS));
        ChosenPolicy<DistributionPolicyFactory> chosen = chosen();
        ReportTable table = new ReportTable(
                new Report()
                        .text("benchmark", "distribution")
                        .text("policy", chosen.name())
                        .number("queues", queues)
                        .number("runs", runs),
                COLUMNS);
        for (int size : sizes) {
            for (Situation situation : Situation.values()) {
                benchmarks.progress(chosen.name() + ": " + situation + ", " + size + " units");
                table.add(measured(measuring, chosen.factory(), situation, size));
            }
        }
        benchmarks.print(table);
        return 0;
    }

    private Report measured(Measuring measuring, DistributionPolicyFactory factory, Situation situation, int size) {
        try (AdmissionCalls calls = AdmissionCalls.of(factory, situation, size, queues);
                AdmissionCalls without = AdmissionCalls.without(situation, size, queues)) {
            Figures called = measuring.measure(calls);
            Figures harness = measuring.measure(without);
            double micros = 1e3 * calls.calls();
            return new Report()
                    .text("situation", situation.name())
                    .number("units", size)
                    .spread("callCpuMicros", called.cpuNanos(), micros)
                    .number("harnessCpuMicros", harness.cpuNanos().median() / micros)
                    .number(
                            "policyCpuMicros",
                            (called.cpuNanos().median() - harness.cpuNanos().median()) / micros)
                    .number(
                            "policyBytes",
                            (double) (called.bytes().median() - harness.bytes().median()) / calls.calls())
                    .number("admitted", calls.admitted())
                    .number("deferred", calls.deferred())
                    .number("callsPerRun", calls.calls());
        }
    }

    private ChosenPolicy<DistributionPolicyFactory> chosen() {
        try {
            PoliciesOfKind<DistributionPolicyFactory> known = PoliciesOfKind.distribution(bundles.stream()
                    .map(bundle -> PolicyJar.read(bundle).withDistributionPolicy())
                    .toList());
            return known.named(policy.orElseGet(known::usual));
        } catch (IllegalArgumentException bad) {
            throw new ParameterException(spec.commandLine(), bad.getMessage(), bad);
        }
    }

    private List<Integer> sizes() {
        if (!units.matches("[0-9]{1,7}(,[0-9]{1,7})*")) {
            throw new ParameterException(
                    spec.commandLine(),
                    "option --units is '" + units + "': allowed are whole numbers from 1 to " + MAX_UNITS
                            + " with commas between them");
        }
        return Stream.of(units.split(","))
                .map(Integer::valueOf)
                .map(size -> within("--units", size, 1, MAX_UNITS))
                .toList();
    }

    private int within(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    spec.commandLine(),
                    "option " + option + " has '" + value + "': allowed is a whole number from " + least + " to "
                            + most);
        }
        return value;
    }
}
