package io.sluice.control;

import io.sluice.control.api.ConfigCommand;
import io.sluice.control.config.Given;
import java.nio.file.Path;

/**
 * A process that mutates and reports each acknowledged mutation on standard output, until it is killed. Every document it
 * applies holds two models that must live or die together.
 */
final class Mutator {
    private Mutator() {}

    public static void main(String[] args) {
        Running running = new Running(Path.of(args[0]));
        running.withAcme();
        for (int i = 0; ; i++) {
            int number = i;
            ConfigCommand both = new ConfigCommand.ApplyDocument(
                    "acme",
                    Given.json("{'models':[{'id':'a" + i + "','contextWindow':10,'maxOutputTokens':1},{'id':'b" + i
                            + "','contextWindow':10,'maxOutputTokens':1}]}"),
                    false,
                    null);
            running.plane.execute(Running.ROOT, both).onSuccess(outcome -> say(number));
            if (i % 20 == 19) {
                Running.await(running.plane.execute(Running.ROOT, both));
            }
        }
    }

    private static synchronized void say(int number) {
        System.out.println("acknowledged " + number);
        System.out.flush();
    }
}
