package io.berth.runtime.dataflow.exchange.buffer;

/**
 * One unit of the exchange: up to {@link #CAPACITY} bytes of records, or an event. The array has room for a frame
 * header in front, so that a buffer goes to the socket without a copy. It belongs to one thread at a time and is
 * passed on under a lock.
 *
 * <p>Records have no frames of their own. {@code [0, head)} ends a record that began in earlier buffers of the
 * channel, {@code [head, tail)} has whole records, {@code [tail, length)} begins a record that continues in the next
 * buffer. A buffer in the middle of a record has head and tail 0.
 */
public final class NetworkBuffer {

    /** Maximum number of record bytes in a buffer. */
    public static final int CAPACITY = 32 * 1024;

    /** Maximum length of a record; it may span buffers. */
    public static final int MAX_RECORD_BYTES = 64 << 20;

    /** Where the records start in {@link #array}. The room before it is for the frame header, head and tail. */
    public static final int BASE = 17;

    private static final byte[] NONE = new byte[0];

    private final byte[] array;
    private final EventKind event;
    private Owner owner;
    private int length;
    private int head;
    private int tail;

    /** Takes a buffer back after use. */
    @FunctionalInterface
    public interface Owner {
        void recycle(NetworkBuffer buffer);
    }

    private NetworkBuffer(byte[] array, EventKind event, Owner owner) {
        this.array = array;
        this.event = event;
        this.owner = owner;
    }

    static NetworkBuffer allocate() {
        return new NetworkBuffer(new byte[BASE + CAPACITY], EventKind.NONE, buffer -> {});
    }

    public static NetworkBuffer event(EventKind kind) {
        return new NetworkBuffer(NONE, kind, buffer -> {});
    }

    public byte[] array() {
        return array;
    }

    public boolean isEvent() {
        return event != EventKind.NONE;
    }

    public EventKind event() {
        return event;
    }

    public int length() {
        return length;
    }

    public int head() {
        return head;
    }

    public int tail() {
        return tail;
    }

    public void set(int newLength, int newHead, int newTail) {
        if (newHead < 0 || newHead > newTail || newTail > newLength || newLength > CAPACITY) {
            throw new IllegalArgumentException(
                    "buffer of length " + newLength + " with head " + newHead + " and tail " + newTail);
        }
        length = newLength;
        head = newHead;
        tail = newTail;
    }

    public void ownedBy(Owner newOwner) {
        owner = newOwner;
    }

    /** Returns the buffer. The caller must not touch it afterwards. */
    public void recycle() {
        owner.recycle(this);
    }
}
