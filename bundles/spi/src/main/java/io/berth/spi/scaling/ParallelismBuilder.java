package io.berth.spi.scaling;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Receives the desired parallelism of each vertex, during one call and on its thread. If a value breaks a rule, the
 * host discards the whole decision. The methods do not throw for a broken rule.
 */
@ProviderType
public interface ParallelismBuilder {

    /** @param parallelism from the minimum to the maximum of the vertex; the last value counts */
    void parallelism(int vertex, int parallelism);

    /** Gives the reason: one line for people, cut at 500 characters; the last one counts. */
    void reason(String reason);

    /**
     * Asks to be called again for the job after this many milliseconds at the latest, even if nothing changes until then. The
     * smallest number counts. It ends with the next result, which may ask again. The host may call earlier, and not
     * more often than ten times a second for this reason.
     *
     * @param millis 1 to 86,400,000 (a day)
     */
    void reviewAfter(long millis);
}
