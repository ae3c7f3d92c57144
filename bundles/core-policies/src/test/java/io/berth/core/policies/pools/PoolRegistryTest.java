package io.berth.core.policies.pools;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.PolicyChoice;
import io.berth.core.api.job.Problem;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.operations.PolicyOperations.PoolDetails;
import io.berth.core.api.operations.PolicyOperations.QueueDetails;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PoolDefinition;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PoolRegistryTest {

    private final Map<String, SortedMap<String, String>> configured = new TreeMap<>();
    private final AtomicInteger notified = new AtomicInteger();
    /** A parameter that the installed policies do not have. */
    private String unknown = "wrong";

    private final PoolRegistry registry = new PoolRegistry(
            pid -> configured.getOrDefault(pid, new TreeMap<>()),
            (kind, policy, parameters) -> parameters.containsKey(this.unknown)
                    ? List.of(new Problem(this.unknown, "'1'", "nothing"))
                    : List.of());

    PoolRegistryTest() {
        registry.listen(notified::incrementAndGet);
    }

    private void configure(String pool, String... pairs) {
        SortedMap<String, String> entries = new TreeMap<>();
        for (int at = 0; at < pairs.length; at += 2) {
            entries.put(pairs[at], pairs[at + 1]);
        }
        configured.put(PoolRegistry.PID + pool, entries);
        registry.configurationChanged(PoolRegistry.PID + pool);
    }

    private List<String> names() {
        return registry.definitions().stream().map(PoolDefinition::name).toList();
    }

    private String poolOf(String backend, String spec, Map<String, String> labels) {
        return PoolDefinition.of(WorkerLabels.of(new TreeMap<>(labels)).from(backend, spec), registry.definitions());
    }

    private static List<String> problems(String pool, String... pairs) {
        SortedMap<String, String> entries = new TreeMap<>();
        for (int at = 0; at < pairs.length; at += 2) {
            entries.put(pairs[at], pairs[at + 1]);
        }
        return PoolSettings.parse(pool, entries).problems();
    }

    @Test
    void theDefaultPoolIsAlwaysThereAndTheLast() {
        assertThat(names()).containsExactly("default");
        configure("zoo", "order", "-1");
        configure("gpu");
        configure("default", "rule", "loose");
        assertThat(names()).containsExactly("zoo", "gpu", "default");
        assertThat(registry.definitions().get(2).rule()).hasValue(MatchingRule.LOOSE);
        registry.configurationRemoved(PoolRegistry.PID + "zoo");
        assertThat(names()).containsExactly("gpu", "default");
        assertThat(notified).hasValue(4);
        configured.remove(PoolRegistry.PID + "default");
        registry.configurationRemoved(PoolRegistry.PID + "default");
        assertThat(registry.definitions().get(1).rule()).isEmpty();
    }

    @Test
    void theFirstPoolThatFitsTakesAWorker() {
        configure("a", "workers.backends", "local, k8s", "workers.labels", "team=red, gpu");
        configure("b", "workers.specs", "local/small, large");
        configure("c", "order", "-5", "workers.labels", "night");
        configure("none");
        assertThat(poolOf("local", "small", Map.of("team", "red", "gpu", "yes")))
                .isEqualTo("a");
        assertThat(poolOf("local", "small", Map.of("team", "blue", "gpu", "yes")))
                .isEqualTo("b");
        assertThat(poolOf("other", "large", Map.of())).isEqualTo("b");
        assertThat(poolOf("other", "small", Map.of())).isEqualTo("default");
        assertThat(poolOf("standalone", "", Map.of())).isEqualTo("default");
        assertThat(poolOf("local", "small", Map.of("team", "red", "gpu", "yes", "night", "")))
                .isEqualTo("c");
    }

    @Test
    void anInvalidFileLeavesThePreviousSettingsAndMakesNoNewPool() {
        configure("gpu", "workers.labels", "gpu", "matching", "spread");
        configure("gpu", "workers.labels", "gpu", "matching", "first-fit", "order", "first");
        assertThat(registry.preference("gpu", PolicyKind.MATCHING).selector()).hasValue("spread");
        configure("gpu", "matching", "spread", "matching.wrong", "1");
        assertThat(registry.preference("gpu", PolicyKind.MATCHING).choice()).hasValue(PolicyChoice.of("spread"));
        configure("new", "rule", "any");
        assertThat(names()).containsExactly("gpu", "default");
        configure("bad name");
        assertThat(names()).containsExactly("gpu", "default");
        assertThat(notified).hasValue(1);
    }

    @Test
    void anInvalidFileIsReadAgainWhenPoliciesChange() {
        configure("gpu", "matching", "spread", "matching.wrong", "1");
        assertThat(names()).containsExactly("default");
        configure("default", "distribution", "fifo", "distribution.wrong", "1", "rule", "loose");
        assertThat(registry.details((pool, kind, preference) -> "").get(0).obstacles())
                .containsOnlyKeys(PoolDetails.FILE)
                .extractingByKey(PoolDetails.FILE)
                .asString()
                .contains("etc/io.berth.pool-default.cfg", "distribution.wrong");
        registry.policiesChanged();
        assertThat(names()).containsExactly("default");
        unknown = "another";
        registry.policiesChanged();
        assertThat(names()).containsExactly("gpu", "default");
        assertThat(registry.definitions().get(1).rule()).hasValue(MatchingRule.LOOSE);
        assertThat(registry.details((pool, kind, preference) -> "").get(1).obstacles())
                .isEmpty();
        assertThat(notified).hasValue(2);
        registry.policiesChanged();
        assertThat(notified).hasValue(2);
    }

    @Test
    void anInvalidFileThatIsRemovedIsForgotten() {
        configure("gpu", "matching", "spread", "matching.wrong", "1");
        configured.remove(PoolRegistry.PID + "gpu");
        registry.configurationRemoved(PoolRegistry.PID + "gpu");
        unknown = "another";
        registry.policiesChanged();
        assertThat(names()).containsExactly("default");
    }

    @Test
    void theRoomOfAQueueIsTheLeastOfItsLimitAndThoseAboveIt() {
        assertThat(registry.room("default", "any")).as("no queues").hasValue(new TreeMap<>());
        configure(
                "default",
                "queue.top.limit",
                "cpu=4, gpu=1",
                "queue.low.parent",
                "top",
                "queue.low.limit",
                "cpu=3, heap=1k",
                "queue.free.weight",
                "2");
        assertThat(registry.room("default", "low")).as("not measured yet").isEmpty();
        List<QueueDetails> queues = new ArrayList<>();
        for (QueueDetails queue :
                registry.details((pool, kind, preference) -> "").get(0).queues()) {
            SortedMap<String, Long> used = queue.name().equals("free")
                    ? new TreeMap<>()
                    : new TreeMap<>(Map.of("cpu", queue.name().equals("top") ? 3_500L : 1_000L, "gpu", 2L));
            queues.add(new QueueDetails(
                    queue.name(),
                    queue.parent(),
                    queue.weight(),
                    queue.guaranteed(),
                    queue.limit(),
                    queue.submitters(),
                    used,
                    queue.pending(),
                    queue.usedSeconds()));
        }
        registry.measured("default", 1, queues);
        assertThat(registry.room("default", "low"))
                .hasValue(new TreeMap<>(Map.of("cpu", 500L, "gpu", 0L, "heap", 1_024L)));
        assertThat(registry.room("default", "free")).hasValue(new TreeMap<>());
        assertThat(registry.room("default", "unknown")).hasValue(new TreeMap<>());
    }

    @Test
    void namesKeyValueAndWhatIsAllowed() {
        assertThat(problems("gpu", "rule", "any"))
                .containsExactly(
                        "rule is 'any': allowed is exact or loose, or nothing for that of the ResourceManager");
        assertThat(problems("gpu", "order", "1001"))
                .containsExactly("order is '1001': allowed is a whole number from" + " -1000 to 1000");
        assertThat(problems("gpu", "workers.start", "no"))
                .containsExactly("workers.start is 'no': allowed is true or false");
        assertThat(problems("gpu", "workers.labels", "a b"))
                .singleElement()
                .asString()
                .startsWith("workers.labels is 'a b': allowed is KEY=VALUE");
        assertThat(problems("gpu", "workers.labels", "zone="))
                .singleElement()
                .asString()
                .startsWith("workers.labels is 'zone=': allowed is KEY=VALUE");
        assertThat(problems("gpu", "min.cpu.millicores", "5", "max.cpu.millicores", "4"))
                .containsExactly("min.cpu.millicores is '5': allowed is at most max.cpu.millicores, which is 4");
        assertThat(problems("gpu", "matching.window", "5"))
                .singleElement()
                .asString()
                .contains("'matching.window'", "key matching names none");
        assertThat(problems("gpu", "workers.label", "gpu"))
                .singleElement()
                .asString()
                .contains("'workers.label' is not known", "workers.labels");
        assertThat(problems("default", "workers.labels", "gpu", "order", "1")).hasSize(2);
    }

    @Test
    void peopleSeeWhatTheFileSays() {
        configure(
                "gpu",
                "workers.specs",
                "local/gpu",
                "matching",
                "spread",
                "matching.window",
                "5",
                "fallbacks.matching",
                "a, b",
                "max.memory.mib",
                "1",
                "workers.start",
                "false",
                "rule",
                "loose");
        PoolDetails details = registry.details((pool, kind, preference) -> pool.equals("gpu")
                                && kind == PolicyKind.MATCHING
                        ? "does not decide; else " + preference.fallbacks().orElseThrow()
                        : "")
                .get(0);
        assertThat(details.obstacles()).isEqualTo(Map.of("matching", "does not decide; else [a, b]"));
        assertThat(details.members()).isEqualTo("specs local/gpu");
        assertThat(details.policies())
                .isEqualTo(Map.of("matching", new PolicyChoice("spread", new TreeMap<>(Map.of("window", "5")))));
        assertThat(details.fallbacks()).isEqualTo(Map.of("matching", List.of("a", "b")));
        assertThat(details.rule()).isEqualTo("loose");
        assertThat(details.limits().maxMemoryBytes()).isEqualTo(1 << 20);
        assertThat(details.startsWorkers()).isFalse();
        assertThat(registry.preference("gpu", PolicyKind.DISTRIBUTION).choice()).isEqualTo(Optional.empty());
    }
}
