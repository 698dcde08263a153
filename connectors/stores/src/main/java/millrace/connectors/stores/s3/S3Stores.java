package millrace.connectors.stores.s3;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import millrace.connectors.stores.StoreSettings;
import millrace.fault.Fault;
import millrace.spi.store.ObjectStore;
import millrace.spi.store.StoreProvider;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;

/// Opens buckets: with what the location says, else with what the environment and the files of the
/// AWS command line say, which the SDK reads.
public final class S3Stores implements StoreProvider {

  private static final Logger LOG = LoggerFactory.getLogger(S3Stores.class);
  private static final String DEFAULT_REGION = "us-east-1";

  /// Tries of one request, with backoff between them.
  private static final int TRIES = 3;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration SILENCE_TIMEOUT = Duration.ofSeconds(60);

  private static final String CREDENTIALS_ADVICE =
      "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, choose a profile with ?aws-profile=, or say"
          + " ?anonymous=true.";

  @Override
  public Set<String> schemes() {
    return Set.of("s3");
  }

  @Override
  public ObjectStore open(String scheme, String authority, Map<String, String> settings) {
    @Nullable String given = settings.get("endpoint");
    @Nullable URI endpoint =
        given == null ? null : StoreSettings.endpoint(given, "a store", "https://HOST:PORT");
    AwsCredentialsProvider credentials = credentials(settings);
    try {
      S3ClientBuilder builder = builder(settings, credentials, endpoint);
      // Of the location, the environment or a profile: only the SDK knows them all.
      @Nullable URI found;
      try (S3Client first = builder.build()) {
        found = first.serviceClientConfiguration().endpointOverride().orElse(null);
      }
      builder
          .forcePathStyle(
              StoreSettings.flag(
                  settings, "path-style", found != null && hasNoBucketHosts(found.getHost())))
          .crossRegionAccessEnabled(found == null);
      return new S3Store(new S3Bucket(builder.build(), authority), credentials);
    } catch (SdkException e) {
      throw new Fault.User(
          "s3://%s can't be opened: %s".formatted(authority, S3Faults.plain(e.getMessage())), "");
    }
  }

  private static S3ClientBuilder builder(
      Map<String, String> settings, AwsCredentialsProvider credentials, @Nullable URI endpoint) {
    ClientOverrideConfiguration.Builder overrides =
        ClientOverrideConfiguration.builder()
            .retryStrategy(
                AwsRetryStrategy.standardRetryStrategy().toBuilder().maxAttempts(TRIES).build());
    @Nullable String profile = settings.get("aws-profile");
    if (profile != null) {
      overrides.defaultProfileName(profile);
    }
    return S3Client.builder()
        .httpClient(
            new S3HttpClient(
                UrlConnectionHttpClient.builder()
                    .connectionTimeout(CONNECT_TIMEOUT)
                    .socketTimeout(SILENCE_TIMEOUT)
                    .build()))
        .endpointOverride(endpoint)
        .region(region(settings))
        .credentialsProvider(credentials)
        .overrideConfiguration(overrides.build())
        // Stores of other makers refuse the checksums behind a body, and bodies in signed pieces.
        .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
        .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
        .serviceConfiguration(S3Configuration.builder().chunkedEncodingEnabled(false).build());
  }

  private static AwsCredentialsProvider credentials(Map<String, String> settings) {
    if (StoreSettings.flag(settings, "anonymous", false)) {
      return AnonymousCredentialsProvider.create();
    }
    @Nullable String profile = settings.get("aws-profile");
    AwsCredentialsProvider credentials =
        profile == null
            ? DefaultCredentialsProvider.builder().build()
            : ProfileCredentialsProvider.create(profile);
    try {
      credentials.resolveCredentials();
    } catch (SdkException e) {
      throw new Fault.User(
          profile == null
              ? "No credentials for S3 were found."
              : "Profile %s gives no credentials for S3: %s"
                  .formatted(profile, S3Faults.plain(e.getMessage())),
          CREDENTIALS_ADVICE);
    }
    return credentials;
  }

  /// The region of the location, the environment or the profile. Any other will do if none of them
  /// says: a store of one's own has none, and AWS tells where a bucket is.
  private static Region region(Map<String, String> settings) {
    @Nullable String named = settings.get("region");
    if (named != null) {
      if (!named.matches("[a-zA-Z0-9-]+")) {
        throw new Fault.User("region=%s is no region".formatted(named), "Write region=eu-west-1.");
      }
      return Region.of(named);
    }
    @Nullable String profile = settings.get("aws-profile");
    List<AwsRegionProvider> providers =
        profile == null
            ? List.of(new SystemSettingsRegionProvider(), new AwsProfileRegionProvider())
            : List.of(
                new AwsProfileRegionProvider(null, profile), new SystemSettingsRegionProvider());
    for (AwsRegionProvider provider : providers) {
      try {
        @Nullable Region region = provider.getRegion();
        if (region != null) {
          return region;
        }
      } catch (SdkException e) {
        // That is how some of them say that they know none.
        LOG.debug("no region", e);
      }
    }
    return Region.of(DEFAULT_REGION);
  }

  /// Whether a server can't be reached by a host name that begins with the bucket's name.
  private static boolean hasNoBucketHosts(@Nullable String host) {
    return host == null
        || host.indexOf('.') < 0
        || host.endsWith(".localhost")
        || host.startsWith("[")
        || host.matches("[0-9.]+");
  }
}
