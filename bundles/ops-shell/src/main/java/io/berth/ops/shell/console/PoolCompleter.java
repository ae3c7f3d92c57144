package io.berth.ops.shell.console;

import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.completers.StringsCompleter;

/** Completes names of pools. */
@Service
public final class PoolCompleter implements Completer {

    @Override
    public int complete(Session session, CommandLine line, List<String> candidates) {
        return new StringsCompleter(List.of("default")).complete(session, line, candidates);
    }
}
