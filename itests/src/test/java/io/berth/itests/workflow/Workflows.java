package io.berth.itests.workflow;

import io.berth.itests.workflow.Workflow.Task;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;

/** Workflows for tests that need no data. */
public final class Workflows {

    private static final int WIDTH = 25;

    private static final String SMALL = """
            <adag name='small'>
              <job id='ID00' name='split' runtime='12'/>
              <job id='ID01' name='split' runtime='9'/>
              <job id='ID02' name='index' runtime='15'/>
              <job id='ID03' name='map' runtime='8'/>
              <job id='ID04' name='map' runtime='11'/>
              <job id='ID05' name='sort' runtime='5'/>
              <job id='ID06' name='sort' runtime='7'/>
              <job id='ID07' name='sort' runtime='6'/>
              <job id='ID08' name='merge' runtime='4'/>
              <job id='ID09' name='merge' runtime='10'/>
              <job id='ID10' name='plot' runtime='3'/>
              <job id='ID11' name='store' runtime='2'/>
              <child ref='ID03'><parent ref='ID00'/><parent ref='ID01'/></child>
              <child ref='ID04'><parent ref='ID01'/><parent ref='ID02'/></child>
              <child ref='ID05'><parent ref='ID03'/></child>
              <child ref='ID06'><parent ref='ID04'/></child>
              <child ref='ID07'><parent ref='ID02'/></child>
              <child ref='ID08'><parent ref='ID05'/></child>
              <child ref='ID09'><parent ref='ID06'/><parent ref='ID07'/></child>
              <child ref='ID10'><parent ref='ID08'/></child>
              <child ref='ID11'><parent ref='ID08'/><parent ref='ID09'/></child>
            </adag>
            """;

    private Workflows() {}

    /** Twelve tasks in five layers. */
    public static Workflow small() throws IOException {
        return Workflow.parse("small", new ByteArrayInputStream(SMALL.getBytes(StandardCharsets.UTF_8)));
    }

    /** Layers of tasks, each of which reads the result of the same place in the layer before, and up to three others. */
    public static Workflow layered(int size, Random random) {
        List<Task> tasks = new ArrayList<>();
        for (int index = 0; index < size; index++) {
            SortedSet<String> parents = new TreeSet<>();
            int layer = index / WIDTH * WIDTH;
            if (layer > 0) {
                parents.add(id(index - WIDTH));
                for (int other = random.nextInt(4); other < 3; other++) {
                    parents.add(id(layer - WIDTH + random.nextInt(WIDTH)));
                }
            }
            tasks.add(new Task(id(index), 1 + random.nextInt(20), List.copyOf(parents)));
        }
        return new Workflow("layered-" + size, tasks);
    }

    private static String id(int index) {
        return "t" + index;
    }
}
