package io.berth.core.dispatcher.description;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.core.dispatcher.description.DescriptionNode.Mapping;
import io.berth.core.dispatcher.description.DescriptionNode.Scalar;
import io.berth.core.dispatcher.description.DescriptionNode.ScalarKind;
import io.berth.core.dispatcher.description.DescriptionNode.Sequence;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The bundles that a job description names, for programs that have the operators themselves. Pure functions. */
public final class DescriptionBundles {

    private static final JsonFactory JSON = new JsonFactory();

    private DescriptionBundles() {}

    /** The description with only this bundle; unchanged if it cannot be read, which its submission says. */
    public static String replaced(String description, String sha256) {
        DescriptionReader.ReadOutcome read = DescriptionReader.read(description);
        if (!read.problems().isEmpty() || !(read.root().orElse(null) instanceof Mapping job)) {
            return description;
        }
        Map<String, DescriptionNode> fields = new LinkedHashMap<>(job.fields());
        fields.put("bundles", new Sequence(List.of(new Scalar(sha256, ScalarKind.TEXT))));
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            write(new Mapping(fields), out);
        } catch (IOException never) {
            throw new UncheckedIOException(never);
        }
        return text.toString();
    }

    private static void write(DescriptionNode node, JsonGenerator out) throws IOException {
        if (node instanceof Mapping mapping) {
            out.writeStartObject();
            for (Map.Entry<String, DescriptionNode> field : mapping.fields().entrySet()) {
                out.writeFieldName(field.getKey());
                write(field.getValue(), out);
            }
            out.writeEndObject();
        } else if (node instanceof Sequence sequence) {
            out.writeStartArray();
            for (DescriptionNode item : sequence.items()) {
                write(item, out);
            }
            out.writeEndArray();
        } else if (node instanceof Scalar scalar) {
            switch (scalar.kind()) {
                case TEXT -> out.writeString(scalar.text());
                // Numbers that YAML knows and JSON does not, such as +5, make the text YAML.
                case NUMBER, BOOLEAN -> out.writeRawValue(scalar.text());
                case NOTHING -> out.writeNull();
            }
        }
    }
}
