package io.berth.ops.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class BundlePathsTest {

    @Test
    void hashesAndOtherTextAreNotChanged() {
        String text = "name: a\nbundles:\n  - " + "ab".repeat(32) + "\n  - 'x/y.jar'\nlabels: {p: file:z.jar}\n";

        assertThat(BundlePaths.replace(
                        text, Path.of("/d"), path -> path.toString().replace("/d/x/y.jar", "HASH")))
                .isEqualTo(text.replace("'x/y.jar'", "\"HASH\""));
    }

    @Test
    void textThatCannotBeParsedIsNotChanged() {
        assertThat(BundlePaths.replace("bundles: [", Path.of("/"), path -> "HASH"))
                .isEqualTo("bundles: [");
        assertThat(BundlePaths.replace("[file:a.jar]", Path.of("/"), path -> "HASH"))
                .isEqualTo("[file:a.jar]");
    }
}
