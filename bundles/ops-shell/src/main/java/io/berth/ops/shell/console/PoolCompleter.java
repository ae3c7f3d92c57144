package io.berth.ops.shell.console;

import io.berth.core.api.operations.PolicyOperations;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.completers.StringsCompleter;

/** Completes names of pools. */
@Service
public final class PoolCompleter implements Completer {

    @Reference
    private PolicyOperations policyOperations;

    @Override
    public int complete(Session session, CommandLine line, List<String> candidates) {
        return new StringsCompleter(policyOperations.poolNames()).complete(session, line, candidates);
    }
}
