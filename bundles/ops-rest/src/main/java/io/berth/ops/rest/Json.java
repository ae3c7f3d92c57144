package io.berth.ops.rest;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.berth.core.api.access.UserRole;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.operations.PolicyOperations.SwapCause;
import io.berth.core.api.operations.PolicyVerdict;
import io.berth.core.api.operations.SwapVerdict;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import io.berth.spi.WorkerId;
import java.io.IOException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** JSON of the views of core-api. Ids and states are written as users see them. Thread-safe. */
final class Json {

    private final ObjectMapper mapper;

    Json() {
        SimpleModule words = new SimpleModule("berth");
        words.addSerializer(JobId.class, word(JobId::value));
        words.addSerializer(WorkerId.class, word(WorkerId::value));
        words.addSerializer(JobStatus.class, word(JobStatus::label));
        words.addSerializer(PolicyKind.class, word(PolicyKind::label));
        words.addSerializer(PolicyVerdict.class, word(PolicyVerdict::label));
        words.addSerializer(SwapCause.class, word(SwapCause::label));
        words.addSerializer(SwapVerdict.class, word(SwapVerdict::label));
        words.addSerializer(UserRole.class, word(UserRole::label));
        words.addSerializer(new Known());
        mapper = JsonMapper.builder()
                .addModule(words)
                .addMixIn(JobDetails.class, WithoutEvents.class)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
    }

    /** They can be large, so a job is shown without them, and its history has them. */
    @JsonIgnoreProperties("events")
    private interface WithoutEvents {}

    private static <T> JsonSerializer<T> word(Function<T, String> text) {
        return new JsonSerializer<>() {
            @Override
            public void serialize(T value, JsonGenerator out, SerializerProvider provider) throws IOException {
                out.writeString(text.apply(value));
            }
        };
    }

    /** The fields of a view, by name. */
    SortedMap<String, Object> fields(Object view) {
        return mapper.convertValue(view, new TypeReference<TreeMap<String, Object>>() {});
    }

    /** What is not known is null. */
    private static final class Known extends StdSerializer<Optional<?>> {

        private static final long serialVersionUID = 1;

        private Known() {
            super(Optional.class, false);
        }

        @Override
        public void serialize(Optional<?> value, JsonGenerator out, SerializerProvider provider) throws IOException {
            provider.defaultSerializeValue(value.orElse(null), out);
        }
    }

    byte[] write(Object value) {
        try {
            return mapper.writeValueAsBytes(value);
        } catch (JsonProcessingException failure) {
            throw new IllegalStateException("an answer cannot be written as JSON", failure);
        }
    }

    /** An object with one more field. */
    JsonNode with(Object value, String name, Object more) {
        ObjectNode node = mapper.valueToTree(value);
        return node.set(name, mapper.valueToTree(more));
    }

    /**
     * Reads a document.
     *
     * @throws RefusedException when it is not JSON
     */
    JsonNode read(byte[] text) {
        try {
            return mapper.readTree(text);
        } catch (JsonProcessingException failure) {
            throw new RefusedException(
                    400,
                    "the body is not JSON: "
                            + failure.getOriginalMessage().replaceAll(" \\(start marker at \\[.*?]\\)", ""));
        } catch (IOException failure) {
            throw new IllegalStateException("reading from memory failed", failure);
        }
    }
}
