package io.berth.policy.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlainTextTest {

    @Test
    void textsOfPoliciesContainNoControlCharacters() {
        assertThat(PlainText.cut("a\u001b[2Jb\r\nc\u2028d\u0085e")).isEqualTo("a [2Jb  c d e");
        String plain = "plain \u00e4 words";
        assertThat(PlainText.cut(plain)).isSameAs(plain);
    }
}
