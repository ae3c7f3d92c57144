package io.berth.core.dispatcher.bundle;

import io.berth.core.api.BundleRef;
import java.util.List;

/** A stored bundle, with the content of its manifest. */
public record StoredBundle(BundleRef ref, String symbolicName, String version, List<OfferedOperator> operators) {

    public StoredBundle {
        operators = List.copyOf(operators);
    }
}
