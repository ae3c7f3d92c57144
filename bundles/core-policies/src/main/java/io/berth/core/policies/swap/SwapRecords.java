package io.berth.core.policies.swap;

import io.berth.core.api.operations.PolicyEvent;
import io.berth.core.api.operations.PolicyOperations.LedgerStamp;
import io.berth.core.api.operations.PolicyOperations.PolicyStamp;
import io.berth.core.api.operations.PolicyOperations.RefreshedBundles;
import io.berth.core.api.operations.PolicyOperations.SwapCause;
import io.berth.core.api.operations.PolicyOperations.SwapDetails;
import io.berth.core.api.operations.PolicyOperations.SwapLedger;
import io.berth.core.api.operations.SwapVerdict;
import io.berth.core.api.operations.SwapVerdict.Plain;
import io.berth.core.api.operations.SwapVerdict.Rule;
import io.berth.spi.PolicyKind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/** The stored form of one segment: a format, the number of records, the records by their ordinals, and a checksum. */
final class SwapRecords {

    private static final int FORMAT = 1;
    private static final int MAX_TEXT_LENGTH = 1_000;
    private static final int CHECKSUM = Long.BYTES;

    private SwapRecords() {}

    static byte[] bytes(SortedMap<Long, SwapDetails> records) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORMAT);
            out.writeInt(records.size());
            for (Map.Entry<Long, SwapDetails> entry : records.entrySet()) {
                out.writeLong(entry.getKey());
                write(out, entry.getValue());
            }
            out.flush();
            out.writeLong(checksum(bytes.toByteArray(), bytes.size()));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    /** @throws IOException when the bytes are damaged */
    static SortedMap<Long, SwapDetails> read(byte[] bytes) throws IOException {
        if (bytes.length < CHECKSUM + 1 || bytes[0] != FORMAT) {
            throw new IOException("it has " + bytes.length + " bytes"
                    + (bytes.length == 0 ? "" : " of format " + bytes[0]) + ", known is format " + FORMAT);
        }
        int end = bytes.length - CHECKSUM;
        try (DataInputStream sum = new DataInputStream(new ByteArrayInputStream(bytes, end, CHECKSUM))) {
            if (sum.readLong() != checksum(bytes, end)) {
                throw new IOException("its checksum is wrong");
            }
        }
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes, 1, end - 1))) {
            Map<String, String> known = new HashMap<>();
            SortedMap<Long, SwapDetails> records = new TreeMap<>();
            for (int left = in.readInt(); left > 0; left--) {
                records.put(in.readLong(), details(in, known));
            }
            return records;
        }
    }

    private static long checksum(byte[] bytes, int length) {
        CRC32 sum = new CRC32();
        sum.update(bytes, 0, length);
        return sum.getValue();
    }

    private static void write(DataOutputStream out, SwapDetails swap) throws IOException {
        out.writeLong(swap.number());
        out.writeLong(swap.wallMillis());
        out.writeUTF(swap.kind().label());
        text(out, swap.owner());
        text(out, swap.cause().label());
        stamp(out, swap.from());
        stamp(out, swap.to());
        out.writeInt(swap.inFlight());
        out.writeLong(swap.firstDecision());
        out.writeLong(swap.addedDelayMicros());
        out.writeLong(swap.index());
        out.writeLong(swap.delayMicros());
        out.writeLong(swap.usualMicros());
        out.writeInt(swap.refreshed().count());
        out.writeInt(swap.refreshed().names().size());
        for (String name : swap.refreshed().names()) {
            text(out, name);
        }
        ledger(out, swap.ledger().lastDecision());
        ledger(out, swap.ledger().opened());
        ledger(out, swap.ledger().firstBefore());
        ledger(out, swap.ledger().firstAfter());
        out.writeInt(swap.ledger().firstSlots());
        text(out, swap.ledger().verdict().label());
        out.writeLong(swap.overtakenBy());
        out.writeLong(swap.hostStartedMillis());
    }

    private static SwapDetails details(DataInputStream in, Map<String, String> known) throws IOException {
        return new SwapDetails(
                in.readLong(),
                in.readLong(),
                kind(in.readUTF()),
                text(in, known),
                cause(in.readUTF()),
                stamp(in, known),
                stamp(in, known),
                in.readInt(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                new RefreshedBundles(in.readInt(), names(in, known)),
                new SwapLedger(
                        ledger(in, known),
                        ledger(in, known),
                        ledger(in, known),
                        ledger(in, known),
                        in.readInt(),
                        verdict(in.readUTF())),
                in.readLong(),
                in.readLong());
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        out.writeUTF(text.length() > MAX_TEXT_LENGTH ? text.substring(0, MAX_TEXT_LENGTH) + "..." : text);
    }

    /** Few texts make up many records: each is kept once. */
    private static String text(DataInputStream in, Map<String, String> known) throws IOException {
        String text = in.readUTF();
        return known.computeIfAbsent(text, same -> same);
    }

    private static List<String> names(DataInputStream in, Map<String, String> known) throws IOException {
        List<String> names = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            names.add(text(in, known));
        }
        return names;
    }

    /** Reads {@link SwapCause#label}. */
    static SwapCause cause(String label) {
        String[] parts = label.split(" by ", 2);
        PolicyEvent event = Arrays.stream(PolicyEvent.values())
                .filter(known -> known.label().equals(parts[0]))
                .findFirst()
                .orElse(PolicyEvent.UNKNOWN);
        return new SwapCause(event, parts.length == 1 ? "" : parts[1]);
    }

    /** Reads {@link SwapVerdict#label}. */
    static SwapVerdict verdict(String label) throws IOException {
        long[] figures = Pattern.compile("-?\\d+")
                .matcher(label)
                .results()
                .mapToLong(figure -> Long.parseLong(figure.group()))
                .toArray();
        long first = figures.length == 0 ? 0 : figures[0];
        return Stream.of(
                        Arrays.stream(Plain.values()),
                        Arrays.stream(Rule.values()).map(rule -> new SwapVerdict.Violated(rule, first)),
                        Stream.of(new SwapVerdict.NoSlotGiven(first, figures.length < 2 ? 0 : figures[1])))
                .<SwapVerdict>flatMap(verdicts -> verdicts)
                .filter(verdict -> verdict.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IOException("it has a verdict '" + label + "' that is not known"));
    }

    private static PolicyKind kind(String label) throws IOException {
        return Arrays.stream(PolicyKind.values())
                .filter(kind -> kind.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IOException("it names a kind '" + label + "' that is not known"));
    }

    private static void stamp(DataOutputStream out, PolicyStamp stamp) throws IOException {
        out.writeUTF(stamp.kind().label());
        text(out, stamp.name());
        text(out, stamp.bundle());
        text(out, stamp.version());
        out.writeLong(stamp.generation());
        out.writeLong(stamp.configurationRevision());
    }

    private static PolicyStamp stamp(DataInputStream in, Map<String, String> known) throws IOException {
        return new PolicyStamp(
                kind(in.readUTF()), text(in, known), text(in, known), text(in, known), in.readLong(), in.readLong());
    }

    private static void ledger(DataOutputStream out, LedgerStamp stamp) throws IOException {
        text(out, stamp.hash());
        out.writeInt(stamp.slots());
        out.writeLong(stamp.changes());
        out.writeLong(stamp.granted());
        out.writeLong(stamp.ended());
        out.writeLong(stamp.reported());
    }

    private static LedgerStamp ledger(DataInputStream in, Map<String, String> known) throws IOException {
        return new LedgerStamp(
                text(in, known), in.readInt(), in.readLong(), in.readLong(), in.readLong(), in.readLong());
    }
}
