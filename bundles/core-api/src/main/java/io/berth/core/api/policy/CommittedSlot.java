package io.berth.core.api.policy;

import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;

/**
 * A slot that was requested from a worker because of a decision. Pending workers receive the requests when they
 * register.
 */
public record CommittedSlot(
        JobId job, String unit, String group, WorkerId worker, AllocationId allocation, ResourceProfile profile) {}
