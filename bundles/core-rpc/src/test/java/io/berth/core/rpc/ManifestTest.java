package io.berth.core.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;

class ManifestTest {

    @Test
    void nothingOfTheLibraryIsExported() throws IOException {
        try (InputStream file = Files.newInputStream(Path.of("target/classes/META-INF/MANIFEST.MF"))) {
            String exports = new Manifest(file).getMainAttributes().getValue("Export-Package");
            assertThat(Arrays.stream(exports.replaceAll("\"[^\"]*\"", "").split(","))
                            .map(clause -> clause.split(";")[0]))
                    .containsExactly("io.berth.core.rpc");
        }
    }
}
