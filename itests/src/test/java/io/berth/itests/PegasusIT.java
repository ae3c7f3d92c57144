package io.berth.itests;

import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.PolicyOperations;
import io.berth.itests.workflow.Pegasus;
import io.berth.itests.workflow.Workflow;
import io.berth.spi.PolicyKind;
import javax.inject.Inject;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.CoreOptions;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;

/** The graphs of real scientific workflows run as batch jobs on fewer slots than they have tasks, also when a worker is lost. */
@Category(SharedData.class)
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class PegasusIT {

    private static final int WORKERS = 2;
    private static final int SLOTS = 2;

    @Inject
    private JobOperations jobs;

    @Inject
    private ClusterOperations operations;

    @Inject
    private PolicyOperations policies;

    @Configuration
    public Option[] configuration() {
        return new Option[] {
            BerthContainer.cluster(WORKERS, WORKERS, SLOTS),
            BerthContainer.configuration("core.scheduler", "restart.delay.initial.ms", 50),
            CoreOptions.systemProperty(Pegasus.DATA).value(System.getProperty(Pegasus.DATA))
        };
    }

    @Test
    public void allGraphsFinishWithOneAttemptOfEachTask() throws Exception {
        policies.use(PolicyKind.MATCHING, "spread");
        WorkflowRuns runs = new WorkflowRuns(new Cluster(jobs, operations), operations, WORKERS, WORKERS * SLOTS);
        for (Workflow workflow : Pegasus.workflows()) {
            runs.run(workflow);
        }
    }

    @Test
    public void onlyTheTasksWhoseResultsAreLostRunAgain() throws Exception {
        policies.use(PolicyKind.MATCHING, "spread");
        WorkflowRuns runs = new WorkflowRuns(new Cluster(jobs, operations), operations, WORKERS, WORKERS * SLOTS);
        boolean ofRunning = true;
        for (Workflow workflow : Pegasus.workflows()) {
            runs.runWithLoss(workflow, ofRunning);
            ofRunning = !ofRunning;
        }
    }
}
