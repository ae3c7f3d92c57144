package io.berth.spi.signatures;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the exported signatures of a bundle from its class files. The manifest says what is exported. */
final class SignatureReader {

    private static final Pattern EXPORT = Pattern.compile("([\\w.]+)((?:;[^;,\"]+(?:\"[^\"]*\")?)*)(?:,|$)");
    private static final Pattern VERSION = Pattern.compile(";version=\"?(\\d+\\.\\d+\\.\\d+)");
    /** Every type has them, and whether a type overrides them does not matter. */
    private static final Set<String> OF_OBJECT = Set.of("equals(java.lang.Object)", "hashCode()", "toString()");

    private final Path classes;
    private final ClassLoader loader;

    private SignatureReader(Path classes, ClassLoader loader) {
        this.classes = classes;
        this.loader = loader;
    }

    static List<PackageSignatures> read(Path classes) throws IOException {
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()}, SignatureReader.class.getClassLoader())) {
            SignatureReader reader = new SignatureReader(classes, loader);
            List<PackageSignatures> packages = new ArrayList<>();
            for (Map.Entry<String, PackageVersion> exported : reader.exports().entrySet()) {
                packages.add(PackageSignatures.of(
                        exported.getKey(), exported.getValue(), reader.signatures(exported.getKey())));
            }
            return packages;
        }
    }

    private Map<String, PackageVersion> exports() throws IOException {
        Attributes manifest;
        try (InputStream file = Files.newInputStream(classes.resolve("META-INF/MANIFEST.MF"))) {
            manifest = new Manifest(file).getMainAttributes();
        }
        Map<String, PackageVersion> exports = new TreeMap<>();
        Matcher clause = EXPORT.matcher(manifest.getValue("Export-Package"));
        while (clause.find()) {
            Matcher version = VERSION.matcher(clause.group(2));
            if (!version.find()) {
                throw new IllegalArgumentException("exported package " + clause.group(1) + " has no version X.Y.Z");
            }
            exports.put(clause.group(1), PackageVersion.parse(version.group(1)));
        }
        return exports;
    }

    private List<Signature> signatures(String packageName) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(classes.resolve(packageName.replace('.', '/')))) {
            files = all.filter(file -> file.toString().endsWith(".class"))
                    .filter(file -> !file.endsWith("package-info.class"))
                    .toList();
        }
        List<Signature> signatures = new ArrayList<>();
        for (Path file : files) {
            Class<?> type =
                    load(packageName + "." + file.getFileName().toString().replaceFirst("\\.class$", ""));
            if (isVisible(type)) {
                add(type, role(type, file), signatures);
            }
        }
        return signatures;
    }

    private Class<?> load(String name) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException missing) {
            throw new IllegalStateException("class file of " + name + " does not hold it", missing);
        }
    }

    private static boolean isVisible(Class<?> type) {
        if (type.isAnonymousClass() || type.isLocalClass() || type.isSynthetic() || !isVisible(type.getModifiers())) {
            return false;
        }
        return type.getDeclaringClass() == null || isVisible(type.getDeclaringClass());
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    /** Only the class file has the annotations; it contains the descriptor of each annotation that is used. */
    private static Signature.Role role(Class<?> type, Path file) throws IOException {
        String content = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        if (type.isAnnotation()) {
            return Signature.Role.ANNOTATION;
        }
        if (content.contains("Lorg/osgi/annotation/versioning/ProviderType;")) {
            return Signature.Role.PROVIDER;
        }
        if (content.contains("Lorg/osgi/annotation/versioning/ConsumerType;")) {
            return Signature.Role.CONSUMER;
        }
        boolean closed = type.isEnum() || type.isSealed() || Modifier.isFinal(type.getModifiers());
        return closed ? Signature.Role.CLOSED : Signature.Role.CONSUMER;
    }

    private static void add(Class<?> type, Signature.Role role, List<Signature> signatures) {
        String name = type.getName();
        signatures.add(new Signature(name, role, declaration(type)));
        for (Field field : type.getDeclaredFields()) {
            if (isVisible(field.getModifiers()) && !field.isSynthetic()) {
                signatures.add(
                        new Signature(name + "." + field.getName(), role, field.toGenericString() + constant(field)));
            }
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (isVisible(constructor.getModifiers()) && !constructor.isSynthetic()) {
                signatures.add(new Signature(
                        name + ".new" + parameters(constructor.getParameterTypes()),
                        role,
                        constructor.toGenericString()));
            }
        }
        for (Method method : type.getDeclaredMethods()) {
            String own = method.getName() + parameters(method.getParameterTypes());
            if (isVisible(method.getModifiers()) && !method.isSynthetic() && !OF_OBJECT.contains(own)) {
                String standard = method.getDefaultValue() == null ? "" : Signature.WITH_DEFAULT;
                signatures.add(new Signature(name + "." + own, role, method.toGenericString() + standard));
            }
        }
    }

    private static String declaration(Class<?> type) {
        StringBuilder text = new StringBuilder(type.toGenericString());
        Type superclass = type.getGenericSuperclass();
        if (superclass != null && superclass != Object.class) {
            text.append(" extends ").append(superclass.getTypeName());
        }
        if (type.getGenericInterfaces().length > 0) {
            text.append(" implements ").append(names(type.getGenericInterfaces()));
        }
        if (type.isSealed()) {
            text.append(" permits ").append(names(type.getPermittedSubclasses()));
        }
        return text.toString();
    }

    /** The value of a constant, which compilers copy into the classes that use it. */
    private static String constant(Field field) {
        boolean copied = field.getType().isPrimitive() || field.getType() == String.class;
        if (!copied || !Modifier.isStatic(field.getModifiers()) || !Modifier.isFinal(field.getModifiers())) {
            return "";
        }
        try {
            return " = " + field.get(null);
        } catch (IllegalAccessException hidden) {
            return "";
        }
    }

    private static String names(Type[] types) {
        return Arrays.stream(types).map(Type::getTypeName).collect(Collectors.joining(","));
    }

    private static String parameters(Class<?>[] types) {
        return "(" + names(types) + ")";
    }
}
