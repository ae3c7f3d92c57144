package io.berth.runtime.dataflow.connect;

import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Operator;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.Sink;
import java.io.PrintStream;
import java.util.function.Supplier;
import org.osgi.service.component.annotations.Component;

/**
 * {@code print-sink}: one line per record, after vertex and subtask: {@code [print/0] text}. A worker puts what its tasks print into
 * their logs.
 * <ul>
 * <li>{@code prefix}: instead of the name of the vertex
 * <li>{@code limit}: how many lines each task prints, default 100000; 0 for no limit
 * </ul>
 */
@Component(service = OperatorFactory.class)
@Operator("print-sink")
public final class PrintSinkFactory implements OperatorFactory<Object, Void> {

    private static final long DEFAULT_LIMIT = 100_000;

    private final Supplier<PrintStream> output;

    public PrintSinkFactory() {
        this(() -> System.out);
    }

    /** @param output is asked when a task starts, because the worker may have replaced it */
    PrintSinkFactory(Supplier<PrintStream> output) {
        this.output = output;
    }

    @Override
    public Sink<Object> create(Configuration configuration) {
        long limit = configuration.number("limit", DEFAULT_LIMIT, 0, Long.MAX_VALUE);
        return new PrintSink(configuration.text("prefix", ""), limit == 0 ? Long.MAX_VALUE : limit, output);
    }

    private static final class PrintSink implements Sink<Object> {
        private final String prefix;
        private final long limit;
        private final Supplier<PrintStream> output;
        private PrintStream out = System.out;
        private String head = "";
        private long printed;

        PrintSink(String prefix, long limit, Supplier<PrintStream> output) {
            this.prefix = prefix;
            this.limit = limit;
            this.output = output;
        }

        @Override
        public void open(OperatorContext context) {
            out = output.get();
            head = "[" + (prefix.isEmpty() ? context.vertex() : prefix) + "/" + context.subtask() + "] ";
        }

        @Override
        public void write(Object record) {
            if (printed < limit) {
                out.println(head + record);
            } else if (printed == limit) {
                out.println(head + "prints no more: its limit is " + limit + " lines");
            }
            printed++;
        }

        @Override
        public void endOfInput() {
            out.flush();
        }
    }
}
