package io.berth.spi.scaling;

import org.osgi.annotation.versioning.ProviderType;

/** A change of parallelism that a running job could make now. Valid during the call only. */
@ProviderType
public interface FeasibleChange {

    /** Parallelism of the vertex after the change, within its bounds. */
    int parallelism(int vertex);

    /** What keeps the change below the desired parallelism, apart from the number of slots; empty when nothing does. */
    String bound();
}
