package io.berth.core.dispatcher.bundle;

import io.berth.core.api.BundleRef;
import java.util.List;

/** A bundle in the store, with what its manifest tells. */
public record StoredBundle(BundleRef ref, String symbolicName, String version, List<OfferedOperator> operators) {

    public StoredBundle {
        operators = List.copyOf(operators);
    }
}
