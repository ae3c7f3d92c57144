package io.berth.spi.scaling;

import org.osgi.annotation.versioning.ProviderType;

/** Takes a parallelism for each vertex; one that is not given stays 0. */
@ProviderType
public interface ParallelismBuilder {

    void parallelism(int vertex, int parallelism);

    /** Says why: one line for people. */
    void reason(String reason);
}
