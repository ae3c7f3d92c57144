package io.berth.core.policies;

import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import io.berth.core.api.operations.PolicyOperations.PolicyDiagnosis;
import io.berth.core.api.operations.PolicyOperations.UseResult;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.spi.PolicyDescription;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The policies that are there, their order, their configuration and who is chosen. Own ordering: ranking descending,
 * then service id ascending, read anew at each selection. May be called on any thread; a short lock guards the state,
 * which is never held while foreign code or a listener runs. Listeners are told on the thread of events, in order.
 */
final class PolicyRegistry {

    private static final Logger LOG = LoggerFactory.getLogger(PolicyRegistry.class);
    private static final int FAILURES_TO_QUARANTINE = 3;

    private final Guard guard;
    private final MainThread events;
    private final Clock clock;
    private final Function<String, SortedMap<String, String>> configurations;
    private final Map<Long, Entry> entries = new TreeMap<>();
    /** Generations in use, by their number. */
    private final Map<Long, Entry> users = new TreeMap<>();

    private final Choices choices;
    private final SwapLog swaps;
    /** Policies that were removed: when they come again, they were updated. */
    private final Set<String> removed = new HashSet<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final AtomicLong generations = new AtomicLong();
    private HostSettings settings;

    /**
     * @param events thread of events; ends with its owner
     * @param configurations gives what is configured for a PID; called on the thread of events
     */
    PolicyRegistry(
            Guard guard,
            MainThread events,
            Clock clock,
            Function<String, SortedMap<String, String>> configurations,
            HostSettings settings) {
        this.guard = guard;
        this.events = events;
        this.clock = clock;
        this.configurations = configurations;
        this.settings = settings;
        this.swaps = new SwapLog(clock);
        this.choices = new Choices(clock, settings.choices(), this::choosing, this::chosen);
    }

    /** A factory came. It decides nothing before it was fetched, described and tried out with its configuration. */
    void add(Registration registration) {
        Entry entry = new Entry(registration);
        synchronized (this) {
            entries.put(registration.id(), entry);
        }
        LOG.info("{} policy {} of bundle {} {} came (service {}, ranking {})", registration.kind().label(),
                registration.name(), registration.bundle(), registration.version(), registration.id(),
                registration.ranking());
        // From a thread of the host: a thread that is started here must not inherit what is on the caller's stack.
        events.execute(() -> inspect(entry));
    }

    private void inspect(Entry entry) {
        Registration registration = entry.registration;
        record Inspected(Object factory, PolicyDescription description) {}
        var call = guard.call(registration, "describe", deadline(registration.kind()), () -> {
            Object factory = registration.fetch();
            return new Inspected(factory, Factories.describe(registration.kind(), factory));
        });
        events.whenComplete(call, (outcome, never) -> {
            if (outcome instanceof CallOutcome.Returned<Inspected> returned) {
                inspected(entry, returned.value().factory(), returned.value().description());
            } else {
                trouble(entry, describe(outcome));
            }
        });
    }

    /** Ranking or properties changed. */
    void updated(long id) {
        synchronized (this) {
            Entry entry = entries.get(id);
            if (entry != null) {
                int ranking = entry.registration.ranking();
                happened(entry, ranking == entry.ranking ? "properties" : "ranking");
                entry.ranking = ranking;
            }
        }
        fire();
    }

    /** A factory went. Rounds under way finish with it; it is given back when its last generation is dropped. */
    void remove(long id) {
        Entry entry;
        synchronized (this) {
            entry = entries.remove(id);
            if (entry == null) {
                return;
            }
            entry.removed = true;
            entry.uses++;
            removed.add(entry.identity());
            happened(entry, "uninstall");
        }
        LOG.info("{} policy {} of bundle {} {} went (service {})", entry.registration.kind().label(), entry.name,
                entry.registration.bundle(), entry.registration.version(), id);
        drop(entry);
        fire();
    }

    /** The configuration of a PID changed: all policies of the bundle are tried out with it. */
    void configurationChanged(String pid) {
        List<Entry> concerned;
        synchronized (this) {
            concerned = entries.values().stream()
                    .filter(entry -> entry.inspected && entry.registration.bundle().equals(pid))
                    .toList();
        }
        events.execute(() -> concerned.forEach(this::configure));
    }

    void settings(HostSettings changed) {
        synchronized (this) {
            if (!settings.fallbacks().equals(changed.fallbacks())) {
                for (PolicyKind kind : PolicyKind.values()) {
                    swaps.happened(kind, "configuration", choices.index(kind));
                }
            }
            settings = changed;
        }
        choices.configured(changed.choices());
        fire();
    }

    synchronized long deadline(PolicyKind kind) {
        return settings.deadline(kind);
    }

    void listen(Runnable listener) {
        listeners.add(listener);
    }

    void forget(Runnable listener) {
        listeners.remove(listener);
    }

    /** Who may decide now: the own choice or else the common one, then the fallbacks, then by ranking. */
    synchronized Selection select(PolicyKind kind, Optional<String> own) {
        List<Entry> all = ordered(kind);
        List<Entry> ready = all.stream().filter(Entry::ready).toList();
        String selector = own.filter(text -> !text.isBlank()).orElse(choices.name(kind));
        List<Entry> order = new ArrayList<>();
        String note = "";
        if (!selector.isBlank()) {
            Selector chosen = Selector.lenient(selector);
            ready.stream().filter(chosen::matches).forEach(order::add);
            if (order.isEmpty()) {
                note = kind.label() + " " + selector + " was chosen but " + Selector.absence(all, chosen);
            }
        }
        for (String fallback : settings.fallbacks().getOrDefault(kind, List.of())) {
            ready.stream().filter(entry -> entry.name.equals(fallback)).forEach(order::add);
        }
        order.addAll(ready);
        if (!note.isEmpty() && !order.isEmpty()) {
            note = note + ": " + order.get(0).name + " decides in its place";
        }
        return new Selection(order.stream().distinct().map(Entry::candidate).toList(), note);
    }

    /** Chooses; see {@link io.berth.core.api.operations.PolicyOperations#use}. May wait for the disk. */
    UseResult use(PolicyKind kind, String selector, OptionalLong expected, String by) {
        String wanted = selector.trim();
        checkThere(kind, wanted);
        return choices.use(kind, wanted, expected, by);
    }

    private synchronized void checkThere(PolicyKind kind, String wanted) {
        if (!wanted.isEmpty()) {
            List<Entry> all = ordered(kind);
            if (all.stream().noneMatch(Selector.of(wanted)::matches)) {
                throw new IllegalArgumentException("there is no " + kind.label() + " policy '" + wanted + "': "
                        + Selector.names(all));
            }
        }
    }

    /** Goes back; see {@link io.berth.core.api.operations.PolicyOperations#revert}. May wait for the disk. */
    UseResult revert(PolicyKind kind, OptionalLong expected, String by) {
        return choices.change(kind, expected, by + " (revert)", choice -> {
            if (choice.index() == 0) {
                throw new IllegalArgumentException("the choice of " + kind.label()
                        + " was never changed: there is nothing to go back to");
            }
            checkThere(kind, choice.before());
            return choice.before();
        });
    }

    private void choosing(PolicyKind kind, ChoiceRecord choice) {
        swaps.happened(kind, "use by " + choice.by(), choice.index());
    }

    private void happened(Entry entry, String cause) {
        PolicyKind kind = entry.registration.kind();
        swaps.happened(kind, entry.registration.id(), cause, choices.index(kind));
    }

    SwapLog swaps() {
        return swaps;
    }

    private void chosen(PolicyKind kind, ChoiceRecord choice) {
        LOG.info("{} policy chosen: {}, index {}, by {}", kind.label(),
                choice.name().isEmpty() ? "by ranking" : choice.name(), choice.index(), choice.by());
        fire();
    }

    Choices choices() {
        return choices;
    }

    synchronized List<PolicyDetails> details() {
        List<PolicyDetails> all = new ArrayList<>();
        for (PolicyKind kind : PolicyKind.values()) {
            long first = select(kind, Optional.empty()).candidates().stream()
                    .mapToLong(Candidate::id)
                    .findFirst()
                    .orElse(-1);
            for (Entry entry : ordered(kind)) {
                boolean deciding =
                        kind == PolicyKind.BACKEND ? entry.generation > 0 : entry.registration.id() == first;
                all.add(entry.details(deciding));
            }
        }
        return all;
    }

    /** Whether the factory is still registered. */
    synchronized boolean present(long id) {
        return entries.containsKey(id);
    }

    /** Counts a user of the candidate and numbers its generation; empty when it went meanwhile. */
    synchronized Optional<Long> begin(Candidate candidate) {
        Entry entry = entries.get(candidate.id());
        if (entry == null) {
            return Optional.empty();
        }
        entry.uses++;
        entry.generation = generations.incrementAndGet();
        users.put(entry.generation, entry);
        return Optional.of(entry.generation);
    }

    /** The generation is not used any more. */
    void end(long generation) {
        Entry entry;
        synchronized (this) {
            entry = users.remove(generation);
        }
        if (entry != null) {
            drop(entry);
        }
    }

    /** How many generations are in use. */
    synchronized int generationsInUse() {
        return users.size();
    }

    synchronized void succeeded(long id) {
        Entry entry = entries.get(id);
        if (entry != null) {
            entry.failuresInARow = 0;
            entry.decisions++;
        }
    }

    /** A call failed, without consequences. */
    void counted(Candidate candidate, String text) {
        synchronized (this) {
            Entry entry = entries.get(candidate.id());
            if (entry != null) {
                entry.failures++;
            }
        }
        LOG.warn("{} failed: {}", candidate, text);
    }

    /** A call failed, or its result was not valid. A hang, or three failures in a row, quarantine the policy. */
    void failed(Candidate candidate, String text, boolean hung) {
        synchronized (this) {
            Entry entry = entries.get(candidate.id());
            if (entry == null) {
                return;
            }
            entry.failures++;
            entry.failuresInARow++;
            LOG.warn("{} failed ({} in a row): {}", candidate, entry.failuresInARow, text);
            if (!hung && entry.failuresInARow < FAILURES_TO_QUARANTINE || !entry.trouble.isEmpty()) {
                return;
            }
            quarantine(entry, text);
            LOG.warn("{} is quarantined until it is released, registered anew or configured differently", candidate);
        }
        fire();
    }

    /** The candidate's configuration was refused when it was to be used: back to the one before. */
    void refused(Candidate candidate, String message) {
        synchronized (this) {
            Entry entry = entries.get(candidate.id());
            if (entry == null || entry.revision != candidate.revision()) {
                return;
            }
            entry.refusal = Entry.REFUSED + message;
            entry.accepted = entry.acceptedBefore;
            entry.acceptedBefore = Optional.empty();
            entry.revision--;
            happened(entry, "configuration");
            LOG.warn("{} refuses its configuration: {}", candidate, message);
        }
        fire();
    }

    private void inspected(Entry entry, Object factory, PolicyDescription description) {
        String trouble = "";
        synchronized (this) {
            if (entry.removed) {
                return;
            }
            if (description == null) {
                trouble = "describes itself as nothing";
            } else if (!entry.name.isEmpty() && !entry.name.equals(description.name())) {
                trouble = "is registered as '" + entry.name + "' but describes itself as '" + description.name() + "'";
            } else {
                entry.factory = factory;
                entry.name = description.name();
                entry.summary = Guard.cut(description.summary());
                entry.keys = new TreeSet<>(description.configuration().stream()
                        .map(PolicyDescription.ConfigurationKey::key)
                        .toList());
                entry.inspected = true;
                entry.trouble = "";
            }
        }
        if (trouble.isEmpty()) {
            configure(entry);
        } else {
            trouble(entry, trouble);
        }
    }

    /** Tries the entry's configuration out; on the thread of events. */
    private void configure(Entry entry) {
        SortedMap<String, String> given = configurations.apply(entry.registration.bundle());
        GivenConfiguration offered = new GivenConfiguration(given);
        Object factory;
        synchronized (this) {
            if (entry.removed || given.equals(entry.tried)) {
                return;
            }
            entry.tried = given;
            List<String> unknown = given.keySet().stream()
                    .filter(key -> !entry.keys.contains(key))
                    .toList();
            if (!unknown.isEmpty()) {
                refuse(entry, "unknown key " + String.join(", ", unknown) + "; "
                        + (entry.keys.isEmpty() ? "it knows none" : "known are " + String.join(", ", entry.keys)));
                factory = null;
            } else {
                factory = entry.factory;
            }
        }
        if (factory == null) {
            fire();
            return;
        }
        Registration registration = entry.registration;
        Owner owner = new Owner("check", clock, 0);
        var call = guard.call(registration, "create", deadline(registration.kind()),
                () -> Factories.tryOut(registration.kind(), factory, offered, owner));
        events.whenComplete(call, (outcome, never) -> tried(entry, offered, outcome));
    }

    private void tried(Entry entry, GivenConfiguration offered, CallOutcome<Boolean> outcome) {
        synchronized (this) {
            if (entry.removed || !offered.entries().equals(entry.tried)) {
                return;
            }
            if (outcome instanceof CallOutcome.Returned<Boolean> returned && returned.value()) {
                happened(entry, entry.accepted.isPresent() ? "configuration"
                        : removed.contains(entry.identity()) ? "update" : "install");
                if (!entry.accepted.equals(Optional.of(offered))) {
                    entry.acceptedBefore = entry.accepted;
                    entry.accepted = Optional.of(offered);
                    entry.revision++;
                }
                entry.refusal = "";
                entry.trouble = "";
                entry.failuresInARow = 0;
            } else {
                refuse(entry, outcome instanceof CallOutcome.Returned ? "create returned nothing" : describe(outcome));
                if (outcome instanceof CallOutcome.Failed<Boolean> failed && failed.hung()) {
                    quarantine(entry, failed.text());
                }
            }
        }
        fire();
    }

    private void quarantine(Entry entry, String text) {
        entry.trouble = Entry.QUARANTINED + text;
        entry.quarantinedMillis = clock.wallMillis();
        happened(entry, "quarantine");
    }

    /** Ends the quarantine of all policies of that name. */
    void release(PolicyKind kind, String name, String by) {
        List<Entry> untried;
        synchronized (this) {
            List<Entry> named = ordered(kind).stream().filter(entry -> entry.name.equals(name)).toList();
            if (named.isEmpty()) {
                throw new IllegalArgumentException("there is no " + kind.label() + " policy '" + name + "': "
                        + Selector.names(ordered(kind)));
            }
            List<Entry> quarantined = named.stream().filter(Entry::isQuarantined).toList();
            if (quarantined.isEmpty()) {
                throw new IllegalArgumentException(kind.label() + " policy '" + name + "' is not quarantined: "
                        + named.get(0).obstacle() + (named.get(0).ready() ? "it is ready" : ""));
            }
            for (Entry entry : quarantined) {
                LOG.info("{} policy {} of bundle {} is released by {}; it was {}", kind.label(), name,
                        entry.registration.bundle(), by, entry.trouble);
                happened(entry, "release");
                entry.trouble = "";
                entry.failuresInARow = 0;
            }
            untried = quarantined.stream().filter(entry -> entry.accepted.isEmpty()).toList();
            // It hung when its configuration was tried out: that is to be done again.
            untried.forEach(entry -> entry.tried = null);
        }
        events.execute(() -> untried.forEach(this::configure));
        fire();
    }

    synchronized List<PolicyDiagnosis> diagnose() {
        List<PolicyDiagnosis> all = new ArrayList<>();
        for (PolicyKind kind : PolicyKind.values()) {
            long first = select(kind, Optional.empty()).candidates().stream()
                    .mapToLong(Candidate::id)
                    .findFirst()
                    .orElse(-1);
            all.addAll(Diagnosis.of(kind, ordered(kind), first, choices.details().stream()
                    .filter(choice -> choice.kind() == kind)
                    .findFirst()));
        }
        return all;
    }

    private void refuse(Entry entry, String message) {
        entry.refusal = Entry.REFUSED + message;
        LOG.warn("{} policy {} of bundle {}: {}", entry.registration.kind().label(), entry.name,
                entry.registration.bundle(), entry.refusal);
    }

    private void trouble(Entry entry, String text) {
        synchronized (this) {
            entry.trouble = Entry.UNUSABLE + text;
            entry.failures++;
        }
        LOG.warn("{} policy {} of bundle {} cannot be used: {}", entry.registration.kind().label(), entry.name,
                entry.registration.bundle(), text);
        fire();
    }

    private void drop(Entry entry) {
        boolean bundleGone;
        synchronized (this) {
            entry.uses--;
            if (!entry.removed || entry.uses > 0) {
                return;
            }
            entry.factory = null;
            String lane = entry.registration.guard();
            bundleGone = entries.values().stream().noneMatch(other -> other.registration.guard().equals(lane))
                    && users.values().stream().noneMatch(other -> other.registration.guard().equals(lane));
        }
        entry.registration.release();
        if (bundleGone) {
            guard.end(entry.registration.guard());
        }
    }

    private List<Entry> ordered(PolicyKind kind) {
        record Ranked(Entry entry, int ranking) {}
        // The ranking is read once: it may change while the list is sorted.
        return entries.values().stream()
                .filter(entry -> entry.registration.kind() == kind)
                .map(entry -> new Ranked(entry, entry.registration.ranking()))
                .sorted(Comparator.comparingInt((Ranked ranked) -> ranked.ranking)
                        .reversed()
                        .thenComparingLong(ranked -> ranked.entry.registration.id()))
                .map(Ranked::entry)
                .toList();
    }

    private static String describe(CallOutcome<?> outcome) {
        if (outcome instanceof CallOutcome.Refused<?> refused) {
            return refused.message();
        }
        return outcome instanceof CallOutcome.Failed<?> failed ? failed.text() : String.valueOf(outcome);
    }

    private void fire() {
        events.execute(() -> listeners.forEach(Runnable::run));
    }
}
