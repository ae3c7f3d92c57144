package io.berth.core.policies.registry;

import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.registration.Preference;
import io.berth.core.policies.registration.Selection;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;

/** Pools, and jobs with a choice of their own, by what they choose. Thread-safe. */
final class OwnChoices {

    /**
     * Which policy decides for some owners of one choice.
     *
     * @param selector empty: they follow the common choice
     * @param first service id of the deciding one, -1 when there is none
     * @param obstacle why the choice could not be followed; empty otherwise
     */
    record Owned(String selector, List<String> owners, long first, String obstacle) {

        private static final int MAX_NAMED = 5;

        Owned {
            owners = List.copyOf(owners);
        }

        boolean followsCommon() {
            return selector.isEmpty();
        }

        /** The first few owners and what they choose, for people. */
        String text() {
            String named = owners.size() <= MAX_NAMED
                    ? String.join(", ", owners)
                    : String.join(", ", owners.subList(0, MAX_NAMED)) + " and " + (owners.size() - MAX_NAMED) + " more";
            return followsCommon()
                    ? named + ", in place of the common choice"
                    : named + (owners.size() == 1 ? ", which chooses '" : ", which choose '") + selector + "'";
        }
    }

    private record Choosing(Preference preference, SortedMap<String, DecisionOwner> owners) {}

    /** By what they choose, as text. */
    private final Map<PolicyKind, SortedMap<String, Choosing>> byChoice = new EnumMap<>(PolicyKind.class);

    private static String key(Preference preference) {
        return preference.selector().orElse("") + " else "
                + preference.fallbacks().map(List::toString).orElse("");
    }

    /** @param preference whose parameters do not count */
    synchronized void add(PolicyKind kind, DecisionOwner owner, Preference preference) {
        byChoice.computeIfAbsent(kind, of -> new TreeMap<>())
                .computeIfAbsent(key(preference), of -> new Choosing(preference.withoutParameters(), new TreeMap<>()))
                .owners()
                .put(owner.toString(), owner);
    }

    synchronized void remove(PolicyKind kind, DecisionOwner owner, Preference preference) {
        SortedMap<String, Choosing> ofKind = byChoice.getOrDefault(kind, new TreeMap<>());
        Choosing choosing = ofKind.get(key(preference));
        if (choosing != null) {
            choosing.owners().remove(owner.toString());
            if (choosing.owners().isEmpty()) {
                ofKind.remove(key(preference));
            }
        }
    }

    /**
     * Who decides for which owners.
     *
     * @param others pools that follow the common choice if nothing else is known of them
     * @param select returns the candidates for a preference of an owner; for any job when the owner is empty
     */
    List<Owned> decided(
            PolicyKind kind,
            Iterable<String> others,
            BiFunction<Preference, Optional<DecisionOwner>, Selection> select) {
        SortedMap<String, Choosing> copy = new TreeMap<>();
        synchronized (this) {
            byChoice.getOrDefault(kind, new TreeMap<>())
                    .forEach((key, one) -> copy.put(key, new Choosing(one.preference(), new TreeMap<>(one.owners()))));
        }
        for (String pool : others) {
            DecisionOwner owner = DecisionOwner.plans(pool);
            if (copy.values().stream().noneMatch(one -> one.owners().containsKey(owner.toString()))) {
                copy.computeIfAbsent(key(Preference.NONE), key -> new Choosing(Preference.NONE, new TreeMap<>()))
                        .owners()
                        .put(owner.toString(), owner);
            }
        }
        return copy.values().stream()
                .flatMap(choosing -> decided(choosing, select).stream())
                .toList();
    }

    /** A pool may have a quarantine of its own, so each is looked at. There are too many jobs for that. */
    private static List<Owned> decided(
            Choosing choosing, BiFunction<Preference, Optional<DecisionOwner>, Selection> select) {
        Map<Long, Selection> selections = new LinkedHashMap<>();
        Map<Long, List<String>> owners = new LinkedHashMap<>();
        Optional<Selection> ofJobs = Optional.empty();
        for (DecisionOwner owner : choosing.owners().values()) {
            Selection selection;
            if (owner.pool().isPresent()) {
                selection = select.apply(choosing.preference(), Optional.of(owner));
            } else {
                selection = ofJobs.orElseGet(() -> select.apply(choosing.preference(), Optional.empty()));
                ofJobs = Optional.of(selection);
            }
            selections.putIfAbsent(selection.first(), selection);
            owners.computeIfAbsent(selection.first(), first -> new ArrayList<>())
                    .add(owner.toString());
        }
        return selections.entrySet().stream()
                .map(one -> new Owned(
                        choosing.preference().selector().orElse(""),
                        owners.getOrDefault(one.getKey(), List.of()),
                        one.getKey(),
                        one.getValue().obstacle()))
                .toList();
    }
}
