package io.berth.core.policies.registry;

import io.berth.core.api.operations.PolicyOperations.ChoiceDetails;
import io.berth.core.api.operations.PolicyOperations.UseResult;
import io.berth.core.api.time.Clock;
import io.berth.spi.PolicyKind;
import io.berth.spi.ha.MetadataStore;
import io.berth.spi.ha.Versioned;
import io.berth.spi.ha.WriteResult;
import java.io.IOException;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The chosen policy of each kind, with an index that every change increments. Reading never blocks. A change is stored
 * before it takes effect: it waits for the store on the caller's thread, which must not be a main thread. Changes are
 * serialized.
 */
public final class Choices {

    private static final Logger LOG = LoggerFactory.getLogger(Choices.class);
    private static final List<PolicyKind> KINDS =
            List.of(PolicyKind.MATCHING, PolicyKind.DISTRIBUTION, PolicyKind.SCALING);

    private final Clock clock;
    private final BiConsumer<PolicyKind, ChoiceRecord> changing;
    private final BiConsumer<PolicyKind, ChoiceRecord> changed;
    /** Versions of the records in the store. */
    private final Map<PolicyKind, Long> versions = new EnumMap<>(PolicyKind.class);

    private volatile Map<PolicyKind, ChoiceRecord> current;
    private Map<PolicyKind, String> configured;
    private Optional<MetadataStore> store = Optional.empty();

    /**
     * @param configured choices of the host's configuration
     * @param changing called just before a change takes effect, on the thread that makes it
     * @param changed called after a change, on the thread that made it
     */
    public Choices(
            Clock clock,
            Map<PolicyKind, String> configured,
            BiConsumer<PolicyKind, ChoiceRecord> changing,
            BiConsumer<PolicyKind, ChoiceRecord> changed) {
        this.clock = clock;
        this.changing = changing;
        this.changed = changed;
        this.configured = Map.copyOf(configured);
        Map<PolicyKind, ChoiceRecord> first = new EnumMap<>(PolicyKind.class);
        KINDS.forEach(kind -> first.put(kind, ChoiceRecord.first(configured.getOrDefault(kind, ""))));
        this.current = Collections.unmodifiableMap(first);
    }

    /** For a kind without a choice one by ranking. */
    ChoiceRecord current(PolicyKind kind) {
        return current.getOrDefault(kind, ChoiceRecord.first(""));
    }

    /** Empty: by ranking. */
    public String name(PolicyKind kind) {
        ChoiceRecord choice = current.get(kind);
        return choice == null ? "" : choice.name();
    }

    long index(PolicyKind kind) {
        ChoiceRecord choice = current.get(kind);
        return choice == null ? 0 : choice.index();
    }

    public List<ChoiceDetails> details() {
        Map<PolicyKind, ChoiceRecord> now = current;
        return KINDS.stream()
                .map(kind -> Objects.requireNonNull(now.get(kind)).details(kind))
                .toList();
    }

    /** Chooses if the index is as expected. */
    public UseResult use(PolicyKind kind, String name, OptionalLong expected, String by) {
        return change(
                kind,
                expected,
                before -> before.changed(name, by, clock.wallMillis(), configured.getOrDefault(kind, "")));
    }

    /**
     * Returns to the previous choice if the index is as expected. Repeated, it returns to the one before that.
     *
     * @param check receives the previous choice; may reject it with an IllegalArgumentException
     */
    UseResult revert(PolicyKind kind, OptionalLong expected, String by, Consumer<String> check) {
        return change(kind, expected, before -> {
            if (before.earlier().isEmpty()) {
                throw new IllegalArgumentException("there is nothing to go back to: "
                        + (before.index() == 0
                                ? "the choice of " + kind.label() + " was never changed"
                                : before.details(kind) + " and no choice before it is kept (at most "
                                        + ChoiceRecord.MAX_EARLIER + " are)")
                        + "; 'policy use " + kind.label() + " NAME' chooses");
            }
            check.accept(before.earlier().get(0).name());
            return before.reverted(by, clock.wallMillis(), configured.getOrDefault(kind, ""));
        });
    }

    private synchronized UseResult change(PolicyKind kind, OptionalLong expected, UnaryOperator<ChoiceRecord> wanted) {
        ChoiceRecord before = Objects.requireNonNull(current.get(kind));
        if (expected.isPresent() && expected.getAsLong() != before.index()) {
            return new UseResult.Conflict(before.details(kind));
        }
        ChoiceRecord after = wanted.apply(before);
        if (store.isPresent()) {
            Optional<ChoiceRecord> other = keep(store.get(), kind, after);
            if (other.isPresent()) {
                put(kind, other.get());
                return new UseResult.Conflict(other.get().details(kind));
            }
        }
        put(kind, after);
        return new UseResult.Changed(after.index());
    }

    /** The configuration of the host changed. A choice that it changes is a change like any other. */
    synchronized void configured(Map<PolicyKind, String> now) {
        configured = Map.copyOf(now);
        for (PolicyKind kind : KINDS) {
            String name = configured.getOrDefault(kind, "");
            // Not compared with the choice in force: at a start the file may be read after the store.
            if (!Objects.requireNonNull(current.get(kind)).configured().equals(name)) {
                changeOrLog(kind, name);
            }
        }
    }

    private void changeOrLog(PolicyKind kind, String name) {
        try {
            use(kind, name, OptionalLong.empty(), ChoiceRecord.CONFIGURATION);
        } catch (IllegalStateException unkept) {
            LOG.error("{} is chosen by configuration: {}", kind.label(), unkept.getMessage());
        }
    }

    /** A store was added: its choices replace those in memory. Blocks while they are read. */
    public synchronized void attach(MetadataStore found) {
        store = Optional.of(found);
        versions.clear();
        for (PolicyKind kind : KINDS) {
            try {
                take(found, kind);
            } catch (IOException | RuntimeException failure) {
                LOG.error(
                        "the choice of {} cannot be read from the metadata store; {} stays in effect, and changes are refused"
                                + " until record {} can be read",
                        kind.label(),
                        Objects.requireNonNull(current.get(kind)).details(kind),
                        key(kind),
                        failure);
            }
        }
    }

    private void take(MetadataStore found, PolicyKind kind) throws IOException {
        ChoiceRecord own = Objects.requireNonNull(current.get(kind));
        Optional<Versioned> kept = found.read(key(kind));
        versions.put(kind, kept.map(Versioned::version).orElse(MetadataStore.ABSENT));
        if (kept.isEmpty()) {
            if (own.index() > 0) {
                keep(found, kind, own).ifPresent(other -> put(kind, other));
            }
            return;
        }
        ChoiceRecord choice = ChoiceRecord.read(kept.get().value());
        if (own.index() > 0 && !own.equals(choice)) {
            LOG.warn("the store keeps another choice: {}; it replaces {}", choice.details(kind), own.details(kind));
        }
        put(kind, choice);
        String name = configured.getOrDefault(kind, "");
        if (!name.isEmpty() && !choice.configured().equals(name)) {
            // The file was edited while no process ran, so it is newer. An empty one may not have been read yet.
            changeOrLog(kind, name);
        }
    }

    /** The store was removed: choices are kept in memory only. */
    public synchronized void detach(MetadataStore gone) {
        if (store.filter(there -> there == gone).isPresent()) {
            store = Optional.empty();
            versions.clear();
            LOG.info("choices of policies are kept in memory until this process leads again, and has a store");
        }
    }

    /** Empty when it was stored; otherwise the choice that another process stored meanwhile. */
    private Optional<ChoiceRecord> keep(MetadataStore there, PolicyKind kind, ChoiceRecord choice) {
        try {
            if (!versions.containsKey(kind)) {
                // A previous write failed and may have been stored, or the record could not be read.
                Optional<Versioned> read = there.read(key(kind));
                versions.put(kind, read.map(Versioned::version).orElse(MetadataStore.ABSENT));
                Optional<ChoiceRecord> other = read.map(record -> ChoiceRecord.read(record.value()));
                if (other.isPresent() && !other.get().equals(current.get(kind))) {
                    return other;
                }
            }
            WriteResult result = there.write(key(kind), versions.get(kind), choice.bytes());
            if (result instanceof WriteResult.Written written) {
                versions.put(kind, written.version());
                return Optional.empty();
            }
            Optional<Versioned> other = ((WriteResult.Conflict) result).current();
            versions.put(kind, other.map(Versioned::version).orElse(MetadataStore.ABSENT));
            return Optional.of(other.map(record -> ChoiceRecord.read(record.value()))
                    .orElse(ChoiceRecord.first(configured.getOrDefault(kind, ""))));
        } catch (IOException | RuntimeException failure) {
            versions.remove(kind);
            LOG.warn("the choice of {} cannot be kept", kind.label(), failure);
            throw new IllegalStateException(
                    "the choice of " + kind.label() + " cannot be kept in the metadata store (" + failure.getMessage()
                            + "); nothing was changed: repair the store and choose again",
                    failure);
        }
    }

    private static String key(PolicyKind kind) {
        return "policies/choice/" + kind.label();
    }

    private void put(PolicyKind kind, ChoiceRecord choice) {
        ChoiceRecord before = Objects.requireNonNull(current.get(kind));
        Map<PolicyKind, ChoiceRecord> next = new EnumMap<>(current);
        next.put(kind, choice);
        if (!before.equals(choice)) {
            changing.accept(kind, choice);
        }
        current = Collections.unmodifiableMap(next);
        if (!before.equals(choice)) {
            changed.accept(kind, choice);
        }
    }
}
