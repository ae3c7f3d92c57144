package io.berth.benchmark.stub;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import java.util.stream.Stream;

/** What a worker reports of slots that it granted, each with one task. */
public final class ReportedSlots {

    private ReportedSlots() {}

    public static SlotReport of(Stream<SlotRequest> granted) {
        return new SlotReport(granted.map(slot -> new SlotReport.Slot(
                        slot.allocation(),
                        slot.job(),
                        new JobMasterId(slot.jobMaster().token()),
                        slot.unit(),
                        slot.group(),
                        slot.profile(),
                        true,
                        1,
                        slot.decision()))
                .toList());
    }
}
