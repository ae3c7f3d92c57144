package io.berth.policy.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.spi.JobId;
import io.berth.testkit.UnconstrainedView;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlotPlacementTest {

    private static final SlotPlacement.Order BY_INDEX = order(FittingWorkers::first);

    private interface Choice {
        int next(FittingWorkers fitting);
    }

    private static SlotPlacement.Order order(Choice choice) {
        return order(choice, true);
    }

    private static SlotPlacement.Order order(Choice choice, boolean fills) {
        return new SlotPlacement.Order() {
            @Override
            public void changed(int worker, FreeRoom room) {
                // Keeps nothing.
            }

            @Override
            public int next(FittingWorkers fitting) {
                return choice.next(fitting);
            }

            @Override
            public boolean fills() {
                return fills;
            }
        };
    }

    /** One entry that requests slots of one size. */
    private record Asked(int count, long need) implements UnconstrainedView {

        @Override
        public int size() {
            return 1;
        }

        @Override
        public JobId job(int entry) {
            return new JobId("job");
        }

        @Override
        public String group(int entry) {
            return "group";
        }

        @Override
        public int gang(int entry) {
            return -1;
        }

        @Override
        public int count(int entry) {
            return count;
        }

        @Override
        public int profile(int entry) {
            return 0;
        }

        @Override
        public long amount(int entry, int dimension) {
            return need;
        }

        @Override
        public long need(int entry, int worker, int dimension) {
            return need;
        }

        @Override
        public long needOnSpec(int entry, int spec, int dimension) {
            return need;
        }
    }

    private static final class Said extends PlacesOnly {
        private final List<String> lines = new ArrayList<>();

        @Override
        public void place(int entry, int worker, int count) {
            lines.add(count + " on " + worker);
        }

        @Override
        public void unplaced(int entry, String reason) {
            lines.add(reason);
        }
    }

    private static List<String> place(SlotPlacement placement, int count, long need) {
        Said said = new Said();
        placement.place(new Asked(count, need), said);
        return said.lines;
    }

    @Test
    void findsRoomOnAWorkerThatWasFreedManyChangesAgo() {
        CountedWorkers workers = new CountedWorkers(6_000, 0);
        SlotPlacement placement = new SlotPlacement(workers, BY_INDEX);
        assertThat(place(placement, 1, 2)).singleElement().asString().contains("find no worker");
        workers.free[5] = 2;
        placement.delta(new int[] {5});
        for (int worker = 500; worker < 5_500; worker++) {
            workers.free[worker] = 1;
            placement.delta(new int[] {worker});
        }
        assertThat(place(placement, 1, 2)).containsExactly("1 on 5");
    }

    @Test
    void aSessionOfItsOwnAsksForTheWorkersThatHaveRoom() {
        CountedWorkers workers = new CountedWorkers(200, 0);
        workers.free[3] = 2;
        workers.free[150] = 4;
        SlotPlacement placement = new SlotPlacement(workers, BY_INDEX);
        placement.look(new Asked(1, 2));
        assertThat(fitting(placement)).containsExactly(3, 150);
        assertThat(placement.fittingPending(0, 0)).isEqualTo(-1);
        workers.free[3] = 1;
        workers.free[199] = 2;
        placement.delta(new int[] {3, 199});
        placement.look(new Asked(1, 2));
        assertThat(fitting(placement)).containsExactly(150, 199);
    }

    private static List<Integer> fitting(SlotPlacement placement) {
        List<Integer> fitting = new ArrayList<>();
        for (int worker = placement.fitting(0, 0); worker >= 0; worker = placement.fitting(0, worker + 1)) {
            fitting.add(worker);
        }
        return fitting;
    }

    @Test
    void aCallReadsWhatChangedHoweverManyWorkersThereAre() {
        assertThat(readsOfOneChange(100_000)).isEqualTo(readsOfOneChange(1_000));
    }

    private static long readsOfOneChange(int count) {
        CountedWorkers workers = new CountedWorkers(count, 0);
        SlotPlacement placement = new SlotPlacement(workers, BY_INDEX);
        place(placement, 1, 2);
        workers.free[count / 2] = 4;
        workers.reads = 0;
        placement.delta(new int[] {count / 2});
        assertThat(place(placement, 1, 2)).containsExactly("1 on " + count / 2);
        return workers.reads;
    }

    @Test
    void theReasonForAShortageLooksAtAThousandWorkersAtMost() {
        assertThat(place(new SlotPlacement(new CountedWorkers(3, 1), BY_INDEX), 1, 2))
                .singleElement()
                .asString()
                .contains("3 of 3 workers have too little dimension 0");
        assertThat(place(new SlotPlacement(new CountedWorkers(5_000, 1), BY_INDEX), 1, 2))
                .singleElement()
                .asString()
                .contains("1000 of the first 1000 of 5000 workers");
    }

    @Test
    void aPlaceThatWasNotCommittedIsForgotten() {
        CountedWorkers workers = new CountedWorkers(2, 4);
        SlotPlacement placement = new SlotPlacement(workers, BY_INDEX);
        assertThat(place(placement, 3, 2)).containsExactly("2 on 0", "1 on 1");
        assertThat(place(placement, 3, 2)).containsExactly("2 on 0", "1 on 1");
    }

    @Test
    void needsThatAreLargeAndSmallAreBothExact() {
        CountedWorkers workers = new CountedWorkers(1, Long.MAX_VALUE / 2);
        SlotPlacement placement = new SlotPlacement(workers, BY_INDEX);
        assertThat(place(placement, 5, Long.MAX_VALUE / 8))
                .containsExactly("4 on 0", "1 slots find no worker: 1 of 1 workers have too little dimension 0");
        assertThat(place(placement, 5, 1)).containsExactly("5 on 0");
    }

    @Test
    void rejectsAnOrderThatChoosesAWorkerWithoutRoom() {
        SlotPlacement placement = new SlotPlacement(new CountedWorkers(2, 1), order(fitting -> 1));
        assertThatThrownBy(() -> place(placement, 1, 2))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("worker 1 was chosen, and has no room");
    }

    /** What the last search found has no room anymore when a slot was taken since. */
    @Test
    void rejectsAnOrderThatChoosesTheWorkerOfItsFirstSearchAgain() {
        List<Integer> first = new ArrayList<>();
        SlotPlacement placement = new SlotPlacement(
                new CountedWorkers(2, 3),
                order(
                        fitting -> {
                            if (first.isEmpty()) {
                                first.add(fitting.first());
                            }
                            return first.get(0);
                        },
                        false));
        assertThatThrownBy(() -> place(placement, 2, 2))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("worker 0 was chosen, and has no room");
    }

    @Test
    void anOrderIsCalledForWorkersThatHaveOtherAmountsThanItKnows() {
        List<String> calls = new ArrayList<>();
        CountedWorkers workers = new CountedWorkers(3, 4);
        SlotPlacement placement = new SlotPlacement(workers, new SlotPlacement.Order() {
            @Override
            public void changed(int worker, FreeRoom room) {
                calls.add(room.left(worker, 0) + " left on " + worker);
            }

            @Override
            public int next(FittingWorkers fitting) {
                return fitting.first();
            }

            @Override
            public boolean fills() {
                return true;
            }
        });
        assertThat(calls).containsExactly("4 left on 0", "4 left on 1", "4 left on 2");
        calls.clear();
        assertThat(place(placement, 3, 2)).containsExactly("2 on 0", "1 on 1");
        assertThat(calls).containsExactly("0 left on 0", "2 left on 1");
        calls.clear();

        // What was placed on worker 0 is there now, what was placed on worker 1 is not.
        workers.free[0] = 0;
        workers.free[2] = 3;
        placement.delta(new int[] {0, 1, 2});
        assertThat(calls).containsExactly("4 left on 1", "3 left on 2");
    }
}
