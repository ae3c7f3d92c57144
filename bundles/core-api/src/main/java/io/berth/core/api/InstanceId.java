package io.berth.core.api;

/**
 * One registration of a worker at a ResourceManager (FLIP-6): messages that name an older registration are stale.
 *
 * @param number counted by the ResourceManager
 */
public record InstanceId(long number) {

    @Override
    public String toString() {
        return Long.toString(number);
    }
}
