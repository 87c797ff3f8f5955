export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
// Made from contracts/graphql/schema.graphql by `npm run graphql:types`; not edited by hand.
import type { Resolver, Subscriber } from './resolver.ts';
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
  readonly debtCredits?: Maybe<Scalars['Float']['output']>;
  readonly debtMicros?: Maybe<Scalars['String']['output']>;
  readonly nextExpiry?: Maybe<CreditExpiry>;
};

export type CreditExpiry = {
  readonly at: Scalars['DateTime']['output'];
  readonly credits: Scalars['Float']['output'];
  readonly micros: Scalars['String']['output'];
};

export type CreditLotSource =
  | 'PACK_PURCHASE'
  | 'SUBSCRIPTION'
  | 'ADJUSTMENT'
  | 'PROMOTION'
  | 'ROLLOVER'
  | 'SETTLEMENT';

export type CreditLot = {
  readonly lotId: Scalars['ID']['output'];
  readonly source: CreditLotSource;
  readonly priority: Scalars['Int']['output'];
  readonly expiresAt?: Maybe<Scalars['DateTime']['output']>;
  readonly isExpired: Scalars['Boolean']['output'];
  readonly grantedCredits: Scalars['Float']['output'];
  readonly grantedMicros: Scalars['String']['output'];
  readonly spentCredits: Scalars['Float']['output'];
  readonly spentMicros: Scalars['String']['output'];
  readonly expiredCredits: Scalars['Float']['output'];
  readonly expiredMicros: Scalars['String']['output'];
  readonly takenCredits: Scalars['Float']['output'];
  readonly takenMicros: Scalars['String']['output'];
  readonly leftCredits: Scalars['Float']['output'];
  readonly leftMicros: Scalars['String']['output'];
  readonly rollover?: Maybe<CreditRollover>;
};

export type CreditRollover = {
  readonly share: Scalars['Float']['output'];
  readonly expiresAt: Scalars['DateTime']['output'];
};

export type CreditLotPage = {
  readonly nodes: ReadonlyArray<CreditLot>;
  readonly pageInfo: PageInfo;
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
  | 'SETTLEMENT'
  | 'PROMOTION'
  | 'ROLLOVER'
  | 'EXPIRY'
  | 'DISPUTE';

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
  readonly lines?: Maybe<ReadonlyArray<ChargeLine>>;
  readonly serviceTier?: Maybe<Scalars['String']['output']>;
  readonly tierFactor?: Maybe<Scalars['Float']['output']>;
  readonly abandoned: Scalars['Boolean']['output'];
  readonly admittedAt: Scalars['DateTime']['output'];
  readonly finishedAt: Scalars['DateTime']['output'];
  readonly reason?: Maybe<Scalars['String']['output']>;
  readonly eventIds: ReadonlyArray<Scalars['ID']['output']>;
};

export type ChargeLine = {
  readonly kind: Scalars['String']['output'];
  readonly count: Scalars['Float']['output'];
  readonly rateCredits: Scalars['Float']['output'];
  readonly rateMicros: Scalars['String']['output'];
  readonly credits: Scalars['Float']['output'];
  readonly amountMicros: Scalars['String']['output'];
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
  | 'PROMOTION'
  | 'ROLLOVER'
  | 'USAGE'
  | 'REVERSAL'
  | 'REFUND'
  | 'SETTLEMENT'
  | 'EXPIRY'
  | 'DISPUTE'
  | 'FAILED'
  | 'MONTH_CLOSED'
  | 'MONTH_BILLED'
  | 'PRICES';

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
  readonly book?: Maybe<EntryReceipt>;
};

export type EntryReceipt = {
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

export type DisputeStatus =
  | 'NEEDS_RESPONSE'
  | 'UNDER_REVIEW'
  | 'WON'
  | 'LOST'
  | 'WITHDRAWN';

export type Dispute = {
  readonly id: Scalars['ID']['output'];
  readonly companyId: Scalars['ID']['output'];
  readonly status: DisputeStatus;
  readonly isInquiry: Scalars['Boolean']['output'];
  readonly amount: Scalars['Float']['output'];
  readonly currency: Scalars['String']['output'];
  readonly reason: Scalars['String']['output'];
  readonly respondBy?: Maybe<Scalars['DateTime']['output']>;
  readonly chargeId: Scalars['ID']['output'];
  readonly paymentIntentId?: Maybe<Scalars['ID']['output']>;
  readonly purchaseId?: Maybe<Scalars['ID']['output']>;
  readonly invoiceId?: Maybe<Scalars['ID']['output']>;
  readonly openedAt: Scalars['DateTime']['output'];
  readonly closedAt?: Maybe<Scalars['DateTime']['output']>;
};

export type DisputePage = {
  readonly nodes: ReadonlyArray<Dispute>;
  readonly pageInfo: PageInfo;
};

export type ReconciliationKind =
  | 'PAYMENT_WITHOUT_GRANT'
  | 'GRANT_WITHOUT_PAYMENT'
  | 'AMOUNT_DIFFERS'
  | 'CREDITS_DIFFER'
  | 'REFUND_NOT_ON_LEDGER'
  | 'REFUND_NOT_AT_PROVIDER'
  | 'DISPUTED'
  | 'OTHER_MONTH'
  | 'NO_CREDITS_DUE'
  | 'NOTHING_TO_PAY'
  | 'PAID_ELSEWHERE';

export type DifferenceExplanation = {
  readonly id: Scalars['ID']['output'];
  readonly reason: Scalars['String']['output'];
  readonly explainedAt: Scalars['DateTime']['output'];
};

export type ReconciliationFinding = {
  readonly id: Scalars['ID']['output'];
  readonly explanation?: Maybe<DifferenceExplanation>;
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
  readonly rolloverShare?: Maybe<Scalars['Float']['output']>;
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
  readonly rolloverShare?: InputMaybe<Scalars['Float']['input']>;
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

export type CreditPackTerms = {
  readonly packId: Scalars['ID']['output'];
  readonly validDays?: Maybe<Scalars['Int']['output']>;
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
  readonly validDays?: InputMaybe<Scalars['Int']['input']>;
};

export type CreateCheckoutInput = {
  readonly packId?: InputMaybe<Scalars['ID']['input']>;
  readonly planId?: InputMaybe<Scalars['ID']['input']>;
  readonly savePaymentMethod?: InputMaybe<Scalars['Boolean']['input']>;
};

export type TopUp = {
  readonly enabled: Scalars['Boolean']['output'];
  readonly offReason?: Maybe<TopUpOffReason>;
  readonly hasPaymentMethod: Scalars['Boolean']['output'];
  readonly thresholdCredits?: Maybe<Scalars['Float']['output']>;
  readonly packId?: Maybe<Scalars['ID']['output']>;
  readonly monthlyCeiling?: Maybe<Scalars['Float']['output']>;
  readonly currency?: Maybe<Scalars['String']['output']>;
  readonly spentThisMonth: Scalars['Float']['output'];
  readonly heldBecause?: Maybe<TopUpHold>;
  readonly attempts: ReadonlyArray<TopUpAttempt>;
};

export type TopUpOffReason =
  | 'ADMIN'
  | 'DECLINED'
  | 'PAYMENT_RETURNED';

export type TopUpHold =
  | 'CEILING'
  | 'PACK_RETIRED'
  | 'SUSPENDED'
  | 'DISPUTED'
  | 'POSTPAID';

export type TopUpAttempt = {
  readonly id: Scalars['ID']['output'];
  readonly status: TopUpAttemptStatus;
  readonly credits: Scalars['Float']['output'];
  readonly price: Scalars['Float']['output'];
  readonly currency: Scalars['String']['output'];
  readonly purchaseId: Scalars['ID']['output'];
  readonly reason?: Maybe<Scalars['String']['output']>;
  readonly confirmUrl?: Maybe<Scalars['String']['output']>;
  readonly confirmBy?: Maybe<Scalars['DateTime']['output']>;
  readonly startedAt: Scalars['DateTime']['output'];
  readonly endedAt?: Maybe<Scalars['DateTime']['output']>;
};

export type TopUpAttemptStatus =
  | 'STARTED'
  | 'NEEDS_CONFIRMATION'
  | 'SUCCEEDED'
  | 'DECLINED'
  | 'GIVEN_UP';

export type SetTopUpInput = {
  readonly enabled: Scalars['Boolean']['input'];
  readonly thresholdCredits?: InputMaybe<Scalars['Float']['input']>;
  readonly packId?: InputMaybe<Scalars['ID']['input']>;
  readonly monthlyCeiling?: InputMaybe<Scalars['Float']['input']>;
  readonly removePaymentMethod?: InputMaybe<Scalars['Boolean']['input']>;
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
  readonly creditLimit?: Maybe<Scalars['Float']['output']>;
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
  readonly cacheWrite1hPerMillionTokens?: InputMaybe<Scalars['Float']['input']>;
  readonly audioInputPerMillionTokens?: InputMaybe<Scalars['Float']['input']>;
  readonly imageInputPerMillionTokens?: InputMaybe<Scalars['Float']['input']>;
  readonly outputPerMillionTokens: Scalars['Float']['input'];
  readonly reasoningPerMillionTokens?: InputMaybe<Scalars['Float']['input']>;
  readonly audioOutputPerMillionTokens?: InputMaybe<Scalars['Float']['input']>;
  readonly imageOutputPerMillionTokens?: InputMaybe<Scalars['Float']['input']>;
  readonly perCall?: InputMaybe<Scalars['Float']['input']>;
  readonly inputTiers?: InputMaybe<ReadonlyArray<InputTierInput>>;
  readonly units?: InputMaybe<ReadonlyArray<UnitPriceInput>>;
  readonly serviceTiers?: InputMaybe<ReadonlyArray<ServiceTierInput>>;
};

export type InputTierInput = {
  readonly tokens: Scalars['Float']['input'];
  readonly inclusive?: InputMaybe<Scalars['Boolean']['input']>;
  readonly inputPerMillionTokens: Scalars['Float']['input'];
  readonly cachedInputPerMillionTokens?: InputMaybe<Scalars['Float']['input']>;
  readonly cacheWritePerMillionTokens?: InputMaybe<Scalars['Float']['input']>;
  readonly cacheWrite1hPerMillionTokens?: InputMaybe<Scalars['Float']['input']>;
  readonly audioInputPerMillionTokens?: InputMaybe<Scalars['Float']['input']>;
  readonly imageInputPerMillionTokens?: InputMaybe<Scalars['Float']['input']>;
  readonly outputPerMillionTokens: Scalars['Float']['input'];
  readonly reasoningPerMillionTokens?: InputMaybe<Scalars['Float']['input']>;
  readonly audioOutputPerMillionTokens?: InputMaybe<Scalars['Float']['input']>;
  readonly imageOutputPerMillionTokens?: InputMaybe<Scalars['Float']['input']>;
};

export type UnitPriceInput = {
  readonly unit: Scalars['String']['input'];
  readonly credits: Scalars['Float']['input'];
};

export type ServiceTierInput = {
  readonly tier: Scalars['String']['input'];
  readonly factor: Scalars['Float']['input'];
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
  readonly cacheWrite1hPerMillionTokens?: Maybe<Scalars['Float']['output']>;
  readonly audioInputPerMillionTokens?: Maybe<Scalars['Float']['output']>;
  readonly imageInputPerMillionTokens?: Maybe<Scalars['Float']['output']>;
  readonly outputPerMillionTokens: Scalars['Float']['output'];
  readonly reasoningPerMillionTokens?: Maybe<Scalars['Float']['output']>;
  readonly audioOutputPerMillionTokens?: Maybe<Scalars['Float']['output']>;
  readonly imageOutputPerMillionTokens?: Maybe<Scalars['Float']['output']>;
  readonly perCall?: Maybe<Scalars['Float']['output']>;
  readonly inputTiers: ReadonlyArray<InputTier>;
  readonly units: ReadonlyArray<UnitPrice>;
  readonly serviceTiers: ReadonlyArray<ServiceTier>;
  readonly bookId: Scalars['ID']['output'];
};

export type InputTier = {
  readonly tokens: Scalars['Float']['output'];
  readonly inclusive: Scalars['Boolean']['output'];
  readonly inputPerMillionTokens: Scalars['Float']['output'];
  readonly cachedInputPerMillionTokens?: Maybe<Scalars['Float']['output']>;
  readonly cacheWritePerMillionTokens?: Maybe<Scalars['Float']['output']>;
  readonly cacheWrite1hPerMillionTokens?: Maybe<Scalars['Float']['output']>;
  readonly audioInputPerMillionTokens?: Maybe<Scalars['Float']['output']>;
  readonly imageInputPerMillionTokens?: Maybe<Scalars['Float']['output']>;
  readonly outputPerMillionTokens: Scalars['Float']['output'];
  readonly reasoningPerMillionTokens?: Maybe<Scalars['Float']['output']>;
  readonly audioOutputPerMillionTokens?: Maybe<Scalars['Float']['output']>;
  readonly imageOutputPerMillionTokens?: Maybe<Scalars['Float']['output']>;
};

export type UnitPrice = {
  readonly unit: Scalars['String']['output'];
  readonly credits: Scalars['Float']['output'];
};

export type ServiceTier = {
  readonly tier: Scalars['String']['output'];
  readonly factor: Scalars['Float']['output'];
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
    readonly whoAmI?: Resolver<User, object>;
    readonly sessions?: Resolver<ReadonlyArray<Session>, object>;
    readonly users?: Resolver<ReadonlyArray<User>, {
      readonly asCompany?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly invitations?: Resolver<ReadonlyArray<Invitation>, {
      readonly asCompany?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly apiKeys?: Resolver<ReadonlyArray<ApiKey>, {
      readonly asCompany?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly creditBalance?: Resolver<CreditBalance, {
      readonly at?: Maybe<Scalars['DateTime']['input']>;
      readonly asCompany?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly creditTransactions?: Resolver<CreditTransactionPage, {
      readonly first?: Maybe<Scalars['Int']['input']>;
      readonly after?: Maybe<Scalars['String']['input']>;
      readonly type?: Maybe<CreditTransactionType>;
      readonly from?: Maybe<Scalars['DateTime']['input']>;
      readonly to?: Maybe<Scalars['DateTime']['input']>;
      readonly asCompany?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly creditLots?: Resolver<CreditLotPage, {
      readonly first?: Maybe<Scalars['Int']['input']>;
      readonly after?: Maybe<Scalars['String']['input']>;
      readonly asCompany?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly usage?: Resolver<UsagePage, {
      readonly from?: Maybe<Scalars['DateTime']['input']>;
      readonly to?: Maybe<Scalars['DateTime']['input']>;
      readonly groupBy?: Maybe<ReadonlyArray<UsageGroup>>;
      readonly keyId?: Maybe<Scalars['ID']['input']>;
      readonly label?: Maybe<Scalars['String']['input']>;
      readonly asCompany?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly calls?: Resolver<CallPage, {
      readonly first?: Maybe<Scalars['Int']['input']>;
      readonly after?: Maybe<Scalars['String']['input']>;
      readonly keyId?: Maybe<Scalars['ID']['input']>;
      readonly alias?: Maybe<Scalars['String']['input']>;
      readonly label?: Maybe<Scalars['String']['input']>;
      readonly state?: Maybe<CallState>;
      readonly from?: Maybe<Scalars['DateTime']['input']>;
      readonly to?: Maybe<Scalars['DateTime']['input']>;
      readonly asCompany?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly call?: Resolver<Maybe<Call>, {
      readonly id: Scalars['ID']['input'];
      readonly asCompany?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly statement?: Resolver<Statement, {
      readonly companyId?: Maybe<Scalars['ID']['input']>;
      readonly from: Scalars['DateTime']['input'];
      readonly to: Scalars['DateTime']['input'];
      readonly first?: Maybe<Scalars['Int']['input']>;
      readonly after?: Maybe<Scalars['String']['input']>;
      readonly asCompany?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly ledgerReceipt?: Resolver<Receipt, {
      readonly eventId: Scalars['ID']['input'];
      readonly since?: Maybe<Scalars['Int']['input']>;
      readonly asCompany?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly plans?: Resolver<ReadonlyArray<Plan>, object>;
    readonly creditPacks?: Resolver<ReadonlyArray<CreditPackOutput>, object>;
    readonly creditPackTerms?: Resolver<ReadonlyArray<CreditPackTerms>, object>;
    readonly subscription?: Resolver<Maybe<Subscription>, {
      readonly asCompany?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly subscriptions?: Resolver<ReadonlyArray<Subscription>, {
      readonly asCompany?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly invoices?: Resolver<ReadonlyArray<Invoice>, {
      readonly asCompany?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly topUp?: Resolver<TopUp, {
      readonly asCompany?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly purchases?: Resolver<ReadonlyArray<CreditPackPurchase>, {
      readonly asCompany?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly noticeSettings?: Resolver<NoticeSettings, {
      readonly asCompany?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly jobs?: Resolver<ReadonlyArray<Job>, {
      readonly asCompany?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly talents?: Resolver<ReadonlyArray<Talent>, {
      readonly asCompany?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly matchScores?: Resolver<ReadonlyArray<MatchScore>, {
      readonly jobId: Scalars['ID']['input'];
      readonly asCompany?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly documents?: Resolver<ReadonlyArray<Document>, {
      readonly asCompany?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly meetingInsights?: Resolver<MeetingInsightPage, {
      readonly room?: Maybe<Scalars['String']['input']>;
      readonly first?: Maybe<Scalars['Int']['input']>;
      readonly after?: Maybe<Scalars['String']['input']>;
      readonly asCompany?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly webhookEndpoints?: Resolver<ReadonlyArray<WebhookEndpoint>, {
      readonly asCompany?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly webhookDeliveries?: Resolver<ReadonlyArray<WebhookDelivery>, {
      readonly endpointId: Scalars['ID']['input'];
      readonly asCompany?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly trail?: Resolver<TrailPage, {
      readonly filter?: Maybe<TrailFilter>;
      readonly first?: Maybe<Scalars['Int']['input']>;
      readonly after?: Maybe<Scalars['String']['input']>;
      readonly asCompany?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly companies?: Resolver<ReadonlyArray<Company>, object>;
    readonly webhookEvents?: Resolver<ReadonlyArray<WebhookEvent>, {
      readonly status?: Maybe<WebhookStatus>;
    }>;
    readonly parkedTasks?: Resolver<ReadonlyArray<ParkedTask>, {
      readonly worker?: Maybe<Scalars['String']['input']>;
    }>;
    readonly readModels?: Resolver<ReadonlyArray<ReadModel>, object>;
    readonly leases?: Resolver<ReadonlyArray<Lease>, object>;
    readonly generator?: Resolver<Generator, object>;
    readonly ledgerLog?: Resolver<LedgerLog, object>;
    readonly models?: Resolver<ReadonlyArray<Model>, object>;
    readonly margin?: Resolver<ReadonlyArray<MarginEntry>, {
      readonly from: Scalars['DateTime']['input'];
      readonly to: Scalars['DateTime']['input'];
      readonly groupBy: MarginGroup;
    }>;
    readonly reconciliation?: Resolver<Reconciliation, {
      readonly month: Scalars['String']['input'];
    }>;
    readonly disputes?: Resolver<DisputePage, {
      readonly first?: Maybe<Scalars['Int']['input']>;
      readonly after?: Maybe<Scalars['String']['input']>;
      readonly companyId?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly priceBook?: Resolver<PriceBook, {
      readonly at?: Maybe<Scalars['DateTime']['input']>;
      readonly companyId?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly setupStatus?: Resolver<ReadonlyArray<SetupStep>, object>;
    readonly priceBooks?: Resolver<ReadonlyArray<PriceBook>, object>;
    readonly previewPriceBook?: Resolver<PricePreview, {
      readonly input: PriceBookInput;
      readonly from: Scalars['DateTime']['input'];
      readonly to: Scalars['DateTime']['input'];
    }>;
  };
  readonly Mutation?: {
    readonly login?: Resolver<LoginOutput, {
      readonly email: Scalars['String']['input'];
      readonly password: Scalars['String']['input'];
    }>;
    readonly changePassword?: Resolver<User, {
      readonly oldPassword: Scalars['String']['input'];
      readonly newPassword: Scalars['String']['input'];
    }>;
    readonly signOutEverywhere?: Resolver<Scalars['Boolean']['output'], object>;
    readonly endSession?: Resolver<Scalars['Boolean']['output'], {
      readonly id: Scalars['ID']['input'];
    }>;
    readonly inviteUser?: Resolver<Invitation, {
      readonly email: Scalars['String']['input'];
      readonly role: Role;
    }>;
    readonly withdrawInvitation?: Resolver<Scalars['Boolean']['output'], {
      readonly id: Scalars['ID']['input'];
    }>;
    readonly acceptInvitation?: Resolver<LoginOutput, {
      readonly token: Scalars['String']['input'];
      readonly password: Scalars['String']['input'];
    }>;
    readonly requestPasswordReset?: Resolver<Scalars['Boolean']['output'], {
      readonly email: Scalars['String']['input'];
    }>;
    readonly resetPassword?: Resolver<LoginOutput, {
      readonly token: Scalars['String']['input'];
      readonly password: Scalars['String']['input'];
    }>;
    readonly setRole?: Resolver<User, {
      readonly userId: Scalars['ID']['input'];
      readonly role: Role;
    }>;
    readonly removeUser?: Resolver<Scalars['Boolean']['output'], {
      readonly userId: Scalars['ID']['input'];
    }>;
    readonly mintApiKey?: Resolver<ApiKeySecret, {
      readonly input: MintApiKeyInput;
    }>;
    readonly rotateApiKey?: Resolver<ApiKeySecret, {
      readonly id: Scalars['ID']['input'];
      readonly expiresAt?: Maybe<Scalars['DateTime']['input']>;
    }>;
    readonly updateApiKey?: Resolver<ApiKey, {
      readonly id: Scalars['ID']['input'];
      readonly input: UpdateApiKeyInput;
    }>;
    readonly revokeApiKey?: Resolver<ApiKey, {
      readonly id: Scalars['ID']['input'];
    }>;
    readonly createCheckout?: Resolver<Checkout, {
      readonly input: CreateCheckoutInput;
    }>;
    readonly setTopUp?: Resolver<TopUp, {
      readonly input: SetTopUpInput;
    }>;
    readonly changePlan?: Resolver<Subscription, {
      readonly planId: Scalars['ID']['input'];
    }>;
    readonly cancelSubscription?: Resolver<Subscription, object>;
    readonly resumeSubscription?: Resolver<Subscription, object>;
    readonly postJob?: Resolver<Job, {
      readonly input: PostJobInput;
    }>;
    readonly publishJob?: Resolver<Job, {
      readonly id: Scalars['ID']['input'];
    }>;
    readonly closeJob?: Resolver<Job, {
      readonly id: Scalars['ID']['input'];
    }>;
    readonly registerTalent?: Resolver<Talent, {
      readonly input: RegisterTalentInput;
    }>;
    readonly eraseTalent?: Resolver<Scalars['Boolean']['output'], {
      readonly id: Scalars['ID']['input'];
    }>;
    readonly uploadCv?: Resolver<Document, {
      readonly file: Scalars['Upload']['input'];
    }>;
    readonly uploadJobDocument?: Resolver<Document, {
      readonly file: Scalars['Upload']['input'];
    }>;
    readonly setHardCap?: Resolver<Company, {
      readonly companyId: Scalars['ID']['input'];
      readonly hardCap: Scalars['Boolean']['input'];
    }>;
    readonly setCreditLimit?: Resolver<Company, {
      readonly companyId: Scalars['ID']['input'];
      readonly credits?: Maybe<Scalars['Float']['input']>;
    }>;
    readonly setNoticeSettings?: Resolver<NoticeSettings, {
      readonly lowBalanceCredits?: Maybe<Scalars['Float']['input']>;
    }>;
    readonly createWebhookEndpoint?: Resolver<WebhookEndpointSecret, {
      readonly url: Scalars['String']['input'];
      readonly types: ReadonlyArray<Scalars['String']['input']>;
    }>;
    readonly deleteWebhookEndpoint?: Resolver<Scalars['Boolean']['output'], {
      readonly id: Scalars['ID']['input'];
    }>;
    readonly resendDelivery?: Resolver<WebhookDelivery, {
      readonly id: Scalars['ID']['input'];
    }>;
    readonly syncAllPlansProviderPricing?: Resolver<ReadonlyArray<Plan>, object>;
    readonly createCreditPack?: Resolver<CreditPackOutput, {
      readonly input: CreateCreditPackInput;
    }>;
    readonly updateCreditPack?: Resolver<CreditPackOutput, {
      readonly id: Scalars['ID']['input'];
      readonly input: UpdateCreditPackInput;
    }>;
    readonly retireCreditPack?: Resolver<CreditPackOutput, {
      readonly id: Scalars['ID']['input'];
    }>;
    readonly createPlan?: Resolver<Plan, {
      readonly input: CreatePlanInput;
    }>;
    readonly updatePlan?: Resolver<Plan, {
      readonly id: Scalars['ID']['input'];
      readonly input: UpdatePlanInput;
    }>;
    readonly retirePlan?: Resolver<Plan, {
      readonly id: Scalars['ID']['input'];
    }>;
    readonly createCompany?: Resolver<Company, {
      readonly input: CreateCompanyInput;
    }>;
    readonly createUser?: Resolver<User, {
      readonly input: CreateUserInput;
    }>;
    readonly eraseUser?: Resolver<Scalars['Boolean']['output'], {
      readonly id: Scalars['ID']['input'];
    }>;
    readonly setCompanyBillingMode?: Resolver<Company, {
      readonly companyId: Scalars['ID']['input'];
      readonly billingMode: BillingMode;
      readonly planId?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly grantCredits?: Resolver<CreditTransaction, {
      readonly companyId: Scalars['ID']['input'];
      readonly credits: Scalars['Float']['input'];
      readonly reason: Scalars['String']['input'];
      readonly idempotencyKey?: Maybe<Scalars['String']['input']>;
      readonly expiresAt?: Maybe<Scalars['DateTime']['input']>;
      readonly promotional?: Maybe<Scalars['Boolean']['input']>;
    }>;
    readonly adjustCredits?: Resolver<CreditTransaction, {
      readonly companyId: Scalars['ID']['input'];
      readonly credits: Scalars['Float']['input'];
      readonly reason: Scalars['String']['input'];
      readonly corrects?: Maybe<Scalars['ID']['input']>;
      readonly idempotencyKey?: Maybe<Scalars['String']['input']>;
    }>;
    readonly suspendCompany?: Resolver<Company, {
      readonly id: Scalars['ID']['input'];
      readonly reason: Scalars['String']['input'];
    }>;
    readonly resumeCompany?: Resolver<Company, {
      readonly id: Scalars['ID']['input'];
    }>;
    readonly publishPriceBook?: Resolver<PriceBook, {
      readonly input: PriceBookInput;
    }>;
    readonly explainDifference?: Resolver<DifferenceExplanation, {
      readonly id: Scalars['ID']['input'];
      readonly reason: Scalars['String']['input'];
    }>;
    readonly settleInvoice?: Resolver<Invoice, {
      readonly id: Scalars['ID']['input'];
      readonly reason: Scalars['String']['input'];
    }>;
    readonly voidInvoice?: Resolver<Invoice, {
      readonly id: Scalars['ID']['input'];
      readonly reason: Scalars['String']['input'];
    }>;
    readonly deactivateStaleSubscriptions?: Resolver<ReadonlyArray<Subscription>, {
      readonly before: Scalars['DateTime']['input'];
      readonly dryRun: Scalars['Boolean']['input'];
    }>;
    readonly replayWebhook?: Resolver<WebhookEvent, {
      readonly id: Scalars['ID']['input'];
    }>;
    readonly requeueParkedTask?: Resolver<ParkedTask, {
      readonly id: Scalars['ID']['input'];
    }>;
    readonly testModel?: Resolver<ModelTest, {
      readonly alias: Scalars['String']['input'];
      readonly provider?: Maybe<Scalars['String']['input']>;
      readonly wire?: Maybe<Scalars['String']['input']>;
    }>;
    readonly startGenerator?: Resolver<Generator, object>;
    readonly stopGenerator?: Resolver<Generator, object>;
  };
  readonly SubscriptionRoot?: {
    readonly logStream?: Subscriber<'logStream', LogEntry, object>;
    readonly balanceChanged?: Subscriber<'balanceChanged', CreditBalance, {
      readonly asCompany?: Maybe<Scalars['ID']['input']>;
    }>;
    readonly callFinished?: Subscriber<'callFinished', Call, {
      readonly asCompany?: Maybe<Scalars['ID']['input']>;
    }>;
  };
};
