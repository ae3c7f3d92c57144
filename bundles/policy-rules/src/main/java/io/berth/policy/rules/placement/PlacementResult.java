package io.berth.policy.rules.placement;

import io.berth.policy.rules.BuilderAccess;
import io.berth.policy.rules.PlainText;
import io.berth.spi.matching.PlacementBuilder;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Collects a placement as runs and names the first broken rule that can be seen at once; {@link PlacementCheck} finds
 * the others. Cannot grow beyond what was admitted.
 */
public final class PlacementResult implements PlacementBuilder {

    private final CheckedWorkers workers;
    private final CheckedEntries entries;
    private final BuilderAccess rules = new BuilderAccess();
    private final SortedMap<Integer, String> unplaced = new TreeMap<>();
    private final SortedMap<Integer, String> leftOut = new TreeMap<>();
    private final Set<String> notes = new LinkedHashSet<>();
    private final int[] placed;
    private final Exclusions excluded;
    private final GiveBacks givenBack;
    private Reservations reserved;
    private final int firstNew;
    private int[] runEntry = new int[16];
    private int[] runWorker = new int[16];
    private int[] runCount = new int[16];
    private int runs;
    private int[] opened = new int[4];
    private int openedCount;
    private final int[] openedOfSpec;
    /** First entry of a gang that the check found denied; -1 when there is none. */
    private int denied = -1;

    public PlacementResult(CheckedWorkers workers, CheckedEntries entries) {
        this(workers, entries, new Exclusions(workers, entries), new GiveBacks(entries.allocations()));
    }

    private PlacementResult(CheckedWorkers workers, CheckedEntries entries, Exclusions excluded, GiveBacks givenBack) {
        this.workers = workers;
        this.entries = entries;
        this.excluded = excluded;
        this.givenBack = givenBack;
        this.placed = new int[entries.size()];
        this.reserved = new Reservations(entries.size());
        this.firstNew = workers.limit();
        this.openedOfSpec = new int[workers.specs()];
    }

    public BuilderAccess rules() {
        return rules;
    }

    public int runs() {
        return runs;
    }

    public int entry(int run) {
        return runEntry[run];
    }

    public int worker(int run) {
        return runWorker[run];
    }

    public int count(int run) {
        return runCount[run];
    }

    public int placed(int entry) {
        return placed[entry];
    }

    public int firstNew() {
        return firstNew;
    }

    public int openedCount() {
        return openedCount;
    }

    public int openedSpec(int nth) {
        return opened[nth];
    }

    int openedOfSpec(int spec) {
        return openedOfSpec[spec];
    }

    /** The amount that a slot of an entry takes of a worker of the plan, which may be new. */
    public long need(int entry, int worker, int dimension) {
        return needOfProfile(entries.profile(entry), worker, dimension);
    }

    /**
     * What decides where slots of an entry fit: its profile with its constraints, and the exclusions of the entry. A
     * number below {@link #kinds}.
     */
    public int kind(int entry) {
        int excluding = excluded.kind(entry);
        return excluding < 0 ? entries.profile(entry) : entries.profiles() + excluding;
    }

    int kinds() {
        return entries.profiles() + excluded.kinds();
    }

    private int profile(int kind) {
        return kind < entries.profiles() ? kind : excluded.profile(kind - entries.profiles());
    }

    long needOnSpec(int kind, int spec, int dimension) {
        return entries.needOfOnSpec(profile(kind), spec, dimension);
    }

    long needOfKind(int kind, int worker, int dimension) {
        return needOfProfile(profile(kind), worker, dimension);
    }

    private long needOfProfile(int profile, int worker, int dimension) {
        return worker >= firstNew
                ? entries.needOfOnSpec(profile, opened[worker - firstNew], dimension)
                : entries.needOf(profile, worker, dimension);
    }

    /** How many slots of a kind fit what is left of a worker. */
    long quotient(int kind, int worker, RemainingCapacity left, int row) {
        if (!feasible(kind, worker)) {
            return 0;
        }
        int profile = profile(kind);
        long count = Integer.MAX_VALUE;
        for (int dimension = 0; dimension < workers.dimensions(); dimension++) {
            long need = needOfProfile(profile, worker, dimension);
            if (need > 0) {
                long amount = left.left(row, dimension);
                count = amount < need ? 0 : Math.min(count, amount / need);
            }
        }
        return count;
    }

    /** Whether a slot of a kind may be on a worker of the plan, which may be new. */
    boolean feasible(int kind, int worker) {
        if (worker >= firstNew) {
            return feasibleOnSpec(kind, opened[worker - firstNew]);
        }
        boolean allowed = kind < entries.profiles() || !excluded.excludesWorker(kind - entries.profiles(), worker);
        return allowed && entries.feasibleOf(profile(kind), worker);
    }

    boolean feasibleOnSpec(int kind, int spec) {
        return !excludesSpec(kind, spec) && entries.feasibleOfOnSpec(profile(kind), spec);
    }

    boolean excludesSpec(int kind, int spec) {
        return kind >= entries.profiles() && excluded.excludesSpec(kind - entries.profiles(), spec);
    }

    long quotientOnSpec(int kind, int spec) {
        if (!feasibleOnSpec(kind, spec)) {
            return 0;
        }
        int profile = profile(kind);
        long count = Integer.MAX_VALUE;
        for (int dimension = 0; dimension < workers.dimensions(); dimension++) {
            long need = entries.needOfOnSpec(profile, spec, dimension);
            count = need > 0 ? Math.min(count, workers.specTotal(spec, dimension) / need) : count;
        }
        return count;
    }

    /** Receives all runs at once, in columns of which the first ones count. */
    public interface Runs {
        void addAll(int[] entry, int[] worker, int[] count, int runs, long slots);
    }

    /** Hands over the runs, without a copy. */
    public void addTo(Runs receiver) {
        receiver.addAll(runEntry, runWorker, runCount, runs, placedSlots());
    }

    private long placedSlots() {
        long slots = 0;
        for (int count : placed) {
            slots += count;
        }
        return slots;
    }

    public String reason(int entry) {
        String onPurpose = leftOut.getOrDefault(entry, "");
        return onPurpose.isEmpty() ? unplaced.getOrDefault(entry, "") : onPurpose;
    }

    /** Whether the strategy leaves out the entry on purpose. */
    boolean onPurpose(int entry) {
        return leftOut.containsKey(entry);
    }

    /** Whether the strategy says that it found no room for slots of the entry. */
    boolean foundNoRoom(int entry) {
        return unplaced.containsKey(entry);
    }

    /** A gang for which the strategy found no room would have found some by first fit before later ranks. */
    void deny(int entry) {
        denied = entry;
    }

    /**
     * The rank of the first gang for which the strategy found no room, although first fit finds some before the plan
     * places larger ranks; empty if there is none.
     */
    public OptionalInt deniedRank() {
        return denied < 0 ? OptionalInt.empty() : OptionalInt.of(entries.rank(denied));
    }

    /**
     * What the plan does for the entries up to a rank. New workers that only later ones use are not opened.
     */
    public PlacementResult upTo(int rank) {
        PlacementResult kept = new PlacementResult(workers, entries, excluded, givenBack);
        int[] openedAs = new int[openedCount];
        Arrays.fill(openedAs, -1);
        for (int run = 0; run < runs; run++) {
            if (entries.rank(runEntry[run]) <= rank) {
                int nth = runWorker[run] - firstNew;
                if (nth >= 0 && openedAs[nth] < 0) {
                    openedAs[nth] = kept.openNow(opened[nth]);
                }
                kept.add(runEntry[run], nth < 0 ? runWorker[run] : openedAs[nth], runCount[run]);
            }
        }
        eachReservation((entry, worker, count) -> {
            if (entries.rank(entry) <= rank) {
                kept.reserved.add(entry, worker, count);
            }
        });
        unplaced.forEach((entry, reason) -> {
            if (entries.rank(entry) <= rank) {
                kept.unplaced.put(entry, reason);
            }
        });
        leftOut.forEach((entry, reason) -> {
            if (entries.rank(entry) <= rank) {
                kept.leftOut.put(entry, reason);
            }
        });
        return kept;
    }

    /** Places what the host found for a gang, whose reservation ends. */
    void addFound(PlacementCheck.Item gang, GangFirstFit.Found found) {
        Reservations others = new Reservations(entries.size());
        eachReservation((entry, worker, count) -> {
            if (entry < gang.from() || entry >= gang.to()) {
                others.add(entry, worker, count);
            }
        });
        reserved = others;
        found.newSpecs().forEach(this::openNow);
        found.runs().forEach(run -> add(run.entry(), run.worker(), run.count()));
    }

    @Override
    public void place(int entry, int worker, int count) {
        if (!rules.open()) {
            return;
        }
        if (entry < 0 || entry >= entries.size()) {
            rules.violated("places entry " + entry + " of " + entries.size());
        } else if (count < 1) {
            rules.violated("places " + count + " slots of " + named(entry) + ": at least 1 is allowed");
        } else if (count > entries.count(entry) - placed[entry]) {
            rules.violated("places " + ((long) placed[entry] + count) + " slots of " + named(entry) + ", admitted are "
                    + entries.count(entry));
        } else if (!workers.present(worker) && (worker < firstNew || worker >= firstNew + openedCount)) {
            rules.violated("places slots of " + named(entry) + " on worker " + worker + ", which is not there");
        } else {
            add(entry, worker, count);
        }
    }

    private void add(int entry, int worker, int count) {
        if (runs == runEntry.length) {
            runEntry = Arrays.copyOf(runEntry, runs * 2);
            runWorker = Arrays.copyOf(runWorker, runs * 2);
            runCount = Arrays.copyOf(runCount, runs * 2);
        }
        runEntry[runs] = entry;
        runWorker[runs] = worker;
        runCount[runs] = count;
        runs++;
        placed[entry] += count;
    }

    @Override
    public void reserve(int entry, int worker, int count) {
        if (!rules.open()) {
            return;
        }
        if (entry < 0 || entry >= entries.size()) {
            rules.violated("reserves room for entry " + entry + " of " + entries.size());
        } else if (entries.gang(entry) < 0) {
            rules.violated("reserves room for " + named(entry) + ", whose slots are placed one by one");
        } else if (count < 1 || count > entries.count(entry) - reserved.of(entry)) {
            rules.violated("reserves room for " + ((long) reserved.of(entry) + count) + " slots of " + named(entry)
                    + ": 1 to " + entries.count(entry) + " is allowed");
        } else if (!workers.present(worker)) {
            rules.violated("reserves room for " + named(entry) + " on worker " + worker + ", which is not there");
        } else {
            reserved.add(entry, worker, count);
        }
    }

    @Override
    public void exclude(int entry, int worker, String reason) {
        if (!rules.open()) {
            return;
        }
        if (entry < 0 || entry >= entries.size()) {
            rules.violated("excludes a worker for entry " + entry + " of " + entries.size());
        } else if (!workers.present(worker)) {
            rules.violated("excludes worker " + worker + " for " + named(entry) + ", which is not there");
        } else {
            String words = PlainText.cut(reason);
            if (mayExclude(entry, words, () -> "worker " + workers.name(worker))) {
                excluded.addWorker(entry, worker, words);
            }
        }
    }

    @Override
    public void excludeSpec(int entry, int spec, String reason) {
        if (!rules.open()) {
            return;
        }
        if (entry < 0 || entry >= entries.size()) {
            rules.violated("excludes a spec for entry " + entry + " of " + entries.size());
        } else if (spec < 0 || spec >= workers.specs()) {
            rules.violated("excludes spec " + spec + " of " + workers.specs() + " for " + named(entry));
        } else {
            String words = PlainText.cut(reason);
            if (mayExclude(entry, words, () -> "spec " + workers.kind(spec))) {
                excluded.addSpec(entry, spec, words);
            }
        }
    }

    private boolean mayExclude(int entry, String words, Supplier<String> what) {
        if (!excluded.takes(entry)) {
            rules.violated("excludes workers or specs for more than " + excluded.maxEntries() + " entries");
            return false;
        }
        if (words.isBlank()) {
            rules.violated(
                    "excludes " + what.get() + " for " + named(entry) + " and gives no reason: " + PlainText.REQUIRED);
            return false;
        }
        return true;
    }

    /** How many workers are excluded for an entry, by reason. */
    public SortedMap<String, Integer> excludedWorkers(int entry) {
        return excluded.workers(entry);
    }

    /** How many specs are excluded for an entry, by reason. */
    public SortedMap<String, Integer> excludedSpecs(int entry) {
        return excluded.specs(entry);
    }

    /** Whether any worker or spec is excluded for the entry. */
    public boolean excludes(int entry) {
        return !excludedWorkers(entry).isEmpty() || !excludedSpecs(entry).isEmpty();
    }

    boolean anyExclusions() {
        return !excluded.isEmpty();
    }

    /** How many kinds of entries have exclusions. */
    int exclusions() {
        return excluded.kinds();
    }

    Reservations reservations() {
        return reserved;
    }

    /** How many slots of an entry that is not placed have room reserved. */
    public int reserved(int entry) {
        return reserved.of(entry);
    }

    /** What receives each reservation. */
    public interface ReservedRoom {
        void reserved(int entry, int worker, int count);
    }

    public void eachReservation(ReservedRoom receiver) {
        for (int nth = 0; nth < reserved.size(); nth++) {
            receiver.reserved(reserved.entry(nth), reserved.worker(nth), reserved.count(nth));
        }
    }

    @Override
    public void giveBack(int allocation, String reason) {
        if (rules.open()) {
            givenBack.add(allocation, PlainText.cut(reason)).ifPresent(rules::violated);
        }
    }

    /** The slots that jobs are to be asked for. */
    public GiveBacks giveBacks() {
        return givenBack;
    }

    @Override
    public int open(int spec) {
        if (!rules.open()) {
            return -1;
        }
        if (spec < 0 || spec >= openedOfSpec.length) {
            rules.violated("opens a worker of spec " + spec + " of " + openedOfSpec.length);
            return -1;
        }
        if (openedOfSpec[spec] >= workers.specLeft(spec)) {
            rules.violated("opens more than the " + workers.specLeft(spec) + " workers of spec " + workers.kind(spec)
                    + " that are left");
            return -1;
        }
        return openNow(spec);
    }

    private int openNow(int spec) {
        openedOfSpec[spec]++;
        if (openedCount == opened.length) {
            opened = Arrays.copyOf(opened, openedCount * 2);
        }
        opened[openedCount] = spec;
        return firstNew + openedCount++;
    }

    @Override
    public void unplaced(int entry, String reason) {
        if (!rules.open()) {
            return;
        }
        if (entry < 0 || entry >= entries.size()) {
            rules.violated("gives a reason for entry " + entry + " of " + entries.size());
            return;
        }
        unplaced.putIfAbsent(entry, PlainText.cut(reason));
    }

    @Override
    public void leaveOut(int entry, String reason) {
        if (!rules.open()) {
            return;
        }
        if (entry < 0 || entry >= entries.size()) {
            rules.violated("leaves out entry " + entry + " of " + entries.size());
        } else if (entries.gang(entry) < 0) {
            rules.violated("leaves out " + named(entry) + ", whose slots are placed one by one");
        } else if (reason.isBlank()) {
            rules.violated("leaves out the minimum of job " + entries.job(entry) + " and gives no reason");
        } else {
            leftOut.putIfAbsent(entry, PlainText.cut(reason));
        }
    }

    @Override
    public void note(String text) {
        if (!rules.open()) {
            return;
        }
        String words = PlainText.cut(text);
        if (words.isBlank()) {
            rules.violated("notes nothing about its result: " + PlainText.REQUIRED);
        } else if (notes.size() < MAX_NOTES) {
            notes.add(words);
        }
    }

    /** What the strategy says about the result as a whole. */
    public Set<String> notes() {
        return notes;
    }

    String named(int entry) {
        return "group " + entries.group(entry) + " of job " + entries.job(entry);
    }

    @Override
    public void reviewAfter(long millis) {
        rules.review(millis);
    }
}
