package io.berth.ops.shell.console;

import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.operations.PolicyOperations.DecisionFilter;
import java.util.List;
import java.util.Optional;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.completers.StringsCompleter;

/** Completes numbers of the last decisions. */
@Service
public final class DecisionNumberCompleter implements Completer {

    private static final int MAX_COUNT = 50;

    @Reference
    private PolicyOperations policyOperations;

    @Override
    public int complete(Session session, CommandLine line, List<String> candidates) {
        List<String> numbers =
                policyOperations
                        .decisions(new DecisionFilter(Optional.empty(), Optional.empty(), Optional.empty(), MAX_COUNT))
                        .stream()
                        .map(decision -> Long.toString(decision.number()))
                        .toList();
        return new StringsCompleter(numbers).complete(session, line, candidates);
    }
}
