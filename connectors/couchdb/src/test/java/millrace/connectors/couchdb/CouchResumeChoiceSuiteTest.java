package millrace.connectors.couchdb;

import millrace.testkit.suite.ResumeChoiceSuite;
import millrace.testkit.suite.ResumeLossSuite;

/// Copies after which the next command, the source or the target is not the same, in a stand-in for
/// CouchDB.
class CouchResumeChoiceSuiteTest extends CouchResumeFixture
    implements ResumeChoiceSuite, ResumeLossSuite {}
