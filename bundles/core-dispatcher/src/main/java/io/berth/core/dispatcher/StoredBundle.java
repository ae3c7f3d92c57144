package io.berth.core.dispatcher;

import io.berth.core.api.BundleRef;
import java.util.List;

/** A bundle in the store, with what its manifest tells. */
record StoredBundle(BundleRef ref, String symbolicName, String version, List<String> operators) {

    StoredBundle {
        operators = List.copyOf(operators);
    }
}
