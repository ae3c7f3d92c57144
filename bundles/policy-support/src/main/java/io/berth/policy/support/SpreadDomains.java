package io.berth.policy.support;

import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.SpreadView;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Where the slots of groups are that are spread over the values of a label: the workers of each value, kept between
 * calls, and the counts of one call. What it costs between calls depends on what changed, and it costs nothing before
 * the first such entry.
 */
final class SpreadDomains {

    /** Workers by value of the label, for one number of constraints. */
    private static final class Kind {
        private final Map<String, WorkerSet> workers = new HashMap<>();
        private final Map<Integer, WorkerSet> setOf = new HashMap<>();
        private final WorkerSet changed = new WorkerSet();

        private void put(int worker, SpreadView spread) {
            WorkerSet before = setOf.remove(worker);
            if (before != null) {
                before.remove(worker);
            }
            int domain = spread.domain(worker);
            if (domain >= 0) {
                WorkerSet now = workers.computeIfAbsent(spread.value(domain), first -> new WorkerSet());
                now.add(worker);
                setOf.put(worker, now);
            }
        }
    }

    /** Slots of one group. */
    static final class Counts {

        private final SpreadView spread;
        private final Kind kind;
        private final int[] slots;
        private final int[] placed;

        private Counts(SpreadView spread, Kind kind) {
            this.spread = spread;
            this.kind = kind;
            slots = new int[spread.domains()];
            placed = new int[spread.domains()];
            for (int domain = 0; domain < slots.length; domain++) {
                slots[domain] = spread.slots(domain);
            }
        }

        int domains() {
            return slots.length;
        }

        /** The workers of a domain, some of which constraints may exclude. */
        WorkerSet workers(int domain) {
            return kind.workers.computeIfAbsent(spread.value(domain), first -> new WorkerSet());
        }

        int domainOnSpec(int spec) {
            return spread.domainOnSpec(spec);
        }

        int domain(int worker) {
            return spread.domain(worker);
        }

        void add(int domain, int count) {
            slots[domain] += count;
            placed[domain] += count;
        }

        /**
         * The domain with the fewest slots that may have one more, after another one in this order; -1 when there is
         * none.
         *
         * @param after -1 for the first one
         */
        int next(int after) {
            int best = -1;
            for (int domain = 0; domain < slots.length; domain++) {
                boolean later = after < 0 || isBefore(after, domain);
                if (later && (best < 0 || isBefore(domain, best)) && mayGrow(domain)) {
                    best = domain;
                }
            }
            return best;
        }

        private boolean isBefore(int one, int other) {
            return slots[one] != slots[other] ? slots[one] < slots[other] : one < other;
        }

        private boolean counts(int domain) {
            return spread.hasWorkers(domain) || placed[domain] > 0;
        }

        private boolean mayGrow(int grown) {
            int fewest = Integer.MAX_VALUE;
            for (int domain = 0; domain < slots.length; domain++) {
                if (domain == grown || counts(domain)) {
                    fewest = Math.min(fewest, slots[domain] + (domain == grown ? 1 : 0));
                }
            }
            // A domain that begins to count may make too much of what others got.
            boolean begins = !counts(grown);
            for (int domain = 0; domain < slots.length; domain++) {
                if (domain == grown
                        ? slots[domain] + 1 - fewest > spread.maxSkew()
                        : begins && placed[domain] > 0 && slots[domain] - fewest > spread.maxSkew()) {
                    return false;
                }
            }
            return true;
        }

        String rule() {
            return "their group may have at most " + spread.maxSkew() + " slots more with one value of label "
                    + spread.label() + " than with another";
        }
    }

    private final FreeRoom room;
    private final Map<Integer, Kind> kinds = new HashMap<>();
    private final Map<SpreadView, Counts> ofCall = new IdentityHashMap<>();

    SpreadDomains(FreeRoom room) {
        this.room = room;
    }

    void begin() {
        // Its clear looks at all of the table.
        if (!ofCall.isEmpty()) {
            ofCall.clear();
        }
    }

    /** The labels at the index may have changed. */
    void changed(int worker) {
        if (!kinds.isEmpty()) {
            kinds.values().forEach(kind -> kind.changed.add(worker));
        }
    }

    Counts of(SpreadView spread, AdmittedView entries, int entry) {
        return ofCall.computeIfAbsent(spread, first -> new Counts(spread, kind(spread, entries.constraints(entry))));
    }

    private Kind kind(SpreadView spread, int constraints) {
        Kind known = kinds.get(constraints);
        if (known == null) {
            Kind added = new Kind();
            for (WorkerSet set : new WorkerSet[] {room.registered(), room.pending()}) {
                for (int worker = set.next(0); worker >= 0; worker = set.next(worker + 1)) {
                    added.put(worker, spread);
                }
            }
            kinds.put(constraints, added);
            return added;
        }
        for (int worker = known.changed.next(0); worker >= 0; worker = known.changed.next(worker + 1)) {
            known.changed.remove(worker);
            known.put(worker, spread);
        }
        return known;
    }
}
