package io.berth.core.resources.blocklist;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.FencingToken;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.fake.ManualTime;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.heartbeat.HeartbeatMonitor;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.time.MainThread;
import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.TestCluster;
import io.berth.core.resources.state.JobEntry;
import io.berth.core.resources.state.RequirementLedger;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class BlockListSenderTest {

    private final ManualTime time = new ManualTime();
    private final MainThread mainThread = new MainThread("test", time, time, failure -> {
        throw new AssertionError(failure);
    });
    private final RequirementLedger ledger = new RequirementLedger(TestCluster.noFlush());
    private final List<FakeJobMaster> jobs = new ArrayList<>();
    private List<WorkerId> blocked = List.of(new WorkerId("w1"), new WorkerId("w2"));
    private int listed;
    private final BlockListSender notices =
            new BlockListSender(new ResourceManagerId(new FencingToken(1, new UUID(1, 1))), mainThread, ledger, () -> {
                listed++;
                return new BlockListSender.Lists(blocked, List.of());
            });

    private FakeJobMaster job(String name) {
        FakeJobMaster job = new FakeJobMaster(name, 1, jobs.size());
        JobMasterGateway gateway = PartialGateway.of(JobMasterGateway.class, job);
        ledger.job(job.job)
                .connect(new JobEntry.Master(
                        job.id, job.endpoint(), gateway, new HeartbeatMonitor(time), MatchingRule.EXACT));
        jobs.add(job);
        return job;
    }

    private void changed() {
        mainThread.execute(notices::changed);
        time.advance(0);
    }

    @Test
    void theBlockedWorkersAreListedOnceForAllJobMasters() {
        for (int number = 0; number < 50; number++) {
            job("job-" + number);
        }
        changed();

        assertThat(listed).isEqualTo(1);
        assertThat(jobs).allSatisfy(job -> assertThat(job.blocked).containsExactly(blocked));
    }

    @Test
    void aRepeatedListHasTheWorkersThatAreBlockedThen() {
        FakeJobMaster job = job("count");
        job.dead = true;
        changed();
        job.dead = false;
        blocked = List.of(new WorkerId("w3"));
        time.advance(1_000);

        assertThat(job.blocked).last().isEqualTo(List.of(new WorkerId("w3")));
    }

    @Test
    void jobsThatHaveEndedAreForgottenAlthoughNoWorkerIsBlocked() {
        job("stays");
        for (int number = 0; number < 1_000; number++) {
            JobEntry entry = ledger.job(job("job-" + number).job);
            JobEntry.Master master = entry.master().orElseThrow();
            mainThread.execute(() -> {
                notices.registered(entry, master, false);
                ledger.clear(entry);
            });
            time.advance(0);
        }

        assertThat(notices.jobs()).hasSizeLessThan(20);
    }
}
