package io.berth.core.dispatcher.description;

import io.berth.core.dispatcher.bundle.StoredBundle;
import io.berth.spi.PolicyKind;
import java.util.List;
import java.util.Optional;

/** What a description may refer to. Any thread. */
public interface JobCatalog {

    /** Operators that every worker has. */
    List<String> BUILT_IN = List.of("file-source", "file-sink");

    Optional<StoredBundle> bundle(String sha256);

    /** Names of the policies of a kind that are installed. */
    List<String> policies(PolicyKind kind);
}
