package io.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.signatures.SignatureCheck;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class SignaturesTest {

    @Test
    void noExportedSignatureChangedWithoutItsPackageVersion() throws IOException {
        assertThat(SignatureCheck.ofThisBundle().problems()).isEmpty();
    }
}
