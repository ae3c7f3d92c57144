package io.berth.ops.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote beside this class. */
final class BuildVersion implements IVersionProvider {

    @Override
    public String[] getVersion() throws IOException {
        Properties properties = new Properties();
        try (InputStream file = BuildVersion.class.getResourceAsStream("version.properties")) {
            properties.load(file);
        }
        return new String[] {"Berth " + properties.getProperty("version")};
    }
}
