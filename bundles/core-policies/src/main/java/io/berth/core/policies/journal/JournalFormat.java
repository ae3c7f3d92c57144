package io.berth.core.policies.journal;

import io.berth.core.api.operations.PolicyMetrics.DecisionType;
import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome;
import io.berth.core.policies.frame.AssignmentFrame;
import io.berth.core.policies.frame.DecisionFrame;
import io.berth.core.policies.frame.RecordedDecision;
import io.berth.core.policies.frame.ScalingFrame;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * The format of journals. A file is a sequence of entries: one byte for the type, four for the length of the content,
 * four for a checksum (CRC-32C) of these five bytes and the content, and the content. It begins with a {@link #SEGMENT},
 * which may come again: values are then written again. An export ends with an {@link #END}, so that a file that was cut
 * is noticed; a segment that is being written has none yet.
 */
public final class JournalFormat {

    /** Raised whenever an entry changes; a reader reads its own version only. */
    public static final int VERSION = 9;

    /** Text at the begin of a segment. */
    static final String MAGIC = "berth decisions";

    static final int HEADER = 9;
    /** No entry is larger; a damaged length must not take the memory. */
    static final int MAX_ENTRY = 256 << 20;

    /** The magic text, the version and the wall-clock time. */
    static final byte SEGMENT = 'S';
    /** A frame of a pool. */
    static final byte FRAME = 'F';
    /** A scaling frame. */
    static final byte SCALING = 'C';
    /** A frame of an assignment. */
    static final byte ASSIGNMENT = 'A';
    /** Frames were lost: the type of their decisions, the pool, and how many. */
    static final byte GAP = 'G';
    /** How many frames the export has. */
    static final byte END = 'E';

    private JournalFormat() {}

    /** Whether entries of this type have one decision each, which begins with its number. */
    static boolean isDecision(byte type) {
        return type == FRAME || type == SCALING || type == ASSIGNMENT;
    }

    /** Writes the content of the entry of a decision. Returns its type. */
    static byte write(FrameOutput out, RecordedDecision decision) {
        if (decision instanceof DecisionFrame frame) {
            FrameCodec.write(out, frame);
            return FRAME;
        }
        if (decision instanceof ScalingFrame frame) {
            ScalingCodec.write(out, frame);
            return SCALING;
        }
        AssignmentCodec.write(out, (AssignmentFrame) decision);
        return ASSIGNMENT;
    }

    static RecordedDecision read(byte type, FrameInput in) {
        return switch (type) {
            case FRAME -> FrameCodec.read(in);
            case SCALING -> ScalingCodec.read(in);
            default -> AssignmentCodec.read(in);
        };
    }

    /** An outcome as bytes: equal outcomes are equal bit by bit. */
    public static byte[] bytes(PlanOutcome outcome, OptionalLong reviewMillis) {
        FrameOutput out = new FrameOutput();
        FrameCodec.outcome(out, outcome);
        FrameCodec.millis(out, reviewMillis);
        return Arrays.copyOf(out.bytes(), out.size());
    }

    /** The same for scaling. */
    public static byte[] bytes(ScalingOutcome outcome) {
        FrameOutput out = new FrameOutput();
        ScalingCodec.outcome(out, outcome);
        return Arrays.copyOf(out.bytes(), out.size());
    }

    /** The same for an assignment. */
    public static byte[] bytes(AssignmentOutcome outcome) {
        FrameOutput out = new FrameOutput();
        AssignmentCodec.outcome(out, outcome);
        return Arrays.copyOf(out.bytes(), out.size());
    }

    /** A complete entry. */
    static byte[] entry(byte type, byte[] content, int length) {
        ByteBuffer entry = ByteBuffer.allocate(HEADER + length);
        entry.put(type).putInt(length).putInt(0).put(content, 0, length);
        entry.putInt(5, checksum(type, length, content, length));
        return entry.array();
    }

    static int checksum(byte type, int length, byte[] content, int size) {
        CRC32C checksum = new CRC32C();
        checksum.update(type);
        for (int shift = 24; shift >= 0; shift -= 8) {
            checksum.update(length >>> shift & 0xFF);
        }
        checksum.update(content, 0, size);
        return (int) checksum.getValue();
    }

    static byte[] segment(long wallMillis) {
        FrameOutput out = new FrameOutput();
        out.text(MAGIC);
        out.number(VERSION);
        out.number(wallMillis);
        return entry(SEGMENT, out.bytes(), out.size());
    }

    /** @param pool empty for decisions of jobs */
    static byte[] gap(DecisionType type, String pool, long frames) {
        FrameOutput out = new FrameOutput();
        out.word(type);
        out.text(pool);
        out.number(frames);
        return entry(GAP, out.bytes(), out.size());
    }

    static byte[] end(long frames) {
        FrameOutput out = new FrameOutput();
        out.number(frames);
        return entry(END, out.bytes(), out.size());
    }
}
