package io.berth.core.dispatcher.description;

import io.berth.core.api.job.Problem;
import io.berth.spi.PolicyKind;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** The policies, pools and queues that a job description may choose. Thread-safe. */
public interface InstalledPolicies {

    /** Names of the installed policies of a kind. */
    List<String> names(PolicyKind kind);

    /** What is wrong with parameters for an installed policy, by key. */
    List<Problem> problems(PolicyKind kind, String name, SortedMap<String, String> parameters);

    /** Names of the pools. */
    List<String> pools();

    /** Why a job may not be submitted to a queue: what is allowed instead; empty when it may. */
    Optional<String> queueRefusal(String pool, String queue, String submitter);
}
