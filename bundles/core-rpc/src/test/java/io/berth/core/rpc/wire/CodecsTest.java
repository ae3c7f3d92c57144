package io.berth.core.rpc.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.berth.core.api.FencingToken;
import io.berth.core.rpc.proto.CommonProto;
import io.berth.core.rpc.proto.TaskExecutorProto;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Differences between a record and its message are found when the bundle starts. */
class CodecsTest {

    public record Larger(String host, int port, String zone) {}

    public record Smaller(long epoch) {}

    public record OtherType(String host, String port) {}

    public enum Verdict {
        ACCEPTED,
        POSTPONED
    }

    public interface Gateway {
        CompletionStage<Larger> larger();

        CompletionStage<Smaller> smaller();

        CompletionStage<OtherType> otherType();

        CompletionStage<Refusal> unknownConstant();
    }

    public record Refusal(Verdict verdict, String refusal) {}

    private static void derive(String method, Class<? extends MessageLite> message) {
        new Codecs()
                .answer(
                        Stream.of(Gateway.class.getMethods())
                                .filter(one -> one.getName().equals(method))
                                .findFirst()
                                .orElseThrow(),
                        message);
    }

    @Test
    void aComponentWithoutAFieldIsNamed() {
        assertThatThrownBy(() -> derive("larger", CommonProto.Address.class))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("CommonProto$Address has no field for 'zone'")
                .hasMessageContaining("Larger");
    }

    @Test
    void aFieldWithoutAComponentIsNamed() {
        assertThatThrownBy(() -> derive("smaller", CommonProto.AllocationId.class))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Smaller has nothing for fields [number]");
    }

    @Test
    void aFieldOfAnotherTypeIsNamed() {
        assertThatThrownBy(() -> derive("otherType", CommonProto.Address.class))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("java.lang.String cannot be written as int");
    }

    @Test
    void aTokenWhoseIdHasAnotherLengthIsRefused() {
        CommonProto.FencingToken written = Codecs.to(new FencingToken(7, new UUID(1, 2)));
        assertThat(Codecs.from(written)).isEqualTo(new FencingToken(7, new UUID(1, 2)));
        for (int length : new int[] {0, 15, 17}) {
            assertThatThrownBy(() -> Codecs.from(written.toBuilder()
                            .setId(ByteString.copyFrom(new byte[length]))
                            .build()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("has " + length + " bytes: allowed are 16");
        }
    }

    @Test
    void aConstantThatTheMessageDoesNotHaveIsNamed() {
        assertThatThrownBy(() -> derive("unknownConstant", TaskExecutorProto.DeploymentAnswer.class))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("DeploymentVerdict has none of [POSTPONED]");
    }
}
