package io.berth.runtime.dataflow.files.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.berth.dataflow.api.data.Columns;
import io.berth.dataflow.api.data.Row;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Rows as JSON objects. For one thread. */
final class JsonRows {

    private static final int MAX_COLUMNS_KNOWN = 1000;

    private final JsonFactory factory = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(200)
                    .maxStringLength(1 << 30)
                    .build())
            .build();
    /** Objects with the same names share their columns. */
    private final Map<List<String>, Columns> known = new LinkedHashMap<>();

    /** A text is not what it should be, at a place in it, from 1. */
    static final class MalformedJsonException extends Exception {

        private static final long serialVersionUID = 1L;

        private final int column;

        MalformedJsonException(int column, String problem) {
            super(problem);
            this.column = column;
        }

        int column() {
            return column;
        }
    }

    /** Reads one object. */
    Row read(byte[] bytes, int offset, int length) throws MalformedJsonException {
        try (JsonParser parser = factory.createParser(bytes, offset, length)) {
            JsonToken first = parser.nextToken();
            if (first != JsonToken.START_OBJECT) {
                throw new MalformedJsonException(1, "a line that is no JSON object; allowed: {\"name\": value, ...}");
            }
            Row row = object(parser);
            if (parser.nextToken() != null) {
                throw new MalformedJsonException(column(parser), "text after the object; allowed: one object per line");
            }
            return row;
        } catch (JsonProcessingException malformed) {
            int column = malformed.getLocation() == null
                    ? 1
                    : Math.max(1, malformed.getLocation().getColumnNr());
            throw new MalformedJsonException(column, malformed.getOriginalMessage());
        } catch (NumberFormatException beyond) {
            throw new MalformedJsonException(1, "a number with an exponent that is too large");
        } catch (IOException unreadable) {
            // The bytes are in memory, so it is their encoding.
            throw new MalformedJsonException(1, "a line that is not UTF-8: " + unreadable.getMessage());
        }
    }

    private static int column(JsonParser parser) {
        return Math.max(1, parser.currentTokenLocation().getColumnNr());
    }

    private Row object(JsonParser parser) throws IOException, MalformedJsonException {
        List<String> names = new ArrayList<>();
        List<@Nullable Object> values = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            names.add(whole(parser.currentName(), parser));
            parser.nextToken();
            values.add(value(parser));
        }
        Columns columns = known.get(names);
        if (columns == null) {
            columns = Columns.of(names);
            if (known.size() < MAX_COLUMNS_KNOWN) {
                known.put(columns.names(), columns);
            }
        }
        return Row.of(columns, values.toArray());
    }

    private @Nullable Object value(JsonParser parser) throws IOException, MalformedJsonException {
        return switch (parser.currentToken()) {
            case VALUE_STRING -> whole(parser.getText(), parser);
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case VALUE_NUMBER_INT -> whole(parser);
            case VALUE_NUMBER_FLOAT -> fraction(parser);
            case START_OBJECT -> object(parser);
            case START_ARRAY -> {
                List<@Nullable Object> list = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    list.add(value(parser));
                }
                yield list;
            }
            default -> throw new MalformedJsonException(column(parser), "unexpected " + parser.currentToken());
        };
    }

    /** Half of a surrogate pair is no character: written again, the text would be another one, with another key. */
    private static String whole(String text, JsonParser parser) throws MalformedJsonException {
        // A pair that is whole is one code point, so what is left over as a surrogate is a half.
        OptionalInt half = text.codePoints()
                .filter(each -> each <= Character.MAX_VALUE && Character.isSurrogate((char) each))
                .findFirst();
        if (half.isPresent()) {
            throw new MalformedJsonException(
                    column(parser),
                    String.format(
                            "half of a character, \\u%04x; allowed: both halves of a surrogate pair", half.getAsInt()));
        }
        return text;
    }

    /** A number beyond the range of double is a decimal one. */
    private static Object fraction(JsonParser parser) throws IOException {
        double number = parser.getDoubleValue();
        return Double.isInfinite(number) ? parser.getDecimalValue() : (Object) number;
    }

    /** A number beyond 64 bits is a decimal one. */
    private static Object whole(JsonParser parser) throws IOException {
        if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
            return new BigDecimal(parser.getBigIntegerValue());
        }
        return parser.getLongValue();
    }

    /** Writes one object and the end of its line. */
    void write(Row row, OutputStream out) throws IOException {
        try (JsonGenerator generator = factory.createGenerator(new Unclosed(out))) {
            object(row, generator);
        }
        out.write('\n');
    }

    private void object(Row row, JsonGenerator generator) throws IOException {
        generator.writeStartObject();
        for (int place = 0; place < row.columns().size(); place++) {
            generator.writeFieldName(row.columns().names().get(place));
            value(row.at(place), generator);
        }
        generator.writeEndObject();
    }

    private void value(@Nullable Object value, JsonGenerator generator) throws IOException {
        if (value == null) {
            generator.writeNull();
        } else if (value instanceof Long number) {
            generator.writeNumber(number);
        } else if (value instanceof Double number) {
            // NaN and the infinities are written as texts, because JSON has no numbers for them.
            generator.writeNumber(number);
        } else if (value instanceof Boolean flag) {
            generator.writeBoolean(flag);
        } else if (value instanceof BigDecimal number) {
            decimal(number, generator);
        } else if (value instanceof Row row) {
            object(row, generator);
        } else if (value instanceof List<?> list) {
            generator.writeStartArray();
            for (Object each : list) {
                value(each, generator);
            }
            generator.writeEndArray();
        } else {
            generator.writeString(value.toString());
        }
    }

    private static void decimal(BigDecimal number, JsonGenerator generator) throws IOException {
        if (number.scale() == 0) {
            BigInteger whole = number.unscaledValue();
            generator.writeNumber(whole);
        } else {
            generator.writeNumber(number);
        }
    }

    /** The generator closes what it writes to; the file stays open. */
    private static final class Unclosed extends OutputStream {
        private final OutputStream out;

        Unclosed(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int value) throws IOException {
            out.write(value);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
        }
    }
}
