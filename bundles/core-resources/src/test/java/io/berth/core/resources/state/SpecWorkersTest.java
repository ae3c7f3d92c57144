package io.berth.core.resources.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.resources.TestCluster;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is known of the pending workers of a spec without looking at them. */
class SpecWorkersTest {

    private static final ResourceProfile SIZE = ResourceProfile.of(4_000, 4_000);
    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1_000);
    private static final int MANY = 1_000;

    private final WorkerRegistry registry = new WorkerRegistry(TestCluster.noFlush());
    private long count;

    private SpecWorkers ofSpec() {
        return registry.ofSpec("local/small");
    }

    private WorkerEntry add() {
        return registry.add(
                new WorkerId("pending-" + ++count), new Origin("local", "small", 0), SIZE, 4, WorkerLabels.NONE);
    }

    private List<WorkerEntry> pending(Predicate<WorkerEntry> which) {
        return registry.all().stream()
                .filter(worker -> worker.state() == WorkerEntry.State.PENDING)
                .filter(which)
                .sorted(Comparator.comparing(WorkerEntry::id))
                .toList();
    }

    private void change(WorkerEntry worker, List<WorkerEntry> there, Random random) {
        switch (random.nextInt(8)) {
            case 0 -> registry.remove(worker);
            case 1 -> registry.ofPool("default").clearPlans();
            case 2 -> registry.rename(worker, new WorkerId("granted-" + ++count), true);
            case 3 -> registry.rename(worker, new WorkerId("pending-" + ++count), false);
            case 4 -> registry.state(worker, WorkerEntry.State.values()[random.nextInt(3)]);
            case 5 -> registry.movePlan(worker, there.get(random.nextInt(there.size())));
            default -> registry.plan(worker, 1, SLOT);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void theWorkersWithPlannedSlotsAreThoseThatAFullScanFinds(long seed) {
        Random random = new Random(seed);
        for (int step = 0; step < 5_000; step++) {
            List<WorkerEntry> there = registry.all();
            if (there.size() < 3 || there.size() < 12 && random.nextInt(3) == 0) {
                add();
            } else {
                change(there.get(random.nextInt(there.size())), there, random);
            }
            List<WorkerEntry> open = pending(worker -> !worker.named());
            List<WorkerEntry> planned = pending(worker -> !worker.named() && worker.planned() > 0);
            List<WorkerEntry> vacant = pending(worker -> worker.named() && worker.planned() == 0);
            assertThat(ofSpec().open()).isEqualTo(open.size());
            assertThat(ofSpec().plannedOpen()).isEqualTo(planned);
            assertThat(ofSpec().vacantGranted()).isEqualTo(vacant);
            assertThat(ofSpec().vacant())
                    .containsExactlyElementsOf(Stream.concat(
                                    open.stream().filter(worker -> worker.planned() == 0), vacant.stream())
                            .toList());
            Predicate<WorkerEntry> even = worker -> worker.index % 2 == 0;
            assertThat(ofSpec().bestOpen(even))
                    .isEqualTo(planned.stream()
                            .filter(even)
                            .findFirst()
                            .or(() -> open.stream().filter(even).findFirst()));
        }
    }

    @Test
    void aPlanThatUsesAllPendingWorkersChecksNoneForUnusedOnes() {
        for (int worker = 0; worker < MANY; worker++) {
            registry.plan(add(), 1, SLOT);
        }

        assertThat(ofSpec().vacant()).isEmpty();
        assertThat(ofSpec().vacantGranted()).isEmpty();
        assertThat(ofSpec().checks()).isZero();
    }

    @Test
    void aProcessFindsItsPendingWorkerAtOneLookWhetherSlotsArePlannedOrNot() {
        List<WorkerEntry> workers = new ArrayList<>();
        for (int worker = 0; worker < MANY; worker++) {
            workers.add(add());
        }
        List<WorkerEntry> asked = new ArrayList<>();
        assertThat(ofSpec().bestOpen(asked::add)).contains(workers.get(0));
        assertThat(ofSpec().checks()).as("none has planned slots").isZero();
        assertThat(asked).hasSize(1);
        workers.forEach(worker -> registry.plan(worker, 1, SLOT));
        assertThat(ofSpec().bestOpen(worker -> true)).isEqualTo(Optional.of(workers.get(0)));
        assertThat(ofSpec().checks()).isEqualTo(1);
    }
}
