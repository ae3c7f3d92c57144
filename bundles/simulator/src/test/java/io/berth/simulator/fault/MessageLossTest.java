package io.berth.simulator.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobDetails;
import io.berth.simulator.network.MessageKinds;
import io.berth.simulator.network.Network.Interference;
import io.berth.simulator.network.Network.Message;
import io.berth.simulator.network.Operator;
import io.berth.simulator.world.World;
import io.berth.spi.JobId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The message-loss cases of FLIP-6, "Slot Allocation". Exactly one message between a requirement and its slots is
 * lost. The job must still get its slots within the bound, none of them twice, from one worker. The numbers are those
 * of the figure in the FLIP; since declarations replace its requests, (4) is the declaration. Each case runs once with
 * a worker that is started for the job and, where the message then occurs, once with an existing idle worker.
 *
 * <p>Each case runs with several seeds: in some a request is lost silently, in others with its connection.
 */
class MessageLossTest {

    private static final List<Long> SEEDS = List.of(1L, 2L, 4L, 5L, 7L, 8L);
    private static final int SLOTS = 2;
    private static final int TASKS = 2 * SLOTS;
    private static final int SPLITS = 10;
    private static final String REQUEST = "TaskExecutor/RequestSlots";
    private static final int SPLITS_BEFORE = 2;
    /** Each role has its own process, so that all messages travel. A backend may start more workers than necessary. */
    private static final World.Shape SHAPE = new World.Shape(1, false, 0, 3, 0, true);

    private final MessageKinds kinds = new MessageKinds();

    /** Loses the first message of a kind, and nothing else. */
    private static final class LosesOne implements Interference {

        private final int kind;
        private int lost;

        LosesOne(int kind) {
            this.kind = kind;
        }

        @Override
        public Optional<Operator> on(Message message) {
            if (lost > 0 || message.kind != kind) {
                return Optional.empty();
            }
            lost++;
            return Optional.of(Operator.LOSE);
        }

        @Override
        public void awaitsDeath(Message message) {}

        @Override
        public void awaitsEpoch(Message message) {}
    }

    private void lostWithNewWorker(String kind) {
        boolean alone = false;
        boolean withItsConnection = false;
        for (long seed : SEEDS) {
            Scene scene = new Scene(seed, SHAPE, true);
            scene.run(20);

            boolean broken = lost(kind, scene, 0);

            alone |= !broken;
            withItsConnection |= broken;
        }
        assertThat(alone).as("lost silently").isTrue();
        assertThat(withItsConnection).as("lost with its connection").isEqualTo(!kind.endsWith("answer"));
    }

    private void lostWithCachedWorker(String kind) {
        for (long seed : SEEDS) {
            Scene scene = new Scene(seed, SHAPE, true);
            scene.run(20);
            JobId before = scene.submit(SLOTS, SPLITS_BEFORE, 500);
            scene.finishesWithAllRecords(before, SPLITS_BEFORE);
            scene.run(3);

            lost(kind, scene, 1);
        }
    }

    /** @return whether the loss broke the connection of the call */
    private boolean lost(String kind, Scene scene, long workersThere) {
        // A worker that does not answer receives no slots for a moment; meanwhile another one is asked.
        long more = kind.equals(REQUEST) ? 1 : 0;
        assertThat(scene.workersBegun()).as("existing workers").isEqualTo(workersThere);
        assertThat(scene.slotsAtWorkers()).isEmpty();
        int lines = scene.story.size();
        LosesOne loss = new LosesOne(kinds.named(kind));
        scene.world.network.interference(loss);
        scene.world.calm(true);
        JobId job = scene.submit(SLOTS, SPLITS, 1_000);

        scene.settlesWithAtMost(SLOTS);

        assertThat(loss.lost).as("messages lost: %s", kind).isEqualTo(1);
        scene.rests();
        assertThat(scene.slotsAtWorkers()).hasSize(SLOTS);
        if (!kind.equals(REQUEST)) {
            // All allocations come from a ResourceManager of epoch 1: the lost message was repeated, and nothing was
            // allocated again.
            long before = workersThere * SLOTS;
            assertThat(scene.slotsAtWorkers())
                    .allMatch(slot -> slot.matches("1-[" + (before + 1) + "-" + (before + SLOTS) + "] of .*"));
        }
        assertThat(scene.workersBegun()).as("workers").isBetween(1L, 1 + more);
        // A second worker that was started meanwhile was idle and is released.
        assertThat(scene.world.workers()).hasSize(1);
        JobDetails details = scene.details(job);
        assertThat(details.restarts() + details.rescales()).as("restarts").isZero();
        scene.finishesWithAllRecords(job, SPLITS);
        assertThat(scene.world.output.starts(job)).as("tasks").isEqualTo(TASKS);
        return scene.story.subList(lines, scene.story.size()).stream()
                .anyMatch(line -> line.contains("the connection could not be made"));
    }

    @Test
    void m04_theDeclarationIsLost_newWorker() {
        lostWithNewWorker("ResourceManager/DeclareRequirements");
    }

    @Test
    void m04_theDeclarationIsLost_cachedWorker() {
        lostWithCachedWorker("ResourceManager/DeclareRequirements");
    }

    @Test
    void m06_theAnswerToTheDeclarationIsLost_newWorker() {
        lostWithNewWorker("ResourceManager/DeclareRequirements answer");
    }

    @Test
    void m06_theAnswerToTheDeclarationIsLost_cachedWorker() {
        lostWithCachedWorker("ResourceManager/DeclareRequirements answer");
    }

    @Test
    void m10_theRegistrationOfTheWorkerIsLost_newWorker() {
        lostWithNewWorker("ResourceManager/RegisterWorker");
    }

    @Test
    void m11_theAnswerToTheRegistrationIsLost_newWorker() {
        lostWithNewWorker("ResourceManager/RegisterWorker answer");
    }

    @Test
    void m12_theRequestForSlotsIsLost_newWorker() {
        lostWithNewWorker(REQUEST);
    }

    @Test
    void m12_theRequestForSlotsIsLost_cachedWorker() {
        lostWithCachedWorker(REQUEST);
    }

    @Test
    void m13_theAcknowledgementOfTheRequestIsLost_newWorker() {
        lostWithNewWorker("TaskExecutor/RequestSlots answer");
    }

    @Test
    void m13_theAcknowledgementOfTheRequestIsLost_cachedWorker() {
        lostWithCachedWorker("TaskExecutor/RequestSlots answer");
    }

    @Test
    void m14_theRegistrationAtTheJobMasterIsLost_newWorker() {
        lostWithNewWorker("JobMaster/RegisterWorker");
    }

    @Test
    void m14_theRegistrationAtTheJobMasterIsLost_cachedWorker() {
        lostWithCachedWorker("JobMaster/RegisterWorker");
    }

    @Test
    void m14_theAnswerToTheRegistrationAtTheJobMasterIsLost_newWorker() {
        lostWithNewWorker("JobMaster/RegisterWorker answer");
    }

    @Test
    void m14_theAnswerToTheRegistrationAtTheJobMasterIsLost_cachedWorker() {
        lostWithCachedWorker("JobMaster/RegisterWorker answer");
    }

    @Test
    void m14_theOfferIsLost_newWorker() {
        lostWithNewWorker("JobMaster/OfferSlots");
    }

    @Test
    void m14_theOfferIsLost_cachedWorker() {
        lostWithCachedWorker("JobMaster/OfferSlots");
    }

    @Test
    void m15_theAnswerToTheOfferIsLost_newWorker() {
        lostWithNewWorker("JobMaster/OfferSlots answer");
    }

    @Test
    void m15_theAnswerToTheOfferIsLost_cachedWorker() {
        lostWithCachedWorker("JobMaster/OfferSlots answer");
    }
}
