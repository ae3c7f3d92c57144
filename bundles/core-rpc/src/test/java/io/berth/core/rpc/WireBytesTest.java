package io.berth.core.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.rpc.gateway.GatewayType;
import io.berth.core.rpc.gateway.RpcMethod;
import io.berth.core.rpc.wire.Form;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages from before their format was derived from the records: {@code wire-bytes.txt}. The file is not
 * extended for new messages. A message that gets a field that is always written loses its lines.
 */
class WireBytesTest {

    private static final Map<String, RpcMethod> METHODS = GatewayType.methods()
            .collect(Collectors.toMap(
                    method -> method.descriptor().getFullMethodName().substring("berth.rpc.v1.".length()),
                    Function.identity()));

    static Stream<String> recorded() throws Exception {
        try (var file = WireBytesTest.class.getResourceAsStream("/wire-bytes.txt")) {
            return new String(file.readAllBytes(), StandardCharsets.US_ASCII).lines();
        }
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void aRecordedMessageIsReadAndWrittenAsTheSameBytes(String line) throws Exception {
        String[] words = line.split(" ", 3);
        RpcMethod method = METHODS.get(words[0]);
        Form form = words[1].equals("request") ? method.request() : method.answer();
        byte[] bytes = HexFormat.of().parseHex(words.length == 3 ? words[2] : "");

        assertThat(form.write(form.read(bytes)).toByteArray()).isEqualTo(bytes);
    }
}
