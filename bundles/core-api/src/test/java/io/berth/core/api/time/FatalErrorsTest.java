package io.berth.core.api.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class FatalErrorsTest {

    private final List<Integer> codes = new ArrayList<>();
    private final List<Throwable> others = new ArrayList<>();
    private final Consumer<Throwable> receiver = new FatalErrors(codes::add).before(others::add);

    @Test
    void aProcessWithoutMemoryEndsAsTheJvmWouldEndIt() {
        receiver.accept(new CompletionException(new OutOfMemoryError("Java heap space")));
        assertThat(codes).containsExactly(FatalErrors.EXIT_OUT_OF_MEMORY);
        assertThat(others).isEmpty();
    }

    @Test
    void aProcessWhoseStackOrClassesFailEnds() {
        receiver.accept(new StackOverflowError());
        receiver.accept(new NoClassDefFoundError("io/berth/Missing"));
        assertThat(codes).containsExactly(FatalErrors.EXIT_INTERNAL_ERROR, FatalErrors.EXIT_INTERNAL_ERROR);
        assertThat(others).isEmpty();
    }

    @Test
    void otherFailuresArePassedOn() {
        RuntimeException failure = new IllegalStateException("half done");
        receiver.accept(failure);
        assertThat(codes).isEmpty();
        assertThat(others).containsExactly(failure);
    }
}
