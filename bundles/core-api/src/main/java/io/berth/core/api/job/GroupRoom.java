package io.berth.core.api.job;

import java.util.Optional;

/**
 * How many more slots a slot sharing group of a job could get. Others may take them first.
 *
 * @param free that fit on workers of the pool of the job which are there, or have been requested for nobody
 * @param startable that fit on workers which backends may still start for the pool
 * @param queue that the limits of the queue of the job allow, and those of the queues above it; empty when nothing limits
 *     them, or their use is not known yet
 */
public record GroupRoom(String group, long free, long startable, Optional<Long> queue) {}
