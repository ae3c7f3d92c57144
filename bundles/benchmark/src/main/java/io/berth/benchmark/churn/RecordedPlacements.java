package io.berth.benchmark.churn;

import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a session placed, call by call, to be placed once more by nobody who thinks. For one thread. */
final class RecordedPlacements {

    /** Entry, worker and count of each run of a call, next to each other. */
    private final List<int[]> calls = new ArrayList<>();

    /** Does what the session does, and notes it. */
    PlacementSession noting(PlacementSession session) {
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

    /** Places the same from the first call on; no more calls than were noted. */
    PlacementSession again() {
        return new PlacementSession() {
            private int call;

            @Override
            public void delta(int[] changed) {
                // It is known what will be placed.
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
                // Holds nothing of its own.
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
    }
}
