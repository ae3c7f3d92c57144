package io.berth.ops.cli.process;

import io.berth.ops.cli.console.CommandGroup;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Gives the policies of a jar their score card, in a process of its own. That process checks the options. */
@Command(
        name = "test",
        mixinStandardHelpOptions = true,
        description = {
            "Gives the policies of a bundle their score card, without a cluster: correctness, determinism, monotonicity,"
                    + " starvation, quality against bounds, a trace of jobs, and cost on 100 to 100000 workers.",
            "Each point that is lost has a reason, and the command that repeats it.",
            "Exit code 0: all points, 1: points were lost, 2: bad input."
        })
public final class PolicyTestCommand implements Callable<Integer> {

    @ParentCommand
    private CommandGroup group;

    @Parameters(paramLabel = "JAR", description = "The bundle of the policies")
    private String jar = "";

    @Option(names = "--policy", paramLabel = "NAME", description = "Only this policy of the bundle. Default: all")
    private Optional<String> policy = Optional.empty();

    @Option(names = "--seed", paramLabel = "N", description = "The first seed of random inputs. Default: 0")
    private Optional<String> seed = Optional.empty();

    @Option(names = "--seeds", paramLabel = "N", description = "How many seeds. Default: 300")
    private Optional<String> seeds = Optional.empty();

    @Option(
            names = "--nodes",
            paramLabel = "FILE",
            description =
                    "The nodes of the trace that is replayed, as for 'berth policy compare'. Default: a small example")
    private Optional<String> nodes = Optional.empty();

    @Option(names = "--jobs", paramLabel = "FILE", description = "Its jobs, with --nodes")
    private Optional<String> jobs = Optional.empty();

    @Option(names = "--quick", description = "Measures the cost on 100 and 1000 workers only")
    private boolean quick;

    @Option(
            names = "--limit",
            paramLabel = "SECONDS",
            description = "A check that does not end is cut after so long. Default: 300")
    private Optional<String> limit = Optional.empty();

    @Override
    public Integer call() {
        ToolProcess scoreCard = new ToolProcess(group.console(), "scorecard");
        scoreCard.give(jar);
        scoreCard.give("--policy", policy);
        scoreCard.give("--seed", seed);
        scoreCard.give("--seeds", seeds);
        scoreCard.give("--nodes", nodes);
        scoreCard.give("--jobs", jobs);
        scoreCard.give("--quick", quick);
        scoreCard.give("--limit", limit);
        return scoreCard.run();
    }
}
