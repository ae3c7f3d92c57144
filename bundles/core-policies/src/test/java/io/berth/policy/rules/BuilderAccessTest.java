package io.berth.policy.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class BuilderAccessTest {

    private final BuilderAccess access = new BuilderAccess();

    @Test
    void onlyTheThreadOfTheCallMayUseIt() {
        access.begin();
        assertThat(access.open()).isTrue();
        assertThat(CompletableFuture.supplyAsync(access::open).join()).isFalse();
        assertThat(access.violation()).hasValue("uses its result from another thread");
        assertThat(access.open()).isFalse();
    }

    @Test
    void afterTheCallItHasNoEffect() {
        access.begin();
        access.end();
        assertThat(access.misuse()).isEmpty();
        assertThat(access.open()).isFalse();
        assertThat(access.violation()).isEmpty();
        assertThat(access.misuse()).hasValue("uses its result after the call");
    }

    /** The host gives a call up, and its thread gets so far only then. */
    @Test
    void aCallThatBeginsAfterItsEndHasNoEffect() {
        access.end();
        access.begin();
        assertThat(access.open()).isFalse();
        assertThat(access.violation()).isEmpty();
    }

    @Test
    void afterAViolationItHasNoEffect() {
        access.begin();
        access.violated("first");
        access.violated("second");
        assertThat(access.open()).isFalse();
        access.begin();
        assertThat(access.open()).isFalse();
        assertThat(access.violation()).hasValue("first");
    }
}
