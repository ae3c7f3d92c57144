package io.berth.spi.signatures;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class SpiSignaturesTest {

    @Test
    void noExportedSignatureChangedWithoutItsPackageVersion() throws IOException {
        assertThat(SignatureCheck.ofThisBundle().problems()).isEmpty();
    }
}
