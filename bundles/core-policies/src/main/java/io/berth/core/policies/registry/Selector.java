package io.berth.core.policies.registry;

import io.berth.core.policies.registration.DecisionOwner;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.osgi.framework.Filter;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;

/** Selects policies by name, or by an LDAP filter on their service properties. */
public interface Selector {

    /** Guarded by the lock of the table. */
    boolean matches(RegisteredPolicy entry);

    /**
     * Reads a selector.
     *
     * @throws IllegalArgumentException when it begins like a filter and is not valid
     */
    static Selector of(String text) {
        if (!text.startsWith("(")) {
            return entry -> entry.name.equals(text);
        }
        try {
            Filter filter = FrameworkUtil.createFilter(text);
            return entry -> filter.matches(plain(entry.registration.properties()));
        } catch (InvalidSyntaxException invalid) {
            throw new IllegalArgumentException("'" + text + "' is no LDAP filter: " + invalid.getMessage());
        }
    }

    /** Without values of foreign classes: a filter would call them under the lock. */
    private static SortedMap<String, Object> plain(SortedMap<String, Object> properties) {
        SortedMap<String, Object> plain = new TreeMap<>(properties);
        plain.values().removeIf(value -> !isPlain(value));
        return plain;
    }

    private static boolean isPlain(Object value) {
        if (value.getClass().getClassLoader() != null) {
            return false;
        }
        if (value instanceof Collection<?> several) {
            return several.stream().allMatch(Selector::isPlain);
        }
        return !(value instanceof Object[] several) || Arrays.stream(several).allMatch(Selector::isPlain);
    }

    /** As {@link #of}, for a selector of a configuration or a job: an invalid one matches nothing. */
    static Selector withoutFilter(String text) {
        try {
            return of(text);
        } catch (IllegalArgumentException invalid) {
            return entry -> false;
        }
    }

    /**
     * Why no policy that the selector names decides.
     *
     * @param owner for whom; empty: for all
     */
    static String absence(List<RegisteredPolicy> all, Selector selector, Optional<DecisionOwner> owner) {
        return all.stream()
                .filter(selector::matches)
                .map(entry -> entry.obstacle(owner))
                .findFirst()
                .map(obstacle -> "does not decide (" + obstacle + ")")
                .orElse("is not there");
    }

    /** For messages. */
    static String names(List<RegisteredPolicy> all) {
        return all.isEmpty()
                ? "none is installed"
                : "installed are "
                        + String.join(
                                ", ",
                                all.stream().map(entry -> entry.name).distinct().toList());
    }
}
