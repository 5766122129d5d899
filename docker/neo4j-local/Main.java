import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.graphdb.QueryExecutionException;

/** Runs one Neo4j server until it is told to stop. Arguments: home, configuration file, file to write when ready. */
public class Main {
    public static void main(String[] args) throws Exception {
        Path home = Path.of(args[0]);
        Path conf = Path.of(args[1]);
        String password = System.getenv("NEO4J_LOCAL_PASSWORD");
        if (password != null) {
            setPassword(home, conf, password);
        }
        DatabaseManagementService server = builder(home, conf).build();
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.shutdown();
            stopped.countDown();
        }));
        if (!server.database("neo4j").isAvailable(Duration.ofSeconds(120).toMillis())) {
            throw new IllegalStateException("the database neo4j did not come up");
        }
        Files.writeString(Path.of(args[2]), "ready\n");
        stopped.await();
    }

    private static DatabaseManagementServiceBuilder builder(Path home, Path conf) {
        return new DatabaseManagementServiceBuilder(home).loadPropertiesFromFile(conf);
    }

    /** Sets the password while Bolt is closed, so that nobody meets the default one. */
    private static void setPassword(Path home, Path conf, String password) {
        DatabaseManagementService server = builder(home, conf).setConfig(BoltConnector.enabled, false).build();
        try {
            server.database("system").executeTransactionally(
                    "ALTER USER neo4j SET PASSWORD $password CHANGE NOT REQUIRED", Map.of("password", password));
        } catch (QueryExecutionException e) {
            if (!String.valueOf(e.getMessage()).contains("cannot be the same")) {
                throw e;
            }
        } finally {
            server.shutdown();
        }
    }
}
