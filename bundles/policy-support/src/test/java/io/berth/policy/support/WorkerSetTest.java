package io.berth.policy.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class WorkerSetTest {

    private static final int[] LIMITS = {1, 63, 64, 65, 4_095, 4_096, 4_097, 20_000};

    @Test
    void holdsWhatASortedSetHolds() {
        for (int limit : LIMITS) {
            Random random = new Random(limit);
            WorkerSet set = new WorkerSet();
            TreeSet<Integer> model = new TreeSet<>();
            for (int step = 0; step < 3_000; step++) {
                int worker = random.nextInt(limit);
                if (random.nextInt(3) > 0) {
                    set.add(worker);
                    model.add(worker);
                } else {
                    set.remove(worker);
                    model.remove(worker);
                }
                int from = random.nextInt(limit + 70);
                assertThat(set.next(from)).isEqualTo(orNone(model.ceiling(from)));
                assertThat(set.contains(from)).isEqualTo(model.contains(from));
                assertThat(set.size()).isEqualTo(model.size());
            }
        }
    }

    @Test
    void addsAllWorkersOfAnotherSet() {
        for (int limit : LIMITS) {
            Random random = new Random(limit);
            WorkerSet set = new WorkerSet();
            WorkerSet other = new WorkerSet();
            TreeSet<Integer> model = new TreeSet<>();
            for (int step = 0; step < 100; step++) {
                int worker = random.nextInt(limit);
                (random.nextBoolean() ? set : other).add(worker);
                model.add(worker);
            }
            set.addAll(other);
            TreeSet<Integer> walked = new TreeSet<>();
            for (int worker = set.next(0); worker >= 0; worker = set.next(worker + 1)) {
                walked.add(worker);
            }
            assertThat(walked).isEqualTo(model);
            assertThat(set.size()).isEqualTo(model.size());
        }
    }

    @Test
    void removesSeveralWorkersOfOneWordAtOnce() {
        WorkerSet set = new WorkerSet();
        for (int worker = 60; worker < 70; worker++) {
            set.add(worker);
        }
        set.removeBits(1, 0b110);
        assertThat(set.next(64)).isEqualTo(64);
        assertThat(set.next(65)).isEqualTo(67);
        set.removeBits(1, set.bits(1));
        assertThat(set.next(64)).isEqualTo(-1);
        assertThat(set.size()).isEqualTo(4);
    }

    private static int orNone(Integer worker) {
        return worker == null ? -1 : worker;
    }
}
