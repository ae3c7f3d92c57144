package io.berth.spi.signatures;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compiles a package before and after a change, and reads the result of the check. */
class SignatureCheckTest {

    private static final String UNCHANGED = "public final class Other {}";

    @TempDir
    private Path directory;

    private int compilations;

    private Path compile(String version, String type) throws IOException {
        Path root = directory.resolve("state" + compilations++);
        Path sources = Files.createDirectories(root.resolve("sources"));
        Path classes = Files.createDirectories(root.resolve("classes"));
        String head = "package example.api; import org.osgi.annotation.versioning.*; ";
        // A file can contain only one public type, so Other has its own file.
        Files.writeString(sources.resolve("Other.java"), head + UNCHANGED);
        Files.writeString(sources.resolve("T.java"), head + type);
        int result = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-d",
                        classes.toString(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        sources.resolve("Other.java").toString(),
                        sources.resolve("T.java").toString());
        assertThat(result).as("compiling " + type).isZero();
        Files.createDirectories(classes.resolve("META-INF"));
        Files.writeString(
                classes.resolve("META-INF/MANIFEST.MF"),
                "Manifest-Version: 1.0\nExport-Package: example.api;" + "version=\"" + version + "\"\n");
        return classes;
    }

    private List<String> problems(Path classes, boolean write) throws IOException {
        return new SignatureCheck(classes, directory.resolve("lists"), write).problems();
    }

    /**
     * The step is what the comparison must require: the previous version is rejected, the version of the step is
     * accepted.
     */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            nullValues = "nothing",
            value = {
                "method added on a consumer type | @ConsumerType public interface T {} | @ConsumerType public interface T { void a(); } | major",
                "default method added on a consumer type | @ConsumerType public interface T {} | @ConsumerType public interface T { default void a() {} } | minor",
                "static method added on a consumer type | @ConsumerType public interface T {} | @ConsumerType public interface T { static void a() {} } | minor",
                "method added on a provider type | @ProviderType public interface T {} | @ProviderType public interface T { void a(); } | minor",
                "method added on a type that says nothing | public interface T {} | public interface T { void a(); } | major",
                "method added on a sealed type | public sealed interface T { record A() implements T {} } | public sealed interface T { String a(); record A(String a) implements T {} } | major",
                "abstract method added on an abstract class | public abstract class T {} | public abstract class T { protected abstract void a(); } | major",
                "method added on a final class | public final class T {} | public final class T { public void a() {} } | minor",
                "method removed | @ProviderType public interface T { void a(); } | @ProviderType public interface T {} | major",
                "result changed | @ProviderType public interface T { int a(); } | @ProviderType public interface T { long a(); } | major",
                "parameter changed | @ProviderType public interface T { void a(int x); } | @ProviderType public interface T { void a(long x); } | major",
                "type argument changed | @ProviderType public interface T { java.util.List<String> a(); } | @ProviderType public interface T { java.util.List<Long> a(); } | major",
                "exception added | @ProviderType public interface T { void a(); } | @ProviderType public interface T { void a() throws java.io.IOException; } | major",
                "made protected | public class T { public void a() {} } | public class T { protected void a() {} } | major",
                "class made final | public class T {} | public final class T {} | major",
                "superinterface removed | public final class T implements Runnable { public void run() {} } | public final class T { public void run() {} } | major",
                "component added to a record | public record T(int a) {} | public record T(int a, int b) {} | major",
                "constant added to an enum | public enum T { A } | public enum T { A, B } | minor",
                "constant removed from an enum | public enum T { A, B } | public enum T { A } | major",
                "value of a constant changed | public final class T { public static final int A = 1; } | public final class T { public static final int A = 2; } | major",
                "case added to a sealed type | public sealed interface T { record A() implements T {} } | public sealed interface T { record A() implements T {} record B() implements T {} } | major",
                "element added to an annotation | public @interface T {} | public @interface T { int a(); } | major",
                "element with a default added | public @interface T {} | public @interface T { int a() default 1; } | minor",
                "provider made consumer | @ProviderType public interface T {} | @ConsumerType public interface T {} | major",
                "type added | nothing | @ConsumerType public interface T { void a(); } | minor",
                "type removed | @ConsumerType public interface T { void a(); } | nothing | major",
                "nested type added | public final class T {} | public final class T { public interface N { void a(); } } | minor",
            })
    void changeNeedsItsStep(String change, String before, String after, String step) throws IOException {
        String hidden = "final class T {}";
        String old = before == null ? hidden : before;
        String now = after == null ? hidden : after;
        assertThat(problems(compile("1.2.0", old), true)).isEmpty();

        List<String> problems = problems(compile("1.2.0", now), false);
        String required = step.equals("major") ? "2.0.0" : "1.3.0";
        assertThat(problems)
                .isNotEmpty()
                .anySatisfy(problem -> assertThat(problem)
                        .startsWith("example.api: ")
                        .contains(
                                "example.api.T",
                                "a " + step + " change",
                                "is 1.2.0 and must be " + required + " or more"));
        if (step.equals("major")) {
            assertThat(problems(compile("1.3.0", now), false)).isNotEmpty().allMatch(text -> text.contains("2.0.0"));
        } else {
            assertThat(problems).noneMatch(text -> text.contains("2.0.0"));
        }

        Path right = compile(required, now);
        assertThat(problems(right, false)).singleElement().asString().contains("fits the change; update");
        assertThat(problems(right, true)).isEmpty();
        assertThat(problems(right, false)).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "parameter renamed | @ProviderType public interface T { void a(int x); } | @ProviderType public interface T { void a(int y); }",
                "body changed | public final class T { public int a() { return 1; } } | public final class T { public int a() { return 2; } }",
                "private member added | public final class T {} | public final class T { private int a; int b() { return a; } }",
                "text form added | public final class T {} | public final class T { public String toString() { return null; } }",
                "hidden type added | public final class T {} | public final class T {} interface Hidden {}",
                "order changed | @ProviderType public interface T { void a(); void b(); } | @ProviderType public interface T { void b(); void a(); }",
            })
    void whatNobodyOutsideSeesNeedsNoStep(String change, String before, String after) throws IOException {
        assertThat(problems(compile("1.2.0", before), true)).isEmpty();
        assertThat(problems(compile("1.2.0", after), false)).isEmpty();
    }

    @Test
    void writingDoesNotSilenceAMissingStep() throws IOException {
        Path before = compile("1.2.0", "@ProviderType public interface T { void a(); }");
        problems(before, true);
        Path after = compile("1.2.0", "@ProviderType public interface T {}");
        assertThat(problems(after, true)).singleElement().asString().contains("removed", "example.api.T.a()");
        assertThat(problems(before, false)).isEmpty();
    }

    @Test
    void belowOneTheMinorNumberStandsForEveryChange() throws IOException {
        problems(compile("0.1.0", "@ProviderType public interface T { void a(); }"), true);
        String after = "@ProviderType public interface T {}";
        assertThat(problems(compile("0.1.9", after), false))
                .singleElement()
                .asString()
                .contains("must be 0.2.0");
        assertThat(problems(compile("0.2.0", after), true)).isEmpty();
    }

    @Test
    void versionMustNotGoBackAndANewVersionBelongsInTheList() throws IOException {
        String type = "public final class T {}";
        problems(compile("1.2.0", type), true);
        assertThat(problems(compile("1.1.0", type), true))
                .singleElement()
                .asString()
                .contains("went back from 1.2.0");
        assertThat(problems(compile("1.2.1", type), false))
                .singleElement()
                .asString()
                .contains("update");
    }

    @Test
    void namesAPackageThatIsNoLongerExported() throws IOException {
        problems(compile("1.2.0", "public final class T {}"), true);
        Files.writeString(directory.resolve("lists/example.gone.txt"), "version 1.0.0\n");
        assertThat(problems(compile("1.2.0", "public final class T {}"), false))
                .singleElement()
                .asString()
                .contains("example.gone: is no longer exported");
    }

    @Test
    void allExportedPackagesOfAManifestAreRead() throws IOException {
        assertThat(SignatureReader.read(Path.of("target", "classes")).stream().map(PackageSignatures::name))
                .contains(
                        "io.berth.spi",
                        "io.berth.spi.backend",
                        "io.berth.spi.distribution",
                        "io.berth.spi.ha",
                        "io.berth.spi.matching",
                        "io.berth.spi.scaling");
    }
}
