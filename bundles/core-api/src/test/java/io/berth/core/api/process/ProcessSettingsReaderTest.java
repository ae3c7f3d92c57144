package io.berth.core.api.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.job.Problem;
import io.berth.core.api.process.ProcessSettings.Health;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ProcessSettingsReaderTest {

    private static ProcessSettingsReader.Read read(Map<String, String> configuration) {
        return ProcessSettingsReader.read(new TreeMap<>(configuration));
    }

    private static List<String> problems(Map<String, String> configuration) {
        ProcessSettingsReader.Read read = read(configuration);
        assertThat(read.settings()).isEmpty();
        return read.problems().stream().map(Problem::toString).toList();
    }

    @Test
    void wordsAreSplitAsByAShellThatExpandsNothing() {
        assertThat(CommandText.words(" a  'b $c \\' \"d 'e' \\\" f\" g\\ h '' x\"y\"z\n"))
                .containsExactly("a", "b $c \\", "d 'e' \" f", "g h", "", "xyz");
        assertThat(CommandText.words("a \\\n  b\\\nc \"d\\\ne\" \\\n")).containsExactly("a", "bc", "de");
        assertThat(CommandText.words("grep \"\\.txt \\$x \\\\ \\\"\"")).containsExactly("grep", "\\.txt \\$x \\ \"");
        assertThat(CommandText.words(" \n")).isEmpty();
        assertThatThrownBy(() -> CommandText.words("a \"b")).hasMessage("the quote \" is not closed");
        assertThatThrownBy(() -> CommandText.words("a\\")).hasMessage("the backslash at its end keeps no character");
    }

    @Test
    void allSettingsAreRead() {
        ProcessSettings settings = read(Map.of(
                        "command", "./train --fast",
                        "directory", "/opt",
                        "environment.A", "b",
                        "health.command", "alive",
                        "health.interval.ms", "500",
                        "stop.signal", "INT",
                        "stop.timeout.ms", "7",
                        "exit.codes.permanent", "2, 64-78"))
                .settings()
                .orElseThrow();
        assertThat(settings.command()).containsExactly("./train", "--fast");
        assertThat(settings.directory()).contains("/opt");
        assertThat(settings.environment()).containsExactly(Map.entry("A", "b"));
        assertThat(settings.health()).contains(new Health(List.of("alive"), 500, 10_000, 3));
        assertThat(settings.stopSignal()).isEqualTo("INT");
        assertThat(settings.stopTimeoutMillis()).isEqualTo(7);
        assertThat(List.of(1, 2, 3, 63, 64, 78, 79))
                .filteredOn(settings::isPermanent)
                .containsExactly(2, 64, 78);
    }

    @Test
    void defaultsAreFilledIn() {
        ProcessSettings settings = read(Map.of("script", "exit 0")).settings().orElseThrow();
        assertThat(settings.command()).isEmpty();
        assertThat(settings.health()).isEmpty();
        assertThat(settings.stopSignal()).isEqualTo("TERM");
        assertThat(settings.stopTimeoutMillis()).isEqualTo(10_000);
    }

    @Test
    void eachBadValueIsNamed() {
        assertThat(problems(Map.of("command", "run {script}")))
                .singleElement()
                .asString()
                .startsWith("command is '{script}' without a script: ");
        assertThat(problems(Map.of("command", "run", "health.command", "sh {script} check")))
                .singleElement()
                .asString()
                .startsWith("health.command is '{script}' without a script: ");
        assertThat(problems(Map.of("command", "")))
                .containsExactly("command is '': a program, and its arguments after it");
        assertThat(problems(Map.of("command", "a", "directory", "tmp")))
                .containsExactly("directory is 'tmp': an absolute path, as workers see it");
        assertThat(problems(Map.of("command", "a", "environment.1A", "", "environment.BERTH_RANK", "7")))
                .containsExactly(
                        "environment.1A is the variable '1A': a name of 1 to 100 letters, digits and '_', no digit first",
                        "environment.BERTH_RANK is the variable 'BERTH_RANK': names that do not begin with BERTH_: Berth"
                                + " sets those");
        assertThat(problems(Map.of("command", "a", "health.timeout.ms", "5000")))
                .containsExactly("health.timeout.ms is '5000' without a health.command: both, or neither");
        assertThat(problems(Map.of("command", "a", "exit.codes.permanent", "0, 9-7, 256, x, 3")))
                .extracting(text -> text.substring(0, text.indexOf(':')))
                .containsExactly(
                        "exit.codes.permanent is '0'",
                        "exit.codes.permanent is '9-7'",
                        "exit.codes.permanent is '256'",
                        "exit.codes.permanent is 'x'");
        assertThat(problems(Map.of("command", "a", "stop.timeout.ms", "1m")))
                .containsExactly("stop.timeout.ms is '1m': a whole number from 0 to 120000");
    }
}
