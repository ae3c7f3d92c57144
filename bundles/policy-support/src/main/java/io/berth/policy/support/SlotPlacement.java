package io.berth.policy.support;

import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.SpreadView;
import io.berth.spi.matching.WorkersView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Places admitted entries for strategies that only have an order of workers. Gangs are placed completely or not at
 * all. Registered workers come before pending ones, and those before new ones of the smallest spec that fits or, if the
 * order says so, of the cheapest. Each
 * entry that finds no room gets a reason. The state that it keeps between calls follows the deltas, so the cost of a
 * call depends on what it places and what changed, not on the size of the pool. Pending and new workers are filled one
 * after the other, so that unneeded ones can be returned. It is the whole session of such a strategy, or a part of the
 * session of another one, and belongs to the thread of its calls.
 */
public final class SlotPlacement implements PlacementSession {

    /** Chooses the registered worker that takes the next slot. Only {@link SlotPlacement} calls it. */
    @ConsumerType
    public interface Order {

        /**
         * A worker was added, left or has other free amounts; it takes slots while it is {@link FreeRoom#registered}.
         * Called for each worker before the first {@link #next}, and also for slots that this call placed or took
         * back.
         */
        void changed(int worker, FreeRoom room);

        /**
         * The worker that takes the next slot.
         *
         * @param fitting the registered workers that have room for it
         * @return one of them; -1 when there is none
         */
        int next(FittingWorkers fitting);

        /**
         * Whether that worker takes as many slots of the entry as it has room for, before the order chooses the next
         * one.
         */
        boolean fills();

        /**
         * Whether new workers are of the spec that costs least for the slots of an entry that are missing, instead of the
         * smallest spec that a slot fits on. Constant.
         */
        default boolean opensCheapest() {
            return false;
        }
    }

    /**
     * A gang without a place, or slots of another entry.
     *
     * @param first entry of the gang
     * @param entry that has the reason
     */
    private record Left(int first, int entry, int missing, String reason) {}

    private final WorkersView workers;
    private final Order order;
    private final FreeRoom room;
    private final Profiles profiles;

    @SuppressWarnings("NullAway.Init")
    private AdmittedView admitted;

    @SuppressWarnings("NullAway.Init")
    private PlacementBuilder plan;

    /** Whether nobody is told yet. */
    private boolean isDraft;
    /** What finds no room in a draft, in the order of the entries. */
    private final List<Left> left = new ArrayList<>();

    private final NewWorkers news;
    private final SpreadDomains spreads;
    private final PreferredWorkers preferences;
    private final int gangsThatReserve;
    /** In this call. */
    private int reserving;
    /** Indexes from here on belong to new workers. */
    private int limit;

    private int runs;
    private int[] runEntry = new int[64];
    private int[] runWorker = new int[64];
    private int[] runCount = new int[64];
    /** For each worker, a run that may be its last one. */
    private int[] lastRun = new int[64];

    /** Reads the whole view once. */
    public SlotPlacement(WorkersView workers, Order order) {
        this(workers, order, 0);
    }

    /**
     * Reads the whole view once.
     *
     * @param gangsThatReserve for so many gangs that find no room, the first ones, it reserves the room that there is,
     *     so that later entries cannot take it. Not for a gang that all workers together could not hold
     */
    public SlotPlacement(WorkersView workers, Order order, int gangsThatReserve) {
        this.workers = workers;
        this.gangsThatReserve = gangsThatReserve;
        this.order = order;
        this.room = new FreeRoom(workers);
        this.news = new NewWorkers(workers, order.opensCheapest());
        this.profiles = new Profiles(room);
        this.spreads = new SpreadDomains(room);
        this.preferences = new PreferredWorkers(workers);
        for (int worker = 0; worker < workers.limit(); worker++) {
            reload(worker);
        }
    }

    @Override
    public void delta(int[] changed) {
        for (int worker : changed) {
            reload(worker);
        }
        forgetCall();
    }

    @Override
    public void place(AdmittedView entries, PlacementBuilder result) {
        begin(entries);
        isDraft = false;
        plan = result;
        placeAll();
    }

    private void placeAll() {
        int entry = 0;
        while (entry < admitted.size()) {
            int next = entry + 1;
            int gang = admitted.gang(entry);
            while (gang >= 0 && next < admitted.size() && admitted.gang(next) == gang) {
                next++;
            }
            place(entry, next, gang >= 0);
            entry = next;
        }
    }

    @Override
    public void close() {
        // Nothing to release.
    }

    /**
     * Places the entries without a result, so that a session can compare several placements of the same entries and tell
     * one of them with {@link #emit}. It is forgotten when the next call begins. It reserves nothing.
     *
     * @return whether everything is placed
     */
    public boolean draft(AdmittedView entries) {
        begin(entries);
        isDraft = true;
        left.clear();
        placeAll();
        return left.isEmpty();
    }

    /** Tells the placement of the last {@link #draft}, in the call that made it. */
    public void emit(PlacementBuilder result) {
        plan = result;
        emit(0, 0);
        left.forEach(one -> result.unplaced(one.entry, one.reason));
    }

    /** Whether the last {@link #draft} opens new workers. */
    public boolean opensWorkers() {
        return news.size() > 0;
    }

    /** Whether the last {@link #draft} places all that the one of another placement places of the same entries. */
    public boolean placesAllOf(SlotPlacement other) {
        int nth = 0;
        for (Left one : left) {
            while (nth < other.left.size() && other.left.get(nth).first < one.first) {
                nth++;
            }
            if (nth == other.left.size()
                    || other.left.get(nth).first > one.first
                    || other.left.get(nth).missing < one.missing) {
                return false;
            }
        }
        return true;
    }

    /** Adds to the sums what the last {@link #draft} takes of each dimension on registered workers. */
    public void addTaken(long[] sums) {
        for (int run = 0; run < runs; run++) {
            if (runWorker[run] < limit && room.registered(runWorker[run])) {
                for (int dimension = 0; dimension < sums.length; dimension++) {
                    sums[dimension] += admitted.need(runEntry[run], runWorker[run], dimension) * runCount[run];
                }
            }
        }
    }

    /**
     * Begins a call in which the session itself chooses workers: it asks for those that fit with {@link #fitting} and
     * {@link #fittingPending}, and places nothing here.
     */
    public void look(AdmittedView entries) {
        begin(entries);
    }

    /**
     * The first registered worker at or after an index that has room for a slot of the entry where its constraints allow
     * one, as the view shows the workers; -1 when there is none. Only after {@link #look}, in the same call. All such
     * workers are found in a time that hardly depends on the others.
     */
    public int fitting(int entry, int from) {
        return profiles.of(entry).next(from);
    }

    /** As {@link #fitting}, of pending workers. */
    public int fittingPending(int entry, int from) {
        return profiles.of(entry).nextPending(from);
    }

    private void begin(AdmittedView entries) {
        forgetCall();
        admitted = entries;
        runs = 0;
        limit = workers.limit();
        reserving = 0;
        news.begin(entries);
        profiles.begin(entries);
        spreads.begin();
    }

    private void forgetCall() {
        for (int nth = 0; nth < room.touched(); nth++) {
            if (room.isTouched(room.touched(nth))) {
                reload(room.touched(nth));
            }
        }
        room.begin();
    }

    private void reload(int worker) {
        boolean grown = room.reload(worker);
        if (room.isRelabeled()) {
            profiles.relabeled(worker);
            preferences.relabeled(worker);
        }
        profiles.changed(worker, grown);
        spreads.changed(worker);
        if (!room.isUnchanged()) {
            order.changed(worker, room);
        }
    }

    private void place(int from, int to, boolean whole) {
        int newsBefore = news.size();
        int runsBefore = runs;
        for (int entry = from; entry < to; entry++) {
            int missing = fill(entry, whole);
            if (missing == 0) {
                continue;
            }
            if (!whole) {
                placed(newsBefore, runsBefore);
                unplaced(from, entry, missing, shortage(entry, missing));
                return;
            }
            String reason = shortage(entry, missing);
            takeBack(newsBefore, runsBefore, from, to);
            if (!severalProfiles(from, to) || !firstFit(from, to, newsBefore, runsBefore)) {
                unplaced(from, entry, 1, reason);
                if (!isDraft && reserving < gangsThatReserve && mayEverFit(from, to)) {
                    reserving++;
                    reserve(from, to);
                }
            }
            return;
        }
        placed(newsBefore, runsBefore);
    }

    private void unplaced(int first, int entry, int missing, String reason) {
        if (isDraft) {
            left.add(new Left(first, entry, missing, reason));
        } else {
            plan.unplaced(entry, reason);
        }
    }

    private void placed(int newsBefore, int runsBefore) {
        if (!isDraft) {
            emit(newsBefore, runsBefore);
        }
    }

    private boolean mayEverFit(int from, int to) {
        for (int entry = from; entry < to; entry++) {
            if (admitted.spread(entry).isPresent() || !profiles.of(entry).mayEverHold(admitted.count(entry))) {
                return false;
            }
        }
        return true;
    }

    /** Keeps what there is for the gang until the call ends. */
    private void reserve(int from, int to) {
        for (int entry = from; entry < to; entry++) {
            FittingWorkers fitting = profiles.of(entry);
            int missing = admitted.count(entry);
            int worker;
            while (missing > 0 && ((worker = fitting.first()) >= 0 || (worker = fitting.firstPending()) >= 0)) {
                int count = take(fitting, worker, missing);
                if (room.registered(worker)) {
                    order.changed(worker, room);
                }
                plan.reserve(entry, worker, count);
                missing -= count;
            }
        }
    }

    private boolean severalProfiles(int from, int to) {
        for (int entry = from + 1; entry < to; entry++) {
            if (admitted.profile(entry) != admitted.profile(from)) {
                return true;
            }
        }
        return false;
    }

    /**
     * The first fit that {@link PlacementSession#place} defines: another order may have left no room for large slots.
     */
    private boolean firstFit(int from, int to, int newsBefore, int runsBefore) {
        for (int entry = from; entry < to; entry++) {
            FittingWorkers fitting = profiles.of(entry);
            int missing = admitted.count(entry);
            Optional<SpreadView> spread = admitted.spread(entry);
            if (spread.isPresent()) {
                missing = fillEvenly(entry, fitting, spreads.of(spread.get(), admitted, entry));
            } else {
                int worker = 0;
                while (missing > 0 && (worker = fitting.first()) >= 0) {
                    int count = take(fitting, worker, missing);
                    order.changed(worker, room);
                    run(entry, worker, count);
                    missing -= count;
                }
                missing = fillOthers(entry, fitting, missing);
            }
            if (missing > 0) {
                takeBack(newsBefore, runsBefore, from, to);
                return false;
            }
        }
        placed(newsBefore, runsBefore);
        return true;
    }

    /** Takes room for the entry. Returns how many slots found none. */
    private int fill(int entry, boolean whole) {
        FittingWorkers fitting = profiles.of(entry);
        Optional<SpreadView> spread = admitted.spread(entry);
        if (spread.isPresent()) {
            return fillEvenly(entry, fitting, spreads.of(spread.get(), admitted, entry));
        }
        int missing = admitted.count(entry);
        if (fitting.isConstrained()) {
            missing = fillPreferred(entry, fitting, missing, whole);
        }
        boolean fills = order.fills();
        while (missing > 0) {
            int worker = order.next(fitting);
            if (worker < 0) {
                return fillOthers(entry, fitting, missing);
            }
            missing -= take(entry, fitting, worker, missing, fills, whole);
        }
        return 0;
    }

    /** Takes room on a registered worker: as much as it has, or one slot. Returns how many slots. */
    private int take(int entry, FittingWorkers fitting, int worker, int missing, boolean fills, boolean whole) {
        int count = take(fitting, worker, fills ? missing : 1);
        order.changed(worker, room);
        if (!fills) {
            addToRun(entry, worker, count);
            return count;
        }
        if (missing == count && !fitting.fits(worker)) {
            fitting.exhausted(worker);
        }
        if (whole || isDraft) {
            run(entry, worker, count);
        } else {
            plan.place(entry, worker, count);
        }
        return count;
    }

    /** Takes room on workers that the group prefers, those first that it prefers most. Returns how many slots found none. */
    private int fillPreferred(int entry, FittingWorkers fitting, int wanted, boolean whole) {
        PreferredWorkers.Preferred preferred = preferences.of(admitted, entry);
        boolean fills = order.fills();
        int missing = wanted;
        int from = fitting.fromPreferred();
        while (from < preferred.size() && missing > 0) {
            int to = preferred.nextWeight(from);
            while (from < to && !takesSlot(fitting, preferred.workers()[from])) {
                from++;
            }
            missing = fills
                    ? fillInTurn(entry, fitting, preferred, from, to, missing, whole)
                    : fillLeastUsed(entry, fitting, preferred, from, to, missing, whole);
            if (missing > 0) {
                from = to;
            }
        }
        fitting.fromPreferred(from);
        return missing;
    }

    private boolean takesSlot(FittingWorkers fitting, int worker) {
        return room.registered(worker) && fitting.fits(worker);
    }

    private int fillInTurn(
            int entry,
            FittingWorkers fitting,
            PreferredWorkers.Preferred preferred,
            int from,
            int to,
            int wanted,
            boolean whole) {
        int missing = wanted;
        for (int at = from; at < to && missing > 0; at++) {
            int worker = preferred.workers()[at];
            if (takesSlot(fitting, worker)) {
                missing -= take(entry, fitting, worker, missing, true, whole);
            }
        }
        return missing;
    }

    /** For an order that chooses a worker for each slot: of those with equal weights, the least used one is next. */
    private int fillLeastUsed(
            int entry,
            FittingWorkers fitting,
            PreferredWorkers.Preferred preferred,
            int from,
            int to,
            int wanted,
            boolean whole) {
        PriorityQueue<PreferredWorkers.Used> leastUsed = new PriorityQueue<>(PreferredWorkers.Used.LEAST_FIRST);
        for (int at = from; at < to; at++) {
            int worker = preferred.workers()[at];
            if (takesSlot(fitting, worker)) {
                leastUsed.add(new PreferredWorkers.Used(worker, room.used(worker)));
            }
        }
        int missing = wanted;
        while (missing > 0 && !leastUsed.isEmpty()) {
            int worker = leastUsed.remove().worker();
            missing -= take(entry, fitting, worker, missing, false, whole);
            if (fitting.fits(worker)) {
                leastUsed.add(new PreferredWorkers.Used(worker, room.used(worker)));
            }
        }
        return missing;
    }

    /**
     * Takes room slot by slot, each in the domain with the fewest slots that has room, on its first worker that fits,
     * one that the group prefers before others. Returns how many slots found none.
     */
    private int fillEvenly(int entry, FittingWorkers fitting, SpreadDomains.Counts counts) {
        PreferredInDomains preferred = PreferredInDomains.of(preferences.of(admitted, entry), counts);
        for (int missing = admitted.count(entry); missing > 0; missing--) {
            if (!takeOnWorker(entry, fitting, counts, preferred) && !takeOnNew(entry, counts)) {
                return missing;
            }
        }
        return 0;
    }

    /** Registered workers first, then pending ones. */
    private boolean takeOnWorker(
            int entry, FittingWorkers fitting, SpreadDomains.Counts counts, PreferredInDomains preferred) {
        for (boolean pending : new boolean[] {false, true}) {
            for (int domain = counts.next(-1); domain >= 0; domain = counts.next(domain)) {
                WorkerSet among = counts.workers(domain);
                int worker = pending
                        ? fitting.firstPendingOf(among)
                        : preferred.first(domain, candidate -> takesSlot(fitting, candidate));
                if (worker < 0 && !pending) {
                    worker = fitting.firstOf(among);
                }
                if (worker >= 0) {
                    take(fitting, worker, 1);
                    if (!pending) {
                        order.changed(worker, room);
                    }
                    counts.add(domain, 1);
                    addToRun(entry, worker, 1);
                    return true;
                }
            }
        }
        return false;
    }

    private boolean takeOnNew(int entry, SpreadDomains.Counts counts) {
        for (int domain = counts.next(-1); domain >= 0; domain = counts.next(domain)) {
            int nth = news.nextOf(entry, counts, domain);
            if (nth >= 0) {
                news.take(entry, nth, 1);
                counts.add(domain, 1);
                addToRun(entry, limit + nth, 1);
                return true;
            }
        }
        return false;
    }

    private int fillOthers(int entry, FittingWorkers fitting, int wanted) {
        int missing = wanted;
        while (missing > 0) {
            int worker = fitting.firstPending();
            if (worker < 0) {
                break;
            }
            int count = take(fitting, worker, missing);
            run(entry, worker, count);
            missing -= count;
        }
        while (missing > 0) {
            int nth = news.next(entry, fitting, missing);
            if (nth < 0) {
                break;
            }
            int taken = news.take(entry, nth, missing);
            missing -= taken;
            run(entry, limit + nth, taken);
        }
        return missing;
    }

    private int take(FittingWorkers fitting, int worker, int most) {
        int count = fitting.count(worker, most);
        if (count < 1) {
            throw new IllegalStateException("worker " + worker + " was chosen, and has no room for a slot");
        }
        fitting.take(worker, count);
        if (count < most) {
            fitting.exhausted(worker);
        }
        return count;
    }

    private void addToRun(int entry, int worker, int count) {
        if (worker >= lastRun.length) {
            lastRun = Arrays.copyOf(lastRun, Math.max(worker + 1, lastRun.length * 2));
        }
        int last = lastRun[worker];
        if (last < runs && runWorker[last] == worker && runEntry[last] == entry) {
            runCount[last] += count;
        } else {
            lastRun[worker] = runs;
            run(entry, worker, count);
        }
    }

    private void run(int entry, int worker, int count) {
        if (runs == runEntry.length) {
            runEntry = Arrays.copyOf(runEntry, runs * 2);
            runWorker = Arrays.copyOf(runWorker, runs * 2);
            runCount = Arrays.copyOf(runCount, runs * 2);
        }
        runEntry[runs] = entry;
        runWorker[runs] = worker;
        runCount[runs++] = count;
    }

    private void takeBack(int newsBefore, int runsBefore, int from, int to) {
        for (int run = runsBefore; run < runs; run++) {
            int worker = runWorker[run];
            forgetSpread(runEntry[run], worker, runCount[run]);
            if (worker >= limit) {
                continue;
            }
            profiles.of(runEntry[run]).giveBack(worker, runCount[run]);
            profiles.changed(worker, true);
            if (room.registered(worker)) {
                order.changed(worker, room);
            }
        }
        for (int entry = from; entry < to; entry++) {
            profiles.of(entry).resetMarks();
        }
        for (int run = runs - 1; run >= runsBefore; run--) {
            if (runWorker[run] >= limit) {
                news.giveBack(runEntry[run], runWorker[run] - limit, runCount[run]);
            }
        }
        news.closeFrom(newsBefore);
        runs = runsBefore;
    }

    private void forgetSpread(int entry, int worker, int count) {
        Optional<SpreadView> spread = admitted.spread(entry);
        if (spread.isPresent()) {
            SpreadDomains.Counts counts = spreads.of(spread.get(), admitted, entry);
            counts.add(worker < limit ? counts.domain(worker) : counts.domainOnSpec(news.spec(worker - limit)), -count);
        }
    }

    private void emit(int newsBefore, int runsBefore) {
        news.openFrom(newsBefore, plan);
        for (int run = runsBefore; run < runs; run++) {
            int worker = runWorker[run];
            plan.place(runEntry[run], worker < limit ? worker : news.index(worker - limit), runCount[run]);
        }
        runs = runsBefore;
    }

    private String shortage(int entry, int missing) {
        Optional<SpreadView> spread = admitted.spread(entry);
        if (spread.isPresent()) {
            return missing + " slots find no worker: "
                    + spreads.of(spread.get(), admitted, entry).rule() + ", and "
                    + profiles.of(entry).shortage(entry, admitted, news);
        }
        return missing + " slots find no worker: " + profiles.of(entry).shortage(entry, admitted, news)
                + (workers.specs() == 0 ? "" : ", and no new worker may be started that fits");
    }
}
