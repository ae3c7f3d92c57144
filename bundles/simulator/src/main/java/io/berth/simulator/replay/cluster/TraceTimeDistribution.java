package io.berth.simulator.replay.cluster;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.JobId;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DemandsView;
import io.berth.spi.distribution.DistributionPolicy;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.spi.distribution.QueuesView;
import java.time.ZoneId;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A distribution policy in the time of the trace. The clock of the core runs slower, and the durations in the
 * configuration of a policy are meant in the time of its jobs: so it sees times of the trace, and what it asks for is
 * translated back.
 */
final class TraceTimeDistribution implements DistributionPolicyFactory {

    private static final long LAPSE = ReplayTime.LAPSE;

    private final DistributionPolicyFactory factory;

    TraceTimeDistribution(DistributionPolicyFactory factory) {
        this.factory = factory;
    }

    @Override
    public PolicyDescription describe() {
        return factory.describe();
    }

    @Override
    public DistributionPolicy create(PolicyConfiguration configuration, PolicyContext context)
            throws InvalidConfigurationException {
        DistributionPolicy policy = factory.create(configuration, new Context(context));
        return demands -> new Session(policy.open(new Demands(demands)));
    }

    /** Tells a policy the time of the trace. */
    record Context(PolicyContext core) implements PolicyContext {

        @Override
        public String owner() {
            return core.owner();
        }

        @Override
        public long now() {
            return core.now() * LAPSE;
        }

        @Override
        public ZoneId zone() {
            return core.zone();
        }

        @Override
        public long remainingMillis() {
            return core.remainingMillis();
        }

        @Override
        public long seed() {
            return core.seed();
        }
    }

    private record Session(AdmissionSession session) implements AdmissionSession {

        @Override
        public void delta(int[] changed) {
            session.delta(changed);
        }

        @Override
        public void admit(AdmissionBuilder result) {
            session.admit(new Result(result));
        }

        @Override
        public void close() {
            session.close();
        }
    }

    private record Result(AdmissionBuilder core) implements AdmissionBuilder {

        @Override
        public void admitMinimum(int unit) {
            core.admitMinimum(unit);
        }

        @Override
        public void admit(int unit, int group, int count) {
            core.admit(unit, group, count);
        }

        @Override
        public void beginRank() {
            core.beginRank();
        }

        @Override
        public void endRank() {
            core.endRank();
        }

        @Override
        public void defer(int unit, String reason) {
            core.defer(unit, reason);
        }

        @Override
        public void reclaim(int unit, int group, int count, String reason) {
            core.reclaim(unit, group, count, reason);
        }

        @Override
        public void reviewAfter(long millis) {
            // What is not allowed stays so.
            core.reviewAfter(millis < 1 ? millis : (millis + LAPSE - 1) / LAPSE);
        }
    }

    private record Demands(DemandsView core) implements DemandsView {

        private static OptionalLong inTrace(OptionalLong time) {
            return time.isEmpty() ? time : OptionalLong.of(time.getAsLong() * LAPSE);
        }

        @Override
        public long stateNumber() {
            return core.stateNumber();
        }

        @Override
        public long now() {
            return core.now() * LAPSE;
        }

        @Override
        public long wallTime() {
            return core.wallTime() * LAPSE;
        }

        @Override
        public int limit() {
            return core.limit();
        }

        @Override
        public boolean present(int unit) {
            return core.present(unit);
        }

        @Override
        public boolean candidate(int unit) {
            return core.candidate(unit);
        }

        @Override
        public boolean returnable(int unit) {
            return core.returnable(unit);
        }

        @Override
        public int dimensions() {
            return core.dimensions();
        }

        @Override
        public String dimension(int dimension) {
            return core.dimension(dimension);
        }

        @Override
        public long capacity(int dimension) {
            return core.capacity(dimension);
        }

        @Override
        public long free(int dimension) {
            return core.free(dimension);
        }

        @Override
        public long startable(int dimension) {
            return core.startable(dimension);
        }

        @Override
        public JobId job(int unit) {
            return core.job(unit);
        }

        @Override
        public String name(int unit) {
            return core.name(unit);
        }

        @Override
        public long submissionIndex(int unit) {
            return core.submissionIndex(unit);
        }

        @Override
        public String queue(int unit) {
            return core.queue(unit);
        }

        @Override
        public QueuesView queues() {
            return new Queues(core.queues());
        }

        @Override
        public Optional<String> submitter(int unit) {
            return core.submitter(unit);
        }

        @Override
        public OptionalLong expectedRuntime(int unit) {
            // Jobs state it in the time of the trace.
            return core.expectedRuntime(unit);
        }

        @Override
        public int runtimeLearnedFrom(int unit) {
            return core.runtimeLearnedFrom(unit);
        }

        @Override
        public int priority(int unit) {
            return core.priority(unit);
        }

        @Override
        public Optional<String> label(int unit, String key) {
            return core.label(unit, key);
        }

        @Override
        public long arrived(int unit) {
            return core.arrived(unit) * LAPSE;
        }

        @Override
        public OptionalLong waitingSince(int unit) {
            return inTrace(core.waitingSince(unit));
        }

        @Override
        public OptionalLong runningSince(int unit) {
            return inTrace(core.runningSince(unit));
        }

        @Override
        public int groups(int unit) {
            return core.groups(unit);
        }

        @Override
        public String groupName(int unit, int group) {
            return core.groupName(unit, group);
        }

        @Override
        public ResourceProfile profile(int unit, int group) {
            return core.profile(unit, group);
        }

        @Override
        public int minimum(int unit, int group) {
            return core.minimum(unit, group);
        }

        @Override
        public int desired(int unit, int group) {
            return core.desired(unit, group);
        }

        @Override
        public int allocated(int unit, int group) {
            return core.allocated(unit, group);
        }

        @Override
        public int returning(int unit, int group) {
            return core.returning(unit, group);
        }

        @Override
        public long amount(int unit, int group, int dimension) {
            return core.amount(unit, group, dimension);
        }

        @Override
        public long used(int unit, int dimension) {
            return core.used(unit, dimension);
        }
    }

    private record Queues(QueuesView core) implements QueuesView {

        @Override
        public int size() {
            return core.size();
        }

        @Override
        public int revision() {
            return core.revision();
        }

        @Override
        public int find(String name) {
            return core.find(name);
        }

        @Override
        public String name(int queue) {
            return core.name(queue);
        }

        @Override
        public int parent(int queue) {
            return core.parent(queue);
        }

        @Override
        public double weight(int queue) {
            return core.weight(queue);
        }

        @Override
        public long guaranteed(int queue, int dimension) {
            return core.guaranteed(queue, dimension);
        }

        @Override
        public long limit(int queue, int dimension) {
            return core.limit(queue, dimension);
        }

        @Override
        public long used(int queue, int dimension) {
            return core.used(queue, dimension);
        }

        @Override
        public long pending(int queue, int dimension) {
            return core.pending(queue, dimension);
        }

        @Override
        public double usedSeconds(int queue, int dimension) {
            return core.usedSeconds(queue, dimension) * LAPSE;
        }

        @Override
        public double usedSeconds(String submitter, int dimension) {
            return core.usedSeconds(submitter, dimension) * LAPSE;
        }
    }
}
