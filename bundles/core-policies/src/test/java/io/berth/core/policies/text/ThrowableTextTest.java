package io.berth.core.policies.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ThrowableTextTest {

    private static Throwable deep(int calls) {
        return calls == 0 ? new IllegalStateException("deep") : deep(calls - 1);
    }

    @Test
    void namesTheFramesOfAThrowableAndOfItsCauses() {
        String text = ThrowableText.withStack(new RuntimeException("outside", new IllegalArgumentException("inside")));
        assertThat(text)
                .startsWith("java.lang.RuntimeException: outside at ")
                .contains("\ncaused by java.lang.IllegalArgumentException: inside at ")
                .contains("\n\tat " + ThrowableTextTest.class.getName() + ".namesTheFrames");
    }

    @Test
    void leavesOutWhatIsTooDeep() {
        assertThat(ThrowableText.withStack(deep(1_000)).lines()).hasSize(51);
        Throwable cause = new IllegalStateException("innermost");
        for (int nth = 0; nth < 1_000; nth++) {
            cause = new IllegalStateException("around", cause);
        }
        assertThat(ThrowableText.withStack(cause).lines().filter(line -> line.startsWith("caused by")))
                .hasSize(5);
    }

    @Test
    void survivesAThrowableThatThrows() {
        Throwable hostile = new RuntimeException("hostile") {
            private static final long serialVersionUID = 1L;

            @Override
            public StackTraceElement[] getStackTrace() {
                throw new IllegalStateException("no stack");
            }
        };
        assertThat(ThrowableText.withStack(hostile))
                .startsWith(hostile.getClass().getName());
    }
}
