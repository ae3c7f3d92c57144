package io.berth.ops.cli.cluster;

import io.berth.ops.cli.console.CommandGroup;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** Sets and removes labels of a worker. */
@Command(
        name = "label",
        mixinStandardHelpOptions = true,
        description =
                "Sets or removes labels of a worker, which constraints of jobs refer to. They last until the worker ends.")
public final class WorkerLabelCommand implements Callable<Integer> {

    @ParentCommand
    private CommandGroup group;

    @Mixin
    private WorkerLabelling change = new WorkerLabelling();

    @Override
    public Integer call() {
        return change.change(group.console(), "labels");
    }
}
