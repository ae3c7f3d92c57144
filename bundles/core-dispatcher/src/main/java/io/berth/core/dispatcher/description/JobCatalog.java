package io.berth.core.dispatcher.description;

import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.dispatcher.bundle.OfferedOperator;
import io.berth.core.dispatcher.bundle.StoredBundle;
import io.berth.core.dispatcher.state.DispatcherSettings;
import java.util.List;
import java.util.Optional;

/** What a job description may refer to. Thread-safe. */
public interface JobCatalog {

    /** Operators that every worker has. */
    List<OfferedOperator> BUILT_IN = BuiltInOperators.all();

    /** Task runtimes that every worker has. */
    List<String> BUILT_IN_RUNTIMES = List.of(JobVertex.DATAFLOW, "process", "service");

    /** The task runtimes that workers may have: those that are built in, and others that the configuration names. */
    default List<String> runtimes() {
        return BUILT_IN_RUNTIMES;
    }

    /** How many tasks a job may have at the maximum of its parallelism. */
    default int tasksMax() {
        return DispatcherSettings.TASKS_MAX;
    }

    Optional<StoredBundle> bundle(String sha256);

    InstalledPolicies policies();
}
