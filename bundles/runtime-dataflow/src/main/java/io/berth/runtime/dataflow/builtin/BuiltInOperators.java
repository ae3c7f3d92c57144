package io.berth.runtime.dataflow.builtin;

import io.berth.dataflow.api.OperatorFactory;
import io.berth.runtime.dataflow.connect.GeneratorFactory;
import io.berth.runtime.dataflow.connect.PrintSinkFactory;
import io.berth.runtime.dataflow.connect.SocketSourceFactory;
import io.berth.runtime.dataflow.files.FileSinkFactory;
import io.berth.runtime.dataflow.files.FileSourceFactory;
import io.berth.runtime.dataflow.files.csv.CsvSinkFactory;
import io.berth.runtime.dataflow.files.csv.CsvSourceFactory;
import io.berth.runtime.dataflow.files.json.JsonSinkFactory;
import io.berth.runtime.dataflow.files.json.JsonSourceFactory;
import java.util.SortedMap;
import java.util.TreeMap;

/** The operators that every worker has, by the names that job descriptions use. */
public final class BuiltInOperators {

    private BuiltInOperators() {}

    /** New factories of all of them. */
    public static SortedMap<String, OperatorFactory<?, ?>> all() {
        SortedMap<String, OperatorFactory<?, ?>> all = new TreeMap<>();
        all.put("csv-sink", new CsvSinkFactory());
        all.put("csv-source", new CsvSourceFactory());
        all.put("file-sink", new FileSinkFactory());
        all.put("file-source", new FileSourceFactory());
        all.put("generator", new GeneratorFactory());
        all.put("json-sink", new JsonSinkFactory());
        all.put("json-source", new JsonSourceFactory());
        all.put("print-sink", new PrintSinkFactory());
        all.put("socket-source", new SocketSourceFactory());
        return all;
    }
}
