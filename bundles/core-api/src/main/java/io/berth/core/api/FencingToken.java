package io.berth.core.api;

import java.util.UUID;

/**
 * Proof of leadership of a role: an ordered epoch, and an id that distinguishes two holders of the same epoch. A
 * message whose token differs from the receiver's has no effect.
 *
 * @param epoch grows with each new holder of the role
 * @param id random
 */
public record FencingToken(long epoch, UUID id) implements Comparable<FencingToken> {

    @Override
    public int compareTo(FencingToken other) {
        int byEpoch = Long.compare(epoch, other.epoch);
        return byEpoch != 0 ? byEpoch : id.compareTo(other.id);
    }

    @Override
    public String toString() {
        return Long.toString(epoch, 36) + "/" + id.toString().substring(0, 8);
    }
}
