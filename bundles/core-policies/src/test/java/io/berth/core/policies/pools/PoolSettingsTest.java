package io.berth.core.policies.pools;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.policies.pools.QueueTree.Queue;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PoolSettingsTest {

    private static SortedMap<String, String> entries(String... pairs) {
        SortedMap<String, String> entries = new TreeMap<>();
        for (int at = 0; at < pairs.length; at += 2) {
            entries.put(pairs[at], pairs[at + 1]);
        }
        return entries;
    }

    private static PoolSettings parse(String... pairs) {
        PoolSettings.Parsed parsed = PoolSettings.parse("default", entries(pairs));
        assertThat(parsed.problems()).isEmpty();
        return parsed.settings().orElseThrow();
    }

    private static List<String> problems(String... pairs) {
        PoolSettings.Parsed parsed = PoolSettings.parse("default", entries(pairs));
        assertThat(parsed.settings()).isEmpty();
        return parsed.problems();
    }

    @Test
    void withoutConfigurationThereIsOnlyTheRoot() {
        assertThat(PoolSettings.parse("default", new TreeMap<>()).settings()).hasValue(PoolSettings.DEFAULT);
        assertThat(PoolSettings.DEFAULT.queues().isConfigured()).isFalse();
        assertThat(PoolSettings.DEFAULT.refusal("anything", "")).isEmpty();
    }

    @Test
    void readsATreeWhoseParentsComeFirst() {
        PoolSettings settings = parse(
                "queue.a.parent", "z",
                "queue.a.weight", "2.5",
                "queue.a.guaranteed", "cpu=0.5, heap=512m",
                "queue.a.limit", "cpu=8,gpu=2",
                "queue.a.submitters", "bob, ann",
                "queue.team.x.weight", "3",
                "queue.z.guaranteed", "cpu=2",
                "usage.half.life", "7d");
        assertThat(settings.halfLifeMillis()).isEqualTo(7L * 86_400_000);
        List<Queue> queues = settings.queues().queues();
        assertThat(queues).extracting(Queue::name).containsExactly("root", "team.x", "z", "a");
        assertThat(queues).extracting(Queue::parent).containsExactly(-1, 0, 0, 2);
        Queue a = queues.get(3);
        assertThat(a.weight()).isEqualTo(2.5);
        assertThat(a.guaranteed()).isEqualTo(Map.of("cpu", 500L, "heap", 512L << 20));
        assertThat(a.limit()).isEqualTo(Map.of("cpu", 8_000L, "gpu", 2L));
        assertThat(a.submitters()).containsExactly("ann", "bob");
        assertThat(queues.get(1).weight()).isEqualTo(3);
    }

    @Test
    void aJobNamesAQueueThatExistsAndTakesItsSubmitter() {
        PoolSettings settings = parse(
                "queue.prod.submitters", "ann,bob", "queue.night.parent", "prod", "queue.night.submitters", "bob,eve");
        assertThat(settings.refusal("night", "bob")).isEmpty();
        assertThat(settings.refusal("prod", "ann")).isEmpty();
        assertThat(settings.refusal("root", "")).isEmpty();
        assertThat(settings.refusal("default", "")).as("it names none").isEmpty();
        assertThat(settings.refusal("night", "eve"))
                .hasValueSatisfying(text -> assertThat(text)
                        .isEqualTo("a queue that takes jobs of submitter 'eve': prod takes those of ann, bob"));
        assertThat(settings.refusal("nigth", "bob"))
                .hasValueSatisfying(text -> assertThat(text).isEqualTo("a queue of the pool: root, prod, night"));
    }

    @Test
    void namesTheKeyTheValueAndWhatIsAllowed() {
        assertThat(problems("queues.a.weight", "1")).singleElement().asString().contains("key 'queues.a.weight'");
        assertThat(problems("queue.root.weight", "1"))
                .singleElement()
                .asString()
                .contains("and not root");
        assertThat(problems("queue.a b.weight", "1")).singleElement().asString().contains("names the queue 'a b'");
        for (String wrong : List.of("0", "-1", "1000001", "much", "NaN", "")) {
            assertThat(problems("queue.a.weight", wrong))
                    .containsExactly("queue.a.weight is '" + wrong + "': allowed is a number above 0, up to 1000000");
        }
        for (String wrong : List.of("cpu", "cpu=x", "cpu=1,cpu=2", "heap=1x", "gpu=1.5", "cpu=0.0001", "gpu=1k")) {
            assertThat(problems("queue.a.limit", wrong))
                    .as(wrong)
                    .singleElement()
                    .asString()
                    .startsWith("queue.a.limit is '")
                    .contains("RESOURCE=AMOUNT");
        }
        assertThat(problems("queue.a.submitters", "ann,b c"))
                .singleElement()
                .asString()
                .contains("'b c'");
        for (String wrong : List.of("0s", "366d", "1", "soon")) {
            assertThat(problems("usage.half.life", wrong))
                    .singleElement()
                    .asString()
                    .contains("from 1s to 365d");
        }
    }

    @Test
    void refusesTreesThatAreNone() {
        assertThat(problems("queue.a.parent", "b"))
                .containsExactly("queue.a.parent is 'b': allowed is root or another configured queue");
        assertThat(problems("queue.a.parent", "b", "queue.b.parent", "a"))
                .containsExactly(
                        "queue.a.parent is 'b': allowed is a queue that is not below a",
                        "queue.b.parent is 'a': allowed is a queue that is not below b");
    }

    @Test
    void refusesGuaranteesThatCannotHold() {
        assertThat(problems("queue.a.guaranteed", "cpu=3", "queue.a.limit", "cpu=2"))
                .containsExactly("queue.a.guaranteed is 'cpu=3': allowed is at most its limit, cpu=2");
        assertThat(problems(
                        "queue.a.guaranteed", "cpu=3",
                        "queue.b.parent", "a",
                        "queue.b.guaranteed", "cpu=2",
                        "queue.c.parent", "a",
                        "queue.c.guaranteed", "cpu=2"))
                .containsExactly(
                        "queue.a.guaranteed is 'cpu=3': allowed is at least what the queues below it are guaranteed"
                                + " together, cpu=4");
    }

    @Test
    void aTreeHasALimitedNumberOfLevelsAndQueues() {
        SortedMap<String, String> deep = new TreeMap<>();
        for (int level = 1; level <= 17; level++) {
            deep.put("queue.q%02d.parent".formatted(level), level == 1 ? "root" : "q%02d".formatted(level - 1));
        }
        assertThat(PoolSettings.parse("default", deep).problems())
                .containsExactly("queue.q17.parent is 'q16': allowed is a tree of at most 16 levels");
        SortedMap<String, String> many = new TreeMap<>();
        for (int queue = 0; queue <= PoolSettings.MAX_QUEUES; queue++) {
            many.put("queue.q" + queue + ".weight", "1");
        }
        assertThat(PoolSettings.parse("default", many).problems())
                .containsExactly("1001 queues: at most 1000 are allowed");
    }
}
