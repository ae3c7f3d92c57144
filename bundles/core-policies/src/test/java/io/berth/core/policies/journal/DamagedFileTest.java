package io.berth.core.policies.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.time.SystemClock;
import io.berth.core.policies.detached.RecordedAssignments;
import io.berth.core.policies.detached.RecordedCluster;
import io.berth.core.policies.detached.RecordedJobs;
import io.berth.core.policies.frame.DecisionObservers;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A damaged export is refused with offset and reason. */
class DamagedFileTest {

    @TempDir
    private Path folder;

    private byte[] file = {};

    @BeforeEach
    void export() throws Exception {
        RecordedCluster recorded = new RecordedCluster(41, 1_000);
        recorded.decide(6);
        DecisionJournal journal = new DecisionJournal(new DecisionObservers(), new SystemClock(), Runnable::run);
        journal.settings(new JournalSettings(true, folder, 8));
        recorded.frames().forEach(journal::decided);
        RecordedJobs jobs = new RecordedJobs(42, 2);
        jobs.decide(6);
        jobs.frames().forEach(journal::scaled);
        RecordedAssignments assignments = new RecordedAssignments(43);
        assignments.decide(6);
        assignments.frames().forEach(journal::assigned);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        journal.export(OptionalLong.empty(), OptionalLong.empty(), out);
        journal.close();
        file = out.toByteArray();
    }

    private static int read(byte[] bytes) throws IOException {
        JournalReader reader = new JournalReader(new ByteArrayInputStream(bytes));
        int entries = 0;
        while (reader.next().isPresent()) {
            entries++;
        }
        return entries;
    }

    @Test
    void theWholeFileIsRead() throws Exception {
        assertThat(read(file)).isEqualTo(18);
    }

    @Test
    void oneBitInEachByteIsNoticed() {
        for (int at = 0; at < file.length; at++) {
            byte[] damaged = file.clone();
            damaged[at] ^= (byte) (1 << at % 8);
            assertThatThrownBy(() -> read(damaged))
                    .as("byte %s", at)
                    .isInstanceOf(JournalReader.DamagedException.class)
                    .hasMessageMatching("offset [0-9]+: .+");
        }
    }

    @Test
    void eachShorterLengthIsNoticed() {
        for (int length = 0; length < file.length; length++) {
            byte[] cut = Arrays.copyOf(file, length);
            assertThatThrownBy(() -> read(cut))
                    .as("length %s", length)
                    .isInstanceOf(JournalReader.DamagedException.class)
                    .hasMessageMatching("offset [0-9]+: the file (was cut|is empty).*");
        }
    }

    @Test
    void anotherVersionIsRefused() {
        FrameOutput head = new FrameOutput();
        head.text(JournalFormat.MAGIC);
        head.number(JournalFormat.VERSION - 1);
        head.number(0);
        byte[] earlier = JournalFormat.entry(JournalFormat.SEGMENT, head.bytes(), head.size());
        assertThatThrownBy(() -> read(earlier))
                .hasMessage("offset 0: the file has version 8; this release reads version 9: use the release that"
                        + " recorded it");
    }

    @Test
    void whatFollowsTheEndAndWhatIsNoExportIsRefused() {
        assertThatThrownBy(() -> read(Arrays.copyOf(file, file.length + 1)))
                .hasMessage("offset " + file.length + ": there are bytes after the end");
        assertThatThrownBy(() -> read("{\"decisions\": []}".getBytes(StandardCharsets.UTF_8)))
                .hasMessage("offset 0: this is not an export of decisions");
        assertThatThrownBy(() -> read(JournalFormat.end(0))).hasMessage("offset 0: this is not an export of decisions");
    }

    @Test
    void thePageNamesTheVersionThatAReaderReads() throws IOException {
        assertThat(Files.readString(Path.of("..", "..", "docs", "journal.md")).replaceAll("\\s+", " "))
                .contains("A reader reads its own version only, which is " + JournalFormat.VERSION + ", and");
    }
}
