package io.berth.core.policies.registry;

import io.berth.core.api.operations.PolicyOperations.ChoiceDetails;
import io.berth.spi.PolicyKind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A stored choice.
 *
 * @param reverted whether it returns to an earlier one
 * @param earlier choices that it replaced, newest first, without those that were reverted; at most {@link
 *     #MAX_EARLIER}
 * @param configured what the configuration of the host chose at that time: when it differs later, the file was edited
 */
public record ChoiceRecord(
        String name,
        long index,
        String by,
        long wallMillis,
        boolean reverted,
        List<Earlier> earlier,
        String configured) {

    static final String CONFIGURATION = "configuration io.berth.core.policies";
    static final int MAX_EARLIER = 50;
    private static final int FORMAT = 3;
    private static final int MAX_NAME = 1_000;
    private static final int MAX_BY = 200;

    /** A previous choice, with its index, its author and its time. */
    record Earlier(String name, long index, String by, long wallMillis) {}

    public ChoiceRecord {
        if (index < 0) {
            throw new IllegalArgumentException("index of a choice is " + index + ": at least 0 is allowed");
        }
        if (name.length() > MAX_NAME) {
            throw new IllegalArgumentException(
                    "the choice has " + name.length() + " characters: at most " + MAX_NAME + " are allowed");
        }
        by = by.length() <= MAX_BY ? by : by.substring(0, MAX_BY);
        earlier = List.copyOf(earlier.subList(0, Math.min(earlier.size(), MAX_EARLIER)));
    }

    /** The choice before any change. */
    static ChoiceRecord first(String configured) {
        return new ChoiceRecord(configured, 0, CONFIGURATION, 0, false, List.of(), configured);
    }

    /** Replaces this choice, which stays available for a revert. */
    ChoiceRecord changed(String wanted, String who, long now, String configuredNow) {
        List<Earlier> before = new ArrayList<>(List.of(new Earlier(name, index, by, wallMillis)));
        before.addAll(earlier);
        return new ChoiceRecord(wanted, index + 1, who, now, false, before, configuredNow);
    }

    /** Returns to the previous choice, as a change of its own. */
    ChoiceRecord reverted(String who, long now, String configuredNow) {
        return new ChoiceRecord(
                earlier.get(0).name(), index + 1, who, now, true, earlier.subList(1, earlier.size()), configuredNow);
    }

    ChoiceDetails details(PolicyKind kind) {
        return new ChoiceDetails(kind, name, index, by, wallMillis, "");
    }

    byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORMAT);
            write(out, new Earlier(name, index, by, wallMillis));
            out.writeBoolean(reverted);
            out.writeUTF(configured);
            out.writeByte(earlier.size());
            for (Earlier one : earlier) {
                write(out, one);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("the choice '" + name + "' is too long", failure);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, Earlier choice) throws IOException {
        out.writeUTF(choice.name());
        out.writeLong(choice.index());
        out.writeUTF(choice.by());
        out.writeLong(choice.wallMillis());
    }

    private static Earlier readOne(DataInputStream in) throws IOException {
        return new Earlier(in.readUTF(), in.readLong(), in.readUTF(), in.readLong());
    }

    static ChoiceRecord read(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int format = in.readByte();
            if (format < 1 || format > FORMAT) {
                throw new IOException("it has format " + format + ", known are 1 to " + FORMAT);
            }
            Earlier now = readOne(in);
            List<Earlier> earlier = new ArrayList<>();
            boolean reverted = format >= 3 && in.readBoolean();
            String configured;
            if (format == 1) {
                // Format 1 keeps one previous choice without author and time.
                String before = in.readUTF();
                configured = in.readUTF();
                if (now.index() > 0) {
                    earlier.add(new Earlier(before, now.index() - 1, "", 0));
                }
            } else {
                configured = in.readUTF();
                for (int count = in.readByte(); count > 0; count--) {
                    earlier.add(readOne(in));
                }
            }
            return new ChoiceRecord(now.name(), now.index(), now.by(), now.wallMillis(), reverted, earlier, configured);
        } catch (IOException failure) {
            throw new UncheckedIOException("the record of a choice cannot be read", failure);
        }
    }
}
