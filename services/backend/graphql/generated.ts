export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
// Made from contracts/graphql/schema.graphql by `npm run graphql:types`; not edited by hand.
import type { Resolver, Subscriber, WithDefaults } from './resolver.ts';
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  DateTime: { input: string; output: string; }
  JSONObject: { input: Readonly<Record<string, unknown>>; output: Readonly<Record<string, unknown>>; }
  Upload: { input: File; output: never; }
};

export type Query = {
  readonly whoAmI: User;
  readonly sessions: ReadonlyArray<Session>;
  readonly users: ReadonlyArray<User>;
  readonly invitations: ReadonlyArray<Invitation>;
  readonly apiKeys: ReadonlyArray<ApiKey>;
  readonly creditBalance: CreditBalance;
  readonly creditTransactions: CreditTransactionPage;
  readonly usage: UsagePage;
  readonly calls: CallPage;
  readonly call?: Maybe<Call>;
  readonly statement: Statement;
  readonly ledgerReceipt: Receipt;
  readonly plans: ReadonlyArray<Plan>;
  readonly creditPacks: ReadonlyArray<CreditPackOutput>;
  readonly subscription?: Maybe<Subscription>;
  readonly subscriptions: ReadonlyArray<Subscription>;
  readonly invoices: ReadonlyArray<Invoice>;
  readonly purchases: ReadonlyArray<CreditPackPurchase>;
  readonly noticeSettings: NoticeSettings;
  readonly jobs: ReadonlyArray<Job>;
  readonly talents: ReadonlyArray<Talent>;
  readonly matchScores: ReadonlyArray<MatchScore>;
  readonly documents: ReadonlyArray<Document>;
  readonly meetingInsights: MeetingInsightPage;
  readonly webhookEndpoints: ReadonlyArray<WebhookEndpoint>;
  readonly webhookDeliveries: ReadonlyArray<WebhookDelivery>;
  readonly trail: TrailPage;
  readonly companies: ReadonlyArray<Company>;
  readonly webhookEvents: ReadonlyArray<WebhookEvent>;
  readonly parkedTasks: ReadonlyArray<ParkedTask>;
  readonly readModels: ReadonlyArray<ReadModel>;
  readonly leases: ReadonlyArray<Lease>;
  readonly generator: Generator;
  readonly ledgerLog: LedgerLog;
  readonly models: ReadonlyArray<Model>;
  readonly margin: ReadonlyArray<MarginEntry>;
  readonly reconciliation: Reconciliation;
  readonly priceBook: PriceBook;
  readonly setupStatus: ReadonlyArray<SetupStep>;
  readonly priceBooks: ReadonlyArray<PriceBook>;
  readonly previewPriceBook: PricePreview;
};


export type QueryUsersArgs = {
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


export type QueryInvitationsArgs = {
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


export type QueryApiKeysArgs = {
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


export type QueryCreditBalanceArgs = {
  at?: InputMaybe<Scalars['DateTime']['input']>;
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


export type QueryCreditTransactionsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  type?: InputMaybe<CreditTransactionType>;
  from?: InputMaybe<Scalars['DateTime']['input']>;
  to?: InputMaybe<Scalars['DateTime']['input']>;
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


export type QueryUsageArgs = {
  from?: InputMaybe<Scalars['DateTime']['input']>;
  to?: InputMaybe<Scalars['DateTime']['input']>;
  groupBy?: InputMaybe<ReadonlyArray<UsageGroup>>;
  keyId?: InputMaybe<Scalars['ID']['input']>;
  label?: InputMaybe<Scalars['String']['input']>;
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


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


export type QueryCallArgs = {
  id: Scalars['ID']['input'];
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


export type QueryStatementArgs = {
  companyId?: InputMaybe<Scalars['ID']['input']>;
  from: Scalars['DateTime']['input'];
  to: Scalars['DateTime']['input'];
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


export type QueryLedgerReceiptArgs = {
  eventId: Scalars['ID']['input'];
  since?: InputMaybe<Scalars['Int']['input']>;
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


export type QuerySubscriptionArgs = {
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


export type QuerySubscriptionsArgs = {
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


export type QueryInvoicesArgs = {
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


export type QueryPurchasesArgs = {
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


export type QueryNoticeSettingsArgs = {
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


export type QueryJobsArgs = {
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


export type QueryTalentsArgs = {
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


export type QueryMatchScoresArgs = {
  jobId: Scalars['ID']['input'];
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


export type QueryDocumentsArgs = {
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


export type QueryMeetingInsightsArgs = {
  room?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


export type QueryWebhookEndpointsArgs = {
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


export type QueryWebhookDeliveriesArgs = {
  endpointId: Scalars['ID']['input'];
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


export type QueryTrailArgs = {
  filter?: InputMaybe<TrailFilter>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  asCompany?: InputMaybe<Scalars['ID']['input']>;
};


export type QueryWebhookEventsArgs = {
  status?: InputMaybe<WebhookStatus>;
};


export type QueryParkedTasksArgs = {
  worker?: InputMaybe<Scalars['String']['input']>;
};


export type QueryMarginArgs = {
  from: Scalars['DateTime']['input'];
  to: Scalars['DateTime']['input'];
  groupBy?: InputMaybe<MarginGroup>;
};


export type QueryReconciliationArgs = {
  month: Scalars['String']['input'];
};


export type QueryPriceBookArgs = {
  at?: InputMaybe<Scalars['DateTime']['input']>;
  companyId?: InputMaybe<Scalars['ID']['input']>;
};


export type QueryPreviewPriceBookArgs = {
  input: PriceBookInput;
  from: Scalars['DateTime']['input'];
  to: Scalars['DateTime']['input'];
};

export type Mutation = {
  readonly login: LoginOutput;
  readonly changePassword: User;
  readonly signOutEverywhere: Scalars['Boolean']['output'];
  readonly endSession: Scalars['Boolean']['output'];
  readonly inviteUser: Invitation;
  readonly withdrawInvitation: Scalars['Boolean']['output'];
  readonly acceptInvitation: LoginOutput;
  readonly requestPasswordReset: Scalars['Boolean']['output'];
  readonly resetPassword: LoginOutput;
  readonly setRole: User;
  readonly removeUser: Scalars['Boolean']['output'];
  readonly mintApiKey: ApiKeySecret;
  readonly rotateApiKey: ApiKeySecret;
  readonly updateApiKey: ApiKey;
  readonly revokeApiKey: ApiKey;
  readonly createCheckout: Checkout;
  readonly changePlan: Subscription;
  readonly cancelSubscription: Subscription;
  readonly resumeSubscription: Subscription;
  readonly postJob: Job;
  readonly publishJob: Job;
  readonly closeJob: Job;
  readonly registerTalent: Talent;
  readonly eraseTalent: Scalars['Boolean']['output'];
  readonly uploadCv: Document;
  readonly uploadJobDocument: Document;
  readonly setHardCap: Company;
  readonly setNoticeSettings: NoticeSettings;
  readonly createWebhookEndpoint: WebhookEndpointSecret;
  readonly deleteWebhookEndpoint: Scalars['Boolean']['output'];
  readonly resendDelivery: WebhookDelivery;
  readonly syncAllPlansProviderPricing: ReadonlyArray<Plan>;
  readonly createCreditPack: CreditPackOutput;
  readonly updateCreditPack: CreditPackOutput;
  readonly retireCreditPack: CreditPackOutput;
  readonly createPlan: Plan;
  readonly updatePlan: Plan;
  readonly retirePlan: Plan;
  readonly createCompany: Company;
  readonly createUser: User;
  readonly eraseUser: Scalars['Boolean']['output'];
  readonly setCompanyBillingMode: Company;
  readonly grantCredits: CreditTransaction;
  readonly adjustCredits: CreditTransaction;
  readonly suspendCompany: Company;
  readonly resumeCompany: Company;
  readonly publishPriceBook: PriceBook;
  readonly deactivateStaleSubscriptions: ReadonlyArray<Subscription>;
  readonly replayWebhook: WebhookEvent;
  readonly requeueParkedTask: ParkedTask;
  readonly testModel: ModelTest;
  readonly startGenerator: Generator;
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
  readonly logStream: LogEntry;
  readonly balanceChanged: CreditBalance;
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
  readonly role?: Maybe<Role>;
};

export type Invitation = {
  readonly id: Scalars['ID']['output'];
  readonly email: Scalars['String']['output'];
  readonly role: Role;
  readonly invitedBy: Scalars['ID']['output'];
  readonly invitedAt: Scalars['DateTime']['output'];
  readonly expiresAt: Scalars['DateTime']['output'];
  readonly expired: Scalars['Boolean']['output'];
};

export type Role =
  | 'OWNER'
  | 'ADMIN'
  | 'BILLING'
  | 'DEVELOPER'
  | 'AUDITOR';

export type Session = {
  readonly id: Scalars['ID']['output'];
  readonly device: Scalars['String']['output'];
  readonly network: Scalars['String']['output'];
  readonly createdAt: Scalars['DateTime']['output'];
  readonly lastUsedAt: Scalars['DateTime']['output'];
  readonly expiresAt: Scalars['DateTime']['output'];
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
  readonly hint: Scalars['String']['output'];
  readonly status: ApiKeyStatus;
  readonly scopes: ReadonlyArray<Scalars['String']['output']>;
  readonly models?: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  readonly rpm: Scalars['Float']['output'];
  readonly tpm: Scalars['Float']['output'];
  readonly expiresAt?: Maybe<Scalars['DateTime']['output']>;
  readonly rotatedFrom?: Maybe<Scalars['ID']['output']>;
  readonly mintedBy?: Maybe<Scalars['ID']['output']>;
  readonly createdAt: Scalars['DateTime']['output'];
  readonly revokedAt?: Maybe<Scalars['DateTime']['output']>;
  readonly label?: Maybe<Scalars['String']['output']>;
  readonly budget?: Maybe<KeyBudget>;
  readonly lastUsedAt?: Maybe<Scalars['DateTime']['output']>;
  readonly spentToday: Scalars['Float']['output'];
  readonly spentThisMonth: Scalars['Float']['output'];
};

export type BudgetPeriod =
  | 'DAY'
  | 'MONTH'
  | 'TOTAL';

export type KeyBudget = {
  readonly credits: Scalars['Float']['output'];
  readonly period: BudgetPeriod;
  readonly spent: Scalars['Float']['output'];
};

export type KeyBudgetInput = {
  readonly credits: Scalars['Float']['input'];
  readonly period: BudgetPeriod;
};

export type ApiKeySecret = {
  readonly apiKey: ApiKey;
  readonly secret: Scalars['String']['output'];
};

export type MintApiKeyInput = {
  readonly name: Scalars['String']['input'];
  readonly scopes?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly models?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly rpm?: InputMaybe<Scalars['Int']['input']>;
  readonly tpm?: InputMaybe<Scalars['Int']['input']>;
  readonly expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  readonly label?: InputMaybe<Scalars['String']['input']>;
  readonly budget?: InputMaybe<KeyBudgetInput>;
};

export type UpdateApiKeyInput = {
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly scopes?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly models?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly rpm?: InputMaybe<Scalars['Int']['input']>;
  readonly tpm?: InputMaybe<Scalars['Int']['input']>;
  readonly expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  readonly label?: InputMaybe<Scalars['String']['input']>;
  readonly budget?: InputMaybe<KeyBudgetInput>;
};

export type CreditBalance = {
  readonly credits: Scalars['Float']['output'];
  readonly amountMicros: Scalars['String']['output'];
  readonly updatedAt?: Maybe<Scalars['DateTime']['output']>;
};

export type LowBalanceNotice =
  | 'DEFAULT'
  | 'AMOUNT'
  | 'OFF';

export type NoticeSettings = {
  readonly lowBalance: LowBalanceNotice;
  readonly lowBalanceCredits?: Maybe<Scalars['Float']['output']>;
};

export type CreditTransactionType =
  | 'PACK_PURCHASE'
  | 'SUBSCRIPTION'
  | 'ADJUSTMENT'
  | 'USAGE'
  | 'REVERSAL'
  | 'REFUND'
  | 'SETTLEMENT';

export type CreditTransaction = {
  readonly id: Scalars['ID']['output'];
  readonly type: CreditTransactionType;
  readonly credits: Scalars['Float']['output'];
  readonly amountMicros: Scalars['String']['output'];
  readonly description: Scalars['String']['output'];
  readonly callId?: Maybe<Scalars['ID']['output']>;
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
  | 'REVERSED';

export type Call = {
  readonly id: Scalars['ID']['output'];
  readonly state: CallState;
  readonly alias: Scalars['String']['output'];
  readonly keyId: Scalars['ID']['output'];
  readonly label?: Maybe<Scalars['String']['output']>;
  readonly endpoint: Scalars['String']['output'];
  readonly streamed: Scalars['Boolean']['output'];
  readonly tokensIn: Scalars['Float']['output'];
  readonly tokensCached?: Maybe<Scalars['Float']['output']>;
  readonly tokensOut: Scalars['Float']['output'];
  readonly credits: Scalars['Float']['output'];
  readonly amountMicros: Scalars['String']['output'];
  readonly admittedAt: Scalars['DateTime']['output'];
  readonly finishedAt: Scalars['DateTime']['output'];
  readonly reason?: Maybe<Scalars['String']['output']>;
  readonly eventIds: ReadonlyArray<Scalars['ID']['output']>;
};

export type Statement = {
  readonly companyId: Scalars['ID']['output'];
  readonly from: Scalars['DateTime']['output'];
  readonly to: Scalars['DateTime']['output'];
  readonly firstNumber: Scalars['Float']['output'];
  readonly count: Scalars['Float']['output'];
  readonly opening: CreditAmount;
  readonly closing: CreditAmount;
  readonly entries: StatementEntryPage;
  readonly totals: StatementTotals;
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
  | 'FAILED'
  | 'MONTH_CLOSED'
  | 'MONTH_BILLED';

export type StatementEntry = {
  readonly number: Scalars['Float']['output'];
  readonly id: Scalars['ID']['output'];
  readonly time: Scalars['DateTime']['output'];
  readonly type: StatementEntryType;
  readonly amount: CreditAmount;
  readonly balance: CreditAmount;
  readonly callId?: Maybe<Scalars['ID']['output']>;
  readonly keyId?: Maybe<Scalars['ID']['output']>;
  readonly alias?: Maybe<Scalars['String']['output']>;
  readonly label?: Maybe<Scalars['String']['output']>;
  readonly tokensIn?: Maybe<Scalars['Float']['output']>;
  readonly tokensOut?: Maybe<Scalars['Float']['output']>;
  readonly description?: Maybe<Scalars['String']['output']>;
};

export type StatementTotals = {
  readonly byType: ReadonlyArray<StatementTotal>;
  readonly byAlias: ReadonlyArray<StatementTotal>;
  readonly byKey: ReadonlyArray<StatementTotal>;
  readonly byLabel: ReadonlyArray<StatementTotal>;
};

export type StatementTotal = {
  readonly name: Scalars['String']['output'];
  readonly entries: Scalars['Float']['output'];
  readonly amount: CreditAmount;
};

export type Receipt = {
  readonly version: Scalars['Int']['output'];
  readonly event: LoggedEvent;
  readonly previous?: Maybe<Scalars['String']['output']>;
  readonly salt: Scalars['String']['output'];
  readonly proof: Scalars['String']['output'];
};

export type LoggedEvent = {
  readonly stream: Scalars['String']['output'];
  readonly number: Scalars['Float']['output'];
  readonly id: Scalars['ID']['output'];
  readonly type: Scalars['String']['output'];
  readonly time: Scalars['String']['output'];
  readonly data: Scalars['JSONObject']['output'];
};

export type CallPage = {
  readonly nodes: ReadonlyArray<Call>;
  readonly pageInfo: PageInfo;
};

export type TrailFilter = {
  readonly userId?: InputMaybe<Scalars['ID']['input']>;
  readonly keyId?: InputMaybe<Scalars['ID']['input']>;
  readonly purchaseId?: InputMaybe<Scalars['ID']['input']>;
  readonly invoiceId?: InputMaybe<Scalars['ID']['input']>;
  readonly correlationId?: InputMaybe<Scalars['String']['input']>;
  readonly type?: InputMaybe<Scalars['String']['input']>;
  readonly from?: InputMaybe<Scalars['DateTime']['input']>;
  readonly to?: InputMaybe<Scalars['DateTime']['input']>;
};

export type TrailActorKind =
  | 'USER'
  | 'API_KEY'
  | 'SYSTEM';

export type TrailActor = {
  readonly kind: TrailActorKind;
  readonly id?: Maybe<Scalars['ID']['output']>;
  readonly name: Scalars['String']['output'];
  readonly email?: Maybe<Scalars['String']['output']>;
};

export type TrailFact = {
  readonly name: Scalars['String']['output'];
  readonly value?: Maybe<Scalars['String']['output']>;
};

export type TrailEntry = {
  readonly id: Scalars['ID']['output'];
  readonly at: Scalars['DateTime']['output'];
  readonly type: Scalars['String']['output'];
  readonly title: Scalars['String']['output'];
  readonly summary: Scalars['String']['output'];
  readonly facts: ReadonlyArray<TrailFact>;
  readonly actor: TrailActor;
  readonly companyId?: Maybe<Scalars['ID']['output']>;
  readonly userId?: Maybe<Scalars['ID']['output']>;
  readonly keyId?: Maybe<Scalars['ID']['output']>;
  readonly purchaseId?: Maybe<Scalars['ID']['output']>;
  readonly invoiceId?: Maybe<Scalars['ID']['output']>;
  readonly correlationId: Scalars['String']['output'];
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
  readonly group: Scalars['String']['output'];
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
  readonly contextLength?: Maybe<Scalars['Float']['output']>;
  readonly maxOutputTokens?: Maybe<Scalars['Float']['output']>;
  readonly strategy?: Maybe<Scalars['String']['output']>;
  readonly wires: ReadonlyArray<Scalars['String']['output']>;
  readonly providers: ReadonlyArray<ModelProvider>;
  readonly price?: Maybe<AliasPrice>;
};

export type ModelProvider = {
  readonly name: Scalars['String']['output'];
  readonly weight: Scalars['Float']['output'];
  readonly wires: ReadonlyArray<Scalars['String']['output']>;
  readonly breaker: BreakerState;
  readonly answers: Scalars['Float']['output'];
  readonly errors: Scalars['Float']['output'];
  readonly firstByteMs?: Maybe<Scalars['Float']['output']>;
};

export type ModelTest = {
  readonly id: Scalars['ID']['output'];
  readonly provider: Scalars['String']['output'];
  readonly wire: Scalars['String']['output'];
  readonly status?: Maybe<Scalars['Int']['output']>;
  readonly firstByteMs?: Maybe<Scalars['Float']['output']>;
  readonly totalMs: Scalars['Float']['output'];
  readonly tokensIn?: Maybe<Scalars['Float']['output']>;
  readonly tokensOut?: Maybe<Scalars['Float']['output']>;
  readonly costMicros?: Maybe<Scalars['String']['output']>;
  readonly costCurrency?: Maybe<Scalars['String']['output']>;
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
  readonly group?: Maybe<Scalars['String']['output']>;
  readonly currency?: Maybe<Scalars['String']['output']>;
  readonly calls: Scalars['Float']['output'];
  readonly failures: Scalars['Float']['output'];
  readonly credits: Scalars['Float']['output'];
  readonly amountMicros: Scalars['String']['output'];
  readonly cost?: Maybe<Scalars['Float']['output']>;
  readonly costMicros?: Maybe<Scalars['String']['output']>;
};

export type ReconciliationKind =
  | 'PAYMENT_WITHOUT_GRANT'
  | 'GRANT_WITHOUT_PAYMENT'
  | 'AMOUNT_DIFFERS'
  | 'CREDITS_DIFFER'
  | 'REFUND_NOT_ON_LEDGER'
  | 'REFUND_NOT_AT_PROVIDER'
  | 'OTHER_MONTH'
  | 'NO_CREDITS_DUE'
  | 'NOTHING_TO_PAY'
  | 'PAID_ELSEWHERE';

export type ReconciliationFinding = {
  readonly kind: ReconciliationKind;
  readonly text: Scalars['String']['output'];
  readonly companyId?: Maybe<Scalars['ID']['output']>;
  readonly purchaseId?: Maybe<Scalars['ID']['output']>;
  readonly invoiceId?: Maybe<Scalars['ID']['output']>;
  readonly chargeId?: Maybe<Scalars['ID']['output']>;
};

export type MoneyTotal = {
  readonly currency: Scalars['String']['output'];
  readonly count: Scalars['Float']['output'];
  readonly amountMinor: Scalars['String']['output'];
};

export type CreditTotal = {
  readonly count: Scalars['Float']['output'];
  readonly credits: Scalars['Float']['output'];
  readonly amountMicros: Scalars['String']['output'];
};

export type ProviderCost = {
  readonly alias: Scalars['String']['output'];
  readonly provider?: Maybe<Scalars['String']['output']>;
  readonly currency?: Maybe<Scalars['String']['output']>;
  readonly calls: Scalars['Float']['output'];
  readonly failures: Scalars['Float']['output'];
  readonly chargedMicros: Scalars['String']['output'];
  readonly costMicros?: Maybe<Scalars['String']['output']>;
};

export type Reconciliation = {
  readonly month: Scalars['String']['output'];
  readonly hasEnded: Scalars['Boolean']['output'];
  readonly matches: Scalars['Boolean']['output'];
  readonly differences: ReadonlyArray<ReconciliationFinding>;
  readonly differenceCount: Scalars['Float']['output'];
  readonly explained: ReadonlyArray<ReconciliationFinding>;
  readonly explainedCount: Scalars['Float']['output'];
  readonly payments: ReadonlyArray<MoneyTotal>;
  readonly refunds: ReadonlyArray<MoneyTotal>;
  readonly otherPayments: ReadonlyArray<MoneyTotal>;
  readonly granted: CreditTotal;
  readonly settled: CreditTotal;
  readonly takenBack: CreditTotal;
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
  readonly price: Scalars['Float']['output'];
  readonly currency: Scalars['String']['output'];
  readonly creditsPerPeriod: Scalars['Float']['output'];
  readonly dueDays: Scalars['Int']['output'];
  readonly providerProductId?: Maybe<Scalars['String']['output']>;
  readonly providerPriceId?: Maybe<Scalars['String']['output']>;
  readonly needsProviderPricing: Scalars['Boolean']['output'];
  readonly sortOrder: Scalars['Int']['output'];
  readonly updatedAt: Scalars['DateTime']['output'];
};

export type CreatePlanInput = {
  readonly name: Scalars['String']['input'];
  readonly billingMode: BillingMode;
  readonly price: Scalars['Float']['input'];
  readonly currency: Scalars['String']['input'];
  readonly creditsPerPeriod: Scalars['Float']['input'];
  readonly dueDays?: InputMaybe<Scalars['Int']['input']>;
  readonly sortOrder?: InputMaybe<Scalars['Int']['input']>;
};

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

export type CreateCheckoutInput = {
  readonly packId?: InputMaybe<Scalars['ID']['input']>;
  readonly planId?: InputMaybe<Scalars['ID']['input']>;
};

export type Checkout = {
  readonly id: Scalars['ID']['output'];
  readonly url: Scalars['String']['output'];
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
  readonly amount: Scalars['Float']['output'];
  readonly currency: Scalars['String']['output'];
  readonly dueDate?: Maybe<Scalars['DateTime']['output']>;
  readonly paidAt?: Maybe<Scalars['DateTime']['output']>;
  readonly overdue: Scalars['Boolean']['output'];
  readonly hostedUrl?: Maybe<Scalars['String']['output']>;
  readonly pdfUrl?: Maybe<Scalars['String']['output']>;
  readonly month?: Maybe<Scalars['String']['output']>;
  readonly lines: ReadonlyArray<InvoiceLine>;
  readonly createdAt: Scalars['DateTime']['output'];
};

export type InvoiceLineKind =
  | 'USAGE'
  | 'PREPAID'
  | 'REFUND'
  | 'ADJUSTMENT';

export type InvoiceLine = {
  readonly kind: InvoiceLineKind;
  readonly alias?: Maybe<Scalars['String']['output']>;
  readonly calls: Scalars['Float']['output'];
  readonly tokensIn: Scalars['Float']['output'];
  readonly tokensOut: Scalars['Float']['output'];
  readonly credits: Scalars['Float']['output'];
  readonly amountMicros: Scalars['String']['output'];
  readonly amount: Scalars['Float']['output'];
};

export type PurchaseStatus =
  | 'PENDING'
  | 'COMPLETED'
  | 'FAILED'
  | 'EXPIRED';

export type CreditPackPurchase = {
  readonly id: Scalars['ID']['output'];
  readonly packId: Scalars['ID']['output'];
  readonly status: PurchaseStatus;
  readonly credits: Scalars['Float']['output'];
  readonly price: Scalars['Float']['output'];
  readonly currency: Scalars['String']['output'];
  readonly creditsRefunded: Scalars['Float']['output'];
  readonly failureReason?: Maybe<Scalars['String']['output']>;
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
  readonly error?: Maybe<Scalars['String']['output']>;
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
  readonly planId?: Maybe<Scalars['ID']['output']>;
  readonly hardCap: Scalars['Boolean']['output'];
  readonly createdAt: Scalars['DateTime']['output'];
  readonly suspendedAt?: Maybe<Scalars['DateTime']['output']>;
  readonly suspendedReason?: Maybe<Scalars['String']['output']>;
};

export type CreateCompanyInput = {
  readonly name: Scalars['String']['input'];
  readonly billingMode?: InputMaybe<BillingMode>;
  readonly planId?: InputMaybe<Scalars['ID']['input']>;
};

export type CreateUserInput = {
  readonly email: Scalars['String']['input'];
  readonly password: Scalars['String']['input'];
  readonly companyId?: InputMaybe<Scalars['ID']['input']>;
  readonly isSuperAdmin?: InputMaybe<Scalars['Boolean']['input']>;
  readonly role?: InputMaybe<Role>;
};

export type AliasPriceInput = {
  readonly alias: Scalars['String']['input'];
  readonly inputPerMillionTokens: Scalars['Float']['input'];
  readonly cachedInputPerMillionTokens?: InputMaybe<Scalars['Float']['input']>;
  readonly cacheWritePerMillionTokens?: InputMaybe<Scalars['Float']['input']>;
  readonly outputPerMillionTokens: Scalars['Float']['input'];
  readonly perCall?: InputMaybe<Scalars['Float']['input']>;
};

export type PriceBookInput = {
  readonly prices?: InputMaybe<ReadonlyArray<AliasPriceInput>>;
  readonly retire?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly companyId?: InputMaybe<Scalars['ID']['input']>;
  readonly effectiveFrom?: InputMaybe<Scalars['DateTime']['input']>;
};

export type AliasPrice = {
  readonly alias: Scalars['String']['output'];
  readonly inputPerMillionTokens: Scalars['Float']['output'];
  readonly cachedInputPerMillionTokens?: Maybe<Scalars['Float']['output']>;
  readonly cacheWritePerMillionTokens?: Maybe<Scalars['Float']['output']>;
  readonly outputPerMillionTokens: Scalars['Float']['output'];
  readonly perCall?: Maybe<Scalars['Float']['output']>;
  readonly bookId: Scalars['ID']['output'];
};

export type PriceBook = {
  readonly id: Scalars['ID']['output'];
  readonly companyId?: Maybe<Scalars['ID']['output']>;
  readonly effectiveFrom: Scalars['DateTime']['output'];
  readonly prices: ReadonlyArray<AliasPrice>;
  readonly retired: ReadonlyArray<Scalars['String']['output']>;
  readonly replacesAll: Scalars['Boolean']['output'];
  readonly publishedAt: Scalars['DateTime']['output'];
  readonly hints: ReadonlyArray<Scalars['String']['output']>;
};

export type SetupStep = {
  readonly name: Scalars['String']['output'];
  readonly done: Scalars['Boolean']['output'];
  readonly hint: Scalars['String']['output'];
};

export type PricePreview = {
  readonly from: Scalars['DateTime']['output'];
  readonly to: Scalars['DateTime']['output'];
  readonly calls: Scalars['Int']['output'];
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
  readonly id: Scalars['ID']['output'];
  readonly type: Scalars['String']['output'];
  readonly status: WebhookStatus;
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
  readonly disabledAt?: Maybe<Scalars['DateTime']['output']>;
  readonly disabledReason?: Maybe<Scalars['String']['output']>;
};

export type WebhookEndpointSecret = {
  readonly endpoint: WebhookEndpoint;
  readonly secret: Scalars['String']['output'];
};

export type WebhookDelivery = {
  readonly id: Scalars['ID']['output'];
  readonly messageId: Scalars['ID']['output'];
  readonly type: Scalars['String']['output'];
  readonly number: Scalars['Float']['output'];
  readonly state: WebhookDeliveryState;
  readonly attempts: Scalars['Int']['output'];
  readonly lastStatus?: Maybe<Scalars['Int']['output']>;
  readonly lastError?: Maybe<Scalars['String']['output']>;
  readonly lastAttemptAt?: Maybe<Scalars['DateTime']['output']>;
  readonly nextAttemptAt?: Maybe<Scalars['DateTime']['output']>;
  readonly createdAt: Scalars['DateTime']['output'];
};

export type WebhookDeliveryState =
  | 'PENDING'
  | 'DELIVERED'
  | 'FAILED'
  | 'CANCELED';

export type ParkedTask = {
  readonly id: Scalars['ID']['output'];
  readonly worker: Scalars['String']['output'];
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
  readonly version?: Maybe<Scalars['Float']['output']>;
  readonly currentVersion: Scalars['Float']['output'];
  readonly lagEvents?: Maybe<Scalars['Float']['output']>;
  readonly lagSeconds?: Maybe<Scalars['Float']['output']>;
  readonly movedAt?: Maybe<Scalars['DateTime']['output']>;
};

export type Lease = {
  readonly name: Scalars['String']['output'];
  readonly holder: Scalars['String']['output'];
  readonly epoch: Scalars['Float']['output'];
  readonly isHeld: Scalars['Boolean']['output'];
  readonly takenAt?: Maybe<Scalars['DateTime']['output']>;
  readonly expiresAt: Scalars['DateTime']['output'];
};

export type Generator = {
  readonly isStarted: Scalars['Boolean']['output'];
  readonly batch: Scalars['Float']['output'];
  readonly figures?: Maybe<GeneratorFigures>;
};

export type GeneratorFigures = {
  readonly isProcessing: Scalars['Boolean']['output'];
  readonly uptimeSeconds: Scalars['Float']['output'];
  readonly queuedPairs: Scalars['Float']['output'];
  readonly matches: Scalars['Float']['output'];
  readonly errors: Scalars['Float']['output'];
  readonly errorPercent: Scalars['Float']['output'];
  readonly matchMs: Scalars['Float']['output'];
  readonly matchesPerMinute: Scalars['Float']['output'];
  readonly lastMatchAt?: Maybe<Scalars['DateTime']['output']>;
  readonly breaker: BreakerState;
};

export type LedgerLog = {
  readonly entries: Scalars['Float']['output'];
  readonly checkpoint?: Maybe<LogCheckpoint>;
  readonly fault?: Maybe<Scalars['String']['output']>;
  readonly faultEvent?: Maybe<Scalars['ID']['output']>;
};

export type LogCheckpoint = {
  readonly origin: Scalars['String']['output'];
  readonly size: Scalars['Float']['output'];
  readonly root: Scalars['String']['output'];
  readonly signedAt: Scalars['DateTime']['output'];
  readonly note: Scalars['String']['output'];
};

export type LogEntry = {
  readonly timestamp: Scalars['DateTime']['output'];
  readonly level: Scalars['String']['output'];
  readonly message: Scalars['String']['output'];
  readonly context: Scalars['JSONObject']['output'];
};

export type Resolvers = {
  readonly Query?: {
    readonly whoAmI?: Resolver<Query['whoAmI'], object>;
    readonly sessions?: Resolver<Query['sessions'], object>;
    readonly users?: Resolver<Query['users'], QueryUsersArgs>;
    readonly invitations?: Resolver<Query['invitations'], QueryInvitationsArgs>;
    readonly apiKeys?: Resolver<Query['apiKeys'], QueryApiKeysArgs>;
    readonly creditBalance?: Resolver<Query['creditBalance'], QueryCreditBalanceArgs>;
    readonly creditTransactions?: Resolver<Query['creditTransactions'], QueryCreditTransactionsArgs>;
    readonly usage?: Resolver<Query['usage'], QueryUsageArgs>;
    readonly calls?: Resolver<Query['calls'], QueryCallsArgs>;
    readonly call?: Resolver<Query['call'], QueryCallArgs>;
    readonly statement?: Resolver<Query['statement'], QueryStatementArgs>;
    readonly ledgerReceipt?: Resolver<Query['ledgerReceipt'], QueryLedgerReceiptArgs>;
    readonly plans?: Resolver<Query['plans'], object>;
    readonly creditPacks?: Resolver<Query['creditPacks'], object>;
    readonly subscription?: Resolver<Query['subscription'], QuerySubscriptionArgs>;
    readonly subscriptions?: Resolver<Query['subscriptions'], QuerySubscriptionsArgs>;
    readonly invoices?: Resolver<Query['invoices'], QueryInvoicesArgs>;
    readonly purchases?: Resolver<Query['purchases'], QueryPurchasesArgs>;
    readonly noticeSettings?: Resolver<Query['noticeSettings'], QueryNoticeSettingsArgs>;
    readonly jobs?: Resolver<Query['jobs'], QueryJobsArgs>;
    readonly talents?: Resolver<Query['talents'], QueryTalentsArgs>;
    readonly matchScores?: Resolver<Query['matchScores'], QueryMatchScoresArgs>;
    readonly documents?: Resolver<Query['documents'], QueryDocumentsArgs>;
    readonly meetingInsights?: Resolver<Query['meetingInsights'], QueryMeetingInsightsArgs>;
    readonly webhookEndpoints?: Resolver<Query['webhookEndpoints'], QueryWebhookEndpointsArgs>;
    readonly webhookDeliveries?: Resolver<Query['webhookDeliveries'], QueryWebhookDeliveriesArgs>;
    readonly trail?: Resolver<Query['trail'], QueryTrailArgs>;
    readonly companies?: Resolver<Query['companies'], object>;
    readonly webhookEvents?: Resolver<Query['webhookEvents'], QueryWebhookEventsArgs>;
    readonly parkedTasks?: Resolver<Query['parkedTasks'], QueryParkedTasksArgs>;
    readonly readModels?: Resolver<Query['readModels'], object>;
    readonly leases?: Resolver<Query['leases'], object>;
    readonly generator?: Resolver<Query['generator'], object>;
    readonly ledgerLog?: Resolver<Query['ledgerLog'], object>;
    readonly models?: Resolver<Query['models'], object>;
    readonly margin?: Resolver<Query['margin'], WithDefaults<QueryMarginArgs, 'groupBy'>>;
    readonly reconciliation?: Resolver<Query['reconciliation'], QueryReconciliationArgs>;
    readonly priceBook?: Resolver<Query['priceBook'], QueryPriceBookArgs>;
    readonly setupStatus?: Resolver<Query['setupStatus'], object>;
    readonly priceBooks?: Resolver<Query['priceBooks'], object>;
    readonly previewPriceBook?: Resolver<Query['previewPriceBook'], QueryPreviewPriceBookArgs>;
  };
  readonly Mutation?: {
    readonly login?: Resolver<Mutation['login'], MutationLoginArgs>;
    readonly changePassword?: Resolver<Mutation['changePassword'], MutationChangePasswordArgs>;
    readonly signOutEverywhere?: Resolver<Mutation['signOutEverywhere'], object>;
    readonly endSession?: Resolver<Mutation['endSession'], MutationEndSessionArgs>;
    readonly inviteUser?: Resolver<Mutation['inviteUser'], MutationInviteUserArgs>;
    readonly withdrawInvitation?: Resolver<Mutation['withdrawInvitation'], MutationWithdrawInvitationArgs>;
    readonly acceptInvitation?: Resolver<Mutation['acceptInvitation'], MutationAcceptInvitationArgs>;
    readonly requestPasswordReset?: Resolver<Mutation['requestPasswordReset'], MutationRequestPasswordResetArgs>;
    readonly resetPassword?: Resolver<Mutation['resetPassword'], MutationResetPasswordArgs>;
    readonly setRole?: Resolver<Mutation['setRole'], MutationSetRoleArgs>;
    readonly removeUser?: Resolver<Mutation['removeUser'], MutationRemoveUserArgs>;
    readonly mintApiKey?: Resolver<Mutation['mintApiKey'], MutationMintApiKeyArgs>;
    readonly rotateApiKey?: Resolver<Mutation['rotateApiKey'], MutationRotateApiKeyArgs>;
    readonly updateApiKey?: Resolver<Mutation['updateApiKey'], MutationUpdateApiKeyArgs>;
    readonly revokeApiKey?: Resolver<Mutation['revokeApiKey'], MutationRevokeApiKeyArgs>;
    readonly createCheckout?: Resolver<Mutation['createCheckout'], MutationCreateCheckoutArgs>;
    readonly changePlan?: Resolver<Mutation['changePlan'], MutationChangePlanArgs>;
    readonly cancelSubscription?: Resolver<Mutation['cancelSubscription'], object>;
    readonly resumeSubscription?: Resolver<Mutation['resumeSubscription'], object>;
    readonly postJob?: Resolver<Mutation['postJob'], MutationPostJobArgs>;
    readonly publishJob?: Resolver<Mutation['publishJob'], MutationPublishJobArgs>;
    readonly closeJob?: Resolver<Mutation['closeJob'], MutationCloseJobArgs>;
    readonly registerTalent?: Resolver<Mutation['registerTalent'], MutationRegisterTalentArgs>;
    readonly eraseTalent?: Resolver<Mutation['eraseTalent'], MutationEraseTalentArgs>;
    readonly uploadCv?: Resolver<Mutation['uploadCv'], MutationUploadCvArgs>;
    readonly uploadJobDocument?: Resolver<Mutation['uploadJobDocument'], MutationUploadJobDocumentArgs>;
    readonly setHardCap?: Resolver<Mutation['setHardCap'], MutationSetHardCapArgs>;
    readonly setNoticeSettings?: Resolver<Mutation['setNoticeSettings'], MutationSetNoticeSettingsArgs>;
    readonly createWebhookEndpoint?: Resolver<Mutation['createWebhookEndpoint'], MutationCreateWebhookEndpointArgs>;
    readonly deleteWebhookEndpoint?: Resolver<Mutation['deleteWebhookEndpoint'], MutationDeleteWebhookEndpointArgs>;
    readonly resendDelivery?: Resolver<Mutation['resendDelivery'], MutationResendDeliveryArgs>;
    readonly syncAllPlansProviderPricing?: Resolver<Mutation['syncAllPlansProviderPricing'], object>;
    readonly createCreditPack?: Resolver<Mutation['createCreditPack'], MutationCreateCreditPackArgs>;
    readonly updateCreditPack?: Resolver<Mutation['updateCreditPack'], MutationUpdateCreditPackArgs>;
    readonly retireCreditPack?: Resolver<Mutation['retireCreditPack'], MutationRetireCreditPackArgs>;
    readonly createPlan?: Resolver<Mutation['createPlan'], MutationCreatePlanArgs>;
    readonly updatePlan?: Resolver<Mutation['updatePlan'], MutationUpdatePlanArgs>;
    readonly retirePlan?: Resolver<Mutation['retirePlan'], MutationRetirePlanArgs>;
    readonly createCompany?: Resolver<Mutation['createCompany'], MutationCreateCompanyArgs>;
    readonly createUser?: Resolver<Mutation['createUser'], MutationCreateUserArgs>;
    readonly eraseUser?: Resolver<Mutation['eraseUser'], MutationEraseUserArgs>;
    readonly setCompanyBillingMode?: Resolver<Mutation['setCompanyBillingMode'], MutationSetCompanyBillingModeArgs>;
    readonly grantCredits?: Resolver<Mutation['grantCredits'], MutationGrantCreditsArgs>;
    readonly adjustCredits?: Resolver<Mutation['adjustCredits'], MutationAdjustCreditsArgs>;
    readonly suspendCompany?: Resolver<Mutation['suspendCompany'], MutationSuspendCompanyArgs>;
    readonly resumeCompany?: Resolver<Mutation['resumeCompany'], MutationResumeCompanyArgs>;
    readonly publishPriceBook?: Resolver<Mutation['publishPriceBook'], MutationPublishPriceBookArgs>;
    readonly deactivateStaleSubscriptions?: Resolver<Mutation['deactivateStaleSubscriptions'], WithDefaults<MutationDeactivateStaleSubscriptionsArgs, 'dryRun'>>;
    readonly replayWebhook?: Resolver<Mutation['replayWebhook'], MutationReplayWebhookArgs>;
    readonly requeueParkedTask?: Resolver<Mutation['requeueParkedTask'], MutationRequeueParkedTaskArgs>;
    readonly testModel?: Resolver<Mutation['testModel'], MutationTestModelArgs>;
    readonly startGenerator?: Resolver<Mutation['startGenerator'], object>;
    readonly stopGenerator?: Resolver<Mutation['stopGenerator'], object>;
  };
  readonly SubscriptionRoot?: {
    readonly logStream?: Subscriber<'logStream', SubscriptionRoot['logStream'], object>;
    readonly balanceChanged?: Subscriber<'balanceChanged', SubscriptionRoot['balanceChanged'], SubscriptionRootBalanceChangedArgs>;
    readonly callFinished?: Subscriber<'callFinished', SubscriptionRoot['callFinished'], SubscriptionRootCallFinishedArgs>;
  };
};
