package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.operations.PolicyOperations.DecisionDetails;
import io.berth.core.api.operations.PolicyOperations.PolicyStamp;
import io.berth.core.api.operations.PolicyOperations.SwapDetails;
import io.berth.core.api.operations.SwapVerdict;
import io.berth.spi.PolicyKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads each decision of the pool, in order, and compares the deciding generation with the records of swaps. From the
 * first decision that a record names, the new generation decides; before it, the old one. Each record continues where
 * the previous one ended.
 */
final class DecisionTrail {

    private static final String OWNER = "pool default";
    private static final int MAX_RECORDS = 200;
    private static final int MAX_OTHERS = 500;

    private final PolicyOperations policies;
    private final Map<PolicyKind, PolicyStamp> deciding = new EnumMap<>(PolicyKind.class);
    private final Map<PolicyKind, PolicyStamp> recorded = new EnumMap<>(PolicyKind.class);
    private final List<DecisionDetails> unchecked = new ArrayList<>();
    private long lastDecision;
    private long lastRecord;
    private long count;

    DecisionTrail(PolicyOperations policies) {
        this.policies = policies;
    }

    /** Starts after all earlier decisions: the newest decision of the pool says who decides. */
    void begin(Duration limit) throws Exception {
        readRecords().forEach(record -> lastRecord = Math.max(lastRecord, record.number()));
        Await.until("a decision of the pool", limit, () -> {
            read();
            return !unchecked.isEmpty();
        });
        unchecked.get(unchecked.size() - 1).policies().forEach(stamp -> {
            deciding.put(stamp.kind(), stamp);
            recorded.put(stamp.kind(), stamp);
        });
        unchecked.clear();
    }

    PolicyStamp deciding(PolicyKind kind) {
        return deciding.get(kind);
    }

    long count() {
        return count;
    }

    /** A decision may have a number and still be missing for a moment. */
    private void read() {
        for (long number = lastDecision + 1; number < lastDecision + MAX_OTHERS; number++) {
            Optional<DecisionDetails> decision = policies.decision(number);
            if (decision.isPresent()) {
                lastDecision = number;
                if (decision.get().owner().equals(OWNER)) {
                    unchecked.add(decision.get());
                }
            } else if (policies.decision(number + 1).isEmpty() && lastDecision > 0) {
                return;
            }
        }
    }

    /**
     * Waits until another generation decides, the expected one. Then checks all decisions since the last call, and
     * returns the records of what changed.
     */
    List<SwapDetails> await(PolicyKind kind, String name, String version, Duration limit) throws Exception {
        long before = deciding.get(kind).generation();
        Await.until(
                () -> "decided by " + kind.label() + " " + name + " " + version + " of another generation than "
                        + before
                        + ", but "
                        + policies.policies().stream()
                                .filter(policy -> policy.kind() == kind)
                                .toList() + ", last "
                        + policies.decision(lastDecision),
                limit,
                () -> {
                    read();
                    return unchecked.stream().anyMatch(decision -> {
                        PolicyStamp stamp = stamp(decision, kind);
                        return stamp.generation() > before
                                && stamp.name().equals(name)
                                && stamp.version().equals(version);
                    });
                });
        // The owner commits a decision after it was made.
        Await.until(
                () -> "committed: " + newest(kind), limit, () -> newest(kind).addedDelayMicros() >= 0);
        return check(kind, name, version);
    }

    private SwapDetails newest(PolicyKind kind) {
        return policies.swaps(Optional.of(kind), MAX_RECORDS).stream()
                .filter(record -> record.owner().equals(OWNER))
                .findFirst()
                .orElseThrow();
    }

    /** Checks all decisions until now; nothing changed since the last call. */
    void checkUnchanged() {
        read();
        assertEquals(List.of(), newRecords());
        unchecked.forEach(decision -> decision.policies()
                .forEach(stamp -> assertEquals("decision " + decision.number(), deciding.get(stamp.kind()), stamp)));
        count += unchecked.size();
        unchecked.clear();
    }

    private List<SwapDetails> check(PolicyKind kind, String name, String version) {
        List<SwapDetails> records = newRecords();
        String text = records.toString();
        assertTrue("a record of the swap to " + name + " " + version, !records.isEmpty());
        for (SwapDetails record : records) {
            assertEquals("only the kind that is swapped: " + text, kind, record.kind());
            assertEquals("each record continues where the last one ended: " + text, recorded.get(kind), record.from());
            assertTrue("somebody decides: " + text, !record.to().name().equals("none"));
            assertTrue("at most one bundle: " + text, record.refreshed().count() <= 1);
            assertFalse(
                    "the ledger before and after: " + text,
                    record.ledger().verdict().isViolation());
            recorded.put(kind, record.to());
        }
        SwapDetails last = records.get(records.size() - 1);
        assertEquals(
                text, name + " " + version, last.to().name() + " " + last.to().version());
        assertTrue("it decided: " + text, last.firstDecision() > 0 && last.addedDelayMicros() >= 0);
        assertFalse(
                "both sides of the ledger are known: " + text,
                Set.of(SwapVerdict.Plain.OPEN, SwapVerdict.Plain.NO_LEDGER)
                        .contains(last.ledger().verdict()));
        for (DecisionDetails decision : unchecked) {
            records.stream()
                    .filter(record -> record.firstDecision() > 0 && record.firstDecision() <= decision.number())
                    .reduce((one, other) -> other)
                    .ifPresent(record -> deciding.put(kind, record.to()));
            for (PolicyStamp stamp : decision.policies()) {
                assertEquals("decision " + decision.number() + " among " + text, deciding.get(stamp.kind()), stamp);
            }
        }
        assertEquals("the record names the first decision: " + text, last.to(), deciding.get(kind));
        count += unchecked.size();
        unchecked.clear();
        return records;
    }

    /** Oldest first. */
    private List<SwapDetails> newRecords() {
        List<SwapDetails> records = new ArrayList<>();
        for (SwapDetails record : readRecords()) {
            if (record.number() > lastRecord) {
                records.add(0, record);
            }
        }
        records.forEach(record -> lastRecord = Math.max(lastRecord, record.number()));
        return records;
    }

    private List<SwapDetails> readRecords() {
        return policies.swaps(Optional.empty(), MAX_RECORDS).stream()
                .filter(record -> record.owner().equals(OWNER))
                .toList();
    }

    private static PolicyStamp stamp(DecisionDetails decision, PolicyKind kind) {
        return decision.policies().stream()
                .filter(stamp -> stamp.kind() == kind)
                .findFirst()
                .orElseThrow();
    }
}
