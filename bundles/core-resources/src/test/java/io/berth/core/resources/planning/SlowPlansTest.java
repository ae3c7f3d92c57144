package io.berth.core.resources.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.ReasonCode;
import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import org.junit.jupiter.api.Test;

/** What a job hears while a policy takes long. */
class SlowPlansTest {

    private final TestCluster cluster = new TestCluster();
    private final FakeWorker worker = cluster.worker("w1");
    private final FakeJobMaster job = cluster.job("count", 1);

    @Test
    void aJobThatWaitsForASlowPolicyHearsWhichOneAndForHowLong() {
        cluster.time.advance(60_000);
        cluster.planner.held = true;
        cluster.declare(job, 1, 1);
        cluster.time.advance(3_000);
        assertThat(job.notices).last().asString().contains("policy 'simple' (matching) has been asked for");
        assertThat(job.reasons.get(job.reasons.size() - 1).code()).isEqualTo(ReasonCode.DECIDING);
        cluster.time.advance(10_000);
        assertThat(job.notices).last().asString().containsPattern("has been asked for 1[0-9] s and has not answered");

        cluster.planner.release();
        cluster.time.advance(3_000);
        assertThat(worker.requested).hasSize(1);
        int notices = job.notices.size();
        cluster.time.advance(10_000);
        assertThat(job.notices.subList(notices, job.notices.size())).noneMatch(text -> text.contains("has been asked"));

        cluster.planner.held = false;
        FakeJobMaster waiting = cluster.job("large", 2);
        cluster.declare(waiting, 5, 5);
        cluster.time.advance(10_000);
        assertThat(waiting.notices).isNotEmpty().noneMatch(text -> text.contains("has been asked"));
    }
}
