package io.berth.core.resources.explanation;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.fake.ManualTime;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.resources.TestCluster;
import io.berth.core.resources.backends.SpecStarts;
import io.berth.core.resources.backends.StartFailures;
import io.berth.core.resources.backends.WorkerDemand;
import io.berth.core.resources.explanation.ClusterCapacity.Workers;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.core.resources.state.Allocations;
import io.berth.core.resources.state.GrantRound;
import io.berth.core.resources.state.JobEntry;
import io.berth.core.resources.state.RequirementLedger;
import io.berth.core.resources.state.SlotEntry;
import io.berth.core.resources.state.SlotGrant;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.core.resources.state.WorkerRegistry;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerKindsTest {

    private static final ResourceProfile SIZE = ResourceProfile.of(4_000, 4_000);
    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1_000);

    private final WorkerRegistry registry = new WorkerRegistry(TestCluster.noFlush());
    private final WorkerKinds kinds = new WorkerKinds(registry);
    private final WorkerDemand backends = new WorkerDemand(
            registry,
            new StartFailures(new ManualTime(), ResourceSettings::defaults),
            new SpecStarts(new ManualTime(), ResourceSettings::defaults),
            ResourceSettings::defaults,
            TestCluster.noFlush());
    private final Allocations allocations = new Allocations(
            registry, new RequirementLedger(TestCluster.noFlush()), new ManualTime(), TestCluster.noFlush());
    private final JobEntry job = new RequirementLedger(TestCluster.noFlush()).job(new JobId("a"));
    private long count;

    private WorkerEntry add() {
        return registry.add(
                new WorkerId("w" + ++count),
                new Origin("local", count % 3 == 0 ? "small" : "", 0),
                SIZE,
                4,
                WorkerLabels.NONE);
    }

    private SlotEntry adopt(WorkerEntry worker) {
        SlotEntry slot = new SlotEntry(
                new AllocationId(1, ++count),
                worker,
                new SlotGrant(job, job.kind("all", "default", SLOT), 1, GrantRound.NONE, 0));
        allocations.adopt(List.of(slot));
        return slot;
    }

    private void change(WorkerEntry worker, Random random) {
        switch (random.nextInt(7)) {
            case 0 -> allocations.remove(worker);
            case 1 -> registry.plan(worker, 1, SLOT);
            case 2 -> registry.ofPool("default").clearPlans();
            case 3 -> registry.blocked(worker, random.nextBoolean());
            case 4 -> registry.state(worker, WorkerEntry.State.values()[random.nextInt(3)]);
            case 5 -> worker.slots().stream().findFirst().ifPresent(allocations::remove);
            default -> adopt(worker);
        }
    }

    private Map<Workers, Integer> recounted() {
        Map<Workers, Integer> counts = new LinkedHashMap<>();
        registry.all().forEach(worker -> counts.merge(Workers.of(worker), 1, Integer::sum));
        return counts;
    }

    private Map<Workers, Integer> kept() {
        Map<Workers, Integer> counts = new LinkedHashMap<>();
        kinds.capacity("default", backends)
                .workers()
                .forEach(kind -> assertThat(counts.put(kind.counting(1), kind.count()))
                        .as("each kind once")
                        .isNull());
        return counts;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void whatIsKeptIsWhatCountingAllWouldGive(long seed) {
        Random random = new Random(seed);
        for (int step = 0; step < 3_000; step++) {
            List<WorkerEntry> there = registry.all();
            if (there.size() < 5 || there.size() < 30 && random.nextInt(4) == 0) {
                add();
            } else {
                change(there.get(random.nextInt(there.size())), random);
            }
            if (random.nextInt(5) == 0) {
                assertThat(kept()).isEqualTo(recounted());
            }
        }
        assertThat(kept()).isEqualTo(recounted());
    }

    @Test
    void visitsOnlyWorkersThatChanged() {
        List<WorkerEntry> workers = new ArrayList<>();
        for (int number = 0; number < 1_000; number++) {
            workers.add(add());
        }
        kept();
        assertThat(kinds.visits()).isEqualTo(1_000);
        kept();
        assertThat(kinds.visits()).isEqualTo(1_000);
        allocations.remove(adopt(workers.get(500)));
        registry.remove(workers.get(7));
        kept();
        assertThat(kinds.visits()).isEqualTo(1_002);
    }
}
