package io.berth.core.policies;

import io.berth.core.api.operations.PolicyOperations.ChoiceDetails;
import io.berth.spi.PolicyKind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * A choice as it is kept.
 *
 * @param before the choice before this one, to go back to
 * @param configured what the host's configuration chose when this was made: when it differs later, the file was edited
 */
record ChoiceRecord(String name, long index, String by, long wallMillis, String before, String configured) {

    static final String CONFIGURATION = "configuration io.berth.core.policies";
    private static final int FORMAT = 1;

    ChoiceRecord {
        if (index < 0) {
            throw new IllegalArgumentException("index of a choice is " + index + ": at least 0 is allowed");
        }
    }

    /** What holds before anything was changed. */
    static ChoiceRecord first(String configured) {
        return new ChoiceRecord(configured, 0, CONFIGURATION, 0, configured, configured);
    }

    ChoiceRecord changed(String wanted, String who, long now, String configuredNow) {
        return new ChoiceRecord(wanted, index + 1, who, now, name, configuredNow);
    }

    ChoiceDetails details(PolicyKind kind) {
        return new ChoiceDetails(kind, name, index, by, wallMillis);
    }

    byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORMAT);
            out.writeUTF(name);
            out.writeLong(index);
            out.writeUTF(by);
            out.writeLong(wallMillis);
            out.writeUTF(before);
            out.writeUTF(configured);
        } catch (IOException failure) {
            throw new UncheckedIOException("the choice '" + name + "' is too long", failure);
        }
        return bytes.toByteArray();
    }

    static ChoiceRecord read(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int format = in.readByte();
            if (format != FORMAT) {
                throw new IOException("it has format " + format + ", known is " + FORMAT);
            }
            return new ChoiceRecord(
                    in.readUTF(), in.readLong(), in.readUTF(), in.readLong(), in.readUTF(), in.readUTF());
        } catch (IOException failure) {
            throw new UncheckedIOException("the record of a choice cannot be read", failure);
        }
    }
}
