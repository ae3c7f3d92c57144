package io.berth.spi.matching;

import io.berth.spi.WorkerId;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The workers of a pool as columns over an index. Read in calls only; its content changes between them. An index stays
 * with its worker while the worker is there; the index of a worker that left is reused. Amounts are in the units of
 * {@link io.berth.spi.ResourceProfile}, one dimension after the other: 0 cpu, 1 heap, 2 off-heap, 3 managed, from 4 the
 * extended resources. The number of dimensions is constant while a session lives.
 */
@ProviderType
public interface WorkersView {

    /** Number of the state that the view shows; grows with each change. */
    long stateNumber();

    /**
     * Time of the state in the milliseconds of {@link io.berth.spi.PolicyContext#now}; constant during a call, so that
     * what is derived from it can be replayed.
     */
    long now();

    /** How many dimensions there are, at least 4. */
    int dimensions();

    /** Name of a dimension. */
    String dimension(int dimension);

    /** One more than the highest index in use. */
    int limit();

    /**
     * Whether a worker that may take slots is at the index; blocked workers are not shown. The other methods may be asked
     * about workers that are present only.
     */
    boolean present(int worker);

    /** Whether the worker was asked for but has not registered yet; its profile is that of its spec. */
    boolean pending(int worker);

    /** Id of the worker. */
    WorkerId id(int worker);

    /** All that the worker offers to slots. */
    long total(int worker, int dimension);

    /** What no slot takes, at least 0. */
    long free(int worker, int dimension);

    /** Name of the backend that brought the worker. */
    String backend(int worker);

    /** A label of the worker. */
    Optional<String> label(int worker, String key);

    /** How many kinds of worker the backends of the pool can start. */
    int specs();

    /** Amount that a new worker of the spec would have. */
    long specTotal(int spec, int dimension);

    /** How many workers of the spec may still be started. */
    int specLeft(int spec);
}
