package io.sluice.ops;

import io.sluice.plugins.api.Secret;
import io.sluice.tenants.NodeRole;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What {@code up} prints when it serves. The ready line comes last, so that whoever waits for it has read the rest. */
final class Greeting {
    private static final String QUESTION = "\"messages\":[{\"role\":\"user\",\"content\":\"Why is the sky blue?\"}]";

    private static final String DATA_ONLY = "data: takes requests of apps, and owns no pool and no tenant";
    private static final String CONTROL_ONLY = "control: owns pools and tenants, and takes no requests of apps";

    private Greeting() {}

    /**
     * What a person needs to know.
     *
     * @param roles of the node
     * @param host as configured
     * @param port of the data plane, as bound; without meaning on a node that has none
     * @param adminPort of management, as bound
     * @param madeToken the administrator's token, only when it was made just now
     * @param tokenIsSet whether the settings have an administrator's token
     * @param demoKey of the demo tenant, where there is one
     * @param pluginsSkipped which plugins are not used, and why
     */
    record Facts(
            Set<NodeRole> roles,
            String host,
            int port,
            int adminPort,
            Path dataDir,
            Optional<Secret> madeToken,
            boolean tokenIsSet,
            Optional<Secret> demoKey,
            List<String> pluginsSkipped) {
        Facts {
            roles = Set.copyOf(roles);
            pluginsSkipped = List.copyOf(pluginsSkipped);
        }

        String apps() {
            return "http://" + authority(port);
        }

        String management() {
            return "http://" + authority(adminPort);
        }

        /** Where this machine itself reaches it: a wildcard is an address to listen on, not to connect to. */
        private String authority(int ofPort) {
            String reachable = switch (host) {
                case "0.0.0.0" -> "127.0.0.1";
                case "::" -> "::1";
                default -> host;
            };
            return (reachable.indexOf(':') >= 0 ? "[" + reachable + "]" : reachable) + ":" + ofPort;
        }
    }

    /** The text for {@code facts}, now. */
    static String text(Facts facts) {
        StringBuilder text = new StringBuilder();
        boolean data = facts.roles().contains(NodeRole.DATA);
        boolean control = facts.roles().contains(NodeRole.CONTROL);
        if (data) {
            line(text, "Apps", facts.apps() + "/v1");
        }
        line(
                text,
                "Management",
                facts.management()
                        + (control
                                ? "/graphql (also /metrics, /livez, /readyz)"
                                : "/metrics (also /livez, /readyz; GraphQL is on nodes with the role control)"));
        if (!(data && control)) {
            line(text, "Role", data ? DATA_ONLY : CONTROL_ONLY);
        }
        line(text, "Data", facts.dataDir().toString());
        if (control) {
            line(text, "Admin token", token(facts));
        }
        facts.pluginsSkipped().forEach(plugin -> line(text, "Not used", "plugin " + plugin));
        facts.demoKey().ifPresent(key -> demo(text, facts, key));
        text.append("Sluice is ready, ")
                .append(JvmAge.ms())
                .append(" ms after the start of its JVM. Ctrl-C drains and stops it.\n");
        return text.toString();
    }

    private static void demo(StringBuilder text, Facts facts, Secret key) {
        line(text, "GraphiQL", facts.management() + "/graphiql");
        String curl = " " + facts.apps() + "/v1/chat/completions -H 'Authorization: Bearer " + key.reveal()
                + "' -H 'Content-Type: application/json' -d '{\"model\":\"auto\",";
        text.append("\nA request of the demo tenant, whole and as a stream:\n\n");
        text.append("curl -i").append(curl).append(QUESTION).append("}'\n\n");
        text.append("curl -iN")
                .append(curl)
                .append("\"stream\":true,")
                .append(QUESTION)
                .append("}'\n\n");
    }

    private static String token(Facts facts) {
        if (facts.madeToken().isPresent()) {
            return facts.madeToken().get().reveal() + " (shown only now; SLUICE_ADMIN_TOKEN sets one of your own)";
        }
        return facts.tokenIsSet()
                ? "the one of the settings (SLUICE_ADMIN_TOKEN)"
                : "shown at the first start with this data directory; lost? set another with SLUICE_ADMIN_TOKEN";
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(String.format("%-12s %s%n", name, value));
    }
}
