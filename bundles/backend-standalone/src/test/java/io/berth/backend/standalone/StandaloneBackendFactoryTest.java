package io.berth.backend.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StandaloneBackendFactoryTest {

    @Test
    void describesABackendWithoutKeys() {
        assertThat(new StandaloneBackendFactory().describe().name()).isEqualTo("standalone");
        assertThat(new StandaloneBackendFactory().describe().configuration()).isEmpty();
    }
}
