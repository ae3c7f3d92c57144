package io.berth.spi.backend;

import io.berth.spi.ResourceProfile;

/**
 * The size of a worker that a backend can start.
 *
 * @param name of the spec within its backend
 * @param total what a worker of the spec offers to slots
 * @param defaultSlots how many default slots the worker is divided into, at least 1
 * @param least how many workers of the spec stay even when nothing needs them, from 0 to {@code most}
 * @param most how many workers of the spec may exist at once, at least 0
 */
public record WorkerSpec(String name, ResourceProfile total, int defaultSlots, int least, int most) {

    /** A spec without a minimum number of workers. */
    public WorkerSpec(String name, ResourceProfile total, int defaultSlots, int most) {
        this(name, total, defaultSlots, 0, most);
    }

    public WorkerSpec {
        if (defaultSlots < 1) {
            throw new IllegalArgumentException(
                    "default slots of worker spec '" + name + "' is " + defaultSlots + ": at least 1 is allowed");
        }
        if (most < 0) {
            throw new IllegalArgumentException(
                    "most workers of spec '" + name + "' is " + most + ": at least 0 is allowed");
        }
        if (least < 0 || least > most) {
            throw new IllegalArgumentException(
                    "least workers of spec '" + name + "' is " + least + ": allowed is 0 to " + most);
        }
    }
}
