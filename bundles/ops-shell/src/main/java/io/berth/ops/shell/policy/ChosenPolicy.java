package io.berth.ops.shell.policy;

import io.berth.core.api.operations.PolicyOperations;
import io.berth.ops.shell.console.Answers;
import io.berth.spi.PolicyKind;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;

/** Prints what is chosen for a kind after a change, and for which pools the choice does not count. */
final class ChosenPolicy {

    private ChosenPolicy() {}

    static void print(PolicyOperations policies, PolicyKind kind, String name, long index, boolean json) {
        SortedMap<String, String> notReached = policies.ownChoices(kind);
        if (json) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("kind", kind.label());
            fields.put("name", name);
            fields.put("index", index);
            fields.put("notReached", notReached);
            Answers.print(fields);
            return;
        }
        Answers.out()
                .println("From the next decision on: " + kind.label() + " " + (name.isEmpty() ? "by ranking" : name)
                        + " (index " + index + ")");
        notReached.forEach((pool, own) ->
                Answers.out().println("Not for pool " + pool + ": etc/io.berth.pool-" + pool + ".cfg names " + own));
    }
}
