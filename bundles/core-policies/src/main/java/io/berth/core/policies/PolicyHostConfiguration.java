package io.berth.core.policies;

import io.berth.core.policies.journal.JournalSettings;
import io.berth.core.policies.registry.HostSettings;
import io.berth.core.policies.registry.PolicyLimits;
import io.berth.core.policies.registry.Selector;
import io.berth.spi.PolicyKind;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of the policy host, PID {@code io.berth.core.policies}. */
@ObjectClassDefinition(name = "Berth policy host")
public @interface PolicyHostConfiguration {

    @AttributeDefinition(description = "Matching strategy: a name or an LDAP filter; empty: by ranking")
    String matching() default "";

    @AttributeDefinition(description = "Distribution policy: a name or an LDAP filter; empty: by ranking")
    String distribution() default "";

    @AttributeDefinition(
            description = "Scaling policy of jobs that do not choose: a name or an LDAP filter; empty: by ranking")
    String scaling() default "";

    @AttributeDefinition(description = "Names that decide in this order when the chosen matching strategy does not")
    String fallbacks_matching() default "";

    @AttributeDefinition(description = "Names that decide in this order when the chosen distribution policy does not")
    String fallbacks_distribution() default "";

    @AttributeDefinition(description = "Names that decide in this order when the chosen scaling policy does not")
    String fallbacks_scaling() default "";

    @AttributeDefinition(description = "Milliseconds a call of a matching strategy may take")
    long deadline_matching_ms() default 2000;

    @AttributeDefinition(description = "Milliseconds a call of a distribution policy may take")
    long deadline_distribution_ms() default 2000;

    @AttributeDefinition(description = "Milliseconds a call of a scaling policy may take")
    long deadline_scaling_ms() default 2000;

    @AttributeDefinition(description = "Milliseconds a call of a backend may take")
    long deadline_backend_ms() default 10000;

    @AttributeDefinition(
            description = "Matching strategies in development: no deadline, no quarantine, failures with stack traces")
    String development_matching() default "";

    @AttributeDefinition(
            description =
                    "Distribution policies in development: no deadline, no quarantine, failures with stack traces")
    String development_distribution() default "";

    @AttributeDefinition(
            description = "Scaling policies in development: no deadline, no quarantine, failures with stack traces")
    String development_scaling() default "";

    @AttributeDefinition(
            description = "Backends in development: no deadline, no quarantine, failures with stack traces")
    String development_backend() default "";

    @AttributeDefinition(
            description =
                    "Milliseconds a matching strategy may leave out a minimum that there is room for, with a reason")
    long left_out_limit_ms() default 60000;

    @AttributeDefinition(description = "How many failures in a row quarantine a policy")
    int quarantine_failures_in_a_row() default 3;

    @AttributeDefinition(
            description = "How many failures among the recent calls quarantine a policy, slow calls included")
    int quarantine_recent_failures() default 8;

    @AttributeDefinition(description = "How many calls are the recent ones")
    int quarantine_recent_calls() default 30;

    @AttributeDefinition(
            description =
                    "Milliseconds until a quarantined policy is tried again; doubled after each failure; 0: never")
    long quarantine_retry_ms() default 60000;

    @AttributeDefinition(description = "The longest time in milliseconds after which it is tried again")
    long quarantine_retry_max_ms() default 3600000;

    @AttributeDefinition(description = "A call that takes more than this percentage of its deadline is slow")
    int slow_call_percent() default 50;

    @AttributeDefinition(
            description = "How many decisions are remembered; fewer when they have more than 200000 lines together")
    int decisions_kept() default 10000;

    @AttributeDefinition(description = "Whether decisions are recorded in files, to be made again")
    boolean decisions_journal() default false;

    @AttributeDefinition(description = "What these files may have together, in MiB")
    int decisions_journal_mib() default 64;

    @AttributeDefinition(description = "Folder of these files; relative to the folder of Karaf")
    String decisions_journal_folder() default "data/decisions";

    @AttributeDefinition(description = "How many records of changes of policies are remembered of each kind")
    int swaps_kept() default 10000;

    /** Reads the settings from the configuration. */
    final class Settings {

        private Settings() {}

        static HostSettings of(PolicyHostConfiguration configuration) {
            SortedMap<PolicyKind, String> choices = new TreeMap<>();
            choices.put(PolicyKind.MATCHING, choice("matching", configuration.matching()));
            choices.put(PolicyKind.DISTRIBUTION, choice("distribution", configuration.distribution()));
            choices.put(PolicyKind.SCALING, choice("scaling", configuration.scaling()));
            SortedMap<PolicyKind, List<String>> fallbacks = new TreeMap<>();
            fallbacks.put(PolicyKind.MATCHING, names(configuration.fallbacks_matching()));
            fallbacks.put(PolicyKind.DISTRIBUTION, names(configuration.fallbacks_distribution()));
            fallbacks.put(PolicyKind.SCALING, names(configuration.fallbacks_scaling()));
            SortedMap<PolicyKind, Long> deadlines = new TreeMap<>();
            deadlines.put(PolicyKind.MATCHING, configuration.deadline_matching_ms());
            deadlines.put(PolicyKind.DISTRIBUTION, configuration.deadline_distribution_ms());
            deadlines.put(PolicyKind.SCALING, configuration.deadline_scaling_ms());
            deadlines.put(PolicyKind.BACKEND, configuration.deadline_backend_ms());
            SortedMap<PolicyKind, List<String>> development = new TreeMap<>();
            development.put(PolicyKind.MATCHING, names(configuration.development_matching()));
            development.put(PolicyKind.DISTRIBUTION, names(configuration.development_distribution()));
            development.put(PolicyKind.SCALING, names(configuration.development_scaling()));
            development.put(PolicyKind.BACKEND, names(configuration.development_backend()));
            return new HostSettings(
                    choices,
                    fallbacks,
                    deadlines,
                    development,
                    configuration.decisions_kept(),
                    configuration.swaps_kept(),
                    new PolicyLimits(
                            configuration.left_out_limit_ms(),
                            configuration.quarantine_failures_in_a_row(),
                            configuration.quarantine_recent_failures(),
                            configuration.quarantine_recent_calls(),
                            configuration.slow_call_percent(),
                            configuration.quarantine_retry_ms(),
                            configuration.quarantine_retry_max_ms()));
        }

        /** @param base for a relative folder */
        static JournalSettings journal(PolicyHostConfiguration configuration, Path base) {
            String folder = configuration.decisions_journal_folder().trim();
            try {
                if (!folder.isEmpty()) {
                    return new JournalSettings(
                            configuration.decisions_journal(),
                            base.resolve(folder),
                            configuration.decisions_journal_mib());
                }
            } catch (InvalidPathException invalid) {
                // Reported below, as an empty one is.
            }
            throw new IllegalArgumentException(
                    "decisions.journal.folder is '" + folder + "': the path of a folder is allowed");
        }

        /** A name may belong to a policy that is installed later; a filter must be valid. */
        private static String choice(String key, String text) {
            String selector = text.trim();
            try {
                Selector.of(selector);
            } catch (IllegalArgumentException invalid) {
                throw new IllegalArgumentException(
                        key + " is " + invalid.getMessage() + "; allowed is a name or an LDAP filter", invalid);
            }
            return selector;
        }

        private static List<String> names(String list) {
            return Arrays.stream(list.split(","))
                    .map(String::trim)
                    .filter(name -> !name.isEmpty())
                    .toList();
        }
    }
}
