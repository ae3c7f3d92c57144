package io.berth.ops.cli.process;

import io.berth.ops.cli.console.CommandGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Replays a trace under combinations of policies, in a process of its own. That process checks the options. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        description = {
            "Compares policies on a trace, without a cluster: replays the jobs on the nodes in virtual time under each"
                    + " combination of the policies, and shows a line for each.",
            "* marks the best value of a column. rejected counts the results of the policies that broke a rule: the"
                    + " default policy decided in their place.",
            "Exit code 0: slots were conserved, 1: they were not."
        })
public final class PolicyCompareCommand implements Callable<Integer> {

    @ParentCommand
    private CommandGroup group;

    @Option(
            names = "--jobs",
            paramLabel = "FILE",
            description = "The trace of jobs: Berth's own table, a pod list of openb, a log in the Standard Workload "
                    + "Format, or a sample of SWIM; plain or packed by gzip or xz")
    private Optional<String> jobs = Optional.empty();

    @Option(
            names = "--policy",
            paramLabel = "KIND=LIST",
            description = "matching=LIST and distribution=LIST, with commas in LIST: what is combined. "
                    + "NAME:KEY=VALUE:KEY=VALUE sets parameters. Default: first-fit and fifo")
    private List<String> policies = new ArrayList<>();

    @Option(
            names = "--svg",
            paramLabel = "FILE.svg",
            description = "Draws the table, with a bar for each combination. Default: not drawn")
    private Optional<String> svg = Optional.empty();

    @Mixin
    private ReplayOptions replay = new ReplayOptions();

    @Override
    public Integer call() {
        ToolProcess simulator = new ToolProcess(group.console(), "simulator");
        simulator.give("compare");
        simulator.give("--jobs", jobs);
        simulator.give("--policy", policies);
        simulator.give("--svg", svg);
        replay.addTo(simulator);
        return simulator.run();
    }
}
