package io.berth.simulator.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.job.JobDetails.VertexDetails;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.core.api.job.JobStatus;
import io.berth.core.scheduler.job.Requirements;
import io.berth.simulator.job.SimulatedTask;
import io.berth.simulator.network.MessageKinds;
import io.berth.simulator.time.VirtualTime;
import io.berth.spi.AllocationId;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Fine-grained jobs that scale with the slots they get, on random clusters of workers of different sizes: from the
 * declaration over the grants to the tasks. {@code -Dberth.jobs=10000} plays that number of jobs, {@code
 * -Dberth.jobs.seed=N} one.
 */
class AdaptiveJobsTest {

    private static final int JOBS = Integer.getInteger("berth.jobs", 100);
    private static final long SEED = Long.getLong("berth.jobs.seed", -1);
    /** Everything has settled by then. */
    private static final long NANOS = 30 * VirtualTime.SECOND;

    private static final MessageKinds KINDS = new MessageKinds();

    @Test
    void c144_runsAtAllThatTheClusterAllowsInSlotsOfTheProfilesOfTheirGroups() {
        for (long seed = SEED >= 0 ? SEED : 0; seed < (SEED >= 0 ? SEED + 1 : JOBS); seed++) {
            new Played(seed).check();
        }
    }

    /** One job and its slots. */
    private static final class Played {

        private final String when;
        private final Instance instance;
        private final JobGraph job;
        private final Cluster cluster;
        private final SortedMap<AllocationId, SlotReport.Slot> slots = new TreeMap<>();
        private final List<ResourceProfile> free = new ArrayList<>();
        private List<Integer> parallelism = List.of();

        Played(long seed) {
            when = "seed " + seed;
            instance = new AdaptiveDraw(seed).draw();
            job = instance.jobs().get(0).job();
            cluster = new Cluster(instance, Rule.WHOLE, KINDS);
        }

        void check() {
            assertThat(cluster.run(NANOS)).as(when).isEmpty();
            assertThat(cluster.reports().get(job.id()).status()).as(when).isEqualTo(JobStatus.EXECUTING);
            parallelism = cluster.reports().get(job.id()).vertices().stream()
                    .map(VertexDetails::parallelism)
                    .toList();
            List<Machines.Held> machines = cluster.machines();
            assertThat(machines).as(when).hasSize(instance.machines().size());
            for (Machines.Held machine : machines) {
                ResourceProfile left = machine.total();
                for (SlotReport.Slot slot : machine.slots().slots()) {
                    assertThat(left.covers(slot.profile()))
                            .as("%s: room for its slots", when)
                            .isTrue();
                    left = left.minus(slot.profile());
                    slots.put(slot.allocation(), slot);
                }
                free.add(left);
            }
            checkBounds();
            checkTasks();
            checkNothingIsLeft();
        }

        private void checkBounds() {
            assertThat(Requirements.isWithinBounds(job, parallelism)).as(when).isTrue();
            assertThat(Requirements.alignForward(job, parallelism, Math::min))
                    .as(when)
                    .isEqualTo(parallelism);
        }

        /** Subtask i of each vertex of a group runs in slot i of the group, which has its profile. */
        private void checkTasks() {
            SortedMap<String, SortedMap<Integer, SortedSet<AllocationId>>> used = new TreeMap<>();
            int tasks = 0;
            for (SimulatedTask task : cluster.tasks()) {
                JobVertex vertex =
                        job.vertex(task.deployment().operators().get(0).vertex());
                SlotReport.Slot slot = slots.get(task.deployment().allocation());
                assertThat(slot).as("%s: slot of %s", when, task).isNotNull();
                assertThat(slot.profile())
                        .as("%s: %s", when, task)
                        .isEqualTo(group(vertex.group()).profile());
                used.computeIfAbsent(vertex.group(), none -> new TreeMap<>())
                        .computeIfAbsent(task.deployment().attempt().subtask(), none -> new TreeSet<>())
                        .add(slot.allocation());
                tasks += task.deployment().operators().size();
            }
            assertThat(tasks)
                    .as(when)
                    .isEqualTo(parallelism.stream().mapToInt(Integer::intValue).sum());
            List<AllocationId> all = new ArrayList<>();
            used.forEach((group, subtasks) -> {
                assertThat(subtasks).as("%s: group %s", when, group).hasSize(width(group));
                subtasks.values().forEach(shared -> {
                    assertThat(shared).as("%s: group %s", when, group).hasSize(1);
                    all.addAll(shared);
                });
            });
            assertThat(all).as(when).doesNotHaveDuplicates();
        }

        /**
         * No group that could be wider has room for one more slot, and of groups that share their slots none is wider
         * than another one that could be wider. A group whose vertices depend on other groups is left out.
         */
        private void checkNothingIsLeft() {
            for (SlotSharingGroup group : job.groups()) {
                if (width(group.name()) == maximum(group.name()) || isBoundElsewhere(group.name())) {
                    continue;
                }
                assertThat(free)
                        .as("%s: group %s at %s", when, group, parallelism)
                        .noneMatch(room -> room.covers(group.profile()));
                for (SlotSharingGroup other : job.groups()) {
                    if (group.sharesSlotsWith(other) && width(other.name()) > minimum(other.name())) {
                        assertThat(width(other.name()) - width(group.name()))
                                .as("%s: groups %s and %s at %s", when, group, other, parallelism)
                                .isLessThanOrEqualTo(1);
                    }
                }
            }
        }

        private SlotSharingGroup group(String name) {
            return job.groups().stream()
                    .filter(group -> group.name().equals(name))
                    .findFirst()
                    .orElseThrow();
        }

        private boolean isBoundElsewhere(String group) {
            return job.edges().stream()
                    .filter(edge -> edge.partitioning() == Partitioning.FORWARD)
                    .anyMatch(edge -> isIn(edge.from(), group) != isIn(edge.to(), group));
        }

        private boolean isIn(String vertex, String group) {
            return job.vertex(vertex).group().equals(group);
        }

        private int width(String group) {
            return widest(group, parallelism);
        }

        private int minimum(String group) {
            return widest(group, Requirements.minimum(job));
        }

        private int maximum(String group) {
            return widest(group, Requirements.desired(job));
        }

        private int widest(String group, List<Integer> ofVertices) {
            int widest = 0;
            for (int vertex = 0; vertex < ofVertices.size(); vertex++) {
                if (job.vertices().get(vertex).group().equals(group)) {
                    widest = Math.max(widest, ofVertices.get(vertex));
                }
            }
            return widest;
        }
    }
}
