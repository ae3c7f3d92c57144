package io.berth.core.policies.pools;

import io.berth.core.api.job.AmountText;
import io.berth.core.api.policy.PoolDefinition;
import io.berth.core.policies.pools.QueueTree.Queue;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The configuration of a pool.
 *
 * @param halfLifeMillis after which half of what a queue or submitter used is forgotten
 * @param policies those that the file names
 */
public record PoolSettings(QueueTree queues, long halfLifeMillis, PoolDefinition definition, PoolPolicies policies) {

    public static final PoolSettings DEFAULT =
            new PoolSettings(QueueTree.NONE, 86_400_000, PoolDefinition.DEFAULT, PoolPolicies.NONE);

    /** How many there may be in a pool. */
    public static final int MAX_QUEUES = 1_000;
    /** Where jobs go that name none; if there is no such queue, they count for the root. */
    private static final String DEFAULT_QUEUE = "default";

    private static final int MAX_NAMED = 50;
    private static final int MAX_RESOURCE_NAME = 64;
    private static final int MAX_DEPTH = 16;
    private static final double MAX_WEIGHT = 1e6;
    private static final long MAX_HALF_LIFE = 365L * 86_400_000;
    private static final String HALF_LIFE = "usage.half.life";
    private static final String NAME_ALLOWED = "1 to 64 letters, digits, '.', '_' and '-', the first a letter or digit";
    private static final Pattern QUEUE_KEY =
            Pattern.compile("queue\\.(.*)\\.(parent|weight|guaranteed|limit|submitters)");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern AMOUNT =
            Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{1,6})?) ?(k|m|g|t|KiB|MiB|GiB|TiB)?");
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{1,6})?) ?(ms|s|min|h|d)");
    private static final Map<String, Long> MILLIS =
            Map.of("ms", 1L, "s", 1_000L, "min", 60_000L, "h", 3_600_000L, "d", 86_400_000L);
    private static final List<String> SIZES = List.of("heap", "off-heap", "managed");

    /** Settings, or what is wrong with the configuration. */
    public record Parsed(Optional<PoolSettings> settings, List<String> problems) {}

    /** Reads a configuration; names each key that is wrong, its value and what is allowed. */
    public static Parsed parse(String pool, SortedMap<String, String> entries) {
        Reader reader = new Reader(pool);
        PoolSettings settings = reader.read(entries);
        return reader.problems.isEmpty()
                ? new Parsed(Optional.of(settings), List.of())
                : new Parsed(Optional.empty(), reader.problems);
    }

    /** What a job must not name; empty when it may be submitted. */
    public Optional<String> refusal(String queue, String submitter) {
        if (!queues.isConfigured()) {
            return Optional.empty();
        }
        Optional<Integer> number = queues.find(queue);
        if (number.isEmpty()) {
            return queue.equals(DEFAULT_QUEUE)
                    ? Optional.empty()
                    : Optional.of("a queue of the pool: "
                            + shortened(
                                    queues.queues().stream().map(Queue::name).toList()));
        }
        for (int at = number.get(); at >= 0; at = queues.queues().get(at).parent()) {
            Queue above = queues.queues().get(at);
            if (!above.submitters().isEmpty() && !above.submitters().contains(submitter)) {
                return Optional.of("a queue that takes jobs of submitter '" + submitter + "': " + above.name()
                        + " takes those of " + shortened(List.copyOf(above.submitters())));
            }
        }
        return Optional.empty();
    }

    private static String shortened(List<String> names) {
        String first = names.stream().limit(MAX_NAMED).collect(Collectors.joining(", "));
        return names.size() <= MAX_NAMED ? first : first + " and " + (names.size() - MAX_NAMED) + " more";
    }

    private static final class Reader {

        private final String pool;
        private final List<String> problems = new ArrayList<>();

        private Reader(String pool) {
            this.pool = pool;
        }

        private void problem(String key, String value, String allowed) {
            problems.add(key + " is '" + value + "': allowed is " + allowed);
        }

        private PoolSettings read(SortedMap<String, String> entries) {
            long halfLife = DEFAULT.halfLifeMillis();
            SortedMap<String, SortedMap<String, String>> queues = new TreeMap<>();
            PoolKeys keys = new PoolKeys(pool, entries, this::problem, problems::add);
            for (Map.Entry<String, String> entry : entries.entrySet()) {
                if (entry.getKey().equals(HALF_LIFE)) {
                    halfLife = halfLife(entry.getValue());
                } else if (!keys.isKnown(entry.getKey())) {
                    queueKey(entry.getKey(), entry.getValue(), queues);
                }
            }
            if (queues.size() > MAX_QUEUES) {
                problems.add(queues.size() + " queues: at most " + MAX_QUEUES + " are allowed");
                return DEFAULT;
            }
            return new PoolSettings(tree(queues), halfLife, keys.definition(), keys.policies());
        }

        private void queueKey(String key, String value, SortedMap<String, SortedMap<String, String>> queues) {
            Matcher queue = QUEUE_KEY.matcher(key);
            if (!queue.matches()) {
                problems.add("key '" + key + "' is not known: allowed are " + HALF_LIFE + ", " + PoolKeys.ALLOWED
                        + ", and queue.NAME.parent, weight, guaranteed, limit and submitters");
            } else if (!NAME.matcher(queue.group(1)).matches() || queue.group(1).equals(QueueTree.ROOT)) {
                problems.add("key '" + key + "' names the queue '" + queue.group(1) + "': allowed is " + NAME_ALLOWED
                        + ", and not " + QueueTree.ROOT);
            } else {
                queues.computeIfAbsent(queue.group(1), first -> new TreeMap<>()).put(queue.group(2), value.trim());
            }
        }

        private long halfLife(String text) {
            Matcher matcher = DURATION.matcher(text.trim());
            if (matcher.matches()) {
                BigDecimal millis = new BigDecimal(matcher.group(1))
                        .multiply(BigDecimal.valueOf(MILLIS.getOrDefault(matcher.group(2), 1L)));
                if (millis.compareTo(BigDecimal.valueOf(1_000)) >= 0
                        && millis.compareTo(BigDecimal.valueOf(MAX_HALF_LIFE)) <= 0) {
                    return millis.longValue();
                }
            }
            problem(HALF_LIFE, text, "a duration from 1s to 365d, with a unit of ms, s, min, h and d");
            return DEFAULT.halfLifeMillis();
        }

        /** Adds queues whose parent is there, until none is left. */
        private QueueTree tree(SortedMap<String, SortedMap<String, String>> configured) {
            List<Queue> queues = new ArrayList<>(QueueTree.NONE.queues());
            Map<String, Integer> numbers = new TreeMap<>(Map.of(QueueTree.ROOT, 0));
            SortedSet<String> left = new TreeSet<>(configured.keySet());
            for (boolean added = true; added; ) {
                added = false;
                for (String name : List.copyOf(left)) {
                    SortedMap<String, String> keys = configured.getOrDefault(name, new TreeMap<>());
                    Integer parent = numbers.get(keys.getOrDefault("parent", QueueTree.ROOT));
                    if (parent != null) {
                        numbers.put(name, queues.size());
                        queues.add(queue(name, parent, keys));
                        left.remove(name);
                        added = true;
                    }
                }
            }
            for (String name : left) {
                String parent = configured.getOrDefault(name, new TreeMap<>()).getOrDefault("parent", "");
                problem(
                        "queue." + name + ".parent",
                        parent,
                        configured.containsKey(parent)
                                ? "a queue that is not below " + name
                                : "root or another configured queue");
            }
            check(queues);
            return new QueueTree(queues);
        }

        private Queue queue(String name, int parent, SortedMap<String, String> keys) {
            String prefix = "queue." + name + ".";
            return new Queue(
                    name,
                    parent,
                    weight(prefix + "weight", keys.getOrDefault("weight", "1")),
                    amounts(prefix + "guaranteed", keys.getOrDefault("guaranteed", "")),
                    amounts(prefix + "limit", keys.getOrDefault("limit", "")),
                    submitters(prefix + "submitters", keys.getOrDefault("submitters", "")));
        }

        private double weight(String key, String text) {
            try {
                double weight = Double.parseDouble(text);
                if (weight > 0 && weight <= MAX_WEIGHT) {
                    return weight;
                }
            } catch (NumberFormatException noNumber) {
                // Reported below, as a number out of range is.
            }
            problem(key, text, "a number above 0, up to 1000000");
            return 1;
        }

        private SortedMap<String, Long> amounts(String key, String text) {
            SortedMap<String, Long> amounts = new TreeMap<>();
            for (String part : items(text)) {
                String[] pair = part.split("=", 2);
                Optional<Long> amount = pair.length == 2 ? amount(pair[0].trim(), pair[1].trim()) : Optional.empty();
                if (amount.isEmpty() || amounts.put(pair[0].trim(), amount.get()) != null) {
                    problem(
                            key,
                            part,
                            "RESOURCE=AMOUNT, each resource once: cpu in cores, for example cpu=2.5; heap, off-heap and"
                                    + " managed with k, m, g or t, for example heap=8g; other resources as whole numbers");
                }
            }
            return amounts;
        }

        private static Optional<Long> amount(String resource, String text) {
            Matcher matcher = AMOUNT.matcher(text);
            if (resource.isBlank() || resource.length() > MAX_RESOURCE_NAME || !matcher.matches()) {
                return Optional.empty();
            }
            BigDecimal number = new BigDecimal(matcher.group(1));
            String unit = matcher.group(2);
            if (SIZES.contains(resource)) {
                int power = unit == null ? 0 : "kmgt".indexOf(Character.toLowerCase(unit.charAt(0))) + 1;
                return whole(number.multiply(BigDecimal.valueOf(1L << 10 * power)));
            }
            if (unit != null) {
                return Optional.empty();
            }
            return whole(resource.equals("cpu") ? number.movePointRight(3) : number);
        }

        private static Optional<Long> whole(BigDecimal amount) {
            return amount.stripTrailingZeros().scale() > 0 || amount.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0
                    ? Optional.empty()
                    : Optional.of(amount.setScale(0, RoundingMode.UNNECESSARY).longValueExact());
        }

        private SortedSet<String> submitters(String key, String text) {
            SortedSet<String> submitters = new TreeSet<>();
            for (String name : items(text)) {
                if (NAME.matcher(name).matches()) {
                    submitters.add(name);
                } else {
                    problem(key, name, "names with commas between them, each " + NAME_ALLOWED);
                }
            }
            return submitters;
        }

        private static List<String> items(String text) {
            return Arrays.stream(text.split(","))
                    .map(String::trim)
                    .filter(item -> !item.isEmpty())
                    .toList();
        }

        /** What queues say together. */
        private void check(List<Queue> queues) {
            Map<Integer, SortedMap<String, Long>> guaranteed = new TreeMap<>();
            int[] depths = new int[queues.size()];
            for (int number = 1; number < queues.size(); number++) {
                Queue queue = queues.get(number);
                depths[number] = depths[queue.parent()] + 1;
                if (depths[number] > MAX_DEPTH) {
                    problem(
                            "queue." + queue.name() + ".parent",
                            queues.get(queue.parent()).name(),
                            "a tree of at most " + MAX_DEPTH + " levels");
                }
                queue.guaranteed().forEach((resource, amount) -> {
                    long limit = queue.limit().getOrDefault(resource, Long.MAX_VALUE);
                    if (amount > limit) {
                        problem(
                                "queue." + queue.name() + ".guaranteed",
                                AmountText.of(resource, amount),
                                "at most its limit, " + AmountText.of(resource, limit));
                    }
                    guaranteed
                            .computeIfAbsent(queue.parent(), first -> new TreeMap<>())
                            .merge(
                                    resource,
                                    amount,
                                    (one, other) -> one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other);
                });
            }
            guaranteed.forEach((parent, sums) -> {
                Queue above = queues.get(parent);
                sums.forEach((resource, sum) -> {
                    Long own = above.guaranteed().get(resource);
                    if (own != null && sum > own) {
                        problem(
                                "queue." + above.name() + ".guaranteed",
                                AmountText.of(resource, own),
                                "at least what the queues below it are guaranteed together, "
                                        + AmountText.of(resource, sum));
                    }
                });
            });
        }
    }
}
