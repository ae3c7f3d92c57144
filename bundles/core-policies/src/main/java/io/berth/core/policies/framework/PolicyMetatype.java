package io.berth.core.policies.framework;

import io.berth.spi.ConfigurationKey;
import io.berth.spi.ValueType;
import java.io.InputStream;
import java.util.Collection;
import java.util.List;
import org.osgi.service.metatype.AttributeDefinition;
import org.osgi.service.metatype.MetaTypeProvider;
import org.osgi.service.metatype.ObjectClassDefinition;

/**
 * The configuration of a policy bundle for tools, made from the descriptions of its policies, so that the two cannot
 * differ. Immutable.
 */
record PolicyMetatype(String pid, List<ConfigurationKey> keys) implements MetaTypeProvider, ObjectClassDefinition {

    PolicyMetatype {
        keys = List.copyOf(keys);
    }

    static PolicyMetatype of(String pid, Collection<ConfigurationKey> keys) {
        // The format has no word for any number of keys.
        return new PolicyMetatype(
                pid, keys.stream().filter(key -> !key.isPattern()).toList());
    }

    @Override
    public ObjectClassDefinition getObjectClassDefinition(String id, String locale) {
        return this;
    }

    @Override
    public String[] getLocales() {
        return new String[0];
    }

    @Override
    public String getName() {
        return pid;
    }

    @Override
    public String getID() {
        return pid;
    }

    @Override
    public String getDescription() {
        return "Configuration of the policies of bundle " + pid;
    }

    @Override
    public AttributeDefinition[] getAttributeDefinitions(int filter) {
        return keys.stream()
                .filter(key -> filter == ALL || (filter == REQUIRED) == key.required())
                .map(Attribute::new)
                .toArray(AttributeDefinition[]::new);
    }

    @Override
    public InputStream getIcon(int size) {
        return InputStream.nullInputStream();
    }

    private record Attribute(ConfigurationKey key) implements AttributeDefinition {

        @Override
        public String getName() {
            return key.key();
        }

        @Override
        public String getID() {
            return key.key();
        }

        @Override
        public String getDescription() {
            return key.meaning() + ": " + key.allowed();
        }

        @Override
        public int getCardinality() {
            return 0;
        }

        @Override
        public int getType() {
            return switch (key.type()) {
                case NUMBER -> LONG;
                case DECIMAL -> DOUBLE;
                case FLAG -> BOOLEAN;
                default -> STRING;
            };
        }

        @Override
        public String[] getOptionValues() {
            return key.type() == ValueType.CHOICE ? key.options().toArray(String[]::new) : new String[0];
        }

        @Override
        public String[] getOptionLabels() {
            return getOptionValues();
        }

        /** As the interface defines it: the reason, or an empty text when the value is valid. */
        @Override
        public String validate(String value) {
            return key.problem(value).orElse("");
        }

        @Override
        public String[] getDefaultValue() {
            return key.required() ? new String[0] : new String[] {key.defaultValue()};
        }
    }
}
