/** Java or Maven is missing, or the jars cannot be downloaded. An operator has to fix that; retrying does not help. */
export class KafkaUnavailable extends Error {}
