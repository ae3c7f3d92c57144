package io.berth.ha.file;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The bytes of one version of a record: magic, version, length of the key, length of the value, key, value and a
 * CRC32C over all of it. Everything else is damaged.
 */
final class RecordFormat {

    /** The largest value in bytes that any configuration allows. */
    static final int MAX_VALUE_BYTES = 64 * 1024 * 1024;

    private static final int MAGIC = 0x424d4431; // BMD1
    private static final int HEADER = Integer.BYTES + Long.BYTES + Integer.BYTES + Integer.BYTES;

    private RecordFormat() {}

    static byte[] encode(String key, long version, byte[] value) {
        byte[] keyBytes = key.getBytes(StandardCharsets.US_ASCII);
        ByteBuffer record = ByteBuffer.allocate(HEADER + keyBytes.length + value.length + Integer.BYTES);
        record.putInt(MAGIC).putLong(version).putInt(keyBytes.length).putInt(value.length);
        record.put(keyBytes).put(value);
        record.putInt(checksum(record.array(), record.position()));
        return record.array();
    }

    /**
     * The value of a record.
     *
     * @throws DamagedBytesException when the bytes are not the record with this key and version; the message says why
     */
    static byte[] decode(String key, long version, byte[] bytes) throws DamagedBytesException {
        if (bytes.length < HEADER + Integer.BYTES) {
            throw new DamagedBytesException(bytes.length + " bytes are too few for a record");
        }
        int end = bytes.length - Integer.BYTES;
        int expected = ByteBuffer.wrap(bytes).getInt(end);
        int found = checksum(bytes, end);
        if (expected != found) {
            throw new DamagedBytesException(
                    String.format("checksum over %d bytes is %08x instead of %08x", end, found, expected));
        }
        ByteBuffer record = ByteBuffer.wrap(bytes, 0, end);
        if (record.getInt() != MAGIC) {
            throw new DamagedBytesException("it is not a record of this format");
        }
        long ownVersion = record.getLong();
        int keyLength = record.getInt();
        int valueLength = record.getInt();
        if (keyLength < 0 || valueLength < 0 || (long) keyLength + valueLength != record.remaining()) {
            throw new DamagedBytesException("its lengths " + keyLength + " and " + valueLength + " do not fit");
        }
        byte[] keyBytes = new byte[keyLength];
        record.get(keyBytes);
        String ownKey = new String(keyBytes, StandardCharsets.US_ASCII);
        if (ownVersion != version || !ownKey.equals(key)) {
            throw new DamagedBytesException("it is version " + ownVersion + " of '" + ownKey + "'");
        }
        byte[] value = new byte[valueLength];
        record.get(value);
        return value;
    }

    static long largestFile(int keyLength) {
        return (long) HEADER + keyLength + MAX_VALUE_BYTES + Integer.BYTES;
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, length);
        return (int) checksum.getValue();
    }
}
