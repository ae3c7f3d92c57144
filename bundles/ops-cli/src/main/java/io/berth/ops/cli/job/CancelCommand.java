package io.berth.ops.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.Console;
import io.berth.ops.cli.console.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Ends a job. */
@Command(name = "cancel", mixinStandardHelpOptions = true, description = "Ends a job.")
public final class CancelCommand implements Callable<Integer> {

    @ParentCommand
    private Console berth;

    @Parameters(paramLabel = "ID", description = "Id of the job, as 'berth jobs' lists it")
    private String id = "";

    @Override
    public Integer call() {
        Api api = berth.api();
        JsonNode answer = api.post("jobs/" + Api.encode(id) + "/cancel", "application/json", "");
        berth.print(api, answer, ignored -> berth.terminal().out().println("Job " + id + " is being canceled"));
        return ExitCode.DONE;
    }
}
