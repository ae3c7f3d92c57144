package io.berth.dataflow.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class TextTest {

    @Property
    void hashAndEqualityDependOnTheBytesAndNotOnTheirPosition(
            @ForAll @Size(max = 40) byte[] bytes,
            @ForAll @IntRange(max = 20) int before,
            @ForAll @IntRange(max = 20) int after,
            @ForAll byte filler) {
        byte[] array = new byte[before + bytes.length + after];
        Arrays.fill(array, filler);
        System.arraycopy(bytes, 0, array, before, bytes.length);
        Text within = new Text().view(array, before, bytes.length);
        Text alone = new Text().view(bytes, 0, bytes.length);
        assertThat(within).isEqualTo(alone).hasSameHashCodeAs(alone).isEqualByComparingTo(alone);
        assertThat(within.copy()).isEqualTo(alone).hasSameHashCodeAs(alone);
    }

    @Test
    void hashIsTheSameInEveryJvm() {
        // Key groups depend on it. A change would send records with the same key to two subtasks.
        assertThat(Text.of("the").hashCode()).isEqualTo(HASH_OF_THE);
        assertThat(Text.of("honorificabilitudinitatibus").hashCode()).isEqualTo(HASH_OF_HONOR);
    }

    private static final int HASH_OF_THE = 954311722;
    private static final int HASH_OF_HONOR = -147755591;

    @Test
    void copyStaysWhenTheViewMovesOn() {
        byte[] array = "onetwo".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        Text view = new Text().view(array, 0, 3);
        Text copy = view.copy();
        view.view(array, 3, 3);
        array[0] = 'X';
        assertThat(copy).hasToString("one");
        assertThat(view).hasToString("two").isNotEqualTo(copy);
    }

    @Test
    void orderIsThatOfUnsignedBytesAndAPrefixComesFirst() {
        assertThat(Text.of("a")).isLessThan(Text.of("ab"));
        assertThat(Text.of("ab")).isLessThan(Text.of("b"));
        assertThat(Text.of("z")).isLessThan(Text.of("é"));
    }
}
