package io.berth.matching.firstfit;

import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import java.util.Arrays;

/**
 * First fit over the order of indexes: registered workers, then pending ones, then new ones of the smallest spec that
 * fits. Looks at each worker once per profile in a call: what had no room for a profile has none later in the call.
 */
final class FirstFitSession implements PlacementSession {

    private final WorkersView workers;

    FirstFitSession(WorkersView workers) {
        this.workers = workers;
    }

    @Override
    public void delta(int[] changed) {
        // Keeps no index over calls.
    }

    @Override
    public void place(AdmittedView admitted, PlacementBuilder plan) {
        Call call = new Call(workers, admitted, plan);
        int entry = 0;
        while (entry < admitted.size()) {
            int next = entry + 1;
            int atom = admitted.atom(entry);
            while (atom >= 0 && next < admitted.size() && admitted.atom(next) == atom) {
                next++;
            }
            if (atom >= 0) {
                call.placeWhole(entry, next);
            } else {
                call.placeSome(entry);
            }
            entry = next;
        }
    }

    @Override
    public void close() {
        // Holds nothing.
    }

    /** One placing call: what is left of each worker, and where to look next. */
    private static final class Call {

        private final WorkersView workers;
        private final AdmittedView admitted;
        private final PlacementBuilder plan;
        private final int dimensions;
        private final int limit;
        /** Present workers in the order they are tried. */
        private final int[] order;
        /** What is left, by place in the order and then by new worker; a row is filled when it is first used. */
        private long[][] left;
        private int[] newSpec = new int[4];
        private int[] newIndex = new int[4];
        private int news;
        private final int[] specLeft;
        /** First place that may have room, by profile. */
        private int[] cursor = new int[4];

        private int runs;
        private int[] runEntry = new int[16];
        private int[] runPlace = new int[16];
        private int[] runCount = new int[16];

        private Call(WorkersView workers, AdmittedView admitted, PlacementBuilder plan) {
            this.workers = workers;
            this.admitted = admitted;
            this.plan = plan;
            this.dimensions = workers.dimensions();
            int[] places = new int[workers.limit()];
            int count = 0;
            for (int pass = 0; pass < 2; pass++) {
                for (int worker = 0; worker < places.length; worker++) {
                    if (workers.present(worker) && workers.pending(worker) == (pass == 1)) {
                        places[count++] = worker;
                    }
                }
            }
            this.limit = count;
            this.order = places;
            this.left = new long[count + 4][];
            this.specLeft = new int[workers.specs()];
            for (int spec = 0; spec < specLeft.length; spec++) {
                specLeft[spec] = workers.specLeft(spec);
            }
        }

        private void placeWhole(int from, int to) {
            int newsBefore = news;
            int[] cursorBefore = cursor.clone();
            runs = 0;
            for (int entry = from; entry < to; entry++) {
                int missing = fill(entry);
                if (missing > 0) {
                    String reason = shortage(entry, missing);
                    rollBack(newsBefore);
                    cursor = cursorBefore;
                    plan.unplaced(entry, reason);
                    return;
                }
            }
            emit(newsBefore);
        }

        private void placeSome(int entry) {
            int newsBefore = news;
            runs = 0;
            int missing = fill(entry);
            emit(newsBefore);
            if (missing > 0) {
                plan.unplaced(entry, shortage(entry, missing));
            }
        }

        /** Takes room for the entry; returns how many slots found none. */
        private int fill(int entry) {
            int profile = admitted.profile(entry);
            if (profile >= cursor.length) {
                cursor = Arrays.copyOf(cursor, Math.max(profile + 1, cursor.length * 2));
            }
            int missing = admitted.count(entry);
            while (missing > 0) {
                while (cursor[profile] < limit + news) {
                    int place = cursor[profile];
                    int count = (int) Math.min(missing, fits(entry, place));
                    if (count > 0) {
                        take(entry, place, count);
                        missing -= count;
                    }
                    if (missing == 0) {
                        return 0;
                    }
                    cursor[profile]++;
                }
                int spec = smallestSpec(entry);
                if (spec < 0) {
                    return missing;
                }
                startNew(spec);
            }
            return missing;
        }

        private long fits(int entry, int place) {
            long[] amounts = left(place);
            long count = Integer.MAX_VALUE;
            for (int dimension = 0; dimension < dimensions; dimension++) {
                long need = need(entry, place, dimension);
                if (need > 0) {
                    count = Math.min(count, amounts[dimension] / need);
                }
            }
            return count;
        }

        private void take(int entry, int place, int count) {
            long[] amounts = left(place);
            for (int dimension = 0; dimension < dimensions; dimension++) {
                amounts[dimension] -= need(entry, place, dimension) * count;
            }
            if (runs == runEntry.length) {
                runEntry = Arrays.copyOf(runEntry, runs * 2);
                runPlace = Arrays.copyOf(runPlace, runs * 2);
                runCount = Arrays.copyOf(runCount, runs * 2);
            }
            runEntry[runs] = entry;
            runPlace[runs] = place;
            runCount[runs++] = count;
        }

        private void rollBack(int newsBefore) {
            for (int run = 0; run < runs; run++) {
                long[] amounts = left(runPlace[run]);
                for (int dimension = 0; dimension < dimensions; dimension++) {
                    amounts[dimension] += need(runEntry[run], runPlace[run], dimension) * runCount[run];
                }
            }
            while (news > newsBefore) {
                news--;
                specLeft[newSpec[news]]++;
                left[limit + news] = null;
            }
        }

        private void emit(int newsBefore) {
            for (int nth = newsBefore; nth < news; nth++) {
                newIndex[nth] = plan.open(newSpec[nth]);
            }
            for (int run = 0; run < runs; run++) {
                int place = runPlace[run];
                plan.place(runEntry[run], place < limit ? order[place] : newIndex[place - limit], runCount[run]);
            }
        }

        private void startNew(int spec) {
            if (news == newSpec.length) {
                newSpec = Arrays.copyOf(newSpec, news * 2);
                newIndex = Arrays.copyOf(newIndex, news * 2);
            }
            if (limit + news >= left.length) {
                left = Arrays.copyOf(left, left.length * 2);
            }
            newSpec[news++] = spec;
            specLeft[spec]--;
        }

        /** The smallest spec of which one slot fits: by the dimensions in their order. */
        private int smallestSpec(int entry) {
            int best = -1;
            for (int spec = 0; spec < specLeft.length; spec++) {
                if (specLeft[spec] > 0 && fitsOnSpec(entry, spec) && (best < 0 || smaller(spec, best))) {
                    best = spec;
                }
            }
            return best;
        }

        private boolean fitsOnSpec(int entry, int spec) {
            for (int dimension = 0; dimension < dimensions; dimension++) {
                if (admitted.needOnSpec(entry, spec, dimension) > workers.specTotal(spec, dimension)) {
                    return false;
                }
            }
            return true;
        }

        private boolean smaller(int spec, int other) {
            for (int dimension = 0; dimension < dimensions; dimension++) {
                int order = Long.compare(workers.specTotal(spec, dimension), workers.specTotal(other, dimension));
                if (order != 0) {
                    return order < 0;
                }
            }
            return false;
        }

        private long[] left(int place) {
            if (left[place] == null) {
                left[place] = new long[dimensions];
                for (int dimension = 0; dimension < dimensions; dimension++) {
                    left[place][dimension] = place < limit
                            ? workers.free(order[place], dimension)
                            : workers.specTotal(newSpec[place - limit], dimension);
                }
            }
            return left[place];
        }

        private long need(int entry, int place, int dimension) {
            return place < limit
                    ? admitted.need(entry, order[place], dimension)
                    : admitted.needOnSpec(entry, newSpec[place - limit], dimension);
        }

        /** Names the dimension that most workers are short of. */
        private String shortage(int entry, int missing) {
            int[] without = new int[dimensions];
            for (int place = 0; place < limit + news; place++) {
                long[] amounts = left(place);
                for (int dimension = 0; dimension < dimensions; dimension++) {
                    if (amounts[dimension] < need(entry, place, dimension)) {
                        without[dimension]++;
                    }
                }
            }
            int worst = 0;
            for (int dimension = 1; dimension < dimensions; dimension++) {
                worst = without[dimension] > without[worst] ? dimension : worst;
            }
            String workersText = limit + news == 0
                    ? "there is no worker"
                    : without[worst] + " of " + (limit + news) + " workers have too little " + workers.dimension(worst);
            return missing + " slots find no worker: " + workersText
                    + (specLeft.length == 0 ? "" : ", and no new worker may be started that fits");
        }
    }
}
