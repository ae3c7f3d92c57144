package io.berth.core.policies.registration;

import io.berth.spi.PolicyKind;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * One factory service that a bundle offers. The seam between the registry and the framework: its values are read on any
 * thread and run no foreign code, {@link #fetch} may run an activator and is called in the guard only.
 */
public interface Registration {

    /** The service id: the lower one wins among equal rankings. */
    long id();

    PolicyKind kind();

    /** The service property {@code io.berth.policy.name}, empty when it is not given. */
    String name();

    String bundle();

    String version();

    /** The framework's id of the bundle, below 0 without a framework. */
    default long bundleId() {
        return -1;
    }

    /** The ranking of this moment. */
    int ranking();

    /** The service properties of this moment, for LDAP filters. */
    SortedMap<String, Object> properties();

    /** The configuration keys that its bundle declares ahead; empty when it declares none. */
    default Set<String> declaredKeys() {
        Object declared = properties().get("io.berth.policy.configuration");
        if (declared instanceof String one) {
            return Set.of(one);
        }
        return declared instanceof String[] several
                ? new TreeSet<>(Arrays.stream(several).filter(Objects::nonNull).toList())
                : Set.of();
    }

    /** The class loader that foreign code expects as its context. */
    ClassLoader loader();

    /**
     * The factory.
     *
     * @throws IllegalStateException when the service is gone
     */
    Object fetch();

    /** Gives the service back; its object is not used any more. */
    void release();

    /** Whether it goes because the whole framework stops: nothing comes in its place. */
    default boolean frameworkStops() {
        return false;
    }

    /** Which calls share threads: those of one bundle. */
    default String guard() {
        return bundle() + "-" + version();
    }
}
