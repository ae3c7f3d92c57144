package io.berth.ops.shell.console;

import io.berth.spi.PolicyKind;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.completers.StringsCompleter;

/**
 * Completes the kinds of policy of which one is chosen. Backends are not among them, because all installed ones are
 * active.
 */
@Service
public final class ChosenPolicyKindCompleter implements Completer {

    @Override
    public int complete(Session session, CommandLine line, List<String> candidates) {
        return new StringsCompleter(Answers.kinds().stream()
                        .filter(kind -> !kind.equals(PolicyKind.BACKEND.label()))
                        .toList())
                .complete(session, line, candidates);
    }
}
