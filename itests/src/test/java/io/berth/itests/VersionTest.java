package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.Test;

/** The version of Berth is defined in one place. */
public class VersionTest {

    private static final Path ROOT = Path.of("..");
    private static final Path SAMPLE = Path.of("sample-policy", "pom.xml");
    private static final Pattern READ_BY_A_BUILD = Pattern.compile(".*\\.(xml|ya?ml|properties|cfg|bnd|sh)|berth|run");
    private static final Set<String> SKIPPED = Set.of("target", ".git", ".berth", ".idea", "node_modules");

    private static String only(String element, Path file) throws IOException {
        Matcher found =
                Pattern.compile("<" + element + ">([^<$]+)</" + element + ">").matcher(Files.readString(file));
        assertTrue(element + " in " + file, found.find());
        return found.group(1);
    }

    @Test
    public void noOtherFileOfTheBuildContainsIt() throws IOException {
        Path root = ROOT.resolve("pom.xml");
        String version = only("revision", root);
        List<Path> naming = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                boolean skipped = SKIPPED.contains(directory.getFileName().toString());
                return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (READ_BY_A_BUILD.matcher(file.getFileName().toString()).matches()
                        && Files.readString(file).contains(version)) {
                    naming.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        naming.sort(null);
        assertEquals(List.of(ROOT.resolve("itests").resolve(SAMPLE), root), naming);
    }

    /** Its build is not part of this one, and a reader of docs/write-a-policy.md copies it elsewhere. */
    @Test
    public void theSamplePolicyHasTheSameVersion() throws IOException {
        assertEquals(only("revision", ROOT.resolve("pom.xml")), only("berth.version", SAMPLE));
    }
}
