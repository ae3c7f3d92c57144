package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import io.berth.client.BerthClient;
import io.berth.client.BerthException;
import io.berth.client.Job;
import io.berth.client.JobDescription;
import io.berth.client.JobInfo;
import io.berth.client.JobStatus;
import io.berth.client.Partitioning;
import io.berth.itests.OutsideCluster.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.Test;

/** A program uses the Java client: the control plane and its worker are processes of their own. */
public class ClientIT {

    private static List<Setting> settings() {
        return List.of(
                Setting.berth("backend.local", "workers.max", 2),
                Setting.berth("backend.local", "worker.memory", "256m"));
    }

    @Test
    public void aProgramSubmitsFollowsScalesAndCancels() throws Exception {
        try (OutsideCluster cluster = OutsideCluster.start("client", settings())) {
            BerthClient berth = BerthClient.at(cluster.address());
            Path text = BerthContainer.file("berth.text").toPath();
            Path output = Files.createDirectories(cluster.home().resolve("counts"));
            Job counting = berth.submit(JobDescription.named("words")
                    .bundle(BerthContainer.file("berth.wordcount.jar").toPath())
                    .vertex("read", "file-source", v -> v.parallelism(1, 2).set("path", text.toString()))
                    .vertex("split", "word-split", v -> v.parallelism(1, 2))
                    .vertex("count", "word-count", v -> v.parallelism(1, 2))
                    .vertex("order", "by-count")
                    .vertex(
                            "write",
                            "file-sink",
                            v -> v.set("path", output.toString()).set("file", "counts.tsv"))
                    .edge("read", "split", Partitioning.FORWARD)
                    .edge("split", "count", Partitioning.HASH)
                    .edge("count", "order", Partitioning.REBALANCE)
                    .edge("order", "write", Partitioning.FORWARD)
                    .build());
            JobInfo end = counting.awaitEnd(LIMIT);
            assertEquals(end.reason(), JobStatus.FINISHED, end.status());
            Map<String, Long> expected = Texts.words(text);
            assertEquals(Texts.lines(expected, 1), Files.readAllLines(output.resolve("counts.tsv")));

            Job endless = berth.submit(JobDescription.named("numbers")
                    .bundle(BerthContainer.file("berth.sequence.jar").toPath())
                    .vertex(
                            "sequence",
                            "sequence",
                            v -> v.set("records", 1L << 40).set("rate.per.second", 1_000))
                    .vertex("tally", "tally", v -> v.parallelism(1, 2))
                    .edge("sequence", "tally", Partitioning.REBALANCE)
                    .build());
            assertEquals(JobStatus.EXECUTING, endless.awaitRunning(LIMIT).status());
            endless.await(info -> info.vertex("tally").parallelism() == 2, LIMIT);
            assertEquals(2, endless.scale("tally", 1, 1).revision());
            endless.await(
                    info -> info.status() == JobStatus.EXECUTING
                            && info.vertex("tally").parallelism() == 1,
                    LIMIT);
            endless.cancel();
            assertEquals(JobStatus.CANCELED, endless.awaitEnd(LIMIT).status());
            assertEquals(2, berth.jobs().size());

            BerthException late = assertThrows(BerthException.class, () -> endless.scale("tally", 1, 2));
            assertEquals(BerthException.Kind.CONFLICT, late.kind());
            BerthException wrong = assertThrows(
                    BerthException.class,
                    () -> berth.submit(JobDescription.named("wrong")
                            .vertex("a", "no-such-operator")
                            .build()));
            assertEquals(BerthException.Kind.REFUSED, wrong.kind());
            assertEquals("vertices[0].operator", wrong.problems().get(0).field());
        }
    }
}
