package io.berth.simulator.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.simulator.fault.MessageFaults.Target;
import io.berth.simulator.fault.ProcessFaults.Fault;
import io.berth.simulator.network.Coverage;
import io.berth.simulator.network.MessageKinds;
import io.berth.simulator.network.Operator;
import io.berth.simulator.seed.Plan;
import io.berth.simulator.seed.Simulation;
import io.berth.simulator.time.VirtualTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** The faults of the protocol one by one, with the few seeds that a build has time for. */
class NamedFaultsTest {

    private static final int SEEDS = 2;
    /** Some messages are rare. */
    private static final int MAX_SEEDS = 20;

    private static final long NANOS = 900 * VirtualTime.SECOND;
    private final MessageKinds kinds = new MessageKinds();

    private List<Target> cells(List<Operator> operators, String... messages) {
        List<Target> targets = new ArrayList<>();
        for (String message : messages) {
            for (Operator operator : operators) {
                targets.add(new Target(kinds.named(message), operator));
            }
        }
        return targets;
    }

    private void messages(String... names) {
        messages(List.of(Operator.values()), names);
    }

    private void messages(List<Operator> operators, String... names) {
        play(List.of(Fault.KILL_MASTER, Fault.KILL_WORKER, Fault.SECOND_LEADER), cells(operators, names), names);
    }

    private void processes(Fault... faults) {
        play(List.of(faults), List.of(new Target(0, Operator.DUPLICATE)));
    }

    private void play(List<Fault> faults, List<Target> targets, String... sent) {
        Coverage coverage = new Coverage(kinds);
        for (long seed = 1; seed <= SEEDS || seed <= MAX_SEEDS && !allSent(coverage, sent); seed++) {
            Simulation.Result result = new Simulation(
                            seed, NANOS, new Plan(faults, targets, OptionalDouble.of(0), true, 5, 3), Optional.empty())
                    .play();
            coverage.add(result.coverage());
            assertThat(result.violation())
                    .as("seed %d: %s", seed, result.lastLines())
                    .isEmpty();
            assertThat(result.recoveries()).isPositive();
        }
        assertThat(allSent(coverage, sent)).as("%s are sent", List.of(sent)).isTrue();
    }

    private static boolean allSent(Coverage coverage, String... names) {
        return Arrays.stream(names).allMatch(name -> coverage.sent(name) > 0);
    }

    @Test
    void f01_registrationsOfJobMastersSufferEveryOperator() {
        messages("ResourceManager/RegisterJobMaster", "ResourceManager/RegisterJobMaster answer");
    }

    @Test
    void f02_declarationsAndFreedSlotsOvertakeEachOther() {
        messages("ResourceManager/DeclareRequirements", "TaskExecutor/FreeSlots", "ResourceManager/SlotFreed");
    }

    @Test
    void f03_theLastDeclarationOfAJobIsLost() {
        messages(List.of(Operator.LOSE), "ResourceManager/DeclareRequirements", "ResourceManager/DisconnectJobMaster");
    }

    @Test
    void f04_registrationsOfWorkersSufferEveryOperator() {
        messages("ResourceManager/RegisterWorker", "ResourceManager/RegisterWorker answer");
    }

    @Test
    void f05_requestsForSlotsSufferEveryOperator() {
        messages("TaskExecutor/RequestSlots");
    }

    @Test
    void f06_acknowledgementsOfRequestsSufferEveryOperator() {
        messages("TaskExecutor/RequestSlots answer");
    }

    @Test
    void f07_offersSufferEveryOperator() {
        messages("JobMaster/OfferSlots", "JobMaster/RegisterWorker");
    }

    @Test
    void f08_answersToOffersSufferEveryOperator() {
        messages("JobMaster/OfferSlots answer", "JobMaster/RegisterWorker answer");
    }

    @Test
    void f09_slotsAreFreedTwiceAndAHundredTimes() {
        messages(List.of(Operator.DUPLICATE, Operator.DUPLICATE_100, Operator.DELAY), "TaskExecutor/FreeSlots");
    }

    @Test
    void f10_noticesOfMissingResourcesSufferEveryOperator() {
        messages("JobMaster/NotEnoughResources");
    }

    @Test
    void f11_heartbeatsSufferEveryOperator() {
        messages(
                "TaskExecutor/HeartbeatFromResourceManager",
                "TaskExecutor/HeartbeatFromJobMaster",
                "JobMaster/HeartbeatFromResourceManager",
                "TaskExecutor/HeartbeatFromResourceManager answer",
                "TaskExecutor/HeartbeatFromJobMaster answer");
    }

    @Test
    void f12_noticesOfDisconnectionSufferEveryOperator() {
        messages("TaskExecutor/DisconnectJobMaster", "ResourceManager/DisconnectJobMaster");
    }

    @Test
    void f13_backendsFailStartTwiceAndDoNotAnswer() {
        processes(Fault.BACKEND_FAILS, Fault.BACKEND_SILENT, Fault.KILL_WORKER);
    }

    @Test
    void f14_leadershipIsGrantedToTwoAndRevokedLate() {
        processes(Fault.SECOND_LEADER, Fault.LEADER_FLAPS);
    }

    @Test
    void f15_timersRunWhenTheirStateIsLeft() {
        processes(Fault.SLOW_THREADS, Fault.KILL_WORKER, Fault.JOB_CANCELED, Fault.REQUIREMENTS_CHANGED);
    }

    @Test
    void f20_processesAreKilled() {
        processes(Fault.KILL_MASTER, Fault.KILL_WORKER);
    }

    @Test
    void f21_processesArePausedAndContinue() {
        processes(Fault.PAUSE_MASTER, Fault.PAUSE_WORKER);
    }

    @Test
    void f22_garbageCollectionsTakeFiveTimesTheHeartbeatTimeout() {
        processes(Fault.LONG_GARBAGE_COLLECTION);
    }

    @Test
    void f23_wallClocksJumpAndClocksDrift() {
        processes(Fault.WALL_CLOCK_JUMPS, Fault.CLOCK_DRIFTS, Fault.KILL_WORKER);
    }

    @Test
    void f24_theNetworkIsCut() {
        processes(Fault.CUT_IN_HALVES, Fault.CUT_ONE_WAY, Fault.CUT_PAIR, Fault.CUT_BRIDGE);
    }

    @Test
    void f25_messagesAreLostAndSlow() {
        processes(Fault.LOSS, Fault.LATENCY, Fault.THROTTLE);
    }

    @Test
    void f27_severalAreLostAtOnce() {
        processes(Fault.KILL_ALL_MASTERS, Fault.KILL_MASTER_AND_WORKER);
    }

    @Test
    void f29_halfOfTheWorkersVanish() {
        processes(Fault.HALF_OF_THE_WORKERS_VANISH);
    }

    @Test
    void f30_callsOnMainThreadsThrow() {
        processes(Fault.ROLE_THROWS);
        processes(Fault.ROLE_THROWS, Fault.KILL_MASTER, Fault.KILL_WORKER, Fault.SECOND_LEADER);
    }
}
