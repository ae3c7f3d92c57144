package io.berth.benchmark;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.SystemClock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** Measures decisions of one matching strategy. */
@Command(
        name = "matching",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures what a decision of a matching strategy costs, through the policy host: demands are told, admitted by"
                    + " fifo, placed, validated and recorded. All slots of ten jobs are placed on idle workers at once."
        })
final class MatchingCommand implements Callable<Integer> {

    private final Clock clock = new SystemClock();

    @ParentCommand
    private Benchmarks benchmarks;

    @Mixin
    private Options options;

    @Override
    public Integer call() {
        Workload workload = options.workload();
        Policies.factory(options.policy());
        benchmarks.progress("warming up " + options.policy() + ": " + options.describe());
        try (Policies policies = new Policies(options.policy(), clock);
                Pool pool = new Pool(policies, options.policy())) {
            options.warm(clock, policies);
            WholeDecision decision = new WholeDecision(workload, pool);
            Figures figures = options.measuring(clock).measure(decision);
            benchmarks.print(options.stated("matching")
                    .spread("cpuNanosPerSlot", figures.cpuNanos(), workload.requests())
                    .spread("bytesPerSlot", figures.bytes(), workload.requests())
                    .spread("cpuMillis", figures.cpuNanos(), 1e6)
                    .spread("wallMillis", figures.wallNanos(), 1e6)
                    .number("runs", figures.runs())
                    .number("unplaced", decision.unplaced())
                    .number("workersUsed", decision.workersUsed())
                    .number("lowerBound", workload.lowerBound()));
        }
        return 0;
    }
}
