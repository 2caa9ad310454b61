package io.sluice.ops;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.vertx.core.VerticleBase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** Who may know whom, what a decision may use, and what things are called. A rule about classes that don't exist yet holds. */
@AnalyzeClasses(
        packages = "io.sluice",
        importOptions = {DoNotIncludeTests.class, ArchitectureTest.NoTestJars.class})
class ArchitectureTest {
    /** What other modules' tests lend to the tests here is no part of the product either. */
    static final class NoTestJars implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("-tests.jar");
        }
    }

    private static final String TENANTS = "io.sluice.tenants..";
    private static final String PLUGINS_API = "io.sluice.plugins.api..";
    private static final String BUS = "io.sluice.plugins.bus..";
    private static final String PLUGINS = "io.sluice.plugins..";
    private static final String CONTROL = "io.sluice.control..";
    private static final String CONTROL_API = "io.sluice.control.api..";
    private static final String DATA = "io.sluice.data..";
    private static final String GRAPHQL = "io.sluice.graphql..";

    private static final Map<String, String> MODULES = Map.of(
            "tenants", "io.sluice.tenants",
            "plugins/api", "io.sluice.plugins.api",
            "plugins/bundled", "io.sluice.plugins.openai",
            "control-plane", "io.sluice.control",
            "data-plane", "io.sluice.data",
            "graphql", "io.sluice.graphql",
            "ops", "io.sluice.ops");

    /** A rule that looks at no class passes; so whatever has source must be among the classes looked at. */
    @ArchTest
    static void looksAtEveryModuleThatHasCode(JavaClasses classes) throws IOException {
        for (Map.Entry<String, String> module : MODULES.entrySet()) {
            if (hasCode(Path.of("..", module.getKey(), "src/main/java"))) {
                assertThat(classes)
                        .as("classes of %s", module.getKey())
                        .anyMatch(type -> type.getPackageName().startsWith(module.getValue()));
            }
        }
    }

    private static boolean hasCode(Path sources) throws IOException {
        try (var files = Files.walk(sources)) {
            return files.map(file -> file.getFileName().toString())
                    .anyMatch(name -> name.endsWith(".java") && !name.equals("package-info.java"));
        }
    }

    @ArchTest
    static final ArchRule tenantsKnowTheJdkAndJacksonOnly = classes()
            .that()
            .resideInAPackage(TENANTS)
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage("java..", "javax.crypto..", "com.fasterxml.jackson..", TENANTS))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule thePluginApiKnowsNoneOfItsUsers = mayKnow(PLUGINS_API, TENANTS, PLUGINS_API);

    @ArchTest
    static final ArchRule pluginsKnowTheirApiOnly = mayKnow(PLUGINS, TENANTS, PLUGINS);

    @ArchTest
    static final ArchRule onePluginDoesNotKnowAnother = slices().matching("io.sluice.plugins.(*)..")
            .should()
            .notDependOnEachOther()
            .ignoreDependency(alwaysTrue(), resideInAPackage(PLUGINS_API))
            // The simulator speaks the OpenAI dialect by the codec that the openai plugin has.
            .ignoreDependency(
                    resideInAPackage("io.sluice.plugins.simulator.."), resideInAPackage("io.sluice.plugins.openai.."))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule theControlPlaneDoesNotKnowTheDataPlane = mayKnow(CONTROL, TENANTS, PLUGINS_API, BUS, CONTROL);

    @ArchTest
    static final ArchRule theDataPlaneDoesNotKnowTheControlPlane = mayKnow(DATA, TENANTS, PLUGINS_API, BUS, DATA);

    @ArchTest
    static final ArchRule graphqlKnowsOnlyTheApiOfTheControlPlane =
            mayKnow(GRAPHQL, TENANTS, PLUGINS_API, CONTROL_API, GRAPHQL);

    @ArchTest
    static final ArchRule theApiOfTheControlPlaneHidesWhatIsBehindIt =
            mayKnow(CONTROL_API, TENANTS, PLUGINS_API, CONTROL_API);

    @ArchTest
    static final ArchRule onlyAdaptersKnowHazelcast =
            onlyAdaptersKnow("hazelcast", "com.hazelcast..", "io.vertx.spi.cluster.hazelcast..");

    @ArchTest
    static final ArchRule onlyAdaptersKnowRedis = onlyAdaptersKnow("redis", "io.vertx.redis..");

    @ArchTest
    static final ArchRule onlyAnAdapterKnowsTheTokeniser = onlyAdaptersKnow("jtokkit", "com.knuddels..");

    @ArchTest
    static final ArchRule decisionsReadNoClock = noClasses()
            .that(decide())
            .should()
            .accessTargetWhere(readsTheClock())
            .orShould()
            .callConstructor(java.util.Date.class)
            .because("time is an argument, so that a decision can be replayed")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule decisionsDrawNoRandomBits = noClasses()
            .that(decide())
            .should()
            .accessTargetWhere(drawsRandomBits())
            .orShould()
            .callConstructor(Random.class)
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.security.SecureRandom")
            .because("random bits are an argument, so that a decision can be replayed")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule decisionsStartNoThread = noClasses()
            .that(decide())
            .should()
            .dependOnClassesThat(assignableTo(Thread.class)
                    .or(assignableTo(Executor.class))
                    .or(belongToAnyOf(Executors.class, CompletableFuture.class, Timer.class)))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule decisionsDoNoInputOrOutput = noClasses()
            .that(decide())
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.vertx..", "io.netty..", "com.hazelcast..", "java.sql..", "java.net.http..")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("io.sluice.(**)").should().beFreeOfCycles().allowEmptyShould(true);

    /** BaseUrl is a word of the field, not the base of a family. */
    @ArchTest
    static final ArchRule namesSayWhatAThingIs = noClasses()
            .should()
            .haveNameMatching(
                    ".*[.$][A-Za-z0-9]*(Impl|Helper|Utils?|Manager|Abstract|Base(?!Url)|Common|Constants)(?![a-z])[A-Za-z0-9$]*")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule actorsAreFinalVerticles = classes()
            .that()
            .haveSimpleNameEndingWith("Actor")
            .should()
            .beAssignableTo(VerticleBase.class)
            .andShould()
            .haveModifier(JavaModifier.FINAL)
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule serversAreVerticles = classes()
            .that()
            .haveSimpleNameEndingWith("Server")
            .should()
            .beAssignableTo(VerticleBase.class)
            .allowEmptyShould(true);

    /** Of our own packages, {@code who} may depend on {@code whom} and on nothing else. */
    private static ArchRule mayKnow(String who, String... whom) {
        return classes()
                .that()
                .resideInAPackage(who)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(whom).or(not(resideInAPackage("io.sluice.."))))
                .allowEmptyShould(true);
    }

    private static ArchRule onlyAdaptersKnow(String adapter, String... library) {
        return noClasses()
                .that()
                .resideOutsideOfPackage("io.sluice.*." + adapter + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(library)
                .allowEmptyShould(true);
    }

    /** Deciders, what is nested in them, and all of tenants. */
    private static DescribedPredicate<JavaClass> decide() {
        return DescribedPredicate.describe(
                "decide or reside in tenants",
                type -> type.getPackageName().startsWith("io.sluice.tenants")
                        || outermost(type).getSimpleName().endsWith("Decider"));
    }

    private static JavaClass outermost(JavaClass type) {
        return type.getEnclosingClass().map(ArchitectureTest::outermost).orElse(type);
    }

    private static DescribedPredicate<JavaAccess<?>> readsTheClock() {
        Set<String> ofSystem = Set.of("nanoTime", "currentTimeMillis");
        return calls("reads a clock", target -> {
            String owner = target.getOwner().getName();
            String name = target.getName();
            return (owner.equals("java.lang.System") && ofSystem.contains(name))
                    || (owner.startsWith("java.time.") && name.equals("now"))
                    || (owner.equals("java.time.Clock") && !name.equals("fixed"));
        });
    }

    private static DescribedPredicate<JavaAccess<?>> drawsRandomBits() {
        return calls("draws random bits", target -> switch (target.getOwner().getName() + "." + target.getName()) {
            case "java.lang.Math.random",
                    "java.util.UUID.randomUUID",
                    "java.util.concurrent.ThreadLocalRandom.current" -> true;
            default -> false;
        });
    }

    private static DescribedPredicate<JavaAccess<?>> calls(
            String what, java.util.function.Predicate<AccessTarget> target) {
        return DescribedPredicate.describe(what, call -> target.test(call.getTarget()));
    }
}
