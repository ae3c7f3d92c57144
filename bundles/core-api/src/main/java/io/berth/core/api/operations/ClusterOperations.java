package io.berth.core.api.operations;

import io.berth.core.api.gateway.ClusterDetails;
import java.util.concurrent.CompletionStage;

/** What users see of the cluster. */
public interface ClusterOperations {

    CompletionStage<ClusterDetails> cluster();

    /** Address at which workers join, HOST:PORT. */
    String masterAddress();
}
