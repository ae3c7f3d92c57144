package io.berth.testkit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.spi.backend.Backend;
import io.berth.spi.backend.BackendFactory;
import io.berth.testkit.FlawedBackend.Flaw;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each contract of a backend fails for a backend that breaks it, and holds for the same one without flaws. */
class WrongBackendsTest {

    @TempDir
    private Path directory;

    private interface Contract {
        void hold(BackendContract backend, Path directory) throws Exception;
    }

    private static BackendContract contract(Flaw... flaws) {
        FlawedBackend factory = new FlawedBackend(flaws);
        return new BackendContract() {
            @Override
            public BackendFactory factory() {
                return factory;
            }

            @Override
            public Optional<Consumer<Backend>> changeOfSpecs() {
                return Optional.of(FlawedBackend::change);
            }

            @Override
            public Optional<AnnouncementOfLeaving> announcementOfLeaving() {
                return Optional.of((backend, context, worker) -> FlawedBackend.notice(backend, worker));
            }

            @Override
            public Duration closeLimit() {
                return Duration.ofMillis(FlawedBackend.SLOW_MILLIS / 2);
            }

            @Override
            public long patienceMillis() {
                return 50;
            }
        };
    }

    private void assertFails(Flaw flaw, Contract contract, String what) {
        assertThatThrownBy(() -> contract.hold(contract(flaw), directory))
                .as("%s", flaw)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(what);
    }

    @Test
    void aBackendWithoutFlawsHoldsAllContracts() {
        for (Contract contract : List.<Contract>of(
                (backend, folder) -> backend.describesItselfAlwaysTheSame(),
                BackendContract::isCreatedWithTheDefaultsThatItDescribesAndStartsNothing,
                BackendContract::startsWhatIsDeclaredAndNoMore,
                BackendContract::stopsNoWorkerThatIsNotNamedAsUnwanted,
                BackendContract::startsOneOfEachSpec,
                BackendContract::reportsAStartThatFails,
                BackendContract::reportsChangedSpecsAndStartsTheNewOnes,
                BackendContract::aWorkerOfASpecThatIsGoneStaysUntilItIsUnwanted,
                BackendContract::reportsAWorkerThatWillBeTakenAwayAndStopsItWhenItIsUnwanted,
                BackendContract::theNextInstanceReportsAgainThatAWorkerWillBeTakenAway,
                BackendContract::reportsThatItHasRecovered,
                BackendContract::theNextInstanceTakesWorkersOver,
                BackendContract::endsInTimeAlsoWhenWorkersDoNot)) {
            assertThatCode(() -> contract.hold(contract(), directory)).doesNotThrowAnyException();
        }
    }

    @Test
    void whatItStartsAndStopsIsCounted() {
        assertFails(
                Flaw.STARTS_AT_CREATION,
                BackendContract::isCreatedWithTheDefaultsThatItDescribesAndStartsNothing,
                "Expecting empty");
        assertFails(Flaw.STARTS_ONE_MORE, BackendContract::startsWhatIsDeclaredAndNoMore, "Expected size: 3");
        assertFails(Flaw.STOPS_WHAT_IS_NOT_NAMED, BackendContract::stopsNoWorkerThatIsNotNamedAsUnwanted, "test-1-");
        assertFails(Flaw.STARTS_ONE_SPEC_ONLY, BackendContract::startsOneOfEachSpec, "2 workers of other specs");
    }

    @Test
    void failedStartsAreReportedWithWords() {
        assertFails(Flaw.HIDES_FAILED_STARTS, BackendContract::reportsAStartThatFails, "a failed start is reported");
        assertFails(Flaw.FAILS_WITHOUT_WORDS, BackendContract::reportsAStartThatFails, "REJECTED");
    }

    @Test
    void changedSpecsAreReportedAndOldWorkersStay() {
        assertFails(
                Flaw.KEEPS_CHANGES_TO_ITSELF,
                BackendContract::reportsChangedSpecsAndStartsTheNewOnes,
                "other specs are reported");
        assertFails(
                Flaw.STOPS_WORKERS_OF_OLD_SPECS,
                BackendContract::aWorkerOfASpecThatIsGoneStaysUntilItIsUnwanted,
                "ended without being unwanted");
    }

    @Test
    void specsThatTheHostRefusesAreFoundOut() {
        assertFails(
                Flaw.OFFERS_A_RESERVED_LABEL,
                BackendContract::isCreatedWithTheDefaultsThatItDescribesAndStartsNothing,
                "the backend offers spec small with the label key 'berth.spec'");
        assertFails(Flaw.OFFERS_A_RESERVED_LABEL, BackendContract::startsWhatIsDeclaredAndNoMore, "host refuses");
        assertFails(
                Flaw.CHANGES_TO_A_SPEC_THAT_IS_TOO_LARGE,
                BackendContract::reportsChangedSpecsAndStartsTheNewOnes,
                "offers 1000000 workers of spec huge");
    }

    @Test
    void workersThatWillBeTakenAwayAreReported() {
        assertFails(
                Flaw.KEEPS_NOTICES_TO_ITSELF,
                BackendContract::reportsAWorkerThatWillBeTakenAwayAndStopsItWhenItIsUnwanted,
                "it is reported as one that leaves");
        assertFails(
                Flaw.FORGETS_NOTICES,
                BackendContract::theNextInstanceReportsAgainThatAWorkerWillBeTakenAway,
                "it is reported again");
    }

    @Test
    void workersAreTakenOver() {
        assertFails(Flaw.NEVER_RECOVERS, BackendContract::reportsThatItHasRecovered, "recovered() is called");
        assertFails(Flaw.FORGETS_WORKERS, BackendContract::theNextInstanceTakesWorkersOver, "test-1-");
        assertFails(Flaw.RECOVERS_TOO_SOON, BackendContract::theNextInstanceTakesWorkersOver, "after recovered()");
        assertFails(Flaw.STOPS_WORKERS_THAT_STAY, BackendContract::theNextInstanceTakesWorkersOver, "the workers stay");
    }

    @Test
    void closeIsBounded() {
        assertFails(Flaw.CLOSES_SLOWLY, BackendContract::endsInTimeAlsoWhenWorkersDoNot, "how long close took");
    }
}
