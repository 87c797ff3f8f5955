/** Every limit of the product, by name. What a limit refuses, it refuses with a clear error; nothing grows past it. */
export const LIMITS = {
  eventDataBytesMax: 512 * 1024,
  eventMetadataBytesMax: 16 * 1024,
  eventsPerAppendMax: 100,
  streamNameCharsMax: 255,
  /** One group commit: appends that share a transaction. */
  appendsPerCommitMax: 500,
  /** While one commit is under way, a second one is begun for no fewer than this. */
  appendsForSecondCommit: 24,
  appendBytesPerCommitMax: 4 * 1024 * 1024,
  /** Appends that wait for their turn before the store refuses more. */
  appendsWaitingMax: 20_000,
  appendTimeoutMs: 5_000,
  /** How long the caller of an append of unknown outcome waits for certainty. */
  appendPursuitMs: 10_000,
  /** Once the store has said nothing about any append for this long, no call is admitted that would add one. */
  appendsSilentMs: 2_000,
  /** Nor when more than so many wait, and the oldest for this long. */
  appendsSlowMax: 200,
  appendsSlowMs: 5_000,
  /** Each conflict means that another command succeeded, so one more than this many can meet on a stream at once. */
  commandRetriesMax: 32,

  readPageEventsMax: 1_000,
  /** As they are stored, in Postgres compressed: a page of large events ends here. */
  readPageBytesMax: 4 * 1024 * 1024,
  /** How many events a page is looked for among, by who reads only some of them. */
  readRangeEventsMax: 20_000,
  /** Recent events kept in memory, so that several subscribers at the head cost one read. */
  liveTailEventsMax: 5_000,
  liveTailBytesMax: 16 * 1024 * 1024,
  /** From this many events a read on, there is load, and readers gather more before they read again. */
  busyEventsMin: 20,
  liveTailGatherMs: { quiet: 2, busy: 20, heavy: 200 },
  /** From this rate on, readers at the head look by themselves now and then instead of being told of every commit. */
  heavyEventsPerSecond: 2_000,
  /** The rate is that of this time at least. */
  eventRateMs: 100,
  /** How often, at most, a process that stores one batch after the other tells its subscribers. */
  offeredGatherMs: 10,
  /** How long a thread waits to be told by another what the database has notified it of, before it reads it. */
  toldByThreadsMs: 25,
  subscriptionPollMs: 1_000,

  projectionBatchEventsMax: 5_000,
  /** How long a projector at the head gathers events before its next transaction: the more come, the longer. */
  projectionGatherMs: { quiet: 5, steady: 25, busy: 100, heavy: 300 },
  /** After so many transactions that found the next events waiting, they come steadily. */
  steadyTransactionsMin: 8,
  /** From this many events a transaction on, the load is heavy. */
  heavyEventsMin: 300,
  /** How often a checkpoint moves over events that a projection does not read. */
  idleCheckpointMs: 1_000,
  rebuildBatchEventsMax: 5_000,

  jobsPageDefault: 50,
  jobsPageMax: 200,

  /** Of a request to a service that is not on the hot path. */
  serviceBodyBytesMax: 64 * 1024,
  /** Texts in one embedding call of background work. */
  textsPerEmbeddingMax: 256,

  /** One batch of the match-score generator; its event stays well below what an event may have. */
  matchBatchPairsMax: 200,
  matchBatchBytesMax: 400 * 1024,
  matchBatchJudgementsMax: 100,
  /** Questions to a model that are under way together. */
  matchJudgementsAtOnce: 16,
  /** Pairs that are read ahead, in blocks of so many jobs and talents of one company. */
  matchQueuePairsMax: 100_000,
  matchBlockJobsMax: 100,
  matchBlockTalentsMax: 1_000,
  /** Embeddings that are kept for the next block. */
  matchVectorsMax: 4_000,
  /** Jobs and talents that changed while the generator worked; beyond this it looks at all of them again. */
  matchChangesMax: 10_000,
  /** Of a text that is embedded or judged. */
  matchTextCharsMax: 4_000,
  /** How often a generator at rest looks whether it was started or stopped, and how long one that is not heard of leads. */
  generatorPollMs: 500,
  generatorLeaseMs: 5_000,
  matchScoresPageMax: 1_000,

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
  /** Calls to one provider beyond its connections: they wait for one of these, no longer than for a new one. */
  providerCallsWaitingMax: 256,
  /** Who may be asked for one call, one after the other. */
  providersPerAliasMax: 16,
  /** Failures in a row after which a provider is left in peace. */
  breakerFailuresMax: 5,
  /** What is read of a provider's refusal, and for how long. */
  providerRefusalBytesMax: 16 * 1024,
  providerRefusalMs: 2_000,
  /** After its last finish_reason, a stream whose caller left has this long to send its usage block. */
  usageAfterDisconnectMs: 1_000,
  /** A caller that takes no byte for this long is cut. */
  clientStallMs: 60_000,
  callsInFlightMax: 5_000,

  idempotencyKeyCharsMax: 255,
  /** Answers behind an Idempotency-Key: for how long they are kept, and up to which size. */
  keptAnswerMs: 24 * 60 * 60_000,
  keptAnswerBytesMax: 10 * 1024 * 1024,
  keptAnswersRemovedMax: 500,
  /** A call waits no longer for the store of answers. */
  answerStoreMs: 5_000,
  /** How long a call with such a key is its gateway's without being heard of, and how often it is. */
  claimLeaseMs: 12_000,
  claimRenewalMs: 3_000,
  /** How long the second of two calls with the same key waits for the first, and how often it looks, ever more seldom. */
  claimWaitMs: 30_000,
  claimLookMs: { first: 25, last: 1_000 },

  requestHeadersTimeoutMs: 30_000,
  requestTimeoutMs: 60_000,
  /** Longer than proxies and clients keep theirs: whoever closes first may cut a request that the other is sending. */
  idleConnectionMs: 75_000,
  idleConnectionGraceMs: 15_000,

  /** A CV or a job posting sent as a file, and what a multipart body has beside the file. */
  documentBytesMax: 10 * 1024 * 1024,
  multipartOverheadBytesMax: 64 * 1024,
  /** Files in one multipart body, and fields beside them. */
  multipartPartsMax: 10,
  /** The text of a CV or a job posting; far above any that a person would read. */
  documentTextCharsMax: 200_000,
  documentPagesMax: 200,
  /** What the parts of a DOCX may unpack to. */
  documentUnpackedBytesMax: 64 * 1024 * 1024,
  /** Documents are read in threads of their own, each within this time, heap and memory beside the heap. */
  documentReadMs: 10_000,
  documentHeapMbMax: 256,
  documentBuffersBytesMax: 256 * 1024 * 1024,
  documentThreadsMax: 2,
  documentsWaitingMax: 32,

  /** Files that a company has waiting to be read. */
  documentsWaitingPerCompanyMax: 100,
  filenameCharsMax: 255,
  /** Of the text of a document that was read: what is kept of it, so that it fits an event in any script. */
  documentTextKeptCharsMax: 60_000,

  /** In UTF-8. Room names with a job, a talent and something more are half as long. */
  roomNameBytesMax: 180,
  /** Creations and destructions of one room. */
  roomEventsMax: 5_000,
  summaryCharsMax: 2_000,

  /** What a worker does at the same time, and how often it tries before a task is parked. */
  tasksAtOnceMax: 4,
  taskAttemptsMax: 6,
  /** From one try to the next; each time four times as long. */
  taskRetryMs: { first: 2_000, longest: 15 * 60_000 },
  /** A task whose worker was not heard of for this long is taken up by another. */
  taskLeaseMs: 30_000,
  taskErrorCharsMax: 500,
  /** How long one try may take. */
  taskTryMs: 120_000,
  /** Tasks that clocks bring, looked for at a time. */
  dueTasksMax: 200,
  /** How long a task that is done is remembered beside its events. */
  doneTasksKeptMs: 7 * 24 * 60 * 60 * 1_000,
  parkedTasksPageMax: 500,

  mailConnectionsMax: 2,
  mailConnectMs: 10_000,
  mailAnswerMs: 30_000,
  mailRecipientsMax: 50,

  /** A GraphQL request without files, and what it may ask for at once. */
  graphqlBodyBytesMax: 256 * 1024,
  graphqlTokensMax: 2_000,
  graphqlDepthMax: 8,
  graphqlAliasesMax: 30,
  graphqlCostMax: 20_000,
  graphqlBatchMax: 10,
  /** Requests to GraphQL that are under way; the next are refused. */
  graphqlRequestsMax: 500,
  graphqlSocketsMax: 200,
  graphqlOperationsPerSocketMax: 20,
  /** What one socket may have waiting to be sent. */
  graphqlSocketBufferBytesMax: 4 * 1024 * 1024,
  graphqlConnectMs: 3_000,
  graphqlKeepAliveMs: 12_000,
  /** Rows of a list that has no pages. */
  listRowsMax: 10_000,
  pageRowsDefault: 50,
  pageRowsMax: 200,

  /** Log-ins a minute, right or wrong, from one address and for one account. */
  loginsPerAddressMax: 60,
  loginsPerAccountMax: 20,
  /** Passwords that are hashed at the same time, and wait for it: each takes a tenth of a second of a core. */
  passwordHashesMax: 32,
  accessTokenSeconds: 12 * 60 * 60,

  nameCharsMax: 100,
  requirementCharsMax: 500,
  reasonCharsMax: 500,
  emailCharsMax: 254,
  /** Of one personal field, when it is read again. */
  personalTextBytesMax: 4 * 1024 * 1024,
  passwordCharsMin: 10,
  passwordCharsMax: 256,
  /** Grants, refunds and prices beyond this are a slip of the keyboard. */
  amountMicrosMax: 1_000_000_000_000_000_000n,
  tokensPerCallMax: 100_000_000,
  /** As many choices as any provider gives for one call. */
  choicesMax: 128,
  /** Prompts of one legacy completion, each with its own choices. */
  promptsMax: 2_048,
  usageRangeDaysMax: 366,

  /** Calls to the payment provider: how long one may take, and how often the client tries again by itself. */
  paymentCallMs: 10_000,
  paymentRetriesMax: 2,
  /** How far a webhook's signature may lie in the past or the future. */
  webhookToleranceSeconds: 300,
  webhookBodyBytesMax: 512 * 1024,
  webhooksReceivingMax: 500,
  /** Webhook events that a reactor works on at the same time. */
  webhooksUnderWayMax: 32,
  /** How long it waits before each further attempt at one that fails for reasons that may pass. */
  webhookRetriesMs: [100, 1_000, 5_000, 30_000],
  webhookErrorCharsMax: 500,

  logFileBytesMax: 64 * 1024 * 1024,
  /** What the log viewer looks through: the end of the file, or what was kept in memory. */
  logTailBytesMax: 8 * 1024 * 1024,
  logEntriesKeptMax: 5_000,
  logPageDefault: 100,
  logPageMax: 1_000,

  /** A call waits no longer for the shared counters; then its gateway goes on alone. */
  sharedStateAnswerMs: 250,
  sharedStateConnectMs: 2_000,
  /** How often a process asks for the shared state, and after how many questions without an answer it connects anew. */
  sharedStateBeatMs: 1_000,
  sharedStateSilentBeatsMax: 5,
  /** A gateway that was not heard of for this long no longer counts as one. */
  gatewayAbsentMs: 5_000,
  /** Buckets whose count in this minute a gateway remembers, to go on with when the shared counters are away. */
  rateBucketsMax: 100_000,

  /** How long the holds of a gateway outlive it. Longer than a charge that it had sent can take to land. */
  holdLeaseMs: 15_000,
  /** A charge is sent under a hold only while this much of the lease is left: as long as an append may be on its way. */
  holdChargeLeftMs: 6_000,
  /** Charges are remembered for the views that have not seen them; a view that is further behind admits nothing. */
  holdSettledKeptMs: 60_000,
  /** How long a call waits for this gateway's view of its balance to come so far. */
  holdViewWaitMs: 2_000,
  /** How long a call waits for its place among the holds where they are in Postgres. */
  holdAnswerMs: 2_000,
  /** Ends of holds that the shared state has yet to hear of. */
  holdEndsWaitingMax: 20_000,

  /** Of one line of a log on its way to readers; a longer one loses its context. */
  logEntryCharsMax: 16 * 1024,
  logReadersMax: 100,
  logEntriesPerReaderMax: 1_000,
  /** Entries that wait to leave for readers in other processes. */
  logEntriesLeavingMax: 1_000,
  logEntriesPerMessageMax: 200,
  logGatherMs: 20,
  /** Processes whose numbering a reader remembers, to tell what was lost on the way. */
  logSourcesMax: 1_000,

  /** How long the relay leads without being heard of, and how often it is. */
  relayLeaseMs: 3_000,
  leaseRenewalMs: 1_000,
  /** Messages of one request to Kafka, and their bytes for one partition. */
  relayRequestMessagesMax: 2_000,
  relayRequestBytesMax: 768 * 1024,
  /** How long the relay lets events gather before it publishes again, unless this many came at once. */
  relayGatherMs: 50,
  relayGatherEventsMin: 200,
  /** How far a partition without events may be behind the others while these advance, and how often it is heard of at rest. */
  watermarkMs: 500,
  watermarkAtRestMs: 5_000,
  kafkaConnectMs: 3_000,
  kafkaRequestMs: 10_000,
  /** A consumer that was not heard of for this long loses its partitions to others. */
  consumerSessionMs: 6_000,
  consumerHeartbeatMs: 1_500,
  /** How long a request of a consumer waits for messages, and with it the end of a consumer. */
  consumerFetchWaitMs: 500,
  /** What one partition brings at a time. The largest message must fit in. */
  consumerPartitionBytesMax: 1024 * 1024,
  /** A partition whose reader takes longer than this with a portion is not asked for until it is done. */
  consumerPatienceMs: 200,
  /** How long a subscriber that stands still may hold up the others of its process. */
  consumerStandstillMs: 5_000,
  consumerHintMs: 5_000,
  consumerCloseMs: 10_000,

  /** What EventStoreDB takes as one append. */
  appendBytesMax: 1024 * 1024,
  /** Appends that were sent to EventStoreDB and not answered; the next ones wait, and so are known not to be stored. */
  appendsUnansweredMax: 1_000,
  /** How long a read may stay without the next event, and a connection without a sign of life. */
  storeReadTimeoutMs: 10_000,
  storeKeepAliveTimeoutMs: 5_000,
  /** Events that the client reads ahead of whoever takes them. */
  storeBufferEventsMax: 250,
  /** Event ids that a view remembers, where the feed may bring an event twice: at 1,000 a second, those of 100 s at least. */
  idsRememberedMax: 200_000,

  /** The sandbox's payment provider: records of each kind, and what is appended to its journal before a new snapshot. */
  paymentRecordsMax: 2_000,
  paymentJournalBytesMax: 8 * 1024 * 1024,
  paymentBodyBytesMax: 256 * 1024,
  paymentFormFieldsMax: 1_000,
  paymentFormDepthMax: 8,
  /** Its webhooks: events that wait, requests at once, how long one may take, and how often it is tried. */
  paymentDeliveriesWaitingMax: 1_000,
  paymentDeliveriesAtOnceMax: 4,
  paymentDeliveryMs: 10_000,
  paymentDeliveryAttemptsMax: 16,
  /** The sandbox's mailbox. */
  mailboxMailsMax: 200,
  mailBytesMax: 1024 * 1024,
  mailClientsMax: 20,
  mailClientStallMs: 30_000,
  mailServerCloseMs: 500,

  /** Of one line of a backup: the largest event fits in. */
  backupLineBytesMax: 1024 * 1024,
  /** What a restore sends at once: no more than fits one group commit, so that it is stored in its order. */
  restoreBatchEventsMax: 2_000,
  restoreBatchBytesMax: 2 * 1024 * 1024,
} as const
