/** Every limit of the product, by name. What a limit refuses, it refuses with a clear error; nothing grows past it. */
export const LIMITS = {
  eventDataBytesMax: 512 * 1024,
  eventMetadataBytesMax: 16 * 1024,
  eventsPerAppendMax: 100,
  streamNameCharsMax: 255,
  /** One group commit: appends that share a transaction. */
  appendsPerCommitMax: 500,
  /** While one commit is under way, a second one is begun for no fewer than this. */
  appendsForSecondCommit: 8,
  appendBytesPerCommitMax: 4 * 1024 * 1024,
  /** Appends that wait for their turn before the store refuses more. */
  appendsWaitingMax: 20_000,
  appendTimeoutMs: 5_000,
  /** How long the caller of an append of unknown outcome waits for certainty. */
  appendPursuitMs: 10_000,
  /** Each conflict means that another command succeeded, so one more than this many can meet on a stream at once. */
  commandRetriesMax: 32,

  readPageEventsMax: 1_000,
  /** Recent events kept in memory, so that several subscribers at the head cost one read. */
  liveTailEventsMax: 5_000,
  /** From this many events a read on, there is load, and readers gather more before they read again. */
  busyEventsMin: 20,
  liveTailGatherMs: { quiet: 2, busy: 20 },
  subscriptionPollMs: 1_000,

  projectionBatchEventsMax: 1_000,
  /** How long a projector at the head gathers events before its next transaction. */
  projectionGatherMs: { quiet: 5, busy: 100 },
  /** How often a checkpoint moves over events that a projection does not read. */
  idleCheckpointMs: 1_000,
  rebuildBatchEventsMax: 5_000,

  requestBodyBytesMax: 10 * 1024 * 1024,
  /** Of a body that is refused: what is read and forgotten, so that its caller comes to read the answer. */
  discardedBodyBytesMax: 64 * 1024 * 1024,
  discardedBodyMs: 5_000,
  /** A whole answer of a provider that is not streamed, and one event of one that is. */
  providerAnswerBytesMax: 32 * 1024 * 1024,
  providerEventBytesMax: 4 * 1024 * 1024,
  /** What a stream may send after its last finish_reason, held back until its charge is durable. */
  heldStreamBytesMax: 8 * 1024 * 1024,
  providerConnectionsMax: 256,
  /** After its last finish_reason, a stream whose caller left has this long to send its usage block. */
  usageAfterDisconnectMs: 1_000,
  /** A caller that takes no byte for this long is cut. */
  clientStallMs: 60_000,
  callsInFlightMax: 5_000,
  requestHeadersTimeoutMs: 30_000,
  requestTimeoutMs: 60_000,

  nameCharsMax: 100,
  requirementCharsMax: 500,
  emailCharsMax: 254,
  passwordCharsMin: 10,
  passwordCharsMax: 256,
  /** Grants, refunds and prices beyond this are a slip of the keyboard. */
  amountMicrosMax: 1_000_000_000_000_000_000n,
  tokensPerCallMax: 100_000_000,
  /** As many choices as any provider gives for one call. */
  choicesMax: 128,
  usageRangeDaysMax: 366,

  logFileBytesMax: 64 * 1024 * 1024,
} as const
