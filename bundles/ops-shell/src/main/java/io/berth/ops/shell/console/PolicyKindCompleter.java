package io.berth.ops.shell.console;

import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.completers.StringsCompleter;

/** Completes kinds of policy. */
@Service
public final class PolicyKindCompleter implements Completer {

    @Override
    public int complete(Session session, CommandLine line, List<String> candidates) {
        return new StringsCompleter(Answers.kinds()).complete(session, line, candidates);
    }
}
