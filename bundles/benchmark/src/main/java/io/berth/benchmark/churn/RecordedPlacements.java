package io.berth.benchmark.churn;

import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Records what a session placed in each call, to repeat the placements without a strategy. For one thread. */
final class RecordedPlacements {

    /** Entry, worker and count of each run of a call, next to each other. */
    private final List<int[]> calls = new ArrayList<>();

    /** Delegates to the session and records the result. */
    PlacementSession recording(PlacementSession session) {
        return new PlacementSession() {
            @Override
            public void delta(int[] changed) {
                session.delta(changed);
            }

            @Override
            public void place(AdmittedView admitted, PlacementBuilder plan) {
                Noted noted = new Noted(plan);
                session.place(admitted, noted);
                calls.add(Arrays.copyOf(noted.runs, noted.size));
            }

            @Override
            public void close() {
                session.close();
            }
        };
    }

    /** Repeats the placements from the first call on, at most as many calls as were recorded. */
    PlacementSession replaying() {
        return new PlacementSession() {
            private int call;

            @Override
            public void delta(int[] changed) {
                // The placements are already known.
            }

            @Override
            public void place(AdmittedView admitted, PlacementBuilder plan) {
                int[] runs = calls.get(call++);
                for (int at = 0; at < runs.length; at += 3) {
                    plan.place(runs[at], runs[at + 1], runs[at + 2]);
                }
            }

            @Override
            public void close() {
                // It has no state of its own.
            }
        };
    }

    private static final class Noted implements PlacementBuilder {

        private final PlacementBuilder plan;
        private int[] runs = new int[3];
        private int size;

        private Noted(PlacementBuilder plan) {
            this.plan = plan;
        }

        @Override
        public void place(int entry, int worker, int count) {
            if (size == runs.length) {
                runs = Arrays.copyOf(runs, size * 2);
            }
            runs[size++] = entry;
            runs[size++] = worker;
            runs[size++] = count;
            plan.place(entry, worker, count);
        }

        @Override
        public int open(int spec) {
            return plan.open(spec);
        }

        @Override
        public void unplaced(int entry, String reason) {
            plan.unplaced(entry, reason);
        }

        @Override
        public void leaveOut(int entry, String reason) {
            plan.leaveOut(entry, reason);
        }

        @Override
        public void reviewAfter(long millis) {
            plan.reviewAfter(millis);
        }

        @Override
        public void reserve(int entry, int worker, int count) {
            plan.reserve(entry, worker, count);
        }

        @Override
        public void giveBack(int allocation, String reason) {}

        @Override
        public void exclude(int entry, int worker, String reason) {
            plan.exclude(entry, worker, reason);
        }

        @Override
        public void excludeSpec(int entry, int spec, String reason) {
            plan.excludeSpec(entry, spec, reason);
        }

        @Override
        public void note(String text) {
            plan.note(text);
        }
    }
}
