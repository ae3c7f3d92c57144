package io.berth.spi.matching;

import org.osgi.annotation.versioning.ProviderType;

/**
 * How the slots of a group are spread over the values of a label. Each value is a domain. Constant, and valid during
 * one {@code place} call. Domains count from 0, in order of their values; an index out of range causes an
 * IndexOutOfBoundsException.
 */
@ProviderType
public interface SpreadView {

    /** Key of the label. */
    String label();

    /**
     * How many more slots than the domain with the fewest a domain may have, at least 1. It counts for the domains in
     * which a result places slots of the group, all rounds of the decision together; a domain that has too many
     * already may keep them.
     */
    int maxSkew();

    /**
     * The number of domains: values of the label that are there on workers, or on specs of which workers may be
     * started, where slots of the group may be.
     */
    int domains();

    /** The value of the label. */
    String value(int domain);

    /**
     * Whether a worker has the value now. Only such domains, and those in which the result places slots of the group,
     * count when the fewest slots are looked for.
     */
    boolean hasWorkers(int domain);

    /** How many slots the group has there, those of earlier rounds of the decision included. */
    int slots(int domain);

    /** The domain of a worker; -1 when slots of the group may not be on it. */
    int domain(int worker);

    /** The domain of new workers of a spec; -1 when slots of the group may not be on them. */
    int domainOnSpec(int spec);
}
