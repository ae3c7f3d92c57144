package io.berth.core.policies;

import java.util.List;
import org.osgi.framework.Filter;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;

/** How a policy is chosen: by its name, or by an LDAP filter on its service properties. */
interface Selector {

    /** Under the registry's lock. */
    boolean matches(Entry entry);

    /**
     * Reads a selector.
     *
     * @throws IllegalArgumentException when it begins like a filter and is none
     */
    static Selector of(String text) {
        if (!text.startsWith("(")) {
            return entry -> entry.name.equals(text);
        }
        try {
            Filter filter = FrameworkUtil.createFilter(text);
            return entry -> filter.matches(entry.registration.properties());
        } catch (InvalidSyntaxException invalid) {
            throw new IllegalArgumentException("'" + text + "' is no LDAP filter: " + invalid.getMessage());
        }
    }

    /** As {@link #of}, for a selector from a configuration or a job: what cannot be read matches nothing. */
    static Selector lenient(String text) {
        try {
            return of(text);
        } catch (IllegalArgumentException invalid) {
            return entry -> false;
        }
    }

    /** Why nothing that the selector names decides. */
    static String absence(List<Entry> all, Selector selector) {
        return all.stream()
                .filter(selector::matches)
                .map(Entry::obstacle)
                .findFirst()
                .map(obstacle -> "does not decide (" + obstacle + ")")
                .orElse("is not there");
    }

    /** For messages. */
    static String names(List<Entry> all) {
        return all.isEmpty()
                ? "none is installed"
                : "installed are " + String.join(", ", all.stream().map(entry -> entry.name).distinct().toList());
    }
}
