package millrace.data.spelling;

/// Both ways of one type in one class, so that what is written can be read.
public abstract class ValueCodec extends ValueParser implements ValueFormatter {}
