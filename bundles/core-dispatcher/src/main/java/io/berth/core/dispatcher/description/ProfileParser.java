package io.berth.core.dispatcher.description;

import io.berth.core.dispatcher.description.DescriptionNode.Mapping;
import io.berth.core.dispatcher.description.DescriptionNode.Scalar;
import io.berth.core.dispatcher.description.DescriptionNode.ScalarKind;
import io.berth.spi.ResourceProfile;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the resource profile of a slot sharing group. */
final class ProfileParser {

    static final String SIZE_ALLOWED = "a size such as 512m or 2g (b, k, m, g, t; powers of 1024), up to 1024t";
    static final String CPU_ALLOWED = "a number of cores from 0.001 to 100000 in steps of 0.001, such as 1.5";

    private static final Pattern SIZE = Pattern.compile("([0-9]{1,15})\\s*(b|k|m|g|t|kb|mb|gb|tb|kib|mib|gib|tib)?");
    private static final String UNITS = "bkmgt";
    private static final long MAX_BYTES = 1L << 50;
    private static final int MAX_EXTENDED = 16;

    private ProfileParser() {}

    /** Whether the group says anything about the size of its slots. */
    static boolean isGiven(Fields group) {
        return Stream.of("cpu", "heap", "offHeap", "managed", "extended").anyMatch(group::has);
    }

    /** The profile; empty when it has problems, which are reported. */
    static Optional<ResourceProfile> parse(Fields group) {
        Optional<Long> cpu = cpu(group);
        Optional<Long> heap = size(group, "heap", true);
        Optional<Long> offHeap = size(group, "offHeap", false);
        Optional<Long> managed = size(group, "managed", false);
        Optional<SortedMap<String, Long>> extended = extended(group);
        if (cpu.isEmpty() || heap.isEmpty() || offHeap.isEmpty() || managed.isEmpty() || extended.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new ResourceProfile(cpu.get(), heap.get(), offHeap.get(), managed.get(), extended.get()));
    }

    private static Optional<Long> cpu(Fields group) {
        Optional<DescriptionNode> node = group.find("cpu");
        if (node.isEmpty()) {
            group.problem("cpu", "missing", CPU_ALLOWED);
            return Optional.empty();
        }
        if (node.get() instanceof Scalar scalar
                && scalar.kind() == ScalarKind.NUMBER
                && scalar.text().length() <= 20) {
            try {
                long millis = new BigDecimal(scalar.text()).movePointRight(3).longValueExact();
                if (millis >= 1 && millis <= 100_000_000L) {
                    return Optional.of(millis);
                }
            } catch (ArithmeticException finerThanAMilli) {
                // Reported below.
            }
        }
        group.problem("cpu", node.get().given(), CPU_ALLOWED);
        return Optional.empty();
    }

    private static Optional<Long> size(Fields group, String name, boolean required) {
        Optional<DescriptionNode> node = group.find(name);
        if (node.isEmpty()) {
            if (required) {
                group.problem(name, "missing", SIZE_ALLOWED);
                return Optional.empty();
            }
            return Optional.of(0L);
        }
        if (node.get() instanceof Scalar scalar && scalar.kind() != ScalarKind.BOOLEAN) {
            Matcher matcher = SIZE.matcher(scalar.text().toLowerCase(Locale.ROOT));
            if (matcher.matches()) {
                int unit = matcher.group(2) == null
                        ? 0
                        : UNITS.indexOf(matcher.group(2).charAt(0));
                long amount = Long.parseLong(matcher.group(1));
                boolean fits = amount <= MAX_BYTES >> (10 * unit) && (amount > 0 || !required);
                if (fits) {
                    return Optional.of(amount << (10 * unit));
                }
            }
        }
        group.problem(name, node.get().given(), (required ? "above 0: " : "") + SIZE_ALLOWED);
        return Optional.empty();
    }

    private static Optional<SortedMap<String, Long>> extended(Fields group) {
        SortedMap<String, Long> amounts = new TreeMap<>();
        Optional<DescriptionNode> node = group.find("extended");
        if (node.isEmpty()) {
            return Optional.of(amounts);
        }
        if (!(node.get() instanceof Mapping mapping) || mapping.fields().size() > MAX_EXTENDED) {
            group.problem("extended", node.get().given(), "a mapping of up to " + MAX_EXTENDED + " names to amounts");
            return Optional.empty();
        }
        boolean right = true;
        for (var entry : mapping.fields().entrySet()) {
            Optional<Long> amount = amount(entry.getValue());
            if (entry.getKey().isBlank() || entry.getKey().length() > 64 || amount.isEmpty()) {
                group.problem(
                        "extended." + entry.getKey(), entry.getValue().given(), "a whole number from 1 to 1000000000");
                right = false;
            } else {
                amounts.put(entry.getKey(), amount.get());
            }
        }
        return right ? Optional.of(amounts) : Optional.empty();
    }

    private static Optional<Long> amount(DescriptionNode node) {
        if (node instanceof Scalar scalar && scalar.kind() == ScalarKind.NUMBER) {
            try {
                return Optional.of(Long.parseLong(scalar.text())).filter(value -> value >= 1 && value <= 1_000_000_000);
            } catch (NumberFormatException fraction) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }
}
