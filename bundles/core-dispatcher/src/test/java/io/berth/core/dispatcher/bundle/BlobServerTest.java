package io.berth.core.dispatcher.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.BundleRef;
import io.berth.core.api.fake.ManualTime;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlobServerTest {

    @TempDir
    Path directory;

    private final ManualTime timers = new ManualTime();
    private BlobServer store;

    @BeforeEach
    void open() throws IOException {
        store = new BlobServer(directory, timers);
        store.setLimits(100_000, 60_000, 600_000);
        store.begin(1, List.of());
    }

    private BundleRef put(byte[] content) throws IOException {
        return store.store(TestBundles.hash(content), new ByteArrayInputStream(content));
    }

    private List<String> files() throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void readsInputsAndSideOutputsOfAnOperator() {
        assertThat(BundleManifest.operators("io.berth.operator;name=join;keyed:Boolean=true;inputs:Long=2;"
                        + "sideOutputs:List<String>=\"late,unmatched\",io.berth.operator;name:String=\"map\";inputs:Long=1;"
                        + "sideOutputs:List<String>=\"\""))
                .containsExactly(
                        new OfferedOperator("join", true, 2, List.of("late", "unmatched")),
                        new OfferedOperator("map", false));
    }

    @Test
    void keepsAVerifiedBundleWithItsOperators() throws IOException {
        byte[] content = TestBundles.bundle("words", "word-split", "word-count\";keyed:String=\"true");

        BundleRef ref = put(content);

        assertThat(ref.size()).isEqualTo(content.length);
        assertThat(store.find(ref.sha256()).orElseThrow().operators())
                .containsExactly(new OfferedOperator("word-split", false), new OfferedOperator("word-count", true));
        assertThat(store.find(ref.sha256()).orElseThrow().symbolicName()).isEqualTo("words");
        assertThat(files()).containsExactly(ref.sha256() + ".1.jar");
        assertThat(store.read(ref.sha256(), 0, 1 << 20)).isEqualTo(content);
        assertThat(store.read(ref.sha256(), content.length, 10)).isEmpty();
        assertThat(store.read(ref.sha256(), 5, 3)).containsExactly(content[5], content[6], content[7]);
    }

    @Test
    void refusesAManifestThatCannotBeRead() throws IOException {
        byte[] content = TestBundles.jar("META-INF/MANIFEST.MF", "no manifest at all\r\n");

        assertThatThrownBy(() -> put(content))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("manifest that cannot be read");
        assertThat(files()).isEmpty();
    }

    @Test
    void refusesContentOfAnotherHashAndLeavesNothing() throws IOException {
        String other = "0".repeat(64);

        assertThatThrownBy(() -> store.store(other, new ByteArrayInputStream(TestBundles.bundle("words"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(other)
                .hasMessageContaining("must hash to the name");
        assertThat(files()).isEmpty();
    }

    @Test
    void refusesContentThatIsNotABundle() throws IOException {
        assertThatThrownBy(() -> put("no zip".getBytes())).hasMessageContaining("is not a jar");
        assertThatThrownBy(() -> put(TestBundles.jar("a.txt", "x"))).hasMessageContaining("no META-INF/MANIFEST.MF");
        assertThatThrownBy(() -> put(TestBundles.bundle(""))).hasMessageContaining("no Bundle-SymbolicName");
        assertThat(files()).isEmpty();
    }

    @Test
    void refusesTooLargeContentWithoutReadingAllOfIt() {
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                return 1;
            }
        };

        assertThatThrownBy(() -> store.store("0".repeat(64), endless)).hasMessageContaining("more than 100000 bytes");
    }

    @Test
    void refusesABundleWithAManifestThatUnpacksToTooMuch() throws IOException {
        byte[] bomb = TestBundles.jar("META-INF/MANIFEST.MF", "x".repeat(20 << 20));

        assertThatThrownBy(() -> put(bomb)).hasMessageContaining("manifest of more than");
    }

    @Test
    void deletesABundleACacheTimeAfterItsLastJob() throws IOException {
        BundleRef ref = put(TestBundles.bundle("words"));
        assertThat(store.acquire(List.of(ref))).isEmpty();
        assertThat(store.acquire(List.of(ref))).isEmpty();
        timers.jump(1_000_000);
        assertThat(store.find(ref.sha256())).isPresent();

        store.release(List.of(ref));
        timers.jump(1_000_000);
        assertThat(store.find(ref.sha256())).isPresent();

        store.release(List.of(ref));
        timers.jump(59_999);
        assertThat(store.find(ref.sha256())).isPresent();
        timers.jump(1);
        assertThat(store.find(ref.sha256())).isEmpty();
        assertThat(files()).isEmpty();
        assertThatThrownBy(() -> store.read(ref.sha256(), 0, 1)).hasMessageContaining("upload it again");
    }

    @Test
    void keepsABundleThatAnotherJobUsesWithinTheCacheTime() throws IOException {
        BundleRef ref = put(TestBundles.bundle("words"));
        store.acquire(List.of(ref));
        store.release(List.of(ref));
        timers.jump(30_000);
        store.acquire(List.of(ref));
        timers.jump(1_000_000);

        assertThat(store.find(ref.sha256())).isPresent();
    }

    @Test
    void deletesAnUploadThatNoJobUses() throws IOException {
        BundleRef ref = put(TestBundles.bundle("words"));
        timers.jump(599_999);
        assertThat(store.touch(ref.sha256())).isPresent();
        timers.jump(599_999);
        assertThat(store.find(ref.sha256())).isPresent();
        timers.jump(1);
        assertThat(store.find(ref.sha256())).isEmpty();
    }

    @Test
    void acquiresNoBundleWhenOneIsMissing() throws IOException {
        BundleRef ref = put(TestBundles.bundle("words"));
        BundleRef missing = new BundleRef("0".repeat(64), 1);

        assertThat(store.acquire(List.of(ref, missing))).contains(missing);
        timers.jump(600_000);
        assertThat(store.find(ref.sha256())).isEmpty();
    }

    /** The process restarts. */
    @Test
    void refusesInvalidLimitsAndKeepsThePreviousOnes() throws IOException {
        assertThatThrownBy(() -> store.setLimits(0, 60_000, 600_000))
                .hasMessage("bundle.max.bytes is 0: at least 1 is allowed");
        assertThatThrownBy(() -> store.setLimits(1, -1, 600_000))
                .hasMessage("bundle.cache.ms is -1: at least 0 is allowed");
        assertThatThrownBy(() -> store.setLimits(1, 60_000, -1))
                .hasMessage("bundle.upload.ms is -1: at least 0 is allowed");
        put(TestBundles.bundle("words", "word-split"));
    }

    private BlobServer again() throws IOException {
        store.end(1);
        BlobServer next = new BlobServer(directory, timers);
        next.setLimits(100_000, 60_000, 600_000);
        return next;
    }

    @Test
    void keepsFilesAcrossARestartAndVerifiesThemOnFirstUse() throws IOException {
        byte[] content = TestBundles.bundle("words", "word-split");
        BundleRef ref = put(content);
        Files.writeString(directory.resolve("notes.txt"), "not ours");
        Files.writeString(directory.resolve("upload-1-3.tmp"), "half of");

        BlobServer next = again();
        assertThat(next.begin(2, List.of(ref))).isEmpty();

        assertThat(files()).containsExactly(ref.sha256() + ".2.jar", "notes.txt");
        assertThat(next.find(ref.sha256()).orElseThrow().operators())
                .containsExactly(new OfferedOperator("word-split", false));
        assertThat(next.find(ref.sha256()).orElseThrow().ref()).isEqualTo(ref);
        assertThat(next.read(ref.sha256(), 0, 1 << 20)).isEqualTo(content);
    }

    @Test
    void doesNotUseAFileThatWasDamagedDuringARestart() throws IOException {
        byte[] content = TestBundles.bundle("words");
        BundleRef ref = put(content);
        byte[] bytes = Files.readAllBytes(directory.resolve(ref.sha256() + ".1.jar"));
        bytes[bytes.length / 2] ^= 1;
        Files.write(directory.resolve(ref.sha256() + ".1.jar"), bytes);

        BlobServer next = again();
        next.begin(2, List.of(ref));
        assertThatThrownBy(() -> next.read(ref.sha256(), 0, 10)).hasMessageContaining("upload it again");
        assertThat(files()).isEmpty();

        next.store(ref.sha256(), new ByteArrayInputStream(content));
        timers.jump(10_000_000);
        assertThat(next.read(ref.sha256(), 0, 1 << 20))
                .as("its job still uses it")
                .isEqualTo(content);
    }

    @Test
    void keepsBundlesOfLiveJobsAndDeletesOthersAfterTheUploadTime() throws IOException {
        BundleRef used = put(TestBundles.bundle("words"));
        BundleRef unused = put(TestBundles.bundle("others"));

        BlobServer next = again();
        next.begin(2, List.of(used, used));
        timers.jump(600_000);
        assertThat(next.find(used.sha256())).isPresent();
        assertThat(next.find(unused.sha256())).isEmpty();

        next.release(List.of(used));
        timers.jump(1_000_000);
        assertThat(next.find(used.sha256())).as("another job uses it").isPresent();
        next.release(List.of(used));
        timers.jump(60_000);
        assertThat(next.find(used.sha256())).isEmpty();
    }

    @Test
    void reportsMissingBundlesOfLiveJobs() throws IOException {
        BundleRef missing = new BundleRef("0".repeat(64), 1);

        assertThat(store.begin(2, List.of(missing))).containsExactly(missing);
        assertThat(store.acquire(List.of(missing))).contains(missing);
    }

    @Test
    void f21_aPausedDispatcherDeletesAndStoresNothingForTheNextOne() throws IOException {
        BundleRef ref = put(TestBundles.bundle("words"));
        store.acquire(List.of(ref));
        store.release(List.of(ref));
        ManualTime others = new ManualTime();
        BlobServer next = new BlobServer(directory, others);
        next.setLimits(100_000, 60_000, 600_000);
        next.begin(2, List.of());
        assertThat(next.acquire(List.of(ref))).isEmpty();

        timers.jump(10_000_000);
        assertThat(next.read(ref.sha256(), 0, 1)).hasSize(1);
        assertThat(files()).containsExactly(ref.sha256() + ".2.jar");
    }

    @Test
    void f21_aDispatcherThatBeginsTooLateTakesOverNoBundle() throws IOException {
        BundleRef ref = put(TestBundles.bundle("words"));
        BlobServer next = again();
        next.begin(3, List.of());
        BlobServer late = new BlobServer(directory, new ManualTime());
        assertThatThrownBy(() -> late.begin(2, List.of())).hasMessageContaining("belong to the Dispatcher of term 3");
        assertThat(next.find(ref.sha256())).isPresent();
    }

    @Test
    void doesNothingForADispatcherThatHasEnded() throws IOException {
        BundleRef ref = put(TestBundles.bundle("words"));
        store.end(1);

        timers.jump(10_000_000);
        assertThat(files()).as("kept for the next Dispatcher").containsExactly(ref.sha256() + ".1.jar");
        assertThatThrownBy(() -> store.begin(1, List.of())).hasMessageContaining("no longer uses bundles");
        assertThatThrownBy(() -> put(TestBundles.bundle("others"))).hasMessageContaining("does not lead");
        store.begin(2, List.of(ref));
        store.end(1);
        assertThat(store.find(ref.sha256()))
                .as("the end of an earlier one has no effect")
                .isPresent();
    }
}
