package io.berth.spi.scaling;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Takes a parallelism for each vertex, during one call and on its thread; one that is not given stays 0. What breaks a
 * rule makes the host discard the whole decision. Methods do not throw for a broken rule.
 */
@ProviderType
public interface ParallelismBuilder {

    /** @param parallelism from 0 to the vertex' maximum; the last one given counts */
    void parallelism(int vertex, int parallelism);

    /** Says why: one line for people, cut at 500 characters; the last one given counts. */
    void reason(String reason);
}
