package io.berth.ops.cli.cluster;

import io.berth.ops.cli.console.CommandGroup;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** Sets and removes taints of a worker. */
@Command(
        name = "taint",
        mixinStandardHelpOptions = true,
        description =
                "Sets or removes taints of a worker: slots are kept away whose group does not tolerate them. They last until the worker ends.")
public final class WorkerTaintCommand implements Callable<Integer> {

    @ParentCommand
    private CommandGroup group;

    @Mixin
    private WorkerLabelling change = new WorkerLabelling();

    @Override
    public Integer call() {
        return change.change(group.console(), "taints");
    }
}
