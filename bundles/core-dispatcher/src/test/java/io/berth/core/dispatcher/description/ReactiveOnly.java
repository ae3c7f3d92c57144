package io.berth.core.dispatcher.description;

import io.berth.core.api.job.Problem;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** The scaling policy {@code reactive} with the parameter {@code pause}, which may be 1 to 9, and any queues. */
public enum ReactiveOnly implements InstalledPolicies {
    INSTANCE;

    @Override
    public List<String> names(PolicyKind kind) {
        return kind == PolicyKind.SCALING ? List.of("reactive") : List.of();
    }

    @Override
    public List<Problem> problems(PolicyKind kind, String name, SortedMap<String, String> parameters) {
        List<Problem> problems = new ArrayList<>();
        parameters.forEach((key, value) -> {
            if (!key.equals("pause")) {
                problems.add(new Problem(key, "an unknown parameter", "known are pause"));
            } else if (!value.matches("[1-9]")) {
                problems.add(new Problem(key, "'" + value + "'", "a whole number from 1 to 9"));
            }
        });
        return problems;
    }

    /** Only the queue {@code closed} takes no jobs. */
    @Override
    public List<String> pools() {
        return List.of("gpu", "default");
    }

    @Override
    public Optional<String> queueRefusal(String pool, String queue, String submitter) {
        return queue.equals("closed") && !submitter.equals("ann")
                ? Optional.of("a queue that takes jobs of submitter '" + submitter + "'")
                : Optional.empty();
    }
}
