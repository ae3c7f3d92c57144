package io.berth.ops.shell.console;

import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.completers.StringsCompleter;

/** Completes names of policies; only those of a kind if the argument before names one. */
@Service
public final class PolicyNameCompleter implements Completer {

    @Reference
    private PolicyOperations policyOperations;

    @Override
    public int complete(Session session, CommandLine line, List<String> candidates) {
        List<String> before = List.of(line.getArguments());
        List<String> names = policyOperations.policies().stream()
                .filter(policy -> before.stream().noneMatch(Answers.kinds()::contains)
                        || before.contains(policy.kind().label()))
                .map(PolicyDetails::name)
                .distinct()
                .toList();
        return new StringsCompleter(names).complete(session, line, candidates);
    }
}
