package io.berth.example.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToolsTest {

    private static final int RECORDS = 40_000;

    @TempDir
    Path folder;

    private byte[] sorted(int threads) throws Exception {
        Path output = folder.resolve("sorted-" + threads);
        PlainSort.sort(RECORDS, ExternalSort.MIN_MEMORY, threads, folder.resolve("spill"), output);
        return Files.readAllBytes(output);
    }

    private Validate.Summary check(byte[]... parts) throws Exception {
        Path[] files = new Path[parts.length];
        for (int i = 0; i < parts.length; i++) {
            files[i] = Files.write(folder.resolve("part-" + i), parts[i]);
        }
        return Validate.check(RECORDS, List.of(files));
    }

    @Test
    void aPlainSortIsValidWithAnyNumberOfThreads() throws Exception {
        byte[] one = sorted(1);
        assertThat(check(one)).isEqualTo(Validate.generated(RECORDS));
        assertThat(sorted(3)).isEqualTo(one);
    }

    @Test
    void partsAreReadInTheirOrder() throws Exception {
        byte[] all = sorted(1);
        int cut = 12_345 * SortRecord.LINE_BYTES;
        byte[] low = Arrays.copyOf(all, cut);
        byte[] high = Arrays.copyOfRange(all, cut, all.length);
        assertThat(check(low, high).records()).isEqualTo(RECORDS);
        assertThatThrownBy(() -> check(high, low)).hasMessageMatching("record 0 of .*part-1 is below .*");
        assertThatThrownBy(() -> check(low)).hasMessageContaining("records=12345 ");
    }

    @Test
    void recordsThatAreNotTheGeneratedOnesAreFound() throws Exception {
        byte[] all = sorted(1);
        byte[] changed = all.clone();
        changed[SortRecord.LINE_BYTES + SortRecord.BYTES - 10] ^= 1;
        assertThatThrownBy(() -> check(changed)).hasMessageContaining("checksum");
        byte[] twice = all.clone();
        System.arraycopy(twice, 0, twice, SortRecord.LINE_BYTES, SortRecord.LINE_BYTES);
        assertThatThrownBy(() -> check(twice)).hasMessageMatching("record 1 of .* is the same as the one before it");
        byte[] shifted = all.clone();
        shifted[SortRecord.BYTES] = 'x';
        assertThatThrownBy(() -> check(shifted)).hasMessageMatching("record 0 of .*");
        assertThatThrownBy(() -> check(Arrays.copyOf(all, all.length - 1)))
                .hasMessageContaining("ends within a record");
    }

    @Test
    void optionsAreChecked() {
        ToolOptions options = new ToolOptions(Map.of("records", "", "threads", "1"), "a", "--records", "x", "b");
        assertThat(options.others()).containsExactly("a", "b");
        assertThat(options.number("threads", 1, 2)).isEqualTo(1);
        assertThatThrownBy(() -> options.number("records", 0, 5))
                .hasMessageContaining("--records")
                .hasMessageContaining("'x'")
                .hasMessageContaining("0 to 5");
        assertThatThrownBy(() -> new ToolOptions(Map.of("records", ""), "--other", "1"))
                .hasMessageContaining("--other")
                .hasMessageContaining("[records]");
        assertThatThrownBy(() -> new ToolOptions(Map.of("records", ""), "--records"))
                .hasMessageContaining("--records");
    }
}
