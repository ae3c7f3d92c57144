package io.berth.policy.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.ResourceProfile;
import io.berth.testkit.ArrayAdmittedView;
import io.berth.testkit.ArrayWorkersView;
import io.berth.testkit.RecordedPlacement;
import io.berth.testkit.RecordedPlacement.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The most utilized worker that fits is the one that a scan finds, whatever dimension each worker is short of. */
class ByUtilizationTest {

    private static final int STEPS = 64;

    private final ArrayWorkersView workers = new ArrayWorkersView();

    private static ResourceProfile profile(long cpu, long heap, long gpus) {
        return new ResourceProfile(cpu, heap, 0, 0, gpus == 0 ? new TreeMap<>() : new TreeMap<>(Map.of("gpu", gpus)));
    }

    /** Amounts in eighths of a worker, so that many are full or alike. */
    private static ResourceProfile slot(Random random) {
        return profile(500 * random.nextInt(4), 500 * (1 + random.nextInt(4)), random.nextInt(5) / 4);
    }

    private int step(int worker) {
        double most = 0;
        for (int dimension = 0; dimension < workers.dimensions(); dimension++) {
            long total = workers.total(worker, dimension);
            most = Math.max(most, total == 0 ? 0 : (total - workers.free(worker, dimension)) * (1.0 / total));
        }
        return (int) (most * STEPS + 1e-9);
    }

    private int room(ArrayAdmittedView admitted, int entry, int worker, int most) {
        long count = most;
        for (int dimension = 0; dimension < workers.dimensions(); dimension++) {
            long need = admitted.need(entry, worker, dimension);
            count = need > 0 ? Math.min(count, workers.free(worker, dimension) / need) : count;
        }
        return (int) count;
    }

    private void take(ArrayAdmittedView admitted, Run run, int sign) {
        for (int dimension = 0; dimension < workers.dimensions(); dimension++) {
            long need = admitted.need(run.entry(), run.worker(), dimension);
            workers.take(run.worker(), dimension, sign * need * run.count());
        }
    }

    /** Takes the room in the view. */
    private List<Run> scan(ArrayAdmittedView admitted) {
        List<Run> runs = new ArrayList<>();
        for (int entry = 0; entry < admitted.size(); entry++) {
            int missing = admitted.count(entry);
            while (missing > 0) {
                int best = -1;
                for (int worker = 0; worker < workers.limit(); worker++) {
                    if (room(admitted, entry, worker, 1) > 0 && (best < 0 || step(worker) > step(best))) {
                        best = worker;
                    }
                }
                if (best < 0) {
                    break;
                }
                Run run = new Run(entry, best, room(admitted, entry, best, missing));
                take(admitted, run, 1);
                runs.add(run);
                missing -= run.count();
            }
        }
        return runs;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void theMostUtilizedWorkerIsTheOneThatAScanFinds(long seed) {
        Random random = new Random(seed);
        IntStream.range(0, 200)
                .forEach(each -> workers.worker(profile(4_000, random.nextBoolean() ? 4_000 : 8_000, each % 3)));
        SlotPlacement placement = new SlotPlacement(workers, ByUtilization.mostFirst());
        List<Run> there = new ArrayList<>();
        List<ArrayAdmittedView> of = new ArrayList<>();
        for (int round = 0; round < 60; round++) {
            ArrayAdmittedView admitted = new ArrayAdmittedView(workers);
            for (int entry = random.nextInt(8); entry >= 0; entry--) {
                admitted.add("job-" + entry, slot(random), 1 + random.nextInt(12));
            }
            List<Run> expected = scan(admitted);
            expected.forEach(run -> take(admitted, run, -1));
            RecordedPlacement plan = new RecordedPlacement(workers);
            placement.place(admitted, plan);
            assertThat(plan.runs()).as("round %d", round).isEqualTo(expected);
            List<Integer> changed = new ArrayList<>();
            expected.forEach(run -> {
                take(admitted, run, 1);
                there.add(run);
                of.add(admitted);
                changed.add(run.worker());
            });
            for (int ended = random.nextInt(10); ended > 0 && !there.isEmpty(); ended--) {
                int one = random.nextInt(there.size());
                changed.add(there.get(one).worker());
                take(of.remove(one), there.remove(one), -1);
            }
            placement.delta(
                    changed.stream().mapToInt(worker -> worker).distinct().toArray());
        }
    }
}
