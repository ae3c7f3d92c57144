package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import io.berth.core.api.job.Problem;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.inject.Inject;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;

/** Each mistake in a description is reported with its field, the given value and what is allowed. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class BadDescriptionsIT {

    @Inject
    private JobOperations jobs;

    @Inject
    private ClusterOperations operations;

    private Cluster cluster;
    private String hash;
    private String good;

    @Configuration
    public Option[] configuration() {
        return new Option[] {BerthContainer.cluster(0, 0, 1)};
    }

    @Before
    public void describeAJob() throws Exception {
        cluster = new Cluster(jobs, operations);
        hash = cluster.bundle(Cluster.file("berth.wordcount.jar"));
        good = Jobs.wordCount("good", hash, Path.of("/texts/a.txt"), Path.of("/out"), 1, 4);
    }

    @After
    public void nothingIsSubmitted() throws Exception {
        assertEquals(List.of(), cluster.jobs());
    }

    /** The description with one mistake is rejected with exactly one problem: this field and these words. */
    private void refuses(UnaryOperator<String> mistake, String field, String... words) throws Exception {
        String description = mistake.apply(good);
        assertFalse("the mistake was not made", description.equals(good));
        List<Problem> problems = cluster.refusal(description);
        assertEquals(problems.toString(), 1, problems.size());
        Problem problem = problems.get(0);
        assertEquals(problem.toString(), field, problem.field());
        for (String word : words) {
            assertTrue("'" + word + "' in: " + problem, problem.toString().contains(word));
        }
    }

    private static UnaryOperator<String> changing(String from, String to) {
        return text -> text.replaceFirst(Pattern.quote(from), Matcher.quoteReplacement(to));
    }

    @Test
    public void textThatIsNotYaml() throws Exception {
        refuses(text -> text + "edges: [", "", "not readable", "line");
    }

    @Test
    public void emptyText() throws Exception {
        refuses(text -> "  \n", "", "empty", "name and vertices");
    }

    @Test
    public void tagThatWouldCreateAnObject() throws Exception {
        refuses(changing("name: good", "name: !!java.net.URL [x]"), "name", "java.net.URL", "no tags");
    }

    @Test
    public void unknownField() throws Exception {
        refuses(changing("name: good", "name: good\npriorty: 3"), "priorty", "did you mean 'priority'?");
    }

    @Test
    public void missingName() throws Exception {
        refuses(changing("name: good\n", ""), "name", "missing", "1 to 64 letters");
    }

    @Test
    public void numberOutOfRange() throws Exception {
        refuses(changing("name: good", "name: good\npriority: 5000"), "priority", "5000", "-1000 to 1000");
    }

    @Test
    public void bundleThatWasNotUploaded() throws Exception {
        refuses(changing(hash, hash + ", " + "ab".repeat(32)), "bundles[1]", "abab", "PUT /v1/bundles/");
    }

    @Test
    public void bundleByItsPath() throws Exception {
        refuses(changing(hash, hash + ", words.jar"), "bundles[1]", "words.jar", "SHA-256");
    }

    @Test
    public void operatorThatNoBundleOffers() throws Exception {
        refuses(
                changing("operator: word-count", "operator: word-cuont"),
                "vertices[2].operator",
                "'word-cuont'",
                "did you mean 'word-count'?");
    }

    @Test
    public void twoVerticesWithTheSameName() throws Exception {
        refuses(
                changing("name: count", "name: count\n    operator: word-count\n  - name: count"),
                "vertices[3].name",
                "'count'",
                "a unique name");
    }

    @Test
    public void minimumAboveDesired() throws Exception {
        refuses(
                changing("{min: 1, desired: 4}", "{min: 5, desired: 4}"),
                "vertices[0].parallelism.min",
                "5",
                "at most desired, 4");
    }

    @Test
    public void parallelismOfNothing() throws Exception {
        refuses(changing("parallelism: 1", "parallelism: 0"), "vertices[3].parallelism", "0", "1 to 32768");
    }

    @Test
    public void fewerKeyGroupsThanParallelism() throws Exception {
        refuses(
                changing("operator: word-count", "operator: word-count\n    maxParallelism: 3"),
                "vertices[2].maxParallelism",
                "3",
                "at least the largest parallelism, 4");
    }

    @Test
    public void edgeToNoVertex() throws Exception {
        refuses(changing("to: order", "to: ordre"), "edges[2].to", "'ordre'", "did you mean 'order'?");
    }

    @Test
    public void edgeWithoutPartitioning() throws Exception {
        refuses(changing(", partitioning: hash", ""), "edges[1].partitioning", "missing", "broadcast");
    }

    @Test
    public void forwardBetweenDifferentParallelism() throws Exception {
        refuses(
                changing("partitioning: rebalance", "partitioning: forward"),
                "edges[2].partitioning",
                "1:4:4",
                "1:1:1",
                "rebalance");
    }

    @Test
    public void unknownExchange() throws Exception {
        refuses(
                changing("partitioning: hash", "partitioning: hash, exchange: blockin"),
                "edges[1].exchange",
                "'blockin'",
                "did you mean 'blocking'?");
    }

    @Test
    public void forwardOnABlockingEdge() throws Exception {
        refuses(
                changing("partitioning: forward", "partitioning: forward, exchange: blocking"),
                "edges[0].partitioning",
                "from 'read' to 'split' on a blocking edge");
    }

    @Test
    public void cycle() throws Exception {
        refuses(
                changing("edges:\n", "edges:\n  - {from: order, to: count, partitioning: hash}\n"),
                "edges",
                "count",
                "order",
                "no cycles");
    }

    @Test
    public void groupThatDoesNotExist() throws Exception {
        refuses(
                changing("operator: word-count", "operator: word-count\n    slotSharingGroup: big"),
                "vertices[2].slotSharingGroup",
                "'big'",
                "slotSharingGroups");
    }

    @Test
    public void profileInAnUnknownUnit() throws Exception {
        refuses(
                text -> changing("operator: word-count", "operator: word-count\n    slotSharingGroup: big")
                                .apply(text) + "slotSharingGroups:\n  - {name: big, cpu: 1, heap: 512x}\n",
                "slotSharingGroups[0].heap",
                "512x",
                "512m");
    }

    @Test
    public void scalingPolicyThatIsNotInstalled() throws Exception {
        refuses(
                changing("name: good", "name: good\npolicies: {scaling: magic}"),
                "policies.scaling",
                "'magic'",
                "reactive");
    }

    @Test
    public void allMistakesAreReportedAtOnce() throws Exception {
        List<Problem> problems = cluster.refusal(good.replace("name: good", "name: good\npriority: high")
                .replace("to: order", "to: ordre")
                .replace("parallelism: 1", "parallelism: 0"));
        List<String> fields = problems.stream().map(Problem::field).toList();
        assertTrue(
                problems.toString(),
                fields.containsAll(
                        List.of("priority", "edges[2].to", "vertices[3].parallelism", "vertices[4].parallelism")));
    }

    @Test
    public void bundleWithAnotherContentThanItsHash() throws Exception {
        byte[] content = Files.readAllBytes(Cluster.file("berth.wordcount.jar"));
        try {
            jobs.storeBundle("cd".repeat(32), new ByteArrayInputStream(content));
            throw new AssertionError("was stored");
        } catch (IllegalArgumentException refusal) {
            assertTrue(refusal.getMessage(), refusal.getMessage().contains("cdcd"));
        }
        assertTrue(jobs.bundle("cd".repeat(32)).isEmpty());
        assertTrue("the right one stays", jobs.bundle(hash).isPresent());
    }
}
