package io.berth.ops.cli.cluster;

import io.berth.ops.cli.console.Console;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Sets and removes labels of a worker. */
@Command(
        name = "worker-label",
        mixinStandardHelpOptions = true,
        description =
                "Sets or removes labels of a worker, which constraints of jobs refer to. They last until the worker ends.")
public final class WorkerLabelCommand implements Callable<Integer> {

    @ParentCommand
    private Console berth;

    @Parameters(
            index = "0",
            paramLabel = "WORKER",
            description = "Id or address, HOST:PORT, as 'berth workers' lists it; or HOST for all workers there")
    private String worker = "";

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "KEY=VALUE|KEY-",
            description = "Sets the label; KEY- removes it")
    private List<String> changes = new ArrayList<>();

    @Override
    public Integer call() {
        return WorkerLabelling.change(berth, worker, "labels", changes);
    }
}
