import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { GraphqlContext } from './context.ts';
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
// Made from contracts/graphql/schema.graphql by `npm run graphql:types`; not edited by hand.
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** ISO 8601, in UTC, with milliseconds. */
  DateTime: { input: string; output: string; }
  /** Any JSON object. */
  JSONObject: { input: Readonly<Record<string, unknown>>; output: Readonly<Record<string, unknown>>; }
  /** A file, sent as multipart/form-data by the GraphQL multipart request specification. */
  Upload: { input: File; output: never; }
};

/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type Query = {
  readonly whoAmI: User;
  /** The browsers that you are signed in with, the last used one first. */
  readonly sessions: ReadonlyArray<Session>;
  /** The users of the company, in the order of their registration. */
  readonly users: ReadonlyArray<User>;
  /** Invitations that were neither accepted nor withdrawn, also those that have expired, the newest first. */
  readonly invitations: ReadonlyArray<Invitation>;
  /** Developers see the keys that they minted. */
  readonly apiKeys: ReadonlyArray<ApiKey>;
  /** Now, or at a moment: what was stored on the ledger up to then, to the millisecond. */
  readonly creditBalance: CreditBalance;
  readonly creditTransactions: CreditTransactionPage;
  /**
   * Grouped by one or two; by alias if none is given. Without `to` there is no end: calls that are dated after the server's
   * clock, because it was set back, are counted, too.
   */
  readonly usage: UsagePage;
  /** The calls of the company that have ended, the newest first. from and to are of when they finished. */
  readonly calls: CallPage;
  /** By the request id of the gateway, once the call has ended. */
  readonly call?: Maybe<Call>;
  /**
   * The entries of the ledger that were stored from a moment on and before another one, in their order, with balances. Of the
   * user's company; super admins name one, and their access is recorded.
   */
  readonly statement: Statement;
  /**
   * The proof that an event of the ledger is in the ledger's log, as npm run check and check.mjs read it. The id of a
   * transaction is that of its event; that of a call is its request id. NOT_FOUND until a signed checkpoint covers the event,
   * which takes about ten seconds. since is the size of an older checkpoint: the proof then shows that the log still contains
   * that tree.
   */
  readonly ledgerReceipt: Receipt;
  /** All plans, also retired ones, in their sort order. */
  readonly plans: ReadonlyArray<Plan>;
  /** The packs for sale, in their sort order. */
  readonly creditPacks: ReadonlyArray<CreditPackOutput>;
  /** The running subscription; if there is none, the newest one. */
  readonly subscription?: Maybe<Subscription>;
  /** All subscriptions of the company, also those that have ended, the newest first. */
  readonly subscriptions: ReadonlyArray<Subscription>;
  readonly invoices: ReadonlyArray<Invoice>;
  readonly purchases: ReadonlyArray<CreditPackPurchase>;
  readonly noticeSettings: NoticeSettings;
  readonly jobs: ReadonlyArray<Job>;
  readonly talents: ReadonlyArray<Talent>;
  /** The scores of one job, the best first. */
  readonly matchScores: ReadonlyArray<MatchScore>;
  readonly documents: ReadonlyArray<Document>;
  readonly meetingInsights: MeetingInsightPage;
  /** Where messages to the company are sent, in the order of their creation. */
  readonly webhookEndpoints: ReadonlyArray<WebhookEndpoint>;
  /** The messages of the last 30 days to an endpoint, the newest first, at most 1,000. */
  readonly webhookDeliveries: ReadonlyArray<WebhookDelivery>;
  /**
   * Who did what, the newest first: all events except calls, the batches of the generator, completed tasks and the checkpoints of
   * the log. Owners, admins and auditors see those of their company, auditors without jobs, talents, documents and meetings;
   * super admins those of all companies and of the platform.
   */
  readonly trail: TrailPage;
  /** Super admins only. */
  readonly companies: ReadonlyArray<Company>;
  /** Super admins only. */
  readonly webhookEvents: ReadonlyArray<WebhookEvent>;
  /** Super admins only. */
  readonly parkedTasks: ReadonlyArray<ParkedTask>;
  /** Super admins only. Every read model, and how far it is behind the event store. */
  readonly readModels: ReadonlyArray<ReadModel>;
  /** Super admins only. Which process does the work that only one may do at a time. Those that are held come first, at most 100. */
  readonly leases: ReadonlyArray<Lease>;
  /** Super admins only. The generator of match scores. */
  readonly generator: Generator;
  /** Super admins only. The ledger's log and its latest checkpoint. */
  readonly ledgerLog: LedgerLog;
  /**
   * Super admins only. Every alias that a running gateway has a route for, with the figures of its providers, and every other
   * alias that has a price for all companies.
   */
  readonly models: ReadonlyArray<Model>;
  /**
   * Super admins only. Credits charged to all companies and what providers charge for the same calls, for each currency. The
   * UTC days that the range touches count as a whole; `to` is exclusive. Grouped by alias unless groupBy says otherwise.
   */
  readonly margin: ReadonlyArray<MarginEntry>;
  /**
   * Super admins only. The payments and refunds of a UTC month (YYYY-MM) at the payment provider against the ledgers of all
   * companies, and what the calls of the month brought in and cost. A month with more than 5,000 payments or refunds is
   * BAD_USER_INPUT: `npm run reconcile` has no limit.
   */
  readonly reconciliation: Reconciliation;
  /**
   * Super admins only. The prices in force at a moment (default: now): those of all companies, or those of one company, which
   * are its own and otherwise the common ones. NOT_FOUND if no price book was in force.
   */
  readonly priceBook: PriceBook;
  /** Super admins only. What a new installation needs before it serves customers. Asks every provider for its list of models, or goes by the reports of the gateways if the backend has no PROVIDERS_FILE. */
  readonly setupStatus: ReadonlyArray<SetupStep>;
  /** Super admins only. The price books that were published, for all companies and for single ones, the newest first, at most 1,000. */
  readonly priceBooks: ReadonlyArray<PriceBook>;
  /**
   * Super admins only. What the calls that finished in the time would have cost if the book had been in force, without
   * publishing it. effectiveFrom of the input is ignored. A time with more than 50,000 ledger events is BAD_USER_INPUT.
   */
  readonly previewPriceBook: PricePreview;
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QueryUsersArgs = {
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QueryInvitationsArgs = {
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QueryApiKeysArgs = {
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QueryCreditBalanceArgs = {
  at?: InputMaybe<Scalars['DateTime']['input']>;
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QueryCreditTransactionsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  type?: InputMaybe<CreditTransactionType>;
  from?: InputMaybe<Scalars['DateTime']['input']>;
  to?: InputMaybe<Scalars['DateTime']['input']>;
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QueryUsageArgs = {
  from?: InputMaybe<Scalars['DateTime']['input']>;
  to?: InputMaybe<Scalars['DateTime']['input']>;
  groupBy?: InputMaybe<ReadonlyArray<UsageGroup>>;
  keyId?: InputMaybe<Scalars['ID']['input']>;
  label?: InputMaybe<Scalars['String']['input']>;
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QueryCallsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  keyId?: InputMaybe<Scalars['ID']['input']>;
  alias?: InputMaybe<Scalars['String']['input']>;
  label?: InputMaybe<Scalars['String']['input']>;
  state?: InputMaybe<CallState>;
  from?: InputMaybe<Scalars['DateTime']['input']>;
  to?: InputMaybe<Scalars['DateTime']['input']>;
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QueryCallArgs = {
  id: Scalars['ID']['input'];
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QueryStatementArgs = {
  companyId?: InputMaybe<Scalars['ID']['input']>;
  from: Scalars['DateTime']['input'];
  to: Scalars['DateTime']['input'];
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QueryLedgerReceiptArgs = {
  eventId: Scalars['ID']['input'];
  since?: InputMaybe<Scalars['Int']['input']>;
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QuerySubscriptionArgs = {
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QuerySubscriptionsArgs = {
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QueryInvoicesArgs = {
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QueryPurchasesArgs = {
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QueryNoticeSettingsArgs = {
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QueryJobsArgs = {
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QueryTalentsArgs = {
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QueryMatchScoresArgs = {
  jobId: Scalars['ID']['input'];
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QueryDocumentsArgs = {
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QueryMeetingInsightsArgs = {
  room?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QueryWebhookEndpointsArgs = {
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QueryWebhookDeliveriesArgs = {
  endpointId: Scalars['ID']['input'];
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QueryTrailArgs = {
  filter?: InputMaybe<TrailFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QueryWebhookEventsArgs = {
  status?: InputMaybe<WebhookStatus>;
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QueryParkedTasksArgs = {
  worker?: InputMaybe<Scalars['String']['input']>;
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QueryMarginArgs = {
  from: Scalars['DateTime']['input'];
  to: Scalars['DateTime']['input'];
  groupBy?: InputMaybe<MarginGroup>;
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QueryReconciliationArgs = {
  month: Scalars['String']['input'];
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QueryPriceBookArgs = {
  at?: InputMaybe<Scalars['DateTime']['input']>;
  companyId?: InputMaybe<Scalars['ID']['input']>;
};


/**
 * asCompany is for super admins: the query then shows the data of that company, as its owner would see it, and the access is
 * recorded, once for each user, company and hour.
 */
export type QueryPreviewPriceBookArgs = {
  input: PriceBookInput;
  from: Scalars['DateTime']['input'];
  to: Scalars['DateTime']['input'];
};

export type Mutation = {
  readonly login: LoginOutput;
  readonly changePassword: User;
  /** Ends all your tokens and sessions, this one too. Returns true. */
  readonly signOutEverywhere: Scalars['Boolean']['output'];
  /** Signs one of your browsers out. Returns true. */
  readonly endSession: Scalars['Boolean']['output'];
  /**
   * Mails a link that can be used once, within 7 days. An earlier invitation to the same address ends. Only an owner can invite
   * an owner. Invitations of a user whose role no longer allows them end, too.
   */
  readonly inviteUser: Invitation;
  /** Returns true. Its link can no longer be used. */
  readonly withdrawInvitation: Scalars['Boolean']['output'];
  /** With the token of the link in the mail. Sets the password and signs in. A user belongs to one company only. */
  readonly acceptInvitation: LoginOutput;
  /** Mails a link that can be used once, within an hour, if the address belongs to a user. Returns true in any case. */
  readonly requestPasswordReset: Scalars['Boolean']['output'];
  /** With the token of the link in the mail. Ends all tokens of the user and signs in. */
  readonly resetPassword: LoginOutput;
  /** Only an owner can appoint an owner or change the role of one. The last owner keeps the role. */
  readonly setRole: User;
  /** The user cannot sign in any more, and their tokens are refused at once. Keys that they minted stay as they are. Returns true. */
  readonly removeUser: Scalars['Boolean']['output'];
  readonly mintApiKey: ApiKeySecret;
  /** Mints a sibling of the key; the old one stays live until it is revoked. Without expiresAt, the sibling expires when the old key does; null: never. */
  readonly rotateApiKey: ApiKeySecret;
  /** Changes what the input names and leaves the rest. Gateways follow within a second. */
  readonly updateApiKey: ApiKey;
  readonly revokeApiKey: ApiKey;
  /** A page of the payment provider where a pack or a plan is paid. A company with a running subscription changes its plan with changePlan. */
  readonly createCheckout: Checkout;
  /**
   * A plan that costs more and grants no fewer credits is in force at once, and the rest of the period is billed in proportion.
   * Any other plan begins with the next period (nextPlanId). The present plan undoes such a change.
   */
  readonly changePlan: Subscription;
  /** Ends the subscription with its period. */
  readonly cancelSubscription: Subscription;
  /** Undoes a cancellation, as long as the period has not ended. */
  readonly resumeSubscription: Subscription;
  /** Creates a draft, which only the company sees until it is published. */
  readonly postJob: Job;
  readonly publishJob: Job;
  readonly closeJob: Job;
  readonly registerTalent: Talent;
  /** Final. Returns true, also if the erasure was done before. */
  readonly eraseTalent: Scalars['Boolean']['output'];
  readonly uploadCv: Document;
  readonly uploadJobDocument: Document;
  /** For the owner of the company, and for super admins. With a hard cap, calls never take the balance below zero. */
  readonly setHardCap: Company;
  /** When the admins get a mail about a low balance: below so many credits; null: never; left out: by default. */
  readonly setNoticeSettings: NoticeSettings;
  /**
   * Messages of these types are sent to the url from now on: balance.low, balance.exhausted, key.expiring, key.budget_reached,
   * invoice.open, invoice.paid, subscription.changed, company.suspended. A company has at most 10 endpoints.
   */
  readonly createWebhookEndpoint: WebhookEndpointSecret;
  /** Messages that wait for it are not sent any more. Returns true. */
  readonly deleteWebhookEndpoint: Scalars['Boolean']['output'];
  /** Sends a message again, with the same webhook-id; one that waits for its next attempt is sent now. */
  readonly resendDelivery: WebhookDelivery;
  /** Super admins only, like all mutations below. */
  readonly syncAllPlansProviderPricing: ReadonlyArray<Plan>;
  readonly createCreditPack: CreditPackOutput;
  /** Renames a pack, also at the payment provider, or gives it another place among the packs. */
  readonly updateCreditPack: CreditPackOutput;
  /** The pack is no longer for sale. A checkout page that is open already can be paid until it expires, 24 hours after it was opened. */
  readonly retireCreditPack: CreditPackOutput;
  readonly createPlan: Plan;
  /** Renames a plan, also at the payment provider, or gives it another place among the plans. */
  readonly updatePlan: Plan;
  /** The plan is no longer for sale. Its subscribers keep it. A checkout page that is open already can be paid until it expires. */
  readonly retirePlan: Plan;
  readonly createCompany: Company;
  readonly createUser: User;
  /** Final. Returns true, also if the erasure was done before. */
  readonly eraseUser: Scalars['Boolean']['output'];
  /**
   * POSTPAID needs planId, the plan whose price divided by its credits a credit costs, unless the company had one before.
   * Changes the plan of a company that is POSTPAID already.
   */
  readonly setCompanyBillingMode: Company;
  /**
   * Adds credits. idempotencyKey makes the grant once for the company under that key, whenever it is sent again; with other data it
   * is refused.
   */
  readonly grantCredits: CreditTransaction;
  /**
   * Adds credits, or takes them if credits is negative; the balance may fall below zero. corrects names the transaction that is
   * corrected, which stays worth between nothing and what it was worth at first. The same adjustment by the same person is made
   * once in 24 hours; idempotencyKey makes it once for ever under that key, and again under another.
   */
  readonly adjustCredits: CreditTransaction;
  /** Refuses the company's calls with 403 COMPANY_SUSPENDED, and in GraphQL what spends. Its users can still sign in and read. They get the reason by mail. */
  readonly suspendCompany: Company;
  readonly resumeCompany: Company;
  /** Changes the prices of the aliases that it names or retires. Others keep their prices. */
  readonly publishPriceBook: PriceBook;
  /** Finds active subscriptions without a report of the provider since that time. Cancels them unless dryRun is set. */
  readonly deactivateStaleSubscriptions: ReadonlyArray<Subscription>;
  readonly replayWebhook: WebhookEvent;
  readonly requeueParkedTask: ParkedTask;
  /**
   * Has a gateway make a small call through one provider of an alias, by default the first that serves the API, and by default
   * of the chat API if a provider serves it. No company is charged, but the provider may charge the operator. It goes past the
   * circuit breaker and changes nothing for other calls. At most 20 a minute, of all super admins together; NOT_FOUND if no gateway has the route,
   * PROVIDER_ERROR if no gateway makes the call. A provider's failure is a result.
   */
  readonly testModel: ModelTest;
  /** Starts the generator of match scores. One that is started stays so. If no AI service runs, it begins when one does. */
  readonly startGenerator: Generator;
  /** Stops the generator of match scores after its current batch. */
  readonly stopGenerator: Generator;
};


export type MutationLoginArgs = {
  email: Scalars['String']['input'];
  password: Scalars['String']['input'];
};


export type MutationChangePasswordArgs = {
  oldPassword: Scalars['String']['input'];
  newPassword: Scalars['String']['input'];
};


export type MutationEndSessionArgs = {
  id: Scalars['ID']['input'];
};


export type MutationInviteUserArgs = {
  email: Scalars['String']['input'];
  role: Role;
};


export type MutationWithdrawInvitationArgs = {
  id: Scalars['ID']['input'];
};


export type MutationAcceptInvitationArgs = {
  token: Scalars['String']['input'];
  password: Scalars['String']['input'];
};


export type MutationRequestPasswordResetArgs = {
  email: Scalars['String']['input'];
};


export type MutationResetPasswordArgs = {
  token: Scalars['String']['input'];
  password: Scalars['String']['input'];
};


export type MutationSetRoleArgs = {
  userId: Scalars['ID']['input'];
  role: Role;
};


export type MutationRemoveUserArgs = {
  userId: Scalars['ID']['input'];
};


export type MutationMintApiKeyArgs = {
  input: MintApiKeyInput;
};


export type MutationRotateApiKeyArgs = {
  id: Scalars['ID']['input'];
  expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
};


export type MutationUpdateApiKeyArgs = {
  id: Scalars['ID']['input'];
  input: UpdateApiKeyInput;
};


export type MutationRevokeApiKeyArgs = {
  id: Scalars['ID']['input'];
};


export type MutationCreateCheckoutArgs = {
  input: CreateCheckoutInput;
};


export type MutationChangePlanArgs = {
  planId: Scalars['ID']['input'];
};


export type MutationPostJobArgs = {
  input: PostJobInput;
};


export type MutationPublishJobArgs = {
  id: Scalars['ID']['input'];
};


export type MutationCloseJobArgs = {
  id: Scalars['ID']['input'];
};


export type MutationRegisterTalentArgs = {
  input: RegisterTalentInput;
};


export type MutationEraseTalentArgs = {
  id: Scalars['ID']['input'];
};


export type MutationUploadCvArgs = {
  file: Scalars['Upload']['input'];
};


export type MutationUploadJobDocumentArgs = {
  file: Scalars['Upload']['input'];
};


export type MutationSetHardCapArgs = {
  companyId: Scalars['ID']['input'];
  hardCap: Scalars['Boolean']['input'];
};


export type MutationSetNoticeSettingsArgs = {
  lowBalanceCredits?: InputMaybe<Scalars['Float']['input']>;
};


export type MutationCreateWebhookEndpointArgs = {
  url: Scalars['String']['input'];
  types: ReadonlyArray<Scalars['String']['input']>;
};


export type MutationDeleteWebhookEndpointArgs = {
  id: Scalars['ID']['input'];
};


export type MutationResendDeliveryArgs = {
  id: Scalars['ID']['input'];
};


export type MutationCreateCreditPackArgs = {
  input: CreateCreditPackInput;
};


export type MutationUpdateCreditPackArgs = {
  id: Scalars['ID']['input'];
  input: UpdateCreditPackInput;
};


export type MutationRetireCreditPackArgs = {
  id: Scalars['ID']['input'];
};


export type MutationCreatePlanArgs = {
  input: CreatePlanInput;
};


export type MutationUpdatePlanArgs = {
  id: Scalars['ID']['input'];
  input: UpdatePlanInput;
};


export type MutationRetirePlanArgs = {
  id: Scalars['ID']['input'];
};


export type MutationCreateCompanyArgs = {
  input: CreateCompanyInput;
};


export type MutationCreateUserArgs = {
  input: CreateUserInput;
};


export type MutationEraseUserArgs = {
  id: Scalars['ID']['input'];
};


export type MutationSetCompanyBillingModeArgs = {
  companyId: Scalars['ID']['input'];
  billingMode: BillingMode;
  planId?: InputMaybe<Scalars['ID']['input']>;
};


export type MutationGrantCreditsArgs = {
  companyId: Scalars['ID']['input'];
  credits: Scalars['Float']['input'];
  reason: Scalars['String']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


export type MutationAdjustCreditsArgs = {
  companyId: Scalars['ID']['input'];
  credits: Scalars['Float']['input'];
  reason: Scalars['String']['input'];
  corrects?: InputMaybe<Scalars['ID']['input']>;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


export type MutationSuspendCompanyArgs = {
  id: Scalars['ID']['input'];
  reason: Scalars['String']['input'];
};


export type MutationResumeCompanyArgs = {
  id: Scalars['ID']['input'];
};


export type MutationPublishPriceBookArgs = {
  input: PriceBookInput;
};


export type MutationDeactivateStaleSubscriptionsArgs = {
  before: Scalars['DateTime']['input'];
  dryRun?: InputMaybe<Scalars['Boolean']['input']>;
};


export type MutationReplayWebhookArgs = {
  id: Scalars['ID']['input'];
};


export type MutationRequeueParkedTaskArgs = {
  id: Scalars['ID']['input'];
};


export type MutationTestModelArgs = {
  alias: Scalars['String']['input'];
  provider?: InputMaybe<Scalars['String']['input']>;
  wire?: InputMaybe<Scalars['String']['input']>;
};

export type SubscriptionRoot = {
  /** Super admins only. The log entries of all services, live. */
  readonly logStream: LogEntry;
  /** The balance at once, and again whenever it has changed. If it changes often, some values between are left out. */
  readonly balanceChanged: CreditBalance;
  /**
   * Each call that ends from now on, as calls lists it. A call that is reversed later is not sent again. RATE_LIMITED ends the
   * subscription of a reader that is too slow.
   */
  readonly callFinished: Call;
};


export type SubscriptionRootBalanceChangedArgs = {
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


export type SubscriptionRootCallFinishedArgs = {
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};

export type PageInfo = {
  readonly hasNextPage: Scalars['Boolean']['output'];
  readonly endCursor?: Maybe<Scalars['String']['output']>;
};

export type User = {
  readonly id: Scalars['ID']['output'];
  readonly email: Scalars['String']['output'];
  readonly isSuperAdmin: Scalars['Boolean']['output'];
  /** In their company; null for a super admin who belongs to no company. */
  readonly role?: Maybe<Role>;
};

export type Invitation = {
  readonly id: Scalars['ID']['output'];
  readonly email: Scalars['String']['output'];
  readonly role: Role;
  /** The user who sent it. */
  readonly invitedBy: Scalars['ID']['output'];
  readonly invitedAt: Scalars['DateTime']['output'];
  readonly expiresAt: Scalars['DateTime']['output'];
  readonly expired: Scalars['Boolean']['output'];
};

export type Role =
  /** May do everything in the company, and alone appoint and remove owners. A company keeps at least one. */
  | 'OWNER'
  /** As the owner, without power over owners. */
  | 'ADMIN'
  /** Reads balance, ledger, usage and invoices; buys credits and changes the subscription. */
  | 'BILLING'
  /** Mints and changes keys of their own and sees the usage of these. Cannot raise a budget. */
  | 'DEVELOPER'
  /** Reads balance, ledger, usage, keys and invoices. Changes nothing and sees no candidates. */
  | 'AUDITOR';

/** A browser that is signed in. It stays so while it is used, for 7 days at most, and for 12 hours without use. */
export type Session = {
  readonly id: Scalars['ID']['output'];
  /** Such as: Firefox on Linux. */
  readonly device: Scalars['String']['output'];
  /** The network of the address it was signed in from, such as 203.0.113.0/24. */
  readonly network: Scalars['String']['output'];
  readonly createdAt: Scalars['DateTime']['output'];
  /** Exact to five minutes. */
  readonly lastUsedAt: Scalars['DateTime']['output'];
  /** When it ends unless it is used before. */
  readonly expiresAt: Scalars['DateTime']['output'];
  /** Whether the request that asks came from it. */
  readonly isCurrent: Scalars['Boolean']['output'];
};

export type LoginOutput = {
  readonly token: Scalars['String']['output'];
  readonly expiresAt: Scalars['DateTime']['output'];
};

export type ApiKeyStatus =
  | 'LIVE'
  | 'REVOKED'
  | 'EXPIRED';

export type ApiKey = {
  readonly id: Scalars['ID']['output'];
  readonly name: Scalars['String']['output'];
  /** The first characters of the key, to identify it. */
  readonly hint: Scalars['String']['output'];
  readonly status: ApiKeyStatus;
  readonly scopes: ReadonlyArray<Scalars['String']['output']>;
  /** null allows every alias. */
  readonly models?: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** A whole number. One from the settings may be larger than an Int. */
  readonly rpm: Scalars['Float']['output'];
  /** A whole number. One from the settings may be larger than an Int. */
  readonly tpm: Scalars['Float']['output'];
  readonly expiresAt?: Maybe<Scalars['DateTime']['output']>;
  readonly rotatedFrom?: Maybe<Scalars['ID']['output']>;
  /** The user who minted or rotated it; null if that is not known. */
  readonly mintedBy?: Maybe<Scalars['ID']['output']>;
  readonly createdAt: Scalars['DateTime']['output'];
  readonly revokedAt?: Maybe<Scalars['DateTime']['output']>;
  /** What calls are counted under that have no x-usage-label. */
  readonly label?: Maybe<Scalars['String']['output']>;
  readonly budget?: Maybe<KeyBudget>;
  /** When the last call was admitted, charged or not; null if there was none. */
  readonly lastUsedAt?: Maybe<Scalars['DateTime']['output']>;
  /** Credits spent on this UTC day, by calls that were admitted on it. */
  readonly spentToday: Scalars['Float']['output'];
  /** Credits spent in this UTC month, by calls that were admitted in it. */
  readonly spentThisMonth: Scalars['Float']['output'];
};

/** UTC days and months, or all time. */
export type BudgetPeriod =
  | 'DAY'
  | 'MONTH'
  | 'TOTAL';

/** The most that may be spent in a period. A key and all keys that were rotated from it share one. */
export type KeyBudget = {
  readonly credits: Scalars['Float']['output'];
  readonly period: BudgetPeriod;
  /** Credits spent in the current period, by all keys that share the budget. */
  readonly spent: Scalars['Float']['output'];
};

export type KeyBudgetInput = {
  readonly credits: Scalars['Float']['input'];
  readonly period: BudgetPeriod;
};

export type ApiKeySecret = {
  readonly apiKey: ApiKey;
  /** Shown only once and never stored. */
  readonly secret: Scalars['String']['output'];
};

export type MintApiKeyInput = {
  readonly name: Scalars['String']['input'];
  /** Default: inference:chat, inference:parse and usage:read. */
  readonly scopes?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Default: every alias. */
  readonly models?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly rpm?: InputMaybe<Scalars['Int']['input']>;
  readonly tpm?: InputMaybe<Scalars['Int']['input']>;
  readonly expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** What calls are counted under that have no x-usage-label. Up to 64 characters. */
  readonly label?: InputMaybe<Scalars['String']['input']>;
  /** Calls beyond it are refused with 402 KEY_BUDGET_EXCEEDED. */
  readonly budget?: InputMaybe<KeyBudgetInput>;
};

/** What is left out stays as it is. */
export type UpdateApiKeyInput = {
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly scopes?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** null allows every alias. */
  readonly models?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly rpm?: InputMaybe<Scalars['Int']['input']>;
  readonly tpm?: InputMaybe<Scalars['Int']['input']>;
  /** null: the key does not expire. */
  readonly expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** null removes the label. */
  readonly label?: InputMaybe<Scalars['String']['input']>;
  /** null removes the budget. */
  readonly budget?: InputMaybe<KeyBudgetInput>;
};

export type CreditBalance = {
  readonly credits: Scalars['Float']['output'];
  readonly amountMicros: Scalars['String']['output'];
  readonly updatedAt?: Maybe<Scalars['DateTime']['output']>;
};

export type LowBalanceNotice =
  /** Below a tenth of the balance after the last top-up. */
  | 'DEFAULT'
  /** Below lowBalanceCredits. */
  | 'AMOUNT'
  | 'OFF';

export type NoticeSettings = {
  readonly lowBalance: LowBalanceNotice;
  /** The limit that the company has set; null if there is none. */
  readonly lowBalanceCredits?: Maybe<Scalars['Float']['output']>;
};

export type CreditTransactionType =
  | 'PACK_PURCHASE'
  | 'SUBSCRIPTION'
  | 'ADJUSTMENT'
  | 'USAGE'
  | 'REVERSAL'
  | 'REFUND'
  /** The invoice of a month of a postpaid company is paid. */
  | 'SETTLEMENT';

export type CreditTransaction = {
  readonly id: Scalars['ID']['output'];
  readonly type: CreditTransactionType;
  /** Signed: grants, reversals and settlements are positive, usage and refunds are negative, adjustments are either. */
  readonly credits: Scalars['Float']['output'];
  readonly amountMicros: Scalars['String']['output'];
  readonly description: Scalars['String']['output'];
  /** The request id of the gateway, for USAGE and REVERSAL. */
  readonly callId?: Maybe<Scalars['ID']['output']>;
  /** The transaction that an ADJUSTMENT corrects. */
  readonly corrects?: Maybe<Scalars['ID']['output']>;
  readonly createdAt: Scalars['DateTime']['output'];
};

export type CreditTransactionPage = {
  readonly nodes: ReadonlyArray<CreditTransaction>;
  readonly pageInfo: PageInfo;
};

export type CallState =
  | 'CHARGED'
  | 'FAILED'
  /** Charged at first, and given back: its caller was told that it failed. */
  | 'REVERSED';

export type Call = {
  /** The request id of the gateway. */
  readonly id: Scalars['ID']['output'];
  readonly state: CallState;
  readonly alias: Scalars['String']['output'];
  readonly keyId: Scalars['ID']['output'];
  readonly label?: Maybe<Scalars['String']['output']>;
  readonly endpoint: Scalars['String']['output'];
  readonly streamed: Scalars['Boolean']['output'];
  readonly tokensIn: Scalars['Float']['output'];
  /** Part of tokensIn; null if the provider does not say. */
  readonly tokensCached?: Maybe<Scalars['Float']['output']>;
  readonly tokensOut: Scalars['Float']['output'];
  /** What it costs in the end: nothing if it failed or was reversed. */
  readonly credits: Scalars['Float']['output'];
  readonly amountMicros: Scalars['String']['output'];
  readonly admittedAt: Scalars['DateTime']['output'];
  readonly finishedAt: Scalars['DateTime']['output'];
  /** Why it failed or was reversed. */
  readonly reason?: Maybe<Scalars['String']['output']>;
  /** Those of its ledger events, as for ledgerReceipt: its charge or failure and, if it was reversed, the reversal. */
  readonly eventIds: ReadonlyArray<Scalars['ID']['output']>;
};

export type Statement = {
  readonly companyId: Scalars['ID']['output'];
  readonly from: Scalars['DateTime']['output'];
  readonly to: Scalars['DateTime']['output'];
  /** The number of the first entry. It counts the entries of the company from 0. */
  readonly firstNumber: Scalars['Float']['output'];
  /** How many entries the whole statement has. */
  readonly count: Scalars['Float']['output'];
  readonly opening: CreditAmount;
  readonly closing: CreditAmount;
  readonly entries: StatementEntryPage;
  /** Of the whole statement. */
  readonly totals: StatementTotals;
  /** Where the backend gives the statement as a signed file. Add &format=csv or &format=pdf for another format than JSON. */
  readonly path: Scalars['String']['output'];
};

export type CreditAmount = {
  readonly credits: Scalars['Float']['output'];
  readonly amountMicros: Scalars['String']['output'];
};

export type StatementEntryPage = {
  readonly nodes: ReadonlyArray<StatementEntry>;
  readonly pageInfo: PageInfo;
};

export type StatementEntryType =
  | 'PACK_PURCHASE'
  | 'SUBSCRIPTION'
  | 'ADJUSTMENT'
  | 'USAGE'
  | 'REVERSAL'
  | 'REFUND'
  | 'SETTLEMENT'
  /** A call that failed and cost nothing. */
  | 'FAILED'
  | 'MONTH_CLOSED'
  | 'MONTH_BILLED';

export type StatementEntry = {
  readonly number: Scalars['Float']['output'];
  /** That of the ledger event, as for ledgerReceipt. */
  readonly id: Scalars['ID']['output'];
  /** When it was stored. */
  readonly time: Scalars['DateTime']['output'];
  readonly type: StatementEntryType;
  readonly amount: CreditAmount;
  /** With this entry. */
  readonly balance: CreditAmount;
  readonly callId?: Maybe<Scalars['ID']['output']>;
  readonly keyId?: Maybe<Scalars['ID']['output']>;
  readonly alias?: Maybe<Scalars['String']['output']>;
  readonly label?: Maybe<Scalars['String']['output']>;
  readonly tokensIn?: Maybe<Scalars['Float']['output']>;
  readonly tokensOut?: Maybe<Scalars['Float']['output']>;
  readonly description?: Maybe<Scalars['String']['output']>;
};

/** By alias, key and label of charged calls less reversals. Above 1,000 names of a kind, later ones share (other). */
export type StatementTotals = {
  readonly byType: ReadonlyArray<StatementTotal>;
  readonly byAlias: ReadonlyArray<StatementTotal>;
  readonly byKey: ReadonlyArray<StatementTotal>;
  /** Calls without a label are (none). */
  readonly byLabel: ReadonlyArray<StatementTotal>;
};

export type StatementTotal = {
  readonly name: Scalars['String']['output'];
  readonly entries: Scalars['Float']['output'];
  readonly amount: CreditAmount;
};

/** Save it as JSON with all of its fields to check it. */
export type Receipt = {
  /** Of the format. A checker refuses a version that it does not know. */
  readonly version: Scalars['Int']['output'];
  readonly event: LoggedEvent;
  /** The company's entry of the log before this one, in base64; null for its first. */
  readonly previous?: Maybe<Scalars['String']['output']>;
  /** Of the hash of the entry, in base64. */
  readonly salt: Scalars['String']['output'];
  /** C2SP tlog-proof: the place of the entry in the log, with a signed checkpoint. */
  readonly proof: Scalars['String']['output'];
};

/** A ledger event as the log records it. */
export type LoggedEvent = {
  readonly stream: Scalars['String']['output'];
  /** Counts the company's entries of the log from 0. */
  readonly number: Scalars['Float']['output'];
  readonly id: Scalars['ID']['output'];
  readonly type: Scalars['String']['output'];
  /** When the event was stored. */
  readonly time: Scalars['String']['output'];
  /** As stored. Provider and cost of a call are replaced by their hash, withheld. */
  readonly data: Scalars['JSONObject']['output'];
};

export type CallPage = {
  readonly nodes: ReadonlyArray<Call>;
  readonly pageInfo: PageInfo;
};

/** Every condition that is given must hold. */
export type TrailFilter = {
  /** What the user did, and what concerns them. */
  readonly userId?: InputMaybe<Scalars['ID']['input']>;
  /** What was done with the key, and what concerns it. */
  readonly keyId?: InputMaybe<Scalars['ID']['input']>;
  /** What concerns the purchase, and everything else that the same requests and webhooks caused. */
  readonly purchaseId?: InputMaybe<Scalars['ID']['input']>;
  /** The same of an invoice. */
  readonly invoiceId?: InputMaybe<Scalars['ID']['input']>;
  /** The events that one request, webhook or task caused. */
  readonly correlationId?: InputMaybe<Scalars['String']['input']>;
  /** The type of an event, such as ApiKeyMinted. */
  readonly type?: InputMaybe<Scalars['String']['input']>;
  /** Inclusive. */
  readonly from?: InputMaybe<Scalars['DateTime']['input']>;
  /** Exclusive. */
  readonly to?: InputMaybe<Scalars['DateTime']['input']>;
};

export type TrailActorKind =
  | 'USER'
  | 'API_KEY'
  | 'SYSTEM';

export type TrailActor = {
  readonly kind: TrailActorKind;
  /** Of the user or the key. */
  readonly id?: Maybe<Scalars['ID']['output']>;
  /** The address of a user, the first characters of a key, or the part of the system. */
  readonly name: Scalars['String']['output'];
  /** null for a user of another company, whom only super admins see by address, and for one who was erased. */
  readonly email?: Maybe<Scalars['String']['output']>;
};

export type TrailFact = {
  readonly name: Scalars['String']['output'];
  readonly value?: Maybe<Scalars['String']['output']>;
};

export type TrailEntry = {
  /** Of the event. */
  readonly id: Scalars['ID']['output'];
  /** When the event was stored. */
  readonly at: Scalars['DateTime']['output'];
  readonly type: Scalars['String']['output'];
  /** The type in words. */
  readonly title: Scalars['String']['output'];
  /** What happened, in one line. */
  readonly summary: Scalars['String']['output'];
  /** What changed, exactly. Names and addresses of persons are never among it. */
  readonly facts: ReadonlyArray<TrailFact>;
  readonly actor: TrailActor;
  readonly companyId?: Maybe<Scalars['ID']['output']>;
  readonly userId?: Maybe<Scalars['ID']['output']>;
  readonly keyId?: Maybe<Scalars['ID']['output']>;
  readonly purchaseId?: Maybe<Scalars['ID']['output']>;
  readonly invoiceId?: Maybe<Scalars['ID']['output']>;
  /** The same for all events that one request, webhook or task caused. */
  readonly correlationId: Scalars['String']['output'];
  /** The command or event that directly caused it. */
  readonly causationId: Scalars['String']['output'];
};

export type TrailPage = {
  readonly nodes: ReadonlyArray<TrailEntry>;
  readonly pageInfo: PageInfo;
};

export type UsageGroup =
  | 'ALIAS'
  | 'KEY'
  | 'LABEL'
  | 'HOUR'
  | 'DAY'
  | 'MONTH';

export type UsageEntry = {
  /** An alias, the id of a key, a label ((none) for calls without one), or when the hour, day or month began. */
  readonly group: Scalars['String']['output'];
  /** The same by the second of two groups. */
  readonly subgroup?: Maybe<Scalars['String']['output']>;
  readonly requests: Scalars['Float']['output'];
  readonly failures: Scalars['Float']['output'];
  readonly tokensIn: Scalars['Float']['output'];
  readonly tokensOut: Scalars['Float']['output'];
  readonly credits: Scalars['Float']['output'];
  readonly amountMicros: Scalars['String']['output'];
};

export type Model = {
  readonly alias: Scalars['String']['output'];
  /** Tokens of input and output together; null if PROVIDERS_FILE does not say. */
  readonly contextLength?: Maybe<Scalars['Float']['output']>;
  /** null if no gateway has a route. */
  readonly maxOutputTokens?: Maybe<Scalars['Float']['output']>;
  /** order or weighted; null if no gateway has a route. */
  readonly strategy?: Maybe<Scalars['String']['output']>;
  /** The APIs that the alias can be called with. */
  readonly wires: ReadonlyArray<Scalars['String']['output']>;
  /** In the order of PROVIDERS_FILE. Empty if no gateway has a route: the alias cannot be called. */
  readonly providers: ReadonlyArray<ModelProvider>;
  /** For companies without a price of their own. null: they cannot call the alias. */
  readonly price?: Maybe<AliasPrice>;
};

/** Figures are those of the last minute, of all gateways together, and of all aliases of the provider. */
export type ModelProvider = {
  readonly name: Scalars['String']['output'];
  readonly weight: Scalars['Float']['output'];
  /** The APIs that it serves. */
  readonly wires: ReadonlyArray<Scalars['String']['output']>;
  /** The worst among the gateways. */
  readonly breaker: BreakerState;
  readonly answers: Scalars['Float']['output'];
  /** Calls that it did not answer or refused. */
  readonly errors: Scalars['Float']['output'];
  /** Average time from the request to the beginning of the answer; null without an answer. */
  readonly firstByteMs?: Maybe<Scalars['Float']['output']>;
};

/** What came of a test call. */
export type ModelTest = {
  /** As the provider got it in x-request-id, and as the gateway's log has it. */
  readonly id: Scalars['ID']['output'];
  readonly provider: Scalars['String']['output'];
  readonly wire: Scalars['String']['output'];
  /** Of the provider's answer; null if there was none. */
  readonly status?: Maybe<Scalars['Int']['output']>;
  /** From the request to the beginning of the answer, a new connection included; null without an answer. */
  readonly firstByteMs?: Maybe<Scalars['Float']['output']>;
  readonly totalMs: Scalars['Float']['output'];
  /** null if the answer has no usage. */
  readonly tokensIn?: Maybe<Scalars['Float']['output']>;
  readonly tokensOut?: Maybe<Scalars['Float']['output']>;
  /** What the provider charges for it, in millionths of the currency; null if PROVIDERS_FILE or the answer does not say. It is no part of `margin`. */
  readonly costMicros?: Maybe<Scalars['String']['output']>;
  readonly costCurrency?: Maybe<Scalars['String']['output']>;
  /** What is wrong with the route, and what to check; null if companies can be served by it. */
  readonly error?: Maybe<Scalars['String']['output']>;
};

export type BreakerState =
  | 'CLOSED'
  | 'HALF_OPEN'
  | 'OPEN';

export type MarginGroup =
  | 'ALIAS'
  | 'PROVIDER'
  | 'DAY';

export type MarginEntry = {
  /** The alias, the provider, or the day as YYYY-MM-DD; null for calls whose provider is not recorded. */
  readonly group?: Maybe<Scalars['String']['output']>;
  /** Of the cost; null for calls whose cost is not known. */
  readonly currency?: Maybe<Scalars['String']['output']>;
  /** Charged calls. */
  readonly calls: Scalars['Float']['output'];
  /** Failed and reversed calls. Their providers may charge for them. */
  readonly failures: Scalars['Float']['output'];
  readonly credits: Scalars['Float']['output'];
  readonly amountMicros: Scalars['String']['output'];
  /** In units of the currency; null if it is not known. */
  readonly cost?: Maybe<Scalars['Float']['output']>;
  /** In millionths of the currency, exact; null if it is not known. */
  readonly costMicros?: Maybe<Scalars['String']['output']>;
};

export type ReconciliationKind =
  /** The provider has a payment for which the ledger has no grant. */
  | 'PAYMENT_WITHOUT_GRANT'
  /** The ledger has a grant for which the provider has no payment. */
  | 'GRANT_WITHOUT_PAYMENT'
  /** The provider's payment has another amount than the one that was recorded. */
  | 'AMOUNT_DIFFERS'
  /** The ledger granted or took back other credits than follow from the payment or its refunds. */
  | 'CREDITS_DIFFER'
  | 'REFUND_NOT_ON_LEDGER'
  | 'REFUND_NOT_AT_PROVIDER'
  /** Explained: payment and grant are in different months. */
  | 'OTHER_MONTH'
  /** Explained: an invoice that grants no credits. */
  | 'NO_CREDITS_DUE'
  /** Explained: the purchase or the period was free. */
  | 'NOTHING_TO_PAY'
  /** Explained: paid outside of the provider, or from the customer's balance there. */
  | 'PAID_ELSEWHERE';

export type ReconciliationFinding = {
  readonly kind: ReconciliationKind;
  /** In words, with times and exact amounts. */
  readonly text: Scalars['String']['output'];
  readonly companyId?: Maybe<Scalars['ID']['output']>;
  readonly purchaseId?: Maybe<Scalars['ID']['output']>;
  readonly invoiceId?: Maybe<Scalars['ID']['output']>;
  /** The id of the payment at the provider. */
  readonly chargeId?: Maybe<Scalars['ID']['output']>;
};

export type MoneyTotal = {
  readonly currency: Scalars['String']['output'];
  readonly count: Scalars['Float']['output'];
  /** In the smallest unit of the currency, exact. */
  readonly amountMinor: Scalars['String']['output'];
};

export type CreditTotal = {
  readonly count: Scalars['Float']['output'];
  readonly credits: Scalars['Float']['output'];
  readonly amountMicros: Scalars['String']['output'];
};

export type ProviderCost = {
  readonly alias: Scalars['String']['output'];
  /** null for calls whose provider is not recorded. */
  readonly provider?: Maybe<Scalars['String']['output']>;
  /** null for calls whose cost is not recorded. */
  readonly currency?: Maybe<Scalars['String']['output']>;
  /** Charged calls. */
  readonly calls: Scalars['Float']['output'];
  /** Failed and reversed calls. Their providers may charge for them. */
  readonly failures: Scalars['Float']['output'];
  /** What the calls were charged, in millionths of a credit. */
  readonly chargedMicros: Scalars['String']['output'];
  /** In millionths of the currency; null if it is not recorded. */
  readonly costMicros?: Maybe<Scalars['String']['output']>;
};

export type Reconciliation = {
  readonly month: Scalars['String']['output'];
  /** False while the month goes on: payments may be on their way to the ledger. */
  readonly hasEnded: Scalars['Boolean']['output'];
  /** True if there is no difference. */
  readonly matches: Scalars['Boolean']['output'];
  /** At most 1,000. */
  readonly differences: ReadonlyArray<ReconciliationFinding>;
  readonly differenceCount: Scalars['Float']['output'];
  /** What looks like a difference and is none, at most 1,000. */
  readonly explained: ReadonlyArray<ReconciliationFinding>;
  readonly explainedCount: Scalars['Float']['output'];
  readonly payments: ReadonlyArray<MoneyTotal>;
  readonly refunds: ReadonlyArray<MoneyTotal>;
  /** Payments of customers that are not ours, through the same account. */
  readonly otherPayments: ReadonlyArray<MoneyTotal>;
  readonly granted: CreditTotal;
  readonly settled: CreditTotal;
  readonly takenBack: CreditTotal;
  /** Grants by hand, which no payment belongs to. */
  readonly grantedByHand: CreditTotal;
  readonly costs: ReadonlyArray<ProviderCost>;
};

export type UsagePage = {
  readonly nodes: ReadonlyArray<UsageEntry>;
  readonly pageInfo: PageInfo;
};

export type BillingMode =
  | 'PREPAID'
  | 'POSTPAID';

export type Plan = {
  readonly id: Scalars['ID']['output'];
  readonly name: Scalars['String']['output'];
  readonly active: Scalars['Boolean']['output'];
  readonly billingMode: BillingMode;
  /** In major units of the currency. */
  readonly price: Scalars['Float']['output'];
  readonly currency: Scalars['String']['output'];
  readonly creditsPerPeriod: Scalars['Float']['output'];
  /** Days until an invoice of a POSTPAID plan is due. */
  readonly dueDays: Scalars['Int']['output'];
  readonly providerProductId?: Maybe<Scalars['String']['output']>;
  readonly providerPriceId?: Maybe<Scalars['String']['output']>;
  readonly needsProviderPricing: Scalars['Boolean']['output'];
  /** Plans are listed in this order, those with the same one by their creation. */
  readonly sortOrder: Scalars['Int']['output'];
  readonly updatedAt: Scalars['DateTime']['output'];
};

export type CreatePlanInput = {
  readonly name: Scalars['String']['input'];
  readonly billingMode: BillingMode;
  readonly price: Scalars['Float']['input'];
  readonly currency: Scalars['String']['input'];
  readonly creditsPerPeriod: Scalars['Float']['input'];
  /** Days until an invoice of a POSTPAID plan is due. */
  readonly dueDays?: InputMaybe<Scalars['Int']['input']>;
  /** 0 if it is left out. */
  readonly sortOrder?: InputMaybe<Scalars['Int']['input']>;
};

/** What is left out stays as it is. */
export type UpdatePlanInput = {
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly sortOrder?: InputMaybe<Scalars['Int']['input']>;
};

export type CreditPackOutput = {
  readonly id: Scalars['ID']['output'];
  readonly name: Scalars['String']['output'];
  readonly credits: Scalars['Float']['output'];
  readonly price: Scalars['Float']['output'];
  readonly currency: Scalars['String']['output'];
  readonly sortOrder: Scalars['Int']['output'];
};

/** What is left out stays as it is. */
export type UpdateCreditPackInput = {
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly sortOrder?: InputMaybe<Scalars['Int']['input']>;
};

export type CreateCreditPackInput = {
  readonly name: Scalars['String']['input'];
  readonly credits: Scalars['Float']['input'];
  readonly price: Scalars['Float']['input'];
  readonly currency: Scalars['String']['input'];
  readonly sortOrder: Scalars['Int']['input'];
};

/** Exactly one of the two. */
export type CreateCheckoutInput = {
  readonly packId?: InputMaybe<Scalars['ID']['input']>;
  readonly planId?: InputMaybe<Scalars['ID']['input']>;
};

export type Checkout = {
  /** The id of the provider's checkout session. */
  readonly id: Scalars['ID']['output'];
  /** The page on which the user pays. */
  readonly url: Scalars['String']['output'];
  /** null for a plan, whose subscription starts once it is paid. */
  readonly purchaseId?: Maybe<Scalars['ID']['output']>;
};

export type SubscriptionStatus =
  | 'INCOMPLETE'
  | 'TRIALING'
  | 'ACTIVE'
  | 'PAST_DUE'
  | 'PAUSED'
  | 'UNPAID'
  | 'CANCELED';

export type Subscription = {
  readonly id: Scalars['ID']['output'];
  readonly status: SubscriptionStatus;
  readonly isActive: Scalars['Boolean']['output'];
  readonly planId?: Maybe<Scalars['ID']['output']>;
  readonly providerSubscriptionId: Scalars['String']['output'];
  readonly startDate?: Maybe<Scalars['DateTime']['output']>;
  readonly endDate?: Maybe<Scalars['DateTime']['output']>;
  readonly trialEnd?: Maybe<Scalars['DateTime']['output']>;
  readonly cancelAtPeriodEnd: Scalars['Boolean']['output'];
  /** The plan from the next period on, if it is another one. */
  readonly nextPlanId?: Maybe<Scalars['ID']['output']>;
  readonly currentPeriodEnd?: Maybe<Scalars['DateTime']['output']>;
  readonly updatedAt: Scalars['DateTime']['output'];
};

export type InvoiceStatus =
  | 'DRAFT'
  | 'OPEN'
  | 'PAID'
  | 'PAYMENT_FAILED'
  | 'ACTION_REQUIRED'
  | 'FINALIZATION_FAILED'
  | 'UPCOMING'
  | 'VOID'
  | 'UNCOLLECTIBLE';

export type Invoice = {
  readonly id: Scalars['ID']['output'];
  readonly providerInvoiceId?: Maybe<Scalars['String']['output']>;
  readonly status: InvoiceStatus;
  /** In major units of the currency. */
  readonly amount: Scalars['Float']['output'];
  readonly currency: Scalars['String']['output'];
  readonly dueDate?: Maybe<Scalars['DateTime']['output']>;
  readonly paidAt?: Maybe<Scalars['DateTime']['output']>;
  readonly overdue: Scalars['Boolean']['output'];
  /** The provider's page on which the invoice can be paid. */
  readonly hostedUrl?: Maybe<Scalars['String']['output']>;
  readonly pdfUrl?: Maybe<Scalars['String']['output']>;
  /** The month, as YYYY-MM, of an invoice for the usage of a POSTPAID company. */
  readonly month?: Maybe<Scalars['String']['output']>;
  /** Empty unless it is an invoice for the usage of a POSTPAID company. */
  readonly lines: ReadonlyArray<InvoiceLine>;
  readonly createdAt: Scalars['DateTime']['output'];
};

export type InvoiceLineKind =
  /** The calls of an alias. */
  | 'USAGE'
  /** Credits that were left from before or granted in the range, which are used first, or a rest of an earlier month. */
  | 'PREPAID'
  /** Granted credits that were taken back. */
  | 'REFUND'
  | 'ADJUSTMENT';

/** All lines add up to the invoice: credits and amounts are signed. */
export type InvoiceLine = {
  readonly kind: InvoiceLineKind;
  /** null unless kind is USAGE, or if more aliases were called than an invoice has lines. */
  readonly alias?: Maybe<Scalars['String']['output']>;
  readonly calls: Scalars['Float']['output'];
  readonly tokensIn: Scalars['Float']['output'];
  readonly tokensOut: Scalars['Float']['output'];
  readonly credits: Scalars['Float']['output'];
  readonly amountMicros: Scalars['String']['output'];
  /** In major units of the invoice's currency. */
  readonly amount: Scalars['Float']['output'];
};

export type PurchaseStatus =
  /** The checkout page is open, or its payment is not reported yet. */
  | 'PENDING'
  /** Paid; the credits are granted. */
  | 'COMPLETED'
  /** A payment was tried and failed, and the checkout page is closed; failureReason says why. */
  | 'FAILED'
  /** The checkout page was closed without a payment. */
  | 'EXPIRED';

export type CreditPackPurchase = {
  readonly id: Scalars['ID']['output'];
  readonly packId: Scalars['ID']['output'];
  readonly status: PurchaseStatus;
  readonly credits: Scalars['Float']['output'];
  readonly price: Scalars['Float']['output'];
  readonly currency: Scalars['String']['output'];
  /** The credits taken back so far. */
  readonly creditsRefunded: Scalars['Float']['output'];
  /** Why a FAILED purchase failed, in the payment provider's words. */
  readonly failureReason?: Maybe<Scalars['String']['output']>;
  /** When the checkout page closes. */
  readonly expiresAt?: Maybe<Scalars['DateTime']['output']>;
  readonly createdAt: Scalars['DateTime']['output'];
  readonly completedAt?: Maybe<Scalars['DateTime']['output']>;
};

export type JobStatus =
  | 'DRAFT'
  | 'ACTIVE'
  | 'CLOSED';

export type Job = {
  readonly id: Scalars['ID']['output'];
  readonly title: Scalars['String']['output'];
  readonly status: JobStatus;
  readonly location?: Maybe<Scalars['String']['output']>;
  readonly employmentType?: Maybe<Scalars['String']['output']>;
  readonly seniority?: Maybe<Scalars['String']['output']>;
  readonly requirements: ReadonlyArray<Scalars['String']['output']>;
  readonly metadata: Scalars['JSONObject']['output'];
  readonly createdAt: Scalars['DateTime']['output'];
};

export type PostJobInput = {
  readonly title: Scalars['String']['input'];
  readonly location?: InputMaybe<Scalars['String']['input']>;
  readonly employmentType?: InputMaybe<Scalars['String']['input']>;
  readonly seniority?: InputMaybe<Scalars['String']['input']>;
  readonly requirements?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly metadata?: InputMaybe<Scalars['JSONObject']['input']>;
};

export type Talent = {
  readonly id: Scalars['ID']['output'];
  readonly name: Scalars['String']['output'];
  readonly location?: Maybe<Scalars['String']['output']>;
  readonly seniority?: Maybe<Scalars['String']['output']>;
  readonly yearsOfExperience?: Maybe<Scalars['Float']['output']>;
  readonly skills: ReadonlyArray<Scalars['String']['output']>;
  readonly languages: ReadonlyArray<Scalars['String']['output']>;
  readonly createdAt: Scalars['DateTime']['output'];
};

export type RegisterTalentInput = {
  readonly name: Scalars['String']['input'];
  readonly location?: InputMaybe<Scalars['String']['input']>;
  readonly seniority?: InputMaybe<Scalars['String']['input']>;
  readonly yearsOfExperience?: InputMaybe<Scalars['Float']['input']>;
  readonly skills?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly languages?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

export type MatchScoreParts = {
  readonly skills: Scalars['Float']['output'];
  readonly experience: Scalars['Float']['output'];
  readonly location: Scalars['Float']['output'];
  readonly language: Scalars['Float']['output'];
  readonly seniority: Scalars['Float']['output'];
};

export type MatchScore = {
  readonly jobId: Scalars['ID']['output'];
  readonly talentId: Scalars['ID']['output'];
  /** 0 to 100. */
  readonly score: Scalars['Float']['output'];
  readonly parts: MatchScoreParts;
  readonly explanation: Scalars['String']['output'];
  readonly computedAt: Scalars['DateTime']['output'];
};

export type DocumentKind =
  | 'CV'
  | 'JOB_DOCUMENT';

export type DocumentStatus =
  | 'UPLOADED'
  | 'PROCESSED'
  | 'FAILED';

export type Document = {
  readonly id: Scalars['ID']['output'];
  readonly kind: DocumentKind;
  readonly status: DocumentStatus;
  readonly filename: Scalars['String']['output'];
  /** The reason of a failure. */
  readonly error?: Maybe<Scalars['String']['output']>;
  /** What was created from the document. */
  readonly talentId?: Maybe<Scalars['ID']['output']>;
  readonly jobId?: Maybe<Scalars['ID']['output']>;
  readonly createdAt: Scalars['DateTime']['output'];
};

export type MeetingInsight = {
  readonly id: Scalars['ID']['output'];
  readonly room: Scalars['String']['output'];
  readonly startedAt: Scalars['DateTime']['output'];
  readonly endedAt: Scalars['DateTime']['output'];
  readonly durationSeconds: Scalars['Float']['output'];
  readonly jobId?: Maybe<Scalars['ID']['output']>;
  readonly talentId?: Maybe<Scalars['ID']['output']>;
  readonly summary: Scalars['String']['output'];
  readonly createdAt: Scalars['DateTime']['output'];
};

export type MeetingInsightPage = {
  readonly nodes: ReadonlyArray<MeetingInsight>;
  readonly pageInfo: PageInfo;
};

export type Company = {
  readonly id: Scalars['ID']['output'];
  readonly name: Scalars['String']['output'];
  readonly billingMode: BillingMode;
  /** The plan by which it pays, or last paid, as a POSTPAID company. */
  readonly planId?: Maybe<Scalars['ID']['output']>;
  readonly hardCap: Scalars['Boolean']['output'];
  readonly createdAt: Scalars['DateTime']['output'];
  /** null if it is not suspended. */
  readonly suspendedAt?: Maybe<Scalars['DateTime']['output']>;
  readonly suspendedReason?: Maybe<Scalars['String']['output']>;
};

export type CreateCompanyInput = {
  readonly name: Scalars['String']['input'];
  readonly billingMode?: InputMaybe<BillingMode>;
  /** Required if billingMode is POSTPAID. */
  readonly planId?: InputMaybe<Scalars['ID']['input']>;
};

export type CreateUserInput = {
  readonly email: Scalars['String']['input'];
  readonly password: Scalars['String']['input'];
  /** Required, except for super admins. */
  readonly companyId?: InputMaybe<Scalars['ID']['input']>;
  readonly isSuperAdmin?: InputMaybe<Scalars['Boolean']['input']>;
  /** In the company. Default: OWNER for its first user, otherwise ADMIN. */
  readonly role?: InputMaybe<Role>;
};

/** In credits, with up to six decimals. */
export type AliasPriceInput = {
  readonly alias: Scalars['String']['input'];
  readonly inputPerMillionTokens: Scalars['Float']['input'];
  /** Input that the provider read from its cache. Default: as other input. */
  readonly cachedInputPerMillionTokens?: InputMaybe<Scalars['Float']['input']>;
  /** Input that the provider wrote to its cache. Default: as other input. */
  readonly cacheWritePerMillionTokens?: InputMaybe<Scalars['Float']['input']>;
  readonly outputPerMillionTokens: Scalars['Float']['input'];
  /** A fee for each call. Default: none. */
  readonly perCall?: InputMaybe<Scalars['Float']['input']>;
};

export type PriceBookInput = {
  readonly prices?: InputMaybe<ReadonlyArray<AliasPriceInput>>;
  /** Aliases that have no price from then on. In the book of a company: aliases for which the common price applies again. */
  readonly retire?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** The company whose prices change. Default: all companies that have no price of their own for the alias. */
  readonly companyId?: InputMaybe<Scalars['ID']['input']>;
  /**
   * The earliest time is 5 seconds after the publication, so that every gateway knows the book by then; for aliases that had no
   * price until now it is the publication. Default, and instead of an earlier time that is not past: the earliest time.
   */
  readonly effectiveFrom?: InputMaybe<Scalars['DateTime']['input']>;
};

/** In credits. */
export type AliasPrice = {
  readonly alias: Scalars['String']['output'];
  readonly inputPerMillionTokens: Scalars['Float']['output'];
  /** null: as other input. */
  readonly cachedInputPerMillionTokens?: Maybe<Scalars['Float']['output']>;
  /** null: as other input. */
  readonly cacheWritePerMillionTokens?: Maybe<Scalars['Float']['output']>;
  readonly outputPerMillionTokens: Scalars['Float']['output'];
  /** null: no fee. */
  readonly perCall?: Maybe<Scalars['Float']['output']>;
  /** The book that set the price. */
  readonly bookId: Scalars['ID']['output'];
};

export type PriceBook = {
  /** Of the prices in force: the newest book among those that set them. */
  readonly id: Scalars['ID']['output'];
  /** null: for all companies. */
  readonly companyId?: Maybe<Scalars['ID']['output']>;
  readonly effectiveFrom: Scalars['DateTime']['output'];
  readonly prices: ReadonlyArray<AliasPrice>;
  /** Aliases that it took the price of. */
  readonly retired: ReadonlyArray<Scalars['String']['output']>;
  /** True for books of an earlier version: they took the prices of all aliases that they do not name. */
  readonly replacesAll: Scalars['Boolean']['output'];
  readonly publishedAt: Scalars['DateTime']['output'];
  /** Of a book that was just published: aliases that cannot be called with it, because they have a provider and no price, or a price and no provider. */
  readonly hints: ReadonlyArray<Scalars['String']['output']>;
};

export type SetupStep = {
  readonly name: Scalars['String']['output'];
  readonly done: Scalars['Boolean']['output'];
  /** What to do; for a step that is done, what was found. */
  readonly hint: Scalars['String']['output'];
};

/** What the calls of a time cost, and what they would have cost. */
export type PricePreview = {
  readonly from: Scalars['DateTime']['output'];
  readonly to: Scalars['DateTime']['output'];
  /** Charged calls, without those that were reversed. */
  readonly calls: Scalars['Int']['output'];
  /** Calls of aliases that would have had no price. They count as 0 in the new amounts. */
  readonly refusedCalls: Scalars['Int']['output'];
  readonly oldCredits: Scalars['Float']['output'];
  readonly oldAmountMicros: Scalars['String']['output'];
  readonly newCredits: Scalars['Float']['output'];
  readonly newAmountMicros: Scalars['String']['output'];
  readonly aliases: ReadonlyArray<PricePreviewEntry>;
};

export type PricePreviewEntry = {
  readonly alias: Scalars['String']['output'];
  readonly calls: Scalars['Int']['output'];
  readonly refusedCalls: Scalars['Int']['output'];
  readonly oldCredits: Scalars['Float']['output'];
  readonly oldAmountMicros: Scalars['String']['output'];
  readonly newCredits: Scalars['Float']['output'];
  readonly newAmountMicros: Scalars['String']['output'];
};

export type WebhookStatus =
  | 'RECEIVED'
  | 'PROCESSED'
  | 'FAILED';

export type WebhookEvent = {
  /** The event id of the provider. */
  readonly id: Scalars['ID']['output'];
  readonly type: Scalars['String']['output'];
  readonly status: WebhookStatus;
  /** What a processed event changed, or why it changed nothing. */
  readonly effect?: Maybe<Scalars['String']['output']>;
  readonly error?: Maybe<Scalars['String']['output']>;
  readonly receivedAt: Scalars['DateTime']['output'];
  readonly processedAt?: Maybe<Scalars['DateTime']['output']>;
};

export type WebhookEndpoint = {
  readonly id: Scalars['ID']['output'];
  readonly url: Scalars['String']['output'];
  readonly types: ReadonlyArray<Scalars['String']['output']>;
  readonly createdAt: Scalars['DateTime']['output'];
  /** Since when nothing is sent to it, because the receiver answered 410. */
  readonly disabledAt?: Maybe<Scalars['DateTime']['output']>;
  readonly disabledReason?: Maybe<Scalars['String']['output']>;
};

export type WebhookEndpointSecret = {
  readonly endpoint: WebhookEndpoint;
  /** Signs the messages. It is shown only here. */
  readonly secret: Scalars['String']['output'];
};

export type WebhookDelivery = {
  readonly id: Scalars['ID']['output'];
  /** The webhook-id of the message. */
  readonly messageId: Scalars['ID']['output'];
  readonly type: Scalars['String']['output'];
  /** Counts the messages of the endpoint. */
  readonly number: Scalars['Float']['output'];
  readonly state: WebhookDeliveryState;
  readonly attempts: Scalars['Int']['output'];
  /** The status of the last answer; null if there was none. */
  readonly lastStatus?: Maybe<Scalars['Int']['output']>;
  readonly lastError?: Maybe<Scalars['String']['output']>;
  readonly lastAttemptAt?: Maybe<Scalars['DateTime']['output']>;
  /** null if no further attempt is due. */
  readonly nextAttemptAt?: Maybe<Scalars['DateTime']['output']>;
  readonly createdAt: Scalars['DateTime']['output'];
};

export type WebhookDeliveryState =
  /** It waits for its first or next attempt. */
  | 'PENDING'
  /** The receiver answered 2xx. */
  | 'DELIVERED'
  /** All attempts failed, or the receiver answered 410. */
  | 'FAILED'
  /** The endpoint was deleted or disabled before. */
  | 'CANCELED';

export type ParkedTask = {
  readonly id: Scalars['ID']['output'];
  readonly worker: Scalars['String']['output'];
  /** What the task is about, for example a document or the cause of a mail. */
  readonly subject: Scalars['String']['output'];
  readonly attempts: Scalars['Int']['output'];
  readonly error: Scalars['String']['output'];
  readonly status: ParkedTaskStatus;
  readonly parkedAt: Scalars['DateTime']['output'];
};

export type ParkedTaskStatus =
  | 'PARKED'
  | 'REQUEUED';

export type ReadModel = {
  readonly name: Scalars['String']['output'];
  /** Of the rows; null if it is not built yet. */
  readonly version?: Maybe<Scalars['Float']['output']>;
  /** Of the program. If the rows have another one, the read model has to be rebuilt. */
  readonly currentVersion: Scalars['Float']['output'];
  /** Events in the store that it has not applied. With Kafka an upper bound, because events of other partitions are counted. null if it is not built yet. */
  readonly lagEvents?: Maybe<Scalars['Float']['output']>;
  /** Since when the oldest of them has been stored; 0 if there is none. null if it is not built yet. */
  readonly lagSeconds?: Maybe<Scalars['Float']['output']>;
  /** When it last moved forward; null if it has not since the version of Tollgate that records it. */
  readonly movedAt?: Maybe<Scalars['DateTime']['output']>;
};

export type Lease = {
  readonly name: Scalars['String']['output'];
  /** Host, process and a random part, or the request that holds it. */
  readonly holder: Scalars['String']['output'];
  /** Counts the holders. */
  readonly epoch: Scalars['Float']['output'];
  /** false: it has expired or was given back, and no process does its work. */
  readonly isHeld: Scalars['Boolean']['output'];
  /** When the holder took it; null if that was before the version of Tollgate that records it. */
  readonly takenAt?: Maybe<Scalars['DateTime']['output']>;
  /** Holders renew it long before. */
  readonly expiresAt: Scalars['DateTime']['output'];
};

export type Generator = {
  /** Whether it was started last, and not stopped. */
  readonly isStarted: Scalars['Boolean']['output'];
  /** Number of the last batch that began, over all runs. */
  readonly batch: Scalars['Float']['output'];
  /** What the process that runs it reports; null if no AI service runs. */
  readonly figures?: Maybe<GeneratorFigures>;
};

/** Counted since the last start, or since the process took over. */
export type GeneratorFigures = {
  /** A batch is being scored. */
  readonly isProcessing: Scalars['Boolean']['output'];
  readonly uptimeSeconds: Scalars['Float']['output'];
  /** Pairs of a job and a talent that are read ahead or wait for a retry. */
  readonly queuedPairs: Scalars['Float']['output'];
  readonly matches: Scalars['Float']['output'];
  /** Pairs that failed. They are tried again. */
  readonly errors: Scalars['Float']['output'];
  /** Of the pairs that were tried. */
  readonly errorPercent: Scalars['Float']['output'];
  /** Average time of one match. */
  readonly matchMs: Scalars['Float']['output'];
  readonly matchesPerMinute: Scalars['Float']['output'];
  readonly lastMatchAt?: Maybe<Scalars['DateTime']['output']>;
  /** The worst of the models that it uses. */
  readonly breaker: BreakerState;
};

export type LedgerLog = {
  /** Events that are sealed. Those that no checkpoint covers yet are not public. */
  readonly entries: Scalars['Float']['output'];
  /** null before the first one. */
  readonly checkpoint?: Maybe<LogCheckpoint>;
  /** Why nothing is sealed or signed any more; null if the store matches all that was signed. */
  readonly fault?: Maybe<Scalars['String']['output']>;
  /** The event that differs, if it is known. */
  readonly faultEvent?: Maybe<Scalars['ID']['output']>;
};

export type LogCheckpoint = {
  readonly origin: Scalars['String']['output'];
  /** The number of entries that it covers. */
  readonly size: Scalars['Float']['output'];
  /** Of the tree, in base64. */
  readonly root: Scalars['String']['output'];
  readonly signedAt: Scalars['DateTime']['output'];
  /** As /log/checkpoint publishes it. */
  readonly note: Scalars['String']['output'];
};

export type LogEntry = {
  readonly timestamp: Scalars['DateTime']['output'];
  readonly level: Scalars['String']['output'];
  readonly message: Scalars['String']['output'];
  readonly context: Scalars['JSONObject']['output'];
};



export type ResolverTypeWrapper<T> = Promise<T> | T;


export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs> | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;





/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  JSONObject: ResolverTypeWrapper<Scalars['JSONObject']['output']>;
  Upload: ResolverTypeWrapper<Scalars['Upload']['output']>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  SubscriptionRoot: ResolverTypeWrapper<Record<PropertyKey, never>>;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  User: ResolverTypeWrapper<User>;
  Invitation: ResolverTypeWrapper<Invitation>;
  Role: Role;
  Session: ResolverTypeWrapper<Session>;
  LoginOutput: ResolverTypeWrapper<LoginOutput>;
  ApiKeyStatus: ApiKeyStatus;
  ApiKey: ResolverTypeWrapper<ApiKey>;
  BudgetPeriod: BudgetPeriod;
  KeyBudget: ResolverTypeWrapper<KeyBudget>;
  KeyBudgetInput: KeyBudgetInput;
  ApiKeySecret: ResolverTypeWrapper<ApiKeySecret>;
  MintApiKeyInput: MintApiKeyInput;
  UpdateApiKeyInput: UpdateApiKeyInput;
  CreditBalance: ResolverTypeWrapper<CreditBalance>;
  LowBalanceNotice: LowBalanceNotice;
  NoticeSettings: ResolverTypeWrapper<NoticeSettings>;
  CreditTransactionType: CreditTransactionType;
  CreditTransaction: ResolverTypeWrapper<CreditTransaction>;
  CreditTransactionPage: ResolverTypeWrapper<CreditTransactionPage>;
  CallState: CallState;
  Call: ResolverTypeWrapper<Call>;
  Statement: ResolverTypeWrapper<Statement>;
  CreditAmount: ResolverTypeWrapper<CreditAmount>;
  StatementEntryPage: ResolverTypeWrapper<StatementEntryPage>;
  StatementEntryType: StatementEntryType;
  StatementEntry: ResolverTypeWrapper<StatementEntry>;
  StatementTotals: ResolverTypeWrapper<StatementTotals>;
  StatementTotal: ResolverTypeWrapper<StatementTotal>;
  Receipt: ResolverTypeWrapper<Receipt>;
  LoggedEvent: ResolverTypeWrapper<LoggedEvent>;
  CallPage: ResolverTypeWrapper<CallPage>;
  TrailFilter: TrailFilter;
  TrailActorKind: TrailActorKind;
  TrailActor: ResolverTypeWrapper<TrailActor>;
  TrailFact: ResolverTypeWrapper<TrailFact>;
  TrailEntry: ResolverTypeWrapper<TrailEntry>;
  TrailPage: ResolverTypeWrapper<TrailPage>;
  UsageGroup: UsageGroup;
  UsageEntry: ResolverTypeWrapper<UsageEntry>;
  Model: ResolverTypeWrapper<Model>;
  ModelProvider: ResolverTypeWrapper<ModelProvider>;
  ModelTest: ResolverTypeWrapper<ModelTest>;
  BreakerState: BreakerState;
  MarginGroup: MarginGroup;
  MarginEntry: ResolverTypeWrapper<MarginEntry>;
  ReconciliationKind: ReconciliationKind;
  ReconciliationFinding: ResolverTypeWrapper<ReconciliationFinding>;
  MoneyTotal: ResolverTypeWrapper<MoneyTotal>;
  CreditTotal: ResolverTypeWrapper<CreditTotal>;
  ProviderCost: ResolverTypeWrapper<ProviderCost>;
  Reconciliation: ResolverTypeWrapper<Reconciliation>;
  UsagePage: ResolverTypeWrapper<UsagePage>;
  BillingMode: BillingMode;
  Plan: ResolverTypeWrapper<Plan>;
  CreatePlanInput: CreatePlanInput;
  UpdatePlanInput: UpdatePlanInput;
  CreditPackOutput: ResolverTypeWrapper<CreditPackOutput>;
  UpdateCreditPackInput: UpdateCreditPackInput;
  CreateCreditPackInput: CreateCreditPackInput;
  CreateCheckoutInput: CreateCheckoutInput;
  Checkout: ResolverTypeWrapper<Checkout>;
  SubscriptionStatus: SubscriptionStatus;
  Subscription: ResolverTypeWrapper<Subscription>;
  InvoiceStatus: InvoiceStatus;
  Invoice: ResolverTypeWrapper<Invoice>;
  InvoiceLineKind: InvoiceLineKind;
  InvoiceLine: ResolverTypeWrapper<InvoiceLine>;
  PurchaseStatus: PurchaseStatus;
  CreditPackPurchase: ResolverTypeWrapper<CreditPackPurchase>;
  JobStatus: JobStatus;
  Job: ResolverTypeWrapper<Job>;
  PostJobInput: PostJobInput;
  Talent: ResolverTypeWrapper<Talent>;
  RegisterTalentInput: RegisterTalentInput;
  MatchScoreParts: ResolverTypeWrapper<MatchScoreParts>;
  MatchScore: ResolverTypeWrapper<MatchScore>;
  DocumentKind: DocumentKind;
  DocumentStatus: DocumentStatus;
  Document: ResolverTypeWrapper<Document>;
  MeetingInsight: ResolverTypeWrapper<MeetingInsight>;
  MeetingInsightPage: ResolverTypeWrapper<MeetingInsightPage>;
  Company: ResolverTypeWrapper<Company>;
  CreateCompanyInput: CreateCompanyInput;
  CreateUserInput: CreateUserInput;
  AliasPriceInput: AliasPriceInput;
  PriceBookInput: PriceBookInput;
  AliasPrice: ResolverTypeWrapper<AliasPrice>;
  PriceBook: ResolverTypeWrapper<PriceBook>;
  SetupStep: ResolverTypeWrapper<SetupStep>;
  PricePreview: ResolverTypeWrapper<PricePreview>;
  PricePreviewEntry: ResolverTypeWrapper<PricePreviewEntry>;
  WebhookStatus: WebhookStatus;
  WebhookEvent: ResolverTypeWrapper<WebhookEvent>;
  WebhookEndpoint: ResolverTypeWrapper<WebhookEndpoint>;
  WebhookEndpointSecret: ResolverTypeWrapper<WebhookEndpointSecret>;
  WebhookDelivery: ResolverTypeWrapper<WebhookDelivery>;
  WebhookDeliveryState: WebhookDeliveryState;
  ParkedTask: ResolverTypeWrapper<ParkedTask>;
  ParkedTaskStatus: ParkedTaskStatus;
  ReadModel: ResolverTypeWrapper<ReadModel>;
  Lease: ResolverTypeWrapper<Lease>;
  Generator: ResolverTypeWrapper<Generator>;
  GeneratorFigures: ResolverTypeWrapper<GeneratorFigures>;
  LedgerLog: ResolverTypeWrapper<LedgerLog>;
  LogCheckpoint: ResolverTypeWrapper<LogCheckpoint>;
  LogEntry: ResolverTypeWrapper<LogEntry>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  DateTime: Scalars['DateTime']['output'];
  JSONObject: Scalars['JSONObject']['output'];
  Upload: Scalars['Upload']['output'];
  Query: Record<PropertyKey, never>;
  ID: Scalars['ID']['output'];
  Int: Scalars['Int']['output'];
  String: Scalars['String']['output'];
  Mutation: Record<PropertyKey, never>;
  Boolean: Scalars['Boolean']['output'];
  Float: Scalars['Float']['output'];
  SubscriptionRoot: Record<PropertyKey, never>;
  PageInfo: PageInfo;
  User: User;
  Invitation: Invitation;
  Session: Session;
  LoginOutput: LoginOutput;
  ApiKey: ApiKey;
  KeyBudget: KeyBudget;
  KeyBudgetInput: KeyBudgetInput;
  ApiKeySecret: ApiKeySecret;
  MintApiKeyInput: MintApiKeyInput;
  UpdateApiKeyInput: UpdateApiKeyInput;
  CreditBalance: CreditBalance;
  NoticeSettings: NoticeSettings;
  CreditTransaction: CreditTransaction;
  CreditTransactionPage: CreditTransactionPage;
  Call: Call;
  Statement: Statement;
  CreditAmount: CreditAmount;
  StatementEntryPage: StatementEntryPage;
  StatementEntry: StatementEntry;
  StatementTotals: StatementTotals;
  StatementTotal: StatementTotal;
  Receipt: Receipt;
  LoggedEvent: LoggedEvent;
  CallPage: CallPage;
  TrailFilter: TrailFilter;
  TrailActor: TrailActor;
  TrailFact: TrailFact;
  TrailEntry: TrailEntry;
  TrailPage: TrailPage;
  UsageEntry: UsageEntry;
  Model: Model;
  ModelProvider: ModelProvider;
  ModelTest: ModelTest;
  MarginEntry: MarginEntry;
  ReconciliationFinding: ReconciliationFinding;
  MoneyTotal: MoneyTotal;
  CreditTotal: CreditTotal;
  ProviderCost: ProviderCost;
  Reconciliation: Reconciliation;
  UsagePage: UsagePage;
  Plan: Plan;
  CreatePlanInput: CreatePlanInput;
  UpdatePlanInput: UpdatePlanInput;
  CreditPackOutput: CreditPackOutput;
  UpdateCreditPackInput: UpdateCreditPackInput;
  CreateCreditPackInput: CreateCreditPackInput;
  CreateCheckoutInput: CreateCheckoutInput;
  Checkout: Checkout;
  Subscription: Subscription;
  Invoice: Invoice;
  InvoiceLine: InvoiceLine;
  CreditPackPurchase: CreditPackPurchase;
  Job: Job;
  PostJobInput: PostJobInput;
  Talent: Talent;
  RegisterTalentInput: RegisterTalentInput;
  MatchScoreParts: MatchScoreParts;
  MatchScore: MatchScore;
  Document: Document;
  MeetingInsight: MeetingInsight;
  MeetingInsightPage: MeetingInsightPage;
  Company: Company;
  CreateCompanyInput: CreateCompanyInput;
  CreateUserInput: CreateUserInput;
  AliasPriceInput: AliasPriceInput;
  PriceBookInput: PriceBookInput;
  AliasPrice: AliasPrice;
  PriceBook: PriceBook;
  SetupStep: SetupStep;
  PricePreview: PricePreview;
  PricePreviewEntry: PricePreviewEntry;
  WebhookEvent: WebhookEvent;
  WebhookEndpoint: WebhookEndpoint;
  WebhookEndpointSecret: WebhookEndpointSecret;
  WebhookDelivery: WebhookDelivery;
  ParkedTask: ParkedTask;
  ReadModel: ReadModel;
  Lease: Lease;
  Generator: Generator;
  GeneratorFigures: GeneratorFigures;
  LedgerLog: LedgerLog;
  LogCheckpoint: LogCheckpoint;
  LogEntry: LogEntry;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export interface JsonObjectScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['JSONObject'], any> {
  name: 'JSONObject';
}

export interface UploadScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Upload'], any> {
  name: 'Upload';
}

export type QueryResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  whoAmI?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  sessions?: Resolver<ReadonlyArray<ResolversTypes['Session']>, ParentType, ContextType>;
  users?: Resolver<ReadonlyArray<ResolversTypes['User']>, ParentType, ContextType, Partial<QueryUsersArgs>>;
  invitations?: Resolver<ReadonlyArray<ResolversTypes['Invitation']>, ParentType, ContextType, Partial<QueryInvitationsArgs>>;
  apiKeys?: Resolver<ReadonlyArray<ResolversTypes['ApiKey']>, ParentType, ContextType, Partial<QueryApiKeysArgs>>;
  creditBalance?: Resolver<ResolversTypes['CreditBalance'], ParentType, ContextType, Partial<QueryCreditBalanceArgs>>;
  creditTransactions?: Resolver<ResolversTypes['CreditTransactionPage'], ParentType, ContextType, Partial<QueryCreditTransactionsArgs>>;
  usage?: Resolver<ResolversTypes['UsagePage'], ParentType, ContextType, Partial<QueryUsageArgs>>;
  calls?: Resolver<ResolversTypes['CallPage'], ParentType, ContextType, Partial<QueryCallsArgs>>;
  call?: Resolver<Maybe<ResolversTypes['Call']>, ParentType, ContextType, RequireFields<QueryCallArgs, 'id'>>;
  statement?: Resolver<ResolversTypes['Statement'], ParentType, ContextType, RequireFields<QueryStatementArgs, 'from' | 'to'>>;
  ledgerReceipt?: Resolver<ResolversTypes['Receipt'], ParentType, ContextType, RequireFields<QueryLedgerReceiptArgs, 'eventId'>>;
  plans?: Resolver<ReadonlyArray<ResolversTypes['Plan']>, ParentType, ContextType>;
  creditPacks?: Resolver<ReadonlyArray<ResolversTypes['CreditPackOutput']>, ParentType, ContextType>;
  subscription?: Resolver<Maybe<ResolversTypes['Subscription']>, ParentType, ContextType, Partial<QuerySubscriptionArgs>>;
  subscriptions?: Resolver<ReadonlyArray<ResolversTypes['Subscription']>, ParentType, ContextType, Partial<QuerySubscriptionsArgs>>;
  invoices?: Resolver<ReadonlyArray<ResolversTypes['Invoice']>, ParentType, ContextType, Partial<QueryInvoicesArgs>>;
  purchases?: Resolver<ReadonlyArray<ResolversTypes['CreditPackPurchase']>, ParentType, ContextType, Partial<QueryPurchasesArgs>>;
  noticeSettings?: Resolver<ResolversTypes['NoticeSettings'], ParentType, ContextType, Partial<QueryNoticeSettingsArgs>>;
  jobs?: Resolver<ReadonlyArray<ResolversTypes['Job']>, ParentType, ContextType, Partial<QueryJobsArgs>>;
  talents?: Resolver<ReadonlyArray<ResolversTypes['Talent']>, ParentType, ContextType, Partial<QueryTalentsArgs>>;
  matchScores?: Resolver<ReadonlyArray<ResolversTypes['MatchScore']>, ParentType, ContextType, RequireFields<QueryMatchScoresArgs, 'jobId'>>;
  documents?: Resolver<ReadonlyArray<ResolversTypes['Document']>, ParentType, ContextType, Partial<QueryDocumentsArgs>>;
  meetingInsights?: Resolver<ResolversTypes['MeetingInsightPage'], ParentType, ContextType, Partial<QueryMeetingInsightsArgs>>;
  webhookEndpoints?: Resolver<ReadonlyArray<ResolversTypes['WebhookEndpoint']>, ParentType, ContextType, Partial<QueryWebhookEndpointsArgs>>;
  webhookDeliveries?: Resolver<ReadonlyArray<ResolversTypes['WebhookDelivery']>, ParentType, ContextType, RequireFields<QueryWebhookDeliveriesArgs, 'endpointId'>>;
  trail?: Resolver<ResolversTypes['TrailPage'], ParentType, ContextType, Partial<QueryTrailArgs>>;
  companies?: Resolver<ReadonlyArray<ResolversTypes['Company']>, ParentType, ContextType>;
  webhookEvents?: Resolver<ReadonlyArray<ResolversTypes['WebhookEvent']>, ParentType, ContextType, Partial<QueryWebhookEventsArgs>>;
  parkedTasks?: Resolver<ReadonlyArray<ResolversTypes['ParkedTask']>, ParentType, ContextType, Partial<QueryParkedTasksArgs>>;
  readModels?: Resolver<ReadonlyArray<ResolversTypes['ReadModel']>, ParentType, ContextType>;
  leases?: Resolver<ReadonlyArray<ResolversTypes['Lease']>, ParentType, ContextType>;
  generator?: Resolver<ResolversTypes['Generator'], ParentType, ContextType>;
  ledgerLog?: Resolver<ResolversTypes['LedgerLog'], ParentType, ContextType>;
  models?: Resolver<ReadonlyArray<ResolversTypes['Model']>, ParentType, ContextType>;
  margin?: Resolver<ReadonlyArray<ResolversTypes['MarginEntry']>, ParentType, ContextType, RequireFields<QueryMarginArgs, 'from' | 'to' | 'groupBy'>>;
  reconciliation?: Resolver<ResolversTypes['Reconciliation'], ParentType, ContextType, RequireFields<QueryReconciliationArgs, 'month'>>;
  priceBook?: Resolver<ResolversTypes['PriceBook'], ParentType, ContextType, Partial<QueryPriceBookArgs>>;
  setupStatus?: Resolver<ReadonlyArray<ResolversTypes['SetupStep']>, ParentType, ContextType>;
  priceBooks?: Resolver<ReadonlyArray<ResolversTypes['PriceBook']>, ParentType, ContextType>;
  previewPriceBook?: Resolver<ResolversTypes['PricePreview'], ParentType, ContextType, RequireFields<QueryPreviewPriceBookArgs, 'input' | 'from' | 'to'>>;
};

export type MutationResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  login?: Resolver<ResolversTypes['LoginOutput'], ParentType, ContextType, RequireFields<MutationLoginArgs, 'email' | 'password'>>;
  changePassword?: Resolver<ResolversTypes['User'], ParentType, ContextType, RequireFields<MutationChangePasswordArgs, 'oldPassword' | 'newPassword'>>;
  signOutEverywhere?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  endSession?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationEndSessionArgs, 'id'>>;
  inviteUser?: Resolver<ResolversTypes['Invitation'], ParentType, ContextType, RequireFields<MutationInviteUserArgs, 'email' | 'role'>>;
  withdrawInvitation?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationWithdrawInvitationArgs, 'id'>>;
  acceptInvitation?: Resolver<ResolversTypes['LoginOutput'], ParentType, ContextType, RequireFields<MutationAcceptInvitationArgs, 'token' | 'password'>>;
  requestPasswordReset?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationRequestPasswordResetArgs, 'email'>>;
  resetPassword?: Resolver<ResolversTypes['LoginOutput'], ParentType, ContextType, RequireFields<MutationResetPasswordArgs, 'token' | 'password'>>;
  setRole?: Resolver<ResolversTypes['User'], ParentType, ContextType, RequireFields<MutationSetRoleArgs, 'userId' | 'role'>>;
  removeUser?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationRemoveUserArgs, 'userId'>>;
  mintApiKey?: Resolver<ResolversTypes['ApiKeySecret'], ParentType, ContextType, RequireFields<MutationMintApiKeyArgs, 'input'>>;
  rotateApiKey?: Resolver<ResolversTypes['ApiKeySecret'], ParentType, ContextType, RequireFields<MutationRotateApiKeyArgs, 'id'>>;
  updateApiKey?: Resolver<ResolversTypes['ApiKey'], ParentType, ContextType, RequireFields<MutationUpdateApiKeyArgs, 'id' | 'input'>>;
  revokeApiKey?: Resolver<ResolversTypes['ApiKey'], ParentType, ContextType, RequireFields<MutationRevokeApiKeyArgs, 'id'>>;
  createCheckout?: Resolver<ResolversTypes['Checkout'], ParentType, ContextType, RequireFields<MutationCreateCheckoutArgs, 'input'>>;
  changePlan?: Resolver<ResolversTypes['Subscription'], ParentType, ContextType, RequireFields<MutationChangePlanArgs, 'planId'>>;
  cancelSubscription?: Resolver<ResolversTypes['Subscription'], ParentType, ContextType>;
  resumeSubscription?: Resolver<ResolversTypes['Subscription'], ParentType, ContextType>;
  postJob?: Resolver<ResolversTypes['Job'], ParentType, ContextType, RequireFields<MutationPostJobArgs, 'input'>>;
  publishJob?: Resolver<ResolversTypes['Job'], ParentType, ContextType, RequireFields<MutationPublishJobArgs, 'id'>>;
  closeJob?: Resolver<ResolversTypes['Job'], ParentType, ContextType, RequireFields<MutationCloseJobArgs, 'id'>>;
  registerTalent?: Resolver<ResolversTypes['Talent'], ParentType, ContextType, RequireFields<MutationRegisterTalentArgs, 'input'>>;
  eraseTalent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationEraseTalentArgs, 'id'>>;
  uploadCv?: Resolver<ResolversTypes['Document'], ParentType, ContextType, RequireFields<MutationUploadCvArgs, 'file'>>;
  uploadJobDocument?: Resolver<ResolversTypes['Document'], ParentType, ContextType, RequireFields<MutationUploadJobDocumentArgs, 'file'>>;
  setHardCap?: Resolver<ResolversTypes['Company'], ParentType, ContextType, RequireFields<MutationSetHardCapArgs, 'companyId' | 'hardCap'>>;
  setNoticeSettings?: Resolver<ResolversTypes['NoticeSettings'], ParentType, ContextType, Partial<MutationSetNoticeSettingsArgs>>;
  createWebhookEndpoint?: Resolver<ResolversTypes['WebhookEndpointSecret'], ParentType, ContextType, RequireFields<MutationCreateWebhookEndpointArgs, 'url' | 'types'>>;
  deleteWebhookEndpoint?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationDeleteWebhookEndpointArgs, 'id'>>;
  resendDelivery?: Resolver<ResolversTypes['WebhookDelivery'], ParentType, ContextType, RequireFields<MutationResendDeliveryArgs, 'id'>>;
  syncAllPlansProviderPricing?: Resolver<ReadonlyArray<ResolversTypes['Plan']>, ParentType, ContextType>;
  createCreditPack?: Resolver<ResolversTypes['CreditPackOutput'], ParentType, ContextType, RequireFields<MutationCreateCreditPackArgs, 'input'>>;
  updateCreditPack?: Resolver<ResolversTypes['CreditPackOutput'], ParentType, ContextType, RequireFields<MutationUpdateCreditPackArgs, 'id' | 'input'>>;
  retireCreditPack?: Resolver<ResolversTypes['CreditPackOutput'], ParentType, ContextType, RequireFields<MutationRetireCreditPackArgs, 'id'>>;
  createPlan?: Resolver<ResolversTypes['Plan'], ParentType, ContextType, RequireFields<MutationCreatePlanArgs, 'input'>>;
  updatePlan?: Resolver<ResolversTypes['Plan'], ParentType, ContextType, RequireFields<MutationUpdatePlanArgs, 'id' | 'input'>>;
  retirePlan?: Resolver<ResolversTypes['Plan'], ParentType, ContextType, RequireFields<MutationRetirePlanArgs, 'id'>>;
  createCompany?: Resolver<ResolversTypes['Company'], ParentType, ContextType, RequireFields<MutationCreateCompanyArgs, 'input'>>;
  createUser?: Resolver<ResolversTypes['User'], ParentType, ContextType, RequireFields<MutationCreateUserArgs, 'input'>>;
  eraseUser?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationEraseUserArgs, 'id'>>;
  setCompanyBillingMode?: Resolver<ResolversTypes['Company'], ParentType, ContextType, RequireFields<MutationSetCompanyBillingModeArgs, 'companyId' | 'billingMode'>>;
  grantCredits?: Resolver<ResolversTypes['CreditTransaction'], ParentType, ContextType, RequireFields<MutationGrantCreditsArgs, 'companyId' | 'credits' | 'reason'>>;
  adjustCredits?: Resolver<ResolversTypes['CreditTransaction'], ParentType, ContextType, RequireFields<MutationAdjustCreditsArgs, 'companyId' | 'credits' | 'reason'>>;
  suspendCompany?: Resolver<ResolversTypes['Company'], ParentType, ContextType, RequireFields<MutationSuspendCompanyArgs, 'id' | 'reason'>>;
  resumeCompany?: Resolver<ResolversTypes['Company'], ParentType, ContextType, RequireFields<MutationResumeCompanyArgs, 'id'>>;
  publishPriceBook?: Resolver<ResolversTypes['PriceBook'], ParentType, ContextType, RequireFields<MutationPublishPriceBookArgs, 'input'>>;
  deactivateStaleSubscriptions?: Resolver<ReadonlyArray<ResolversTypes['Subscription']>, ParentType, ContextType, RequireFields<MutationDeactivateStaleSubscriptionsArgs, 'before' | 'dryRun'>>;
  replayWebhook?: Resolver<ResolversTypes['WebhookEvent'], ParentType, ContextType, RequireFields<MutationReplayWebhookArgs, 'id'>>;
  requeueParkedTask?: Resolver<ResolversTypes['ParkedTask'], ParentType, ContextType, RequireFields<MutationRequeueParkedTaskArgs, 'id'>>;
  testModel?: Resolver<ResolversTypes['ModelTest'], ParentType, ContextType, RequireFields<MutationTestModelArgs, 'alias'>>;
  startGenerator?: Resolver<ResolversTypes['Generator'], ParentType, ContextType>;
  stopGenerator?: Resolver<ResolversTypes['Generator'], ParentType, ContextType>;
};

export type SubscriptionRootResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['SubscriptionRoot'] = ResolversParentTypes['SubscriptionRoot']> = {
  logStream?: SubscriptionResolver<ResolversTypes['LogEntry'], "logStream", ParentType, ContextType>;
  balanceChanged?: SubscriptionResolver<ResolversTypes['CreditBalance'], "balanceChanged", ParentType, ContextType, Partial<SubscriptionRootBalanceChangedArgs>>;
  callFinished?: SubscriptionResolver<ResolversTypes['Call'], "callFinished", ParentType, ContextType, Partial<SubscriptionRootCallFinishedArgs>>;
};

export type PageInfoResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type UserResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['User'] = ResolversParentTypes['User']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  email?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  isSuperAdmin?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  role?: Resolver<Maybe<ResolversTypes['Role']>, ParentType, ContextType>;
};

export type InvitationResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['Invitation'] = ResolversParentTypes['Invitation']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  email?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  role?: Resolver<ResolversTypes['Role'], ParentType, ContextType>;
  invitedBy?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  invitedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  expired?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type SessionResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['Session'] = ResolversParentTypes['Session']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  device?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  network?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  lastUsedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  isCurrent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type LoginOutputResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['LoginOutput'] = ResolversParentTypes['LoginOutput']> = {
  token?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type ApiKeyResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['ApiKey'] = ResolversParentTypes['ApiKey']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  hint?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['ApiKeyStatus'], ParentType, ContextType>;
  scopes?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  models?: Resolver<Maybe<ReadonlyArray<ResolversTypes['String']>>, ParentType, ContextType>;
  rpm?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  tpm?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  expiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  rotatedFrom?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  mintedBy?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  revokedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  label?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  budget?: Resolver<Maybe<ResolversTypes['KeyBudget']>, ParentType, ContextType>;
  lastUsedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  spentToday?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  spentThisMonth?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type KeyBudgetResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['KeyBudget'] = ResolversParentTypes['KeyBudget']> = {
  credits?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  period?: Resolver<ResolversTypes['BudgetPeriod'], ParentType, ContextType>;
  spent?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type ApiKeySecretResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['ApiKeySecret'] = ResolversParentTypes['ApiKeySecret']> = {
  apiKey?: Resolver<ResolversTypes['ApiKey'], ParentType, ContextType>;
  secret?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CreditBalanceResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['CreditBalance'] = ResolversParentTypes['CreditBalance']> = {
  credits?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  amountMicros?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  updatedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type NoticeSettingsResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['NoticeSettings'] = ResolversParentTypes['NoticeSettings']> = {
  lowBalance?: Resolver<ResolversTypes['LowBalanceNotice'], ParentType, ContextType>;
  lowBalanceCredits?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type CreditTransactionResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['CreditTransaction'] = ResolversParentTypes['CreditTransaction']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['CreditTransactionType'], ParentType, ContextType>;
  credits?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  amountMicros?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  callId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  corrects?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type CreditTransactionPageResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['CreditTransactionPage'] = ResolversParentTypes['CreditTransactionPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['CreditTransaction']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type CallResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['Call'] = ResolversParentTypes['Call']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['CallState'], ParentType, ContextType>;
  alias?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  keyId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  label?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  endpoint?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  streamed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  tokensIn?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  tokensCached?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  tokensOut?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  credits?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  amountMicros?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  admittedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  finishedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  eventIds?: Resolver<ReadonlyArray<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type StatementResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['Statement'] = ResolversParentTypes['Statement']> = {
  companyId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  from?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  to?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  firstNumber?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  opening?: Resolver<ResolversTypes['CreditAmount'], ParentType, ContextType>;
  closing?: Resolver<ResolversTypes['CreditAmount'], ParentType, ContextType>;
  entries?: Resolver<ResolversTypes['StatementEntryPage'], ParentType, ContextType>;
  totals?: Resolver<ResolversTypes['StatementTotals'], ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CreditAmountResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['CreditAmount'] = ResolversParentTypes['CreditAmount']> = {
  credits?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  amountMicros?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type StatementEntryPageResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['StatementEntryPage'] = ResolversParentTypes['StatementEntryPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['StatementEntry']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type StatementEntryResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['StatementEntry'] = ResolversParentTypes['StatementEntry']> = {
  number?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  time?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['StatementEntryType'], ParentType, ContextType>;
  amount?: Resolver<ResolversTypes['CreditAmount'], ParentType, ContextType>;
  balance?: Resolver<ResolversTypes['CreditAmount'], ParentType, ContextType>;
  callId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  keyId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  alias?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  label?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  tokensIn?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  tokensOut?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type StatementTotalsResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['StatementTotals'] = ResolversParentTypes['StatementTotals']> = {
  byType?: Resolver<ReadonlyArray<ResolversTypes['StatementTotal']>, ParentType, ContextType>;
  byAlias?: Resolver<ReadonlyArray<ResolversTypes['StatementTotal']>, ParentType, ContextType>;
  byKey?: Resolver<ReadonlyArray<ResolversTypes['StatementTotal']>, ParentType, ContextType>;
  byLabel?: Resolver<ReadonlyArray<ResolversTypes['StatementTotal']>, ParentType, ContextType>;
};

export type StatementTotalResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['StatementTotal'] = ResolversParentTypes['StatementTotal']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  entries?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  amount?: Resolver<ResolversTypes['CreditAmount'], ParentType, ContextType>;
};

export type ReceiptResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['Receipt'] = ResolversParentTypes['Receipt']> = {
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  event?: Resolver<ResolversTypes['LoggedEvent'], ParentType, ContextType>;
  previous?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  salt?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  proof?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type LoggedEventResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['LoggedEvent'] = ResolversParentTypes['LoggedEvent']> = {
  stream?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  number?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  time?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  data?: Resolver<ResolversTypes['JSONObject'], ParentType, ContextType>;
};

export type CallPageResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['CallPage'] = ResolversParentTypes['CallPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Call']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type TrailActorResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['TrailActor'] = ResolversParentTypes['TrailActor']> = {
  kind?: Resolver<ResolversTypes['TrailActorKind'], ParentType, ContextType>;
  id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  email?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type TrailFactResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['TrailFact'] = ResolversParentTypes['TrailFact']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  value?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type TrailEntryResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['TrailEntry'] = ResolversParentTypes['TrailEntry']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  summary?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  facts?: Resolver<ReadonlyArray<ResolversTypes['TrailFact']>, ParentType, ContextType>;
  actor?: Resolver<ResolversTypes['TrailActor'], ParentType, ContextType>;
  companyId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  userId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  keyId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  purchaseId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  invoiceId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  correlationId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  causationId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type TrailPageResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['TrailPage'] = ResolversParentTypes['TrailPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['TrailEntry']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type UsageEntryResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['UsageEntry'] = ResolversParentTypes['UsageEntry']> = {
  group?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  subgroup?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  requests?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  failures?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  tokensIn?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  tokensOut?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  credits?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  amountMicros?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ModelResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['Model'] = ResolversParentTypes['Model']> = {
  alias?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  contextLength?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  maxOutputTokens?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  strategy?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  wires?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  providers?: Resolver<ReadonlyArray<ResolversTypes['ModelProvider']>, ParentType, ContextType>;
  price?: Resolver<Maybe<ResolversTypes['AliasPrice']>, ParentType, ContextType>;
};

export type ModelProviderResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['ModelProvider'] = ResolversParentTypes['ModelProvider']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  weight?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  wires?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  breaker?: Resolver<ResolversTypes['BreakerState'], ParentType, ContextType>;
  answers?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  errors?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  firstByteMs?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type ModelTestResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['ModelTest'] = ResolversParentTypes['ModelTest']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  provider?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  wire?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  firstByteMs?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  totalMs?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  tokensIn?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  tokensOut?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  costMicros?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  costCurrency?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  error?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type MarginEntryResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['MarginEntry'] = ResolversParentTypes['MarginEntry']> = {
  group?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  currency?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  calls?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  failures?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  credits?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  amountMicros?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  cost?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  costMicros?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ReconciliationFindingResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['ReconciliationFinding'] = ResolversParentTypes['ReconciliationFinding']> = {
  kind?: Resolver<ResolversTypes['ReconciliationKind'], ParentType, ContextType>;
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  companyId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  purchaseId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  invoiceId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  chargeId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type MoneyTotalResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['MoneyTotal'] = ResolversParentTypes['MoneyTotal']> = {
  currency?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  amountMinor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CreditTotalResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['CreditTotal'] = ResolversParentTypes['CreditTotal']> = {
  count?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  credits?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  amountMicros?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ProviderCostResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['ProviderCost'] = ResolversParentTypes['ProviderCost']> = {
  alias?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  provider?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  currency?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  calls?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  failures?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  chargedMicros?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  costMicros?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ReconciliationResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['Reconciliation'] = ResolversParentTypes['Reconciliation']> = {
  month?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  hasEnded?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  matches?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  differences?: Resolver<ReadonlyArray<ResolversTypes['ReconciliationFinding']>, ParentType, ContextType>;
  differenceCount?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  explained?: Resolver<ReadonlyArray<ResolversTypes['ReconciliationFinding']>, ParentType, ContextType>;
  explainedCount?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  payments?: Resolver<ReadonlyArray<ResolversTypes['MoneyTotal']>, ParentType, ContextType>;
  refunds?: Resolver<ReadonlyArray<ResolversTypes['MoneyTotal']>, ParentType, ContextType>;
  otherPayments?: Resolver<ReadonlyArray<ResolversTypes['MoneyTotal']>, ParentType, ContextType>;
  granted?: Resolver<ResolversTypes['CreditTotal'], ParentType, ContextType>;
  settled?: Resolver<ResolversTypes['CreditTotal'], ParentType, ContextType>;
  takenBack?: Resolver<ResolversTypes['CreditTotal'], ParentType, ContextType>;
  grantedByHand?: Resolver<ResolversTypes['CreditTotal'], ParentType, ContextType>;
  costs?: Resolver<ReadonlyArray<ResolversTypes['ProviderCost']>, ParentType, ContextType>;
};

export type UsagePageResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['UsagePage'] = ResolversParentTypes['UsagePage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['UsageEntry']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type PlanResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['Plan'] = ResolversParentTypes['Plan']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  active?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  billingMode?: Resolver<ResolversTypes['BillingMode'], ParentType, ContextType>;
  price?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  creditsPerPeriod?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  dueDays?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  providerProductId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  providerPriceId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  needsProviderPricing?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  sortOrder?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type CreditPackOutputResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['CreditPackOutput'] = ResolversParentTypes['CreditPackOutput']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  credits?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  price?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sortOrder?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type CheckoutResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['Checkout'] = ResolversParentTypes['Checkout']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  purchaseId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type SubscriptionResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['SubscriptionStatus'], ParentType, ContextType>;
  isActive?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  planId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  providerSubscriptionId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  startDate?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  endDate?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  trialEnd?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  cancelAtPeriodEnd?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nextPlanId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  currentPeriodEnd?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type InvoiceResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['Invoice'] = ResolversParentTypes['Invoice']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  providerInvoiceId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['InvoiceStatus'], ParentType, ContextType>;
  amount?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  dueDate?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  paidAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  overdue?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hostedUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  pdfUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  month?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  lines?: Resolver<ReadonlyArray<ResolversTypes['InvoiceLine']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type InvoiceLineResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['InvoiceLine'] = ResolversParentTypes['InvoiceLine']> = {
  kind?: Resolver<ResolversTypes['InvoiceLineKind'], ParentType, ContextType>;
  alias?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  calls?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  tokensIn?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  tokensOut?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  credits?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  amountMicros?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  amount?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type CreditPackPurchaseResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['CreditPackPurchase'] = ResolversParentTypes['CreditPackPurchase']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  packId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['PurchaseStatus'], ParentType, ContextType>;
  credits?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  price?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  creditsRefunded?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  failureReason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  expiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  completedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type JobResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['Job'] = ResolversParentTypes['Job']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['JobStatus'], ParentType, ContextType>;
  location?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  employmentType?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  seniority?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  requirements?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  metadata?: Resolver<ResolversTypes['JSONObject'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type TalentResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['Talent'] = ResolversParentTypes['Talent']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  location?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  seniority?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  yearsOfExperience?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  skills?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  languages?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type MatchScorePartsResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['MatchScoreParts'] = ResolversParentTypes['MatchScoreParts']> = {
  skills?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  experience?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  location?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  language?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  seniority?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type MatchScoreResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['MatchScore'] = ResolversParentTypes['MatchScore']> = {
  jobId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  talentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  score?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  parts?: Resolver<ResolversTypes['MatchScoreParts'], ParentType, ContextType>;
  explanation?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  computedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type DocumentResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['Document'] = ResolversParentTypes['Document']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['DocumentKind'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['DocumentStatus'], ParentType, ContextType>;
  filename?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  error?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  talentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  jobId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type MeetingInsightResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['MeetingInsight'] = ResolversParentTypes['MeetingInsight']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  room?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  startedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  endedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  durationSeconds?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  jobId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  talentId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  summary?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type MeetingInsightPageResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['MeetingInsightPage'] = ResolversParentTypes['MeetingInsightPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['MeetingInsight']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type CompanyResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['Company'] = ResolversParentTypes['Company']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  billingMode?: Resolver<ResolversTypes['BillingMode'], ParentType, ContextType>;
  planId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  hardCap?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  suspendedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  suspendedReason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type AliasPriceResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['AliasPrice'] = ResolversParentTypes['AliasPrice']> = {
  alias?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  inputPerMillionTokens?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  cachedInputPerMillionTokens?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  cacheWritePerMillionTokens?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  outputPerMillionTokens?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  perCall?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  bookId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type PriceBookResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['PriceBook'] = ResolversParentTypes['PriceBook']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  companyId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  effectiveFrom?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  prices?: Resolver<ReadonlyArray<ResolversTypes['AliasPrice']>, ParentType, ContextType>;
  retired?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  replacesAll?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  publishedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  hints?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
};

export type SetupStepResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['SetupStep'] = ResolversParentTypes['SetupStep']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  done?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hint?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type PricePreviewResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['PricePreview'] = ResolversParentTypes['PricePreview']> = {
  from?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  to?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  calls?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  refusedCalls?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  oldCredits?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  oldAmountMicros?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  newCredits?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  newAmountMicros?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  aliases?: Resolver<ReadonlyArray<ResolversTypes['PricePreviewEntry']>, ParentType, ContextType>;
};

export type PricePreviewEntryResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['PricePreviewEntry'] = ResolversParentTypes['PricePreviewEntry']> = {
  alias?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  calls?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  refusedCalls?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  oldCredits?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  oldAmountMicros?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  newCredits?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  newAmountMicros?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type WebhookEventResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['WebhookEvent'] = ResolversParentTypes['WebhookEvent']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['WebhookStatus'], ParentType, ContextType>;
  effect?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  error?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  receivedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  processedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type WebhookEndpointResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['WebhookEndpoint'] = ResolversParentTypes['WebhookEndpoint']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  types?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  disabledAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  disabledReason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type WebhookEndpointSecretResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['WebhookEndpointSecret'] = ResolversParentTypes['WebhookEndpointSecret']> = {
  endpoint?: Resolver<ResolversTypes['WebhookEndpoint'], ParentType, ContextType>;
  secret?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type WebhookDeliveryResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['WebhookDelivery'] = ResolversParentTypes['WebhookDelivery']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  messageId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  number?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['WebhookDeliveryState'], ParentType, ContextType>;
  attempts?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  lastStatus?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  lastError?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  lastAttemptAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  nextAttemptAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type ParkedTaskResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['ParkedTask'] = ResolversParentTypes['ParkedTask']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  worker?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  subject?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  attempts?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  error?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['ParkedTaskStatus'], ParentType, ContextType>;
  parkedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type ReadModelResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['ReadModel'] = ResolversParentTypes['ReadModel']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  version?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  currentVersion?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  lagEvents?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  lagSeconds?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  movedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type LeaseResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['Lease'] = ResolversParentTypes['Lease']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  holder?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  epoch?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  isHeld?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  takenAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type GeneratorResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['Generator'] = ResolversParentTypes['Generator']> = {
  isStarted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  batch?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  figures?: Resolver<Maybe<ResolversTypes['GeneratorFigures']>, ParentType, ContextType>;
};

export type GeneratorFiguresResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['GeneratorFigures'] = ResolversParentTypes['GeneratorFigures']> = {
  isProcessing?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  uptimeSeconds?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  queuedPairs?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  matches?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  errors?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  errorPercent?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  matchMs?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  matchesPerMinute?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  lastMatchAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  breaker?: Resolver<ResolversTypes['BreakerState'], ParentType, ContextType>;
};

export type LedgerLogResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['LedgerLog'] = ResolversParentTypes['LedgerLog']> = {
  entries?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  checkpoint?: Resolver<Maybe<ResolversTypes['LogCheckpoint']>, ParentType, ContextType>;
  fault?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  faultEvent?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type LogCheckpointResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['LogCheckpoint'] = ResolversParentTypes['LogCheckpoint']> = {
  origin?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  size?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  root?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  signedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  note?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type LogEntryResolvers<ContextType = GraphqlContext, ParentType extends ResolversParentTypes['LogEntry'] = ResolversParentTypes['LogEntry']> = {
  timestamp?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  level?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  context?: Resolver<ResolversTypes['JSONObject'], ParentType, ContextType>;
};

export type Resolvers<ContextType = GraphqlContext> = {
  DateTime?: GraphQLScalarType;
  JSONObject?: GraphQLScalarType;
  Upload?: GraphQLScalarType;
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  SubscriptionRoot?: SubscriptionRootResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  User?: UserResolvers<ContextType>;
  Invitation?: InvitationResolvers<ContextType>;
  Session?: SessionResolvers<ContextType>;
  LoginOutput?: LoginOutputResolvers<ContextType>;
  ApiKey?: ApiKeyResolvers<ContextType>;
  KeyBudget?: KeyBudgetResolvers<ContextType>;
  ApiKeySecret?: ApiKeySecretResolvers<ContextType>;
  CreditBalance?: CreditBalanceResolvers<ContextType>;
  NoticeSettings?: NoticeSettingsResolvers<ContextType>;
  CreditTransaction?: CreditTransactionResolvers<ContextType>;
  CreditTransactionPage?: CreditTransactionPageResolvers<ContextType>;
  Call?: CallResolvers<ContextType>;
  Statement?: StatementResolvers<ContextType>;
  CreditAmount?: CreditAmountResolvers<ContextType>;
  StatementEntryPage?: StatementEntryPageResolvers<ContextType>;
  StatementEntry?: StatementEntryResolvers<ContextType>;
  StatementTotals?: StatementTotalsResolvers<ContextType>;
  StatementTotal?: StatementTotalResolvers<ContextType>;
  Receipt?: ReceiptResolvers<ContextType>;
  LoggedEvent?: LoggedEventResolvers<ContextType>;
  CallPage?: CallPageResolvers<ContextType>;
  TrailActor?: TrailActorResolvers<ContextType>;
  TrailFact?: TrailFactResolvers<ContextType>;
  TrailEntry?: TrailEntryResolvers<ContextType>;
  TrailPage?: TrailPageResolvers<ContextType>;
  UsageEntry?: UsageEntryResolvers<ContextType>;
  Model?: ModelResolvers<ContextType>;
  ModelProvider?: ModelProviderResolvers<ContextType>;
  ModelTest?: ModelTestResolvers<ContextType>;
  MarginEntry?: MarginEntryResolvers<ContextType>;
  ReconciliationFinding?: ReconciliationFindingResolvers<ContextType>;
  MoneyTotal?: MoneyTotalResolvers<ContextType>;
  CreditTotal?: CreditTotalResolvers<ContextType>;
  ProviderCost?: ProviderCostResolvers<ContextType>;
  Reconciliation?: ReconciliationResolvers<ContextType>;
  UsagePage?: UsagePageResolvers<ContextType>;
  Plan?: PlanResolvers<ContextType>;
  CreditPackOutput?: CreditPackOutputResolvers<ContextType>;
  Checkout?: CheckoutResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  Invoice?: InvoiceResolvers<ContextType>;
  InvoiceLine?: InvoiceLineResolvers<ContextType>;
  CreditPackPurchase?: CreditPackPurchaseResolvers<ContextType>;
  Job?: JobResolvers<ContextType>;
  Talent?: TalentResolvers<ContextType>;
  MatchScoreParts?: MatchScorePartsResolvers<ContextType>;
  MatchScore?: MatchScoreResolvers<ContextType>;
  Document?: DocumentResolvers<ContextType>;
  MeetingInsight?: MeetingInsightResolvers<ContextType>;
  MeetingInsightPage?: MeetingInsightPageResolvers<ContextType>;
  Company?: CompanyResolvers<ContextType>;
  AliasPrice?: AliasPriceResolvers<ContextType>;
  PriceBook?: PriceBookResolvers<ContextType>;
  SetupStep?: SetupStepResolvers<ContextType>;
  PricePreview?: PricePreviewResolvers<ContextType>;
  PricePreviewEntry?: PricePreviewEntryResolvers<ContextType>;
  WebhookEvent?: WebhookEventResolvers<ContextType>;
  WebhookEndpoint?: WebhookEndpointResolvers<ContextType>;
  WebhookEndpointSecret?: WebhookEndpointSecretResolvers<ContextType>;
  WebhookDelivery?: WebhookDeliveryResolvers<ContextType>;
  ParkedTask?: ParkedTaskResolvers<ContextType>;
  ReadModel?: ReadModelResolvers<ContextType>;
  Lease?: LeaseResolvers<ContextType>;
  Generator?: GeneratorResolvers<ContextType>;
  GeneratorFigures?: GeneratorFiguresResolvers<ContextType>;
  LedgerLog?: LedgerLogResolvers<ContextType>;
  LogCheckpoint?: LogCheckpointResolvers<ContextType>;
  LogEntry?: LogEntryResolvers<ContextType>;
};

