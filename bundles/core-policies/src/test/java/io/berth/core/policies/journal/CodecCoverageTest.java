package io.berth.core.policies.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.core.api.job.JobMeasures;
import io.berth.core.api.job.PlacementConstraints.LabelRule;
import io.berth.core.api.job.PlacementConstraints.Operator;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.policy.PlacementRuns;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.api.policy.PlanningInput.WorkerColumn;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome;
import io.berth.core.policies.frame.AssignmentFrame;
import io.berth.core.policies.frame.DecisionFrame;
import io.berth.core.policies.frame.PolicyStep;
import io.berth.core.policies.frame.RecordedDecision;
import io.berth.core.policies.frame.ScalingFrame;
import io.berth.core.policies.pools.PastUse;
import io.berth.core.policies.pools.QueueTree;
import io.berth.policy.rules.scaling.WorkPeaks;
import io.berth.policy.rules.scaling.WorkPeaks.Peaks;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Each component of each record that a frame consists of is written and read: a frame is made of values that differ from
 * all defaults, so that a component that is left out comes back as another value.
 */
class CodecCoverageTest {

    private int made;

    private Object value(Type type) throws ReflectiveOperationException {
        if (type instanceof ParameterizedType generic) {
            return container(generic);
        }
        Class<?> plain = (Class<?>) type;
        made++;
        if (plain == int.class || plain == Integer.class) {
            return made % 90 + 1;
        } else if (plain == long.class || plain == Long.class) {
            return 1_000L + made;
        } else if (plain == double.class || plain == Double.class) {
            return made + 0.5;
        } else if (plain == boolean.class) {
            // True is the default of one of the convenience constructors, false that of the others.
            return made % 2 == 0;
        } else if (plain == String.class) {
            return "t" + made;
        } else if (plain == OptionalLong.class) {
            return OptionalLong.of(made);
        } else if (plain.isEnum()) {
            Object[] constants = plain.getEnumConstants();
            return constants[constants.length - 1];
        } else if (plain == LabelRule.class) {
            return new LabelRule("t" + made, Operator.IN, List.of("one", "two"));
        } else if (plain == WorkerColumn.class) {
            return worker();
        } else if (plain == QueueTree.class) {
            return new QueueTree(List.of((QueueTree.Queue) value(QueueTree.Queue.class)));
        } else if (plain == PlacementRuns.class) {
            return new PlacementRuns.Builder()
                    .add(made, 1, 2, 3, true)
                    .add(made, 2, 5, 1, false)
                    .build();
        } else if (plain == PlanOutcome.class) {
            return value(PlanOutcome.Planned.class);
        } else if (plain == ScalingOutcome.class) {
            return value(made % 4 == 0 ? ScalingOutcome.NotDecided.class : ScalingOutcome.Decided.class);
        } else if (plain == AssignmentOutcome.class) {
            return value(made % 4 == 0 ? AssignmentOutcome.NotDecided.class : AssignmentOutcome.Assigned.class);
        } else if (plain == JobMeasures.Means.class) {
            double[] values = new double[2 * JobMeasures.Means.FIGURES];
            Arrays.setAll(values, nth -> nth == 3 ? Double.NaN : made + 0.25 * nth);
            return JobMeasures.Means.of(Optional.of((long) made), values);
        } else if (plain == WorkPeaks.class) {
            return peaks();
        } else if (plain == JobGraph.class) {
            return ScalingFrame.visible(job());
        }
        assertThat(plain.isRecord()).as("%s", plain).isTrue();
        RecordComponent[] components = plain.getRecordComponents();
        Object[] values = new Object[components.length];
        Class<?>[] types = new Class<?>[components.length];
        for (int nth = 0; nth < components.length; nth++) {
            types[nth] = components[nth].getType();
            values[nth] = value(components[nth].getGenericType());
        }
        return plain.getDeclaredConstructor(types).newInstance(values);
    }

    /** As many windows and parts as there must be. */
    private WorkPeaks peaks() {
        List<WorkPeaks.Window> windows = new ArrayList<>();
        for (int window = 0; window < 9; window++) {
            List<Peaks> parts = new ArrayList<>();
            for (int part = 0; part < 3; part++) {
                made++;
                parts.add(Peaks.of(made + 0.5, Double.NaN, 3));
            }
            windows.add(new WorkPeaks.Window(made, parts));
        }
        return new WorkPeaks(OptionalLong.of(made), windows);
    }

    private JobGraph job() throws ReflectiveOperationException {
        return new JobGraph(
                (JobId) value(JobId.class),
                "",
                0,
                SchedulingAttributes.DEFAULT,
                new TreeMap<>(),
                List.of(),
                List.of((JobVertex) value(JobVertex.class), (JobVertex) value(JobVertex.class)),
                List.of((JobEdge) value(JobEdge.class)),
                List.of((SlotSharingGroup) value(SlotSharingGroup.class)));
    }

    private WorkerColumn worker() throws ReflectiveOperationException {
        assertThat(Arrays.stream(WorkerColumn.class.getDeclaredFields()).map(java.lang.reflect.Field::getName))
                .as("a field that is added here must be set below")
                .containsExactlyInAnyOrder(
                        "id",
                        "pending",
                        "total",
                        "free",
                        "defaultSlot",
                        "origin",
                        "labels",
                        "startedMillis",
                        "leavingMillis");
        return new WorkerColumn(
                        (WorkerId) value(WorkerId.class),
                        true,
                        (ResourceProfile) value(ResourceProfile.class),
                        (ResourceProfile) value(ResourceProfile.class),
                        (ResourceProfile) value(ResourceProfile.class),
                        (Origin) value(Origin.class),
                        (WorkerLabels) value(WorkerLabels.class))
                .startedAt(77)
                .leavingAt(78);
    }

    private Object container(ParameterizedType generic) throws ReflectiveOperationException {
        Type[] of = generic.getActualTypeArguments();
        Class<?> raw = (Class<?>) generic.getRawType();
        if (raw == Optional.class) {
            // Its arrays have no equals; PastUseStoreTest compares them.
            return of[0] == PastUse.class ? Optional.empty() : Optional.of(value(of[0]));
        } else if (raw == SortedMap.class) {
            SortedMap<Object, Object> map = new TreeMap<>();
            map.put(value(of[0]), value(of[1]));
            map.put(value(of[0]), value(of[1]));
            return map;
        } else if (raw == SortedSet.class) {
            return new TreeSet<>(List.of(value(of[0]), value(of[0])));
        } else if (raw == Set.class) {
            return Set.of(value(of[0]), value(of[0]));
        }
        assertThat(raw).isEqualTo(List.class);
        List<Object> list = new ArrayList<>();
        if (of[0] instanceof Class<?> element && element.isSealed()) {
            for (Class<?> one : PolicyStep.class.getPermittedSubclasses()) {
                list.add(value(one));
            }
        } else if (!of[0].getTypeName().endsWith("job.Reason") || made % 3 == 0) {
            // Reasons are trees.
            list.add(value(of[0]));
        }
        return list;
    }

    @Test
    void eachComponentOfAFrameIsWrittenAndRead() throws Exception {
        assertWrittenAndRead(DecisionFrame.class);
    }

    @Test
    void eachComponentOfAScalingFrameIsWrittenAndRead() throws Exception {
        assertWrittenAndRead(ScalingFrame.class);
    }

    @Test
    void eachComponentOfAnAssignmentIsWrittenAndRead() throws Exception {
        assertWrittenAndRead(AssignmentFrame.class);
    }

    private void assertWrittenAndRead(Class<? extends RecordedDecision> type) throws Exception {
        for (int variant = 0; variant < 12; variant++) {
            made = variant * 7;
            RecordedDecision frame = (RecordedDecision) value(type);
            FrameOutput out = new FrameOutput();
            FrameInput in = new FrameInput();
            for (int time = 0; time < 2; time++) {
                out.begin();
                byte entry = JournalFormat.write(out, frame);
                in.begin(Arrays.copyOf(out.bytes(), out.size()));
                assertThat(JournalFormat.read(entry, in)).isEqualTo(frame);
                in.end();
            }
        }
    }
}
