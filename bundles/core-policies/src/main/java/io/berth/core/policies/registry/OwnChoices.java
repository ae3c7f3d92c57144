package io.berth.core.policies.registry;

import io.berth.core.policies.registration.Preference;
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
     * Which policy decides for the owners of one choice.
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

    private record Choosing(Preference preference, SortedSet<String> owners) {}

    /** By what they choose, as text. */
    private final Map<PolicyKind, SortedMap<String, Choosing>> byChoice = new EnumMap<>(PolicyKind.class);

    private static String key(Preference preference) {
        return preference.selector().orElse("") + " else "
                + preference.fallbacks().map(List::toString).orElse("");
    }

    /** @param preference whose parameters do not count */
    synchronized void add(PolicyKind kind, String owner, Preference preference) {
        byChoice.computeIfAbsent(kind, of -> new TreeMap<>())
                .computeIfAbsent(key(preference), of -> new Choosing(preference.withoutParameters(), new TreeSet<>()))
                .owners()
                .add(owner);
    }

    synchronized void remove(PolicyKind kind, String owner, Preference preference) {
        SortedMap<String, Choosing> ofKind = byChoice.getOrDefault(kind, new TreeMap<>());
        Choosing choosing = ofKind.get(key(preference));
        if (choosing != null) {
            choosing.owners().remove(owner);
            if (choosing.owners().isEmpty()) {
                ofKind.remove(key(preference));
            }
        }
    }

    /** @param select returns the candidates for a preference */
    List<Owned> decided(PolicyKind kind, Function<Preference, Selection> select) {
        List<Choosing> copy = new ArrayList<>();
        synchronized (this) {
            byChoice.getOrDefault(kind, new TreeMap<>())
                    .values()
                    .forEach(one -> copy.add(new Choosing(one.preference(), new TreeSet<>(one.owners()))));
        }
        return copy.stream()
                .map(one -> new Owned(
                        one.preference().selector().orElse(""),
                        List.copyOf(one.owners()),
                        select.apply(one.preference()).first()))
                .toList();
    }
}
