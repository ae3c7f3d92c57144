package io.berth.itests.workflow;

import io.berth.itests.operators.WorkflowTask;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * A graph of tasks, as Pegasus describes one in a DAX file: a task starts when all of its parents have ended. Immutable.
 *
 * @param tasks parents before their children
 */
public record Workflow(String name, List<Task> tasks) {

    /**
     * A task.
     *
     * @param seconds its run time
     * @param parents ids of the tasks whose results it reads
     */
    public record Task(String id, double seconds, List<String> parents) {

        public Task {
            parents = List.copyOf(parents);
        }
    }

    /** A task reads the result of another one. */
    public record Dependency(String parent, String child) {}

    /** @throws IllegalArgumentException when tasks are there twice or not at all, or depend on each other */
    public Workflow {
        tasks = ordered(name, tasks);
    }

    private static List<Task> ordered(String name, List<Task> tasks) {
        Map<String, Task> left = new LinkedHashMap<>();
        for (Task task : tasks) {
            if (left.put(task.id(), task) != null) {
                throw new IllegalArgumentException(name + " has task " + task.id() + " twice; allowed: each id once");
            }
        }
        List<Task> ordered = new ArrayList<>();
        Set<String> done = new HashSet<>();
        while (!left.isEmpty()) {
            List<Task> next = left.values().stream()
                    .filter(task -> done.containsAll(task.parents()))
                    .toList();
            if (next.isEmpty()) {
                throw new IllegalArgumentException(name + ": the tasks " + left.keySet()
                        + " depend on each other or on tasks that are not there; allowed: a graph without cycles");
            }
            for (Task task : next) {
                left.remove(task.id());
                done.add(task.id());
                ordered.add(task);
            }
        }
        return List.copyOf(ordered);
    }

    /** Reads a DAX file. The workflow has the name of the file without its ending. */
    public static Workflow read(Path file) throws IOException {
        try (InputStream dax = Files.newInputStream(file)) {
            return parse(file.getFileName().toString().replaceFirst("\\.[^.]*$", ""), dax);
        }
    }

    /** Reads DAX: {@code job} elements with {@code id} and {@code runtime}, and for each {@code child} its parents. */
    public static Workflow parse(String name, InputStream dax) throws IOException {
        Document document;
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            document = factory.newDocumentBuilder().parse(dax);
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException(name + " is not a DAX file: " + e.getMessage(), e);
        }
        Map<String, List<String>> parents = new HashMap<>();
        for (Element child : elements(document.getDocumentElement(), "child")) {
            List<String> own = parents.computeIfAbsent(child.getAttribute("ref"), first -> new ArrayList<>());
            elements(child, "parent").forEach(parent -> own.add(parent.getAttribute("ref")));
        }
        List<Task> tasks = new ArrayList<>();
        for (Element job : elements(document.getDocumentElement(), "job")) {
            String id = job.getAttribute("id");
            List<String> own = parents.getOrDefault(id, List.of());
            tasks.add(new Task(
                    id,
                    Double.parseDouble(job.getAttribute("runtime")),
                    own.stream().distinct().toList()));
        }
        return new Workflow(name, tasks);
    }

    private static List<Element> elements(Element parent, String name) {
        NodeList all = parent.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int index = 0; index < all.getLength(); index++) {
            elements.add((Element) all.item(index));
        }
        return elements;
    }

    /** All dependencies, child by child. */
    public List<Dependency> dependencies() {
        return tasks.stream()
                .flatMap(task -> task.parents().stream().map(parent -> new Dependency(parent, task.id())))
                .toList();
    }

    /** Ids of the tasks whose results no other task reads. */
    public SortedSet<String> sinks() {
        SortedSet<String> sinks = new TreeSet<>();
        tasks.forEach(task -> sinks.add(task.id()));
        tasks.forEach(task -> task.parents().forEach(sinks::remove));
        return sinks;
    }

    private Task task(String id) {
        return tasks.stream().filter(task -> task.id().equals(id)).findFirst().orElseThrow();
    }

    /** A task in the middle, which has parents and children. */
    public Task middle() {
        SortedSet<String> sinks = sinks();
        return tasks.stream()
                .skip(tasks.size() / 2)
                .filter(task -> !task.parents().isEmpty() && !sinks.contains(task.id()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name + " has no task with parents and children"));
    }

    /** Ids of the task and of all tasks that need its result, directly or over others. */
    public SortedSet<String> from(String id) {
        SortedSet<String> reached = new TreeSet<>(Set.of(id));
        for (Task task : tasks) {
            if (task.parents().stream().anyMatch(reached::contains)) {
                reached.add(task.id());
            }
        }
        return reached;
    }

    /** The checksum of each sink when every task ran on the results of all its parents. */
    public SortedMap<String, Long> checksums() {
        Map<String, Long> all = new HashMap<>();
        for (Task task : tasks) {
            List<Long> inputs = task.parents().stream()
                    .map(parent -> Objects.requireNonNull(all.get(parent)))
                    .toList();
            all.put(task.id(), WorkflowTask.checksum(task.id(), inputs));
        }
        SortedMap<String, Long> ofSinks = new TreeMap<>();
        sinks().forEach(sink -> ofSinks.put(sink, all.get(sink)));
        return ofSinks;
    }

    /**
     * The tasks that have to run again when workers are lost. A result is stored for each child until that child has
     * ended. So a task runs again when it ran on a lost worker, or when its result was there and a task needs it that
     * has not ended, or that runs again.
     *
     * @param ended tasks that have ended
     * @param running tasks that run and have read all of their inputs
     * @param lost tasks that ran on the lost workers
     */
    public SortedSet<String> repeated(Set<String> ended, Set<String> running, Set<String> lost) {
        SortedSet<String> repeated = new TreeSet<>();
        Deque<String> todo = new ArrayDeque<>();
        for (Task task : tasks) {
            boolean runs = running.contains(task.id());
            if (runs && lost.contains(task.id())) {
                repeated.add(task.id());
            }
            if (!ended.contains(task.id()) && (!runs || lost.contains(task.id()))) {
                task.parents().stream()
                        .filter(parent -> ended.contains(parent) && lost.contains(parent))
                        .forEach(todo::add);
            }
        }
        while (!todo.isEmpty()) {
            String next = todo.remove();
            if (repeated.add(next)) {
                todo.addAll(task(next).parents());
            }
        }
        return repeated;
    }
}
