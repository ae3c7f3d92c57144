package io.berth.core.dispatcher.description;

import io.berth.core.dispatcher.bundle.OfferedOperator;
import io.berth.core.dispatcher.bundle.StoredBundle;
import java.util.List;
import java.util.Optional;

/** What a job description may refer to. Thread-safe. */
public interface JobCatalog {

    /** Operators that every worker has. */
    List<OfferedOperator> BUILT_IN =
            List.of(new OfferedOperator("file-source", false), new OfferedOperator("file-sink", false));

    Optional<StoredBundle> bundle(String sha256);

    InstalledPolicies policies();
}
