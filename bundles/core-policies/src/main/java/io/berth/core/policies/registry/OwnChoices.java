package io.berth.core.policies.registry;

import io.berth.core.policies.registration.Selection;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** Owners of decisions with a choice of their own. Thread-safe. */
final class OwnChoices {

    /**
     * Which policy decides for the owners of one selector.
     *
     * @param first service id of the deciding one, -1 when there is none
     */
    record Owned(String selector, List<String> owners, long first) {

        private static final int MAX_NAMED = 5;

        /** The first few owners, for people. */
        String named() {
            return owners.size() <= MAX_NAMED
                    ? String.join(", ", owners)
                    : String.join(", ", owners.subList(0, MAX_NAMED)) + " and " + (owners.size() - MAX_NAMED) + " more";
        }
    }

    private final Map<PolicyKind, SortedMap<String, SortedSet<String>>> ownersBySelector =
            new EnumMap<>(PolicyKind.class);

    synchronized void add(PolicyKind kind, String owner, String selector) {
        ownersBySelector
                .computeIfAbsent(kind, key -> new TreeMap<>())
                .computeIfAbsent(selector, key -> new TreeSet<>())
                .add(owner);
    }

    synchronized void remove(PolicyKind kind, String owner, String selector) {
        SortedMap<String, SortedSet<String>> ofKind = ownersBySelector.getOrDefault(kind, new TreeMap<>());
        SortedSet<String> owners = ofKind.getOrDefault(selector, new TreeSet<>());
        owners.remove(owner);
        if (owners.isEmpty()) {
            ofKind.remove(selector);
        }
    }

    /** @param select returns the candidates for a selector */
    List<Owned> decided(PolicyKind kind, Function<String, Selection> select) {
        SortedMap<String, List<String>> copy = new TreeMap<>();
        synchronized (this) {
            ownersBySelector
                    .getOrDefault(kind, new TreeMap<>())
                    .forEach((selector, owners) -> copy.put(selector, List.copyOf(owners)));
        }
        List<Owned> decided = new ArrayList<>();
        copy.forEach((selector, owners) ->
                decided.add(new Owned(selector, owners, select.apply(selector).first())));
        return decided;
    }
}
