package io.berth.ops.shell.policy;

import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.operations.PolicyOperations.DecisionDetails;
import io.berth.core.api.operations.PolicyOperations.DecisionFilter;
import io.berth.ops.shell.console.Answers;
import io.berth.ops.shell.console.JobIdCompleter;
import io.berth.ops.shell.console.PolicyKindCompleter;
import io.berth.ops.shell.console.PolicyNameCompleter;
import io.berth.ops.shell.console.PoolCompleter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.table.ShellTable;
import org.jspecify.annotations.Nullable;

/** List the last decisions, newest first. */
@Service
@Command(scope = "berth", name = "decision-list", description = "List the last decisions, newest first")
public final class DecisionListCommand implements Action {

    @Reference
    private PolicyOperations policyOperations;

    @Option(name = "--kind", description = "Only those in which a policy of this kind took part")
    @Completion(PolicyKindCompleter.class)
    private String kind = "";

    @Option(name = "--policy", description = "Only those in which this policy took part")
    @Completion(PolicyNameCompleter.class)
    private String policy = "";

    @Option(name = "--generation", description = "Only those in which this generation of a policy took part")
    private long generation;

    @Option(name = "--pool", description = "Only those for this pool")
    @Completion(PoolCompleter.class)
    private String pool = "";

    @Option(name = "--after", description = "Only those with a higher number")
    private long after;

    @Option(name = "--job", description = "Only those that concern this job")
    @Completion(JobIdCompleter.class)
    private String job = "";

    @Option(name = "--limit", description = "At most this number")
    private int limit = 20;

    @Option(name = "-j", aliases = "--json", description = "Print JSON")
    private boolean json;

    @Override
    public @Nullable Object execute() throws Exception {
        List<DecisionDetails> decisions = policyOperations.decisions(new DecisionFilter(
                kind.isEmpty() ? Optional.empty() : Optional.of(Answers.kind(kind)),
                Optional.of(policy).filter(name -> !name.isEmpty()),
                generation == 0 ? OptionalLong.empty() : OptionalLong.of(generation),
                Optional.of(job).filter(id -> !id.isEmpty()),
                Optional.of(pool).filter(name -> !name.isEmpty()),
                after,
                limit));
        if (json) {
            Answers.print(decisions);
            return null;
        }
        ShellTable table = Answers.table("Number", "Owner", "State", "Policies", "Jobs", "Results", "Reasons");
        for (DecisionDetails decision : decisions) {
            table.addRow()
                    .addContent(
                            decision.number(),
                            decision.owner(),
                            decision.stateNumber(),
                            decision.policies().stream()
                                    .map(stamp -> stamp.kind().label() + " " + stamp.name() + " " + stamp.version()
                                            + " generation " + stamp.generation())
                                    .collect(Collectors.joining(", ")),
                            String.join(", ", decision.jobs()),
                            String.join("; ", decision.results()),
                            String.join("; ", decision.reasons()));
        }
        table.print(Answers.out());
        return null;
    }
}
