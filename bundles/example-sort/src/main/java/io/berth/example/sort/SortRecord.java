package io.berth.example.sort;

/**
 * The records to sort, like those of {@code gensort -a}, with another random sequence: a key of 10 printable ASCII
 * characters, two blanks, the number of the record as 32 hexadecimal digits, two blanks, 52 characters that depend on the
 * number, and a carriage return. With the line feed that ends a line, a record has 100 bytes. Keys are uniform, and the
 * same number always gives the same record.
 */
final class SortRecord {

    /** Bytes of a record without the line feed. */
    static final int BYTES = 99;

    /** Bytes of a record in a file. */
    static final int LINE_BYTES = BYTES + 1;

    static final int FIRST_CHARACTER = ' ';

    /** How many different characters a key may have, from {@link #FIRST_CHARACTER} on. */
    static final int CHARACTERS = 95;

    private static final int KEY_BYTES = 10;
    private static final int NUMBER_AT = KEY_BYTES + 2;
    private static final int FILLER_AT = NUMBER_AT + 32 + 2;
    private static final int FILLER_DIGITS = 13;
    private static final int REPEATED = 4;
    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'};

    private SortRecord() {}

    /** Writes the record with this number to {@code target[at, at + BYTES)}. */
    static void write(long number, byte[] target, int at) {
        long low = mix(2 * number);
        long high = mix(2 * number + 1);
        writeKey(low, target, at);
        writeKey(high, target, at + KEY_BYTES / 2);
        target[at + KEY_BYTES] = ' ';
        target[at + KEY_BYTES + 1] = ' ';
        for (int i = 0; i < 16; i++) {
            target[at + NUMBER_AT + i] = '0';
            target[at + NUMBER_AT + 16 + i] = HEX[(int) (number >>> (60 - 4 * i)) & 15];
        }
        target[at + FILLER_AT - 2] = ' ';
        target[at + FILLER_AT - 1] = ' ';
        long filler = low ^ high >>> 7;
        for (int i = 0; i < FILLER_DIGITS * REPEATED; i++) {
            target[at + FILLER_AT + i] = HEX[(int) (filler >>> (4 * (i / REPEATED))) & 15];
        }
        target[at + BYTES - 1] = '\r';
    }

    private static void writeKey(long random, byte[] target, int at) {
        long rest = random >>> 1;
        for (int i = 0; i < KEY_BYTES / 2; i++) {
            target[at + i] = (byte) (FIRST_CHARACTER + rest % CHARACTERS);
            rest /= CHARACTERS;
        }
    }

    /** SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). */
    private static long mix(long index) {
        long z = (index + 1) * 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
