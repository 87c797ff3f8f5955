/** This machine has no Java, no Maven, or no way to the jars: a person can mend that, another try cannot. */
export class KafkaUnavailable extends Error {}
