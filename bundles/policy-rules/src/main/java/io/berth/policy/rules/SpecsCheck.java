package io.berth.policy.rules;

import io.berth.policy.rules.labels.LabelRules;
import io.berth.spi.backend.WorkerSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.regex.Pattern;

/**
 * Checks the worker specs of a backend before the ResourceManager uses them: it goes through all of them in each
 * round, on its main thread. Pure functions.
 */
public final class SpecsCheck {

    public static final int MAX_SPECS = 100;
    private static final int MAX_WORKERS = 100_000;
    private static final int MAX_KEPT = 10_000;
    private static final int MAX_SLOTS = 10_000;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private SpecsCheck() {}

    /**
     * A valid copy. The list is foreign code, too: the host calls this in its guard, or on a thread of the backend.
     *
     * @throws IllegalArgumentException names what is wrong and what is allowed
     */
    public static List<WorkerSpec> copy(List<WorkerSpec> offered) {
        if (offered == null) {
            throw new IllegalArgumentException("offers nothing for its list of specs: an empty list is allowed");
        }
        List<WorkerSpec> specs = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (WorkerSpec spec : offered) {
            if (specs.size() == MAX_SPECS) {
                throw new IllegalArgumentException("offers more than " + MAX_SPECS + " specs");
            }
            check(spec);
            if (!names.add(spec.name())) {
                throw new IllegalArgumentException("offers spec " + spec.name() + " twice");
            }
            specs.add(spec);
        }
        return List.copyOf(specs);
    }

    private static void check(WorkerSpec spec, String what, SortedMap<String, String> pairs) {
        if (pairs.size() > LabelRules.MAX_LABELS) {
            throw new IllegalArgumentException("offers spec " + spec.name() + " with " + pairs.size() + " " + what
                    + "s: at most " + LabelRules.MAX_LABELS + " are allowed");
        }
        pairs.forEach((key, value) -> {
            if (!LabelRules.isKey(key) || key.startsWith(LabelRules.RESERVED)) {
                throw new IllegalArgumentException("offers spec " + spec.name() + " with the " + what + " key '" + key
                        + "': " + LabelRules.KEY_ALLOWED + ", and not '" + LabelRules.RESERVED
                        + "' at the beginning");
            }
            if (value.isBlank() || value.length() > LabelRules.MAX_TEXT) {
                throw new IllegalArgumentException("offers spec " + spec.name() + " with a value of " + what + " " + key
                        + " of " + value.length() + " characters: 1 to " + LabelRules.MAX_TEXT
                        + " that are not blank are allowed");
            }
        });
    }

    private static void check(WorkerSpec spec) {
        if (spec == null) {
            throw new IllegalArgumentException("offers a spec that is nothing");
        }
        if (spec.name() == null || !NAME.matcher(spec.name()).matches()) {
            throw new IllegalArgumentException("offers a spec named '" + spec.name()
                    + "': allowed are 1 to 64 letters, digits, dots, underscores and hyphens");
        }
        if (spec.total() == null || spec.total().isUnknown()) {
            throw new IllegalArgumentException(
                    "offers spec " + spec.name() + " without a size: cpu and memory of a worker are to be given");
        }
        if (spec.defaultSlots() > MAX_SLOTS) {
            throw new IllegalArgumentException("offers spec " + spec.name() + " with " + spec.defaultSlots()
                    + " default slots: at most " + MAX_SLOTS + " are allowed");
        }
        if (spec.maximum() > MAX_WORKERS) {
            throw new IllegalArgumentException("offers " + spec.maximum() + " workers of spec " + spec.name()
                    + ": at most " + MAX_WORKERS + " are allowed");
        }
        check(spec, "label", spec.labels());
        check(spec, "taint", spec.taints());
        if (spec.minimum() > MAX_KEPT) {
            throw new IllegalArgumentException("keeps " + spec.minimum() + " workers of spec " + spec.name()
                    + ": at most " + MAX_KEPT + " are allowed");
        }
    }
}
