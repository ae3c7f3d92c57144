package io.berth.core.api.policy;

import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;

/** A slot that was requested from a worker as a decision said; pending workers get theirs when they register. */
public record CommittedSlot(
        JobId job, String unit, String group, WorkerId worker, AllocationId allocation, ResourceProfile profile) {}
