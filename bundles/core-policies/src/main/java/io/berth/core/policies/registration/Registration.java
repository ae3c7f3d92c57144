package io.berth.core.policies.registration;

import io.berth.spi.PolicyKind;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * One factory service of a bundle, as the registry sees it. Thread-safe; runs no foreign code except {@link #fetch},
 * which may run an activator and is only called in the guard.
 */
public interface Registration {

    /** The service id: the lower one wins among equal rankings. */
    long id();

    PolicyKind kind();

    /** The service property {@code io.berth.policy.name}; empty when it is missing. */
    String name();

    String bundle();

    /** The PID of its configuration. */
    default String pid() {
        return bundle();
    }

    /** The name that the factory describes itself with; an instance of a factory has a name of its own. */
    default String describedName() {
        return name();
    }

    /** Whether it is one of several policies of a factory, with a name of its own. */
    default boolean isInstance() {
        return false;
    }

    /** Why its configuration cannot be used, whatever is in it; empty if it can. */
    default String obstacle() {
        return "";
    }

    String version();

    /** The framework's id of the bundle; negative without a framework. */
    default long bundleId() {
        return -1;
    }

    /** The current ranking. */
    int ranking();

    /** The current service properties, for LDAP filters. */
    SortedMap<String, Object> properties();

    /** The configuration keys that its bundle declares; empty when it declares none. */
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
     * @throws IllegalStateException when the service was unregistered
     */
    Object fetch();

    /** Releases the service, whose object is no longer used. */
    void release();

    /** Whether it is removed because the whole framework stops, so that none replaces it. */
    default boolean frameworkStops() {
        return false;
    }

    /** Calls with the same value, for the same pool, share threads: those of one bundle. */
    default String guard() {
        return bundle() + "-" + version();
    }
}
