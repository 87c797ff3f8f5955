/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
export type Role =
  | 'OWNER'
  | 'ADMIN'
  | 'BILLING'
  | 'DEVELOPER'
  | 'AUDITOR';

export type ApiKeyStatus =
  | 'LIVE'
  | 'REVOKED'
  | 'EXPIRED';

export type BudgetPeriod =
  | 'DAY'
  | 'MONTH'
  | 'TOTAL';

export type KeyBudgetInput = {
  readonly credits: number;
  readonly period: BudgetPeriod;
};

export type MintApiKeyInput = {
  readonly name: string;
  readonly scopes?: ReadonlyArray<string> | null | undefined;
  readonly models?: ReadonlyArray<string> | null | undefined;
  readonly rpm?: number | null | undefined;
  readonly tpm?: number | null | undefined;
  readonly expiresAt?: string | null | undefined;
  readonly label?: string | null | undefined;
  readonly budget?: KeyBudgetInput | null | undefined;
};

export type UpdateApiKeyInput = {
  readonly name?: string | null | undefined;
  readonly scopes?: ReadonlyArray<string> | null | undefined;
  readonly models?: ReadonlyArray<string> | null | undefined;
  readonly rpm?: number | null | undefined;
  readonly tpm?: number | null | undefined;
  readonly expiresAt?: string | null | undefined;
  readonly label?: string | null | undefined;
  readonly budget?: KeyBudgetInput | null | undefined;
};

export type CreditLotSource =
  | 'PACK_PURCHASE'
  | 'SUBSCRIPTION'
  | 'ADJUSTMENT'
  | 'PROMOTION'
  | 'ROLLOVER'
  | 'SETTLEMENT';

export type LowBalanceNotice =
  | 'DEFAULT'
  | 'AMOUNT'
  | 'OFF';

export type CallState =
  | 'CHARGED'
  | 'FAILED'
  | 'REVERSED';

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

export type TrailFilter = {
  readonly userId?: string | null | undefined;
  readonly keyId?: string | null | undefined;
  readonly purchaseId?: string | null | undefined;
  readonly invoiceId?: string | null | undefined;
  readonly correlationId?: string | null | undefined;
  readonly type?: string | null | undefined;
  readonly from?: string | null | undefined;
  readonly to?: string | null | undefined;
};

export type TrailActorKind =
  | 'USER'
  | 'API_KEY'
  | 'SYSTEM';

export type UsageGroup =
  | 'ALIAS'
  | 'KEY'
  | 'LABEL'
  | 'HOUR'
  | 'DAY'
  | 'MONTH';

export type BreakerState =
  | 'CLOSED'
  | 'HALF_OPEN'
  | 'OPEN';

export type MarginGroup =
  | 'ALIAS'
  | 'PROVIDER'
  | 'DAY';

export type DisputeStatus =
  | 'NEEDS_RESPONSE'
  | 'UNDER_REVIEW'
  | 'WON'
  | 'LOST'
  | 'WITHDRAWN';

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

export type BillingMode =
  | 'PREPAID'
  | 'POSTPAID';

export type CreatePlanInput = {
  readonly name: string;
  readonly billingMode: BillingMode;
  readonly price: number;
  readonly currency: string;
  readonly creditsPerPeriod: number;
  readonly dueDays?: number | null | undefined;
  readonly sortOrder?: number | null | undefined;
  readonly rolloverShare?: number | null | undefined;
};

export type CreateCreditPackInput = {
  readonly name: string;
  readonly credits: number;
  readonly price: number;
  readonly currency: string;
  readonly sortOrder: number;
  readonly validDays?: number | null | undefined;
};

export type CreateCheckoutInput = {
  readonly packId?: string | null | undefined;
  readonly planId?: string | null | undefined;
  readonly savePaymentMethod?: boolean | null | undefined;
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

export type TopUpAttemptStatus =
  | 'STARTED'
  | 'NEEDS_CONFIRMATION'
  | 'SUCCEEDED'
  | 'DECLINED'
  | 'GIVEN_UP';

export type SetTopUpInput = {
  readonly enabled: boolean;
  readonly thresholdCredits?: number | null | undefined;
  readonly packId?: string | null | undefined;
  readonly monthlyCeiling?: number | null | undefined;
  readonly removePaymentMethod?: boolean | null | undefined;
};

export type SubscriptionStatus =
  | 'INCOMPLETE'
  | 'TRIALING'
  | 'ACTIVE'
  | 'PAST_DUE'
  | 'PAUSED'
  | 'UNPAID'
  | 'CANCELED';

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

export type PurchaseStatus =
  | 'PENDING'
  | 'COMPLETED'
  | 'FAILED'
  | 'EXPIRED';

export type AliasPriceInput = {
  readonly alias: string;
  readonly inputPerMillionTokens: number;
  readonly cachedInputPerMillionTokens?: number | null | undefined;
  readonly cacheWritePerMillionTokens?: number | null | undefined;
  readonly cacheWrite1hPerMillionTokens?: number | null | undefined;
  readonly audioInputPerMillionTokens?: number | null | undefined;
  readonly imageInputPerMillionTokens?: number | null | undefined;
  readonly outputPerMillionTokens: number;
  readonly reasoningPerMillionTokens?: number | null | undefined;
  readonly audioOutputPerMillionTokens?: number | null | undefined;
  readonly imageOutputPerMillionTokens?: number | null | undefined;
  readonly perCall?: number | null | undefined;
  readonly inputTiers?: ReadonlyArray<InputTierInput> | null | undefined;
  readonly units?: ReadonlyArray<UnitPriceInput> | null | undefined;
  readonly serviceTiers?: ReadonlyArray<ServiceTierInput> | null | undefined;
};

export type InputTierInput = {
  readonly tokens: number;
  readonly inclusive?: boolean | null | undefined;
  readonly inputPerMillionTokens: number;
  readonly cachedInputPerMillionTokens?: number | null | undefined;
  readonly cacheWritePerMillionTokens?: number | null | undefined;
  readonly cacheWrite1hPerMillionTokens?: number | null | undefined;
  readonly audioInputPerMillionTokens?: number | null | undefined;
  readonly imageInputPerMillionTokens?: number | null | undefined;
  readonly outputPerMillionTokens: number;
  readonly reasoningPerMillionTokens?: number | null | undefined;
  readonly audioOutputPerMillionTokens?: number | null | undefined;
  readonly imageOutputPerMillionTokens?: number | null | undefined;
};

export type UnitPriceInput = {
  readonly unit: string;
  readonly credits: number;
};

export type ServiceTierInput = {
  readonly tier: string;
  readonly factor: number;
};

export type PriceBookInput = {
  readonly prices?: ReadonlyArray<AliasPriceInput> | null | undefined;
  readonly retire?: ReadonlyArray<string> | null | undefined;
  readonly companyId?: string | null | undefined;
  readonly effectiveFrom?: string | null | undefined;
};

export type WebhookStatus =
  | 'RECEIVED'
  | 'PROCESSED'
  | 'FAILED';

export type WebhookDeliveryState =
  | 'PENDING'
  | 'DELIVERED'
  | 'FAILED'
  | 'CANCELED';

export type ParkedTaskStatus =
  | 'PARKED'
  | 'REQUEUED';

export type AcceptInvitationMutationVariables = Exact<{
  token: string;
  password: string;
}>;


export type AcceptInvitationMutation = { readonly login: { readonly token: string } };

export type ResetPasswordMutationVariables = Exact<{
  token: string;
  password: string;
}>;


export type ResetPasswordMutation = { readonly login: { readonly token: string } };

export type RequestPasswordResetMutationVariables = Exact<{
  email: string;
}>;


export type RequestPasswordResetMutation = { readonly requestPasswordReset: boolean };

export type SubscriptionFieldsFragment = { readonly id: string, readonly status: SubscriptionStatus, readonly isActive: boolean, readonly planId: string | null, readonly startDate: string | null, readonly endDate: string | null, readonly trialEnd: string | null, readonly cancelAtPeriodEnd: boolean, readonly nextPlanId: string | null, readonly currentPeriodEnd: string | null };

export type OffersQueryVariables = Exact<{ [key: string]: never; }>;


export type OffersQuery = { readonly creditPacks: ReadonlyArray<{ readonly id: string, readonly name: string, readonly credits: number, readonly price: number, readonly currency: string }>, readonly creditPackTerms: ReadonlyArray<{ readonly packId: string, readonly validDays: number | null }>, readonly plans: ReadonlyArray<{ readonly id: string, readonly name: string, readonly active: boolean, readonly billingMode: BillingMode, readonly price: number, readonly currency: string, readonly creditsPerPeriod: number, readonly rolloverShare: number | null, readonly needsProviderPricing: boolean }> };

export type CreditLotsQueryVariables = Exact<{
  asCompany?: string | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type CreditLotsQuery = { readonly creditBalance: { readonly debtMicros: string | null, readonly nextExpiry: { readonly at: string, readonly micros: string } | null }, readonly creditLots: { readonly nodes: ReadonlyArray<{ readonly lotId: string, readonly source: CreditLotSource, readonly expiresAt: string | null, readonly isExpired: boolean, readonly grantedMicros: string, readonly spentMicros: string, readonly expiredMicros: string, readonly takenMicros: string, readonly leftMicros: string, readonly rollover: { readonly share: number } | null }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type BillingQueryVariables = Exact<{
  asCompany?: string | null | undefined;
}>;


export type BillingQuery = { readonly subscription: { readonly id: string, readonly status: SubscriptionStatus, readonly isActive: boolean, readonly planId: string | null, readonly startDate: string | null, readonly endDate: string | null, readonly trialEnd: string | null, readonly cancelAtPeriodEnd: boolean, readonly nextPlanId: string | null, readonly currentPeriodEnd: string | null } | null, readonly subscriptions: ReadonlyArray<{ readonly id: string, readonly status: SubscriptionStatus, readonly isActive: boolean, readonly planId: string | null, readonly startDate: string | null, readonly endDate: string | null, readonly trialEnd: string | null, readonly cancelAtPeriodEnd: boolean, readonly nextPlanId: string | null, readonly currentPeriodEnd: string | null }>, readonly purchases: ReadonlyArray<{ readonly id: string, readonly packId: string, readonly status: PurchaseStatus, readonly credits: number, readonly price: number, readonly currency: string, readonly creditsRefunded: number, readonly failureReason: string | null, readonly createdAt: string, readonly completedAt: string | null }>, readonly invoices: ReadonlyArray<{ readonly id: string, readonly status: InvoiceStatus, readonly amount: number, readonly currency: string, readonly dueDate: string | null, readonly paidAt: string | null, readonly overdue: boolean, readonly hostedUrl: string | null, readonly pdfUrl: string | null, readonly month: string | null, readonly createdAt: string }>, readonly noticeSettings: { readonly lowBalance: LowBalanceNotice, readonly lowBalanceCredits: number | null } };

export type WebhookEndpointsQueryVariables = Exact<{
  asCompany?: string | null | undefined;
}>;


export type WebhookEndpointsQuery = { readonly webhookEndpoints: ReadonlyArray<{ readonly id: string, readonly url: string, readonly types: ReadonlyArray<string>, readonly createdAt: string, readonly disabledAt: string | null, readonly disabledReason: string | null }> };

export type WebhookDeliveriesQueryVariables = Exact<{
  asCompany?: string | null | undefined;
  endpointId: string;
}>;


export type WebhookDeliveriesQuery = { readonly webhookDeliveries: ReadonlyArray<{ readonly id: string, readonly messageId: string, readonly type: string, readonly state: WebhookDeliveryState, readonly attempts: number, readonly lastStatus: number | null, readonly lastError: string | null, readonly lastAttemptAt: string | null, readonly nextAttemptAt: string | null, readonly createdAt: string }> };

export type CreateCheckoutMutationVariables = Exact<{
  input: CreateCheckoutInput;
}>;


export type CreateCheckoutMutation = { readonly createCheckout: { readonly url: string } };

export type ChangePlanMutationVariables = Exact<{
  planId: string;
}>;


export type ChangePlanMutation = { readonly changePlan: { readonly id: string, readonly status: SubscriptionStatus, readonly isActive: boolean, readonly planId: string | null, readonly startDate: string | null, readonly endDate: string | null, readonly trialEnd: string | null, readonly cancelAtPeriodEnd: boolean, readonly nextPlanId: string | null, readonly currentPeriodEnd: string | null } };

export type CancelSubscriptionMutationVariables = Exact<{ [key: string]: never; }>;


export type CancelSubscriptionMutation = { readonly cancelSubscription: { readonly id: string, readonly status: SubscriptionStatus, readonly isActive: boolean, readonly planId: string | null, readonly startDate: string | null, readonly endDate: string | null, readonly trialEnd: string | null, readonly cancelAtPeriodEnd: boolean, readonly nextPlanId: string | null, readonly currentPeriodEnd: string | null } };

export type ResumeSubscriptionMutationVariables = Exact<{ [key: string]: never; }>;


export type ResumeSubscriptionMutation = { readonly resumeSubscription: { readonly id: string, readonly status: SubscriptionStatus, readonly isActive: boolean, readonly planId: string | null, readonly startDate: string | null, readonly endDate: string | null, readonly trialEnd: string | null, readonly cancelAtPeriodEnd: boolean, readonly nextPlanId: string | null, readonly currentPeriodEnd: string | null } };

export type SetHardCapMutationVariables = Exact<{
  companyId: string;
  hardCap: boolean;
}>;


export type SetHardCapMutation = { readonly setHardCap: { readonly id: string, readonly hardCap: boolean } };

export type SetNoticeMutationVariables = Exact<{
  lowBalanceCredits?: number | null | undefined;
}>;


export type SetNoticeMutation = { readonly setNoticeSettings: { readonly lowBalance: LowBalanceNotice, readonly lowBalanceCredits: number | null } };

export type CreateWebhookEndpointMutationVariables = Exact<{
  url: string;
  types: ReadonlyArray<string> | string;
}>;


export type CreateWebhookEndpointMutation = { readonly createWebhookEndpoint: { readonly secret: string, readonly endpoint: { readonly id: string, readonly url: string } } };

export type DeleteWebhookEndpointMutationVariables = Exact<{
  id: string;
}>;


export type DeleteWebhookEndpointMutation = { readonly deleteWebhookEndpoint: boolean };

export type ResendDeliveryMutationVariables = Exact<{
  id: string;
}>;


export type ResendDeliveryMutation = { readonly resendDelivery: { readonly id: string, readonly state: WebhookDeliveryState } };

export type SettleInvoiceMutationVariables = Exact<{
  id: string;
  reason: string;
}>;


export type SettleInvoiceMutation = { readonly settleInvoice: { readonly id: string, readonly status: InvoiceStatus } };

export type VoidInvoiceMutationVariables = Exact<{
  id: string;
  reason: string;
}>;


export type VoidInvoiceMutation = { readonly voidInvoice: { readonly id: string, readonly status: InvoiceStatus } };

export type HardCapQueryVariables = Exact<{
  asCompany?: string | null | undefined;
}>;


export type HardCapQuery = { readonly changed: { readonly nodes: ReadonlyArray<{ readonly facts: ReadonlyArray<{ readonly name: string, readonly value: string | null }> }> }, readonly registered: { readonly nodes: ReadonlyArray<{ readonly facts: ReadonlyArray<{ readonly name: string, readonly value: string | null }> }> } };

export type TopUpFieldsFragment = { readonly enabled: boolean, readonly offReason: TopUpOffReason | null, readonly hasPaymentMethod: boolean, readonly thresholdCredits: number | null, readonly packId: string | null, readonly monthlyCeiling: number | null, readonly currency: string | null, readonly spentThisMonth: number, readonly heldBecause: TopUpHold | null, readonly attempts: ReadonlyArray<{ readonly id: string, readonly status: TopUpAttemptStatus, readonly credits: number, readonly price: number, readonly currency: string, readonly reason: string | null, readonly confirmUrl: string | null, readonly confirmBy: string | null, readonly startedAt: string }> };

export type TopUpQueryVariables = Exact<{
  asCompany?: string | null | undefined;
}>;


export type TopUpQuery = { readonly topUp: { readonly enabled: boolean, readonly offReason: TopUpOffReason | null, readonly hasPaymentMethod: boolean, readonly thresholdCredits: number | null, readonly packId: string | null, readonly monthlyCeiling: number | null, readonly currency: string | null, readonly spentThisMonth: number, readonly heldBecause: TopUpHold | null, readonly attempts: ReadonlyArray<{ readonly id: string, readonly status: TopUpAttemptStatus, readonly credits: number, readonly price: number, readonly currency: string, readonly reason: string | null, readonly confirmUrl: string | null, readonly confirmBy: string | null, readonly startedAt: string }> } };

export type SetTopUpMutationVariables = Exact<{
  input: SetTopUpInput;
}>;


export type SetTopUpMutation = { readonly setTopUp: { readonly enabled: boolean, readonly offReason: TopUpOffReason | null, readonly hasPaymentMethod: boolean, readonly thresholdCredits: number | null, readonly packId: string | null, readonly monthlyCeiling: number | null, readonly currency: string | null, readonly spentThisMonth: number, readonly heldBecause: TopUpHold | null, readonly attempts: ReadonlyArray<{ readonly id: string, readonly status: TopUpAttemptStatus, readonly credits: number, readonly price: number, readonly currency: string, readonly reason: string | null, readonly confirmUrl: string | null, readonly confirmBy: string | null, readonly startedAt: string }> } };

export type CallFieldsFragment = { readonly id: string, readonly state: CallState, readonly alias: string, readonly keyId: string, readonly label: string | null, readonly endpoint: string, readonly streamed: boolean, readonly tokensIn: number, readonly tokensCached: number | null, readonly tokensOut: number, readonly amountMicros: string, readonly admittedAt: string, readonly finishedAt: string, readonly reason: string | null };

export type CallsQueryVariables = Exact<{
  asCompany?: string | null | undefined;
  first: number;
  after?: string | null | undefined;
  keyId?: string | null | undefined;
  alias?: string | null | undefined;
  label?: string | null | undefined;
  state?: CallState | null | undefined;
  from?: string | null | undefined;
  to?: string | null | undefined;
}>;


export type CallsQuery = { readonly calls: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly state: CallState, readonly alias: string, readonly keyId: string, readonly label: string | null, readonly endpoint: string, readonly streamed: boolean, readonly tokensIn: number, readonly tokensCached: number | null, readonly tokensOut: number, readonly amountMicros: string, readonly admittedAt: string, readonly finishedAt: string, readonly reason: string | null }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type CallChargeFragment = { readonly serviceTier: string | null, readonly tierFactor: number | null, readonly abandoned: boolean, readonly lines: ReadonlyArray<{ readonly kind: string, readonly count: number, readonly rateMicros: string, readonly amountMicros: string }> | null };

export type CallQueryVariables = Exact<{
  asCompany?: string | null | undefined;
  id: string;
}>;


export type CallQuery = { readonly call: { readonly eventIds: ReadonlyArray<string>, readonly id: string, readonly state: CallState, readonly alias: string, readonly keyId: string, readonly label: string | null, readonly endpoint: string, readonly streamed: boolean, readonly tokensIn: number, readonly tokensCached: number | null, readonly tokensOut: number, readonly amountMicros: string, readonly admittedAt: string, readonly finishedAt: string, readonly reason: string | null, readonly serviceTier: string | null, readonly tierFactor: number | null, readonly abandoned: boolean, readonly lines: ReadonlyArray<{ readonly kind: string, readonly count: number, readonly rateMicros: string, readonly amountMicros: string }> | null } | null };

export type CallFinishedSubscriptionVariables = Exact<{
  asCompany?: string | null | undefined;
}>;


export type CallFinishedSubscription = { readonly callFinished: { readonly id: string, readonly state: CallState, readonly alias: string, readonly keyId: string, readonly label: string | null, readonly endpoint: string, readonly streamed: boolean, readonly tokensIn: number, readonly tokensCached: number | null, readonly tokensOut: number, readonly amountMicros: string, readonly admittedAt: string, readonly finishedAt: string, readonly reason: string | null } };

export type LedgerReceiptQueryVariables = Exact<{
  asCompany?: string | null | undefined;
  eventId: string;
}>;


export type LedgerReceiptQuery = { readonly ledgerReceipt: { readonly version: number, readonly previous: string | null, readonly salt: string, readonly proof: string, readonly event: { readonly stream: string, readonly number: number, readonly id: string, readonly type: string, readonly time: string, readonly data: Readonly<Record<string, unknown>> }, readonly book: { readonly previous: string | null, readonly salt: string, readonly proof: string, readonly event: { readonly stream: string, readonly number: number, readonly id: string, readonly type: string, readonly time: string, readonly data: Readonly<Record<string, unknown>> } } | null } };

export type CompanyFieldsFragment = { readonly id: string, readonly name: string, readonly billingMode: BillingMode, readonly hardCap: boolean, readonly creditLimit: number | null, readonly createdAt: string, readonly suspendedAt: string | null, readonly suspendedReason: string | null };

export type AllCompaniesQueryVariables = Exact<{ [key: string]: never; }>;


export type AllCompaniesQuery = { readonly companies: ReadonlyArray<{ readonly id: string, readonly name: string, readonly billingMode: BillingMode, readonly hardCap: boolean, readonly creditLimit: number | null, readonly createdAt: string, readonly suspendedAt: string | null, readonly suspendedReason: string | null }> };

export type CompanyFiguresQueryVariables = Exact<{
  asCompany?: string | null | undefined;
  from: string;
  to: string;
}>;


export type CompanyFiguresQuery = { readonly creditBalance: { readonly amountMicros: string }, readonly usage: { readonly nodes: ReadonlyArray<{ readonly requests: number, readonly amountMicros: string }> }, readonly invoices: ReadonlyArray<{ readonly id: string, readonly amount: number, readonly currency: string, readonly overdue: boolean }> };

export type AdjustCreditsMutationVariables = Exact<{
  companyId: string;
  credits: number;
  reason: string;
  idempotencyKey: string;
}>;


export type AdjustCreditsMutation = { readonly adjustCredits: { readonly id: string } };

export type GrantCreditsMutationVariables = Exact<{
  companyId: string;
  credits: number;
  reason: string;
  idempotencyKey: string;
  expiresAt?: string | null | undefined;
  promotional: boolean;
}>;


export type GrantCreditsMutation = { readonly grantCredits: { readonly id: string } };

export type CapCompanyMutationVariables = Exact<{
  companyId: string;
  hardCap: boolean;
}>;


export type CapCompanyMutation = { readonly setHardCap: { readonly id: string, readonly name: string, readonly billingMode: BillingMode, readonly hardCap: boolean, readonly creditLimit: number | null, readonly createdAt: string, readonly suspendedAt: string | null, readonly suspendedReason: string | null } };

export type SuspendCompanyMutationVariables = Exact<{
  id: string;
  reason: string;
}>;


export type SuspendCompanyMutation = { readonly suspendCompany: { readonly id: string, readonly name: string, readonly billingMode: BillingMode, readonly hardCap: boolean, readonly creditLimit: number | null, readonly createdAt: string, readonly suspendedAt: string | null, readonly suspendedReason: string | null } };

export type ResumeCompanyMutationVariables = Exact<{
  id: string;
}>;


export type ResumeCompanyMutation = { readonly resumeCompany: { readonly id: string, readonly name: string, readonly billingMode: BillingMode, readonly hardCap: boolean, readonly creditLimit: number | null, readonly createdAt: string, readonly suspendedAt: string | null, readonly suspendedReason: string | null } };

export type SetCreditLimitMutationVariables = Exact<{
  companyId: string;
  credits?: number | null | undefined;
}>;


export type SetCreditLimitMutation = { readonly setCreditLimit: { readonly id: string, readonly name: string, readonly billingMode: BillingMode, readonly hardCap: boolean, readonly creditLimit: number | null, readonly createdAt: string, readonly suspendedAt: string | null, readonly suspendedReason: string | null } };

export type KeyFieldsFragment = { readonly id: string, readonly name: string, readonly hint: string, readonly status: ApiKeyStatus, readonly scopes: ReadonlyArray<string>, readonly models: ReadonlyArray<string> | null, readonly rpm: number, readonly tpm: number, readonly expiresAt: string | null, readonly createdAt: string, readonly revokedAt: string | null, readonly rotatedFrom: string | null, readonly label: string | null, readonly lastUsedAt: string | null, readonly spentToday: number, readonly spentThisMonth: number, readonly budget: { readonly credits: number, readonly period: BudgetPeriod, readonly spent: number } | null };

export type KeysQueryVariables = Exact<{
  asCompany?: string | null | undefined;
}>;


export type KeysQuery = { readonly apiKeys: ReadonlyArray<{ readonly id: string, readonly name: string, readonly hint: string, readonly status: ApiKeyStatus, readonly scopes: ReadonlyArray<string>, readonly models: ReadonlyArray<string> | null, readonly rpm: number, readonly tpm: number, readonly expiresAt: string | null, readonly createdAt: string, readonly revokedAt: string | null, readonly rotatedFrom: string | null, readonly label: string | null, readonly lastUsedAt: string | null, readonly spentToday: number, readonly spentThisMonth: number, readonly budget: { readonly credits: number, readonly period: BudgetPeriod, readonly spent: number } | null }> };

export type KeyDaysQueryVariables = Exact<{
  asCompany?: string | null | undefined;
  from: string;
  to: string;
}>;


export type KeyDaysQuery = { readonly usage: { readonly nodes: ReadonlyArray<{ readonly group: string, readonly subgroup: string | null, readonly requests: number, readonly amountMicros: string }> } };

export type MintKeyMutationVariables = Exact<{
  input: MintApiKeyInput;
}>;


export type MintKeyMutation = { readonly mintApiKey: { readonly secret: string, readonly apiKey: { readonly id: string, readonly name: string, readonly hint: string, readonly status: ApiKeyStatus, readonly scopes: ReadonlyArray<string>, readonly models: ReadonlyArray<string> | null, readonly rpm: number, readonly tpm: number, readonly expiresAt: string | null, readonly createdAt: string, readonly revokedAt: string | null, readonly rotatedFrom: string | null, readonly label: string | null, readonly lastUsedAt: string | null, readonly spentToday: number, readonly spentThisMonth: number, readonly budget: { readonly credits: number, readonly period: BudgetPeriod, readonly spent: number } | null } } };

export type UpdateKeyMutationVariables = Exact<{
  id: string;
  input: UpdateApiKeyInput;
}>;


export type UpdateKeyMutation = { readonly updateApiKey: { readonly id: string, readonly name: string, readonly hint: string, readonly status: ApiKeyStatus, readonly scopes: ReadonlyArray<string>, readonly models: ReadonlyArray<string> | null, readonly rpm: number, readonly tpm: number, readonly expiresAt: string | null, readonly createdAt: string, readonly revokedAt: string | null, readonly rotatedFrom: string | null, readonly label: string | null, readonly lastUsedAt: string | null, readonly spentToday: number, readonly spentThisMonth: number, readonly budget: { readonly credits: number, readonly period: BudgetPeriod, readonly spent: number } | null } };

export type RotateKeyMutationVariables = Exact<{
  id: string;
}>;


export type RotateKeyMutation = { readonly rotateApiKey: { readonly secret: string, readonly apiKey: { readonly id: string, readonly name: string, readonly hint: string, readonly status: ApiKeyStatus, readonly scopes: ReadonlyArray<string>, readonly models: ReadonlyArray<string> | null, readonly rpm: number, readonly tpm: number, readonly expiresAt: string | null, readonly createdAt: string, readonly revokedAt: string | null, readonly rotatedFrom: string | null, readonly label: string | null, readonly lastUsedAt: string | null, readonly spentToday: number, readonly spentThisMonth: number, readonly budget: { readonly credits: number, readonly period: BudgetPeriod, readonly spent: number } | null } } };

export type RevokeKeyMutationVariables = Exact<{
  id: string;
}>;


export type RevokeKeyMutation = { readonly revokeApiKey: { readonly id: string, readonly name: string, readonly hint: string, readonly status: ApiKeyStatus, readonly scopes: ReadonlyArray<string>, readonly models: ReadonlyArray<string> | null, readonly rpm: number, readonly tpm: number, readonly expiresAt: string | null, readonly createdAt: string, readonly revokedAt: string | null, readonly rotatedFrom: string | null, readonly label: string | null, readonly lastUsedAt: string | null, readonly spentToday: number, readonly spentThisMonth: number, readonly budget: { readonly credits: number, readonly period: BudgetPeriod, readonly spent: number } | null } };

export type ModelCallsQueryVariables = Exact<{
  asCompany?: string | null | undefined;
  alias?: string | null | undefined;
}>;


export type ModelCallsQuery = { readonly calls: { readonly nodes: ReadonlyArray<{ readonly alias: string, readonly endpoint: string }> } };

export type ModelsQueryVariables = Exact<{ [key: string]: never; }>;


export type ModelsQuery = { readonly models: ReadonlyArray<{ readonly alias: string, readonly contextLength: number | null, readonly maxOutputTokens: number | null, readonly strategy: string | null, readonly wires: ReadonlyArray<string>, readonly providers: ReadonlyArray<{ readonly name: string, readonly weight: number, readonly wires: ReadonlyArray<string>, readonly breaker: BreakerState, readonly answers: number, readonly errors: number, readonly firstByteMs: number | null }>, readonly price: { readonly alias: string, readonly inputPerMillionTokens: number, readonly cachedInputPerMillionTokens: number | null, readonly cacheWritePerMillionTokens: number | null, readonly cacheWrite1hPerMillionTokens: number | null, readonly audioInputPerMillionTokens: number | null, readonly imageInputPerMillionTokens: number | null, readonly outputPerMillionTokens: number, readonly reasoningPerMillionTokens: number | null, readonly audioOutputPerMillionTokens: number | null, readonly imageOutputPerMillionTokens: number | null, readonly perCall: number | null, readonly bookId: string, readonly inputTiers: ReadonlyArray<{ readonly tokens: number, readonly inclusive: boolean, readonly inputPerMillionTokens: number, readonly cachedInputPerMillionTokens: number | null, readonly cacheWritePerMillionTokens: number | null, readonly cacheWrite1hPerMillionTokens: number | null, readonly audioInputPerMillionTokens: number | null, readonly imageInputPerMillionTokens: number | null, readonly outputPerMillionTokens: number, readonly reasoningPerMillionTokens: number | null, readonly audioOutputPerMillionTokens: number | null, readonly imageOutputPerMillionTokens: number | null }>, readonly units: ReadonlyArray<{ readonly unit: string, readonly credits: number }>, readonly serviceTiers: ReadonlyArray<{ readonly tier: string, readonly factor: number }> } | null }> };

export type MarginQueryVariables = Exact<{
  from: string;
  to: string;
  groupBy: MarginGroup;
}>;


export type MarginQuery = { readonly margin: ReadonlyArray<{ readonly group: string | null, readonly currency: string | null, readonly calls: number, readonly failures: number, readonly amountMicros: string, readonly costMicros: string | null }> };

export type TestModelMutationVariables = Exact<{
  alias: string;
  provider: string;
  wire: string;
}>;


export type TestModelMutation = { readonly testModel: { readonly id: string, readonly provider: string, readonly wire: string, readonly status: number | null, readonly firstByteMs: number | null, readonly totalMs: number, readonly tokensIn: number | null, readonly tokensOut: number | null, readonly costMicros: string | null, readonly costCurrency: string | null, readonly error: string | null } };

export type ParkedTasksQueryVariables = Exact<{ [key: string]: never; }>;


export type ParkedTasksQuery = { readonly parkedTasks: ReadonlyArray<{ readonly id: string, readonly worker: string, readonly subject: string, readonly attempts: number, readonly error: string, readonly status: ParkedTaskStatus, readonly parkedAt: string }> };

export type RequeueTaskMutationVariables = Exact<{
  id: string;
}>;


export type RequeueTaskMutation = { readonly requeueParkedTask: { readonly id: string, readonly status: ParkedTaskStatus } };

export type WebhookEventsQueryVariables = Exact<{
  status?: WebhookStatus | null | undefined;
}>;


export type WebhookEventsQuery = { readonly webhookEvents: ReadonlyArray<{ readonly id: string, readonly type: string, readonly status: WebhookStatus, readonly effect: string | null, readonly error: string | null, readonly receivedAt: string, readonly processedAt: string | null }> };

export type ReplayWebhookMutationVariables = Exact<{
  id: string;
}>;


export type ReplayWebhookMutation = { readonly replayWebhook: { readonly id: string, readonly status: WebhookStatus } };

export type LogStreamSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type LogStreamSubscription = { readonly logStream: { readonly timestamp: string, readonly level: string, readonly message: string, readonly context: Readonly<Record<string, unknown>> } };

export type ReadModelsQueryVariables = Exact<{ [key: string]: never; }>;


export type ReadModelsQuery = { readonly readModels: ReadonlyArray<{ readonly name: string, readonly version: number | null, readonly currentVersion: number, readonly lagEvents: number | null, readonly lagSeconds: number | null, readonly movedAt: string | null }> };

export type LeasesQueryVariables = Exact<{ [key: string]: never; }>;


export type LeasesQuery = { readonly leases: ReadonlyArray<{ readonly name: string, readonly holder: string, readonly isHeld: boolean, readonly takenAt: string | null, readonly expiresAt: string }> };

export type GeneratorFieldsFragment = { readonly isStarted: boolean, readonly batch: number, readonly figures: { readonly isProcessing: boolean, readonly uptimeSeconds: number, readonly queuedPairs: number, readonly matches: number, readonly errors: number, readonly errorPercent: number, readonly matchMs: number, readonly matchesPerMinute: number, readonly lastMatchAt: string | null, readonly breaker: BreakerState } | null };

export type GeneratorQueryVariables = Exact<{ [key: string]: never; }>;


export type GeneratorQuery = { readonly generator: { readonly isStarted: boolean, readonly batch: number, readonly figures: { readonly isProcessing: boolean, readonly uptimeSeconds: number, readonly queuedPairs: number, readonly matches: number, readonly errors: number, readonly errorPercent: number, readonly matchMs: number, readonly matchesPerMinute: number, readonly lastMatchAt: string | null, readonly breaker: BreakerState } | null } };

export type StartGeneratorMutationVariables = Exact<{ [key: string]: never; }>;


export type StartGeneratorMutation = { readonly startGenerator: { readonly isStarted: boolean, readonly batch: number, readonly figures: { readonly isProcessing: boolean, readonly uptimeSeconds: number, readonly queuedPairs: number, readonly matches: number, readonly errors: number, readonly errorPercent: number, readonly matchMs: number, readonly matchesPerMinute: number, readonly lastMatchAt: string | null, readonly breaker: BreakerState } | null } };

export type StopGeneratorMutationVariables = Exact<{ [key: string]: never; }>;


export type StopGeneratorMutation = { readonly stopGenerator: { readonly isStarted: boolean, readonly batch: number, readonly figures: { readonly isProcessing: boolean, readonly uptimeSeconds: number, readonly queuedPairs: number, readonly matches: number, readonly errors: number, readonly errorPercent: number, readonly matchMs: number, readonly matchesPerMinute: number, readonly lastMatchAt: string | null, readonly breaker: BreakerState } | null } };

export type LedgerLogQueryVariables = Exact<{ [key: string]: never; }>;


export type LedgerLogQuery = { readonly ledgerLog: { readonly entries: number, readonly fault: string | null, readonly faultEvent: string | null, readonly checkpoint: { readonly origin: string, readonly size: number, readonly root: string, readonly signedAt: string, readonly note: string } | null } };

export type DuesQueryVariables = Exact<{
  asCompany?: string | null | undefined;
}>;


export type DuesQuery = { readonly invoices: ReadonlyArray<{ readonly id: string, readonly amount: number, readonly currency: string, readonly dueDate: string | null, readonly overdue: boolean, readonly hostedUrl: string | null }> };

export type SpendQueryVariables = Exact<{
  asCompany?: string | null | undefined;
  from: string;
  to: string;
}>;


export type SpendQuery = { readonly days: { readonly nodes: ReadonlyArray<{ readonly group: string, readonly subgroup: string | null, readonly requests: number, readonly failures: number, readonly amountMicros: string }> }, readonly keys: { readonly nodes: ReadonlyArray<{ readonly group: string, readonly requests: number, readonly failures: number, readonly amountMicros: string }> }, readonly labels: { readonly nodes: ReadonlyArray<{ readonly group: string, readonly requests: number, readonly failures: number, readonly amountMicros: string }> } };

export type DisputesQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type DisputesQuery = { readonly disputes: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly companyId: string, readonly status: DisputeStatus, readonly isInquiry: boolean, readonly amount: number, readonly currency: string, readonly reason: string, readonly respondBy: string | null, readonly chargeId: string, readonly openedAt: string, readonly closedAt: string | null }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type FindingFieldsFragment = { readonly id: string, readonly kind: ReconciliationKind, readonly text: string, readonly companyId: string | null, readonly explanation: { readonly reason: string, readonly explainedAt: string } | null };

export type ReconciliationQueryVariables = Exact<{
  month: string;
}>;


export type ReconciliationQuery = { readonly reconciliation: { readonly month: string, readonly hasEnded: boolean, readonly matches: boolean, readonly differenceCount: number, readonly explainedCount: number, readonly differences: ReadonlyArray<{ readonly id: string, readonly kind: ReconciliationKind, readonly text: string, readonly companyId: string | null, readonly explanation: { readonly reason: string, readonly explainedAt: string } | null }>, readonly explained: ReadonlyArray<{ readonly id: string, readonly kind: ReconciliationKind, readonly text: string, readonly companyId: string | null, readonly explanation: { readonly reason: string, readonly explainedAt: string } | null }>, readonly payments: ReadonlyArray<{ readonly currency: string, readonly count: number, readonly amountMinor: string }>, readonly refunds: ReadonlyArray<{ readonly currency: string, readonly count: number, readonly amountMinor: string }>, readonly otherPayments: ReadonlyArray<{ readonly currency: string, readonly count: number, readonly amountMinor: string }>, readonly granted: { readonly count: number, readonly amountMicros: string }, readonly settled: { readonly count: number, readonly amountMicros: string }, readonly takenBack: { readonly count: number, readonly amountMicros: string }, readonly grantedByHand: { readonly count: number, readonly amountMicros: string } } };

export type ExplainDifferenceMutationVariables = Exact<{
  id: string;
  reason: string;
}>;


export type ExplainDifferenceMutation = { readonly explainDifference: { readonly id: string } };

export type PeopleQueryVariables = Exact<{
  asCompany?: string | null | undefined;
}>;


export type PeopleQuery = { readonly users: ReadonlyArray<{ readonly id: string, readonly email: string, readonly role: Role | null }>, readonly invitations: ReadonlyArray<{ readonly id: string, readonly email: string, readonly role: Role, readonly invitedBy: string, readonly invitedAt: string, readonly expiresAt: string, readonly expired: boolean }> };

export type SessionsQueryVariables = Exact<{ [key: string]: never; }>;


export type SessionsQuery = { readonly sessions: ReadonlyArray<{ readonly id: string, readonly device: string, readonly network: string, readonly createdAt: string, readonly lastUsedAt: string, readonly expiresAt: string, readonly isCurrent: boolean }> };

export type InviteUserMutationVariables = Exact<{
  email: string;
  role: Role;
}>;


export type InviteUserMutation = { readonly inviteUser: { readonly id: string } };

export type WithdrawInvitationMutationVariables = Exact<{
  id: string;
}>;


export type WithdrawInvitationMutation = { readonly withdrawInvitation: boolean };

export type SetRoleMutationVariables = Exact<{
  userId: string;
  role: Role;
}>;


export type SetRoleMutation = { readonly setRole: { readonly id: string, readonly role: Role | null } };

export type RemoveUserMutationVariables = Exact<{
  userId: string;
}>;


export type RemoveUserMutation = { readonly removeUser: boolean };

export type EndSessionMutationVariables = Exact<{
  id: string;
}>;


export type EndSessionMutation = { readonly endSession: boolean };

export type SignOutEverywhereMutationVariables = Exact<{ [key: string]: never; }>;


export type SignOutEverywhereMutation = { readonly signOutEverywhere: boolean };

export type OffersForSaleQueryVariables = Exact<{ [key: string]: never; }>;


export type OffersForSaleQuery = { readonly creditPacks: ReadonlyArray<{ readonly id: string, readonly name: string, readonly credits: number, readonly price: number, readonly currency: string, readonly sortOrder: number }>, readonly creditPackTerms: ReadonlyArray<{ readonly packId: string, readonly validDays: number | null }>, readonly plans: ReadonlyArray<{ readonly id: string, readonly name: string, readonly active: boolean, readonly billingMode: BillingMode, readonly price: number, readonly currency: string, readonly creditsPerPeriod: number, readonly rolloverShare: number | null, readonly needsProviderPricing: boolean, readonly sortOrder: number }> };

export type CreatePackMutationVariables = Exact<{
  input: CreateCreditPackInput;
}>;


export type CreatePackMutation = { readonly createCreditPack: { readonly id: string } };

export type RetirePackMutationVariables = Exact<{
  id: string;
}>;


export type RetirePackMutation = { readonly retireCreditPack: { readonly id: string } };

export type CreatePlanMutationVariables = Exact<{
  input: CreatePlanInput;
}>;


export type CreatePlanMutation = { readonly createPlan: { readonly id: string } };

export type RetirePlanMutationVariables = Exact<{
  id: string;
}>;


export type RetirePlanMutation = { readonly retirePlan: { readonly id: string } };

export type PricePlansMutationVariables = Exact<{ [key: string]: never; }>;


export type PricePlansMutation = { readonly syncAllPlansProviderPricing: ReadonlyArray<{ readonly id: string }> };

export type PriceFieldsFragment = { readonly alias: string, readonly inputPerMillionTokens: number, readonly cachedInputPerMillionTokens: number | null, readonly cacheWritePerMillionTokens: number | null, readonly cacheWrite1hPerMillionTokens: number | null, readonly audioInputPerMillionTokens: number | null, readonly imageInputPerMillionTokens: number | null, readonly outputPerMillionTokens: number, readonly reasoningPerMillionTokens: number | null, readonly audioOutputPerMillionTokens: number | null, readonly imageOutputPerMillionTokens: number | null, readonly perCall: number | null, readonly bookId: string, readonly inputTiers: ReadonlyArray<{ readonly tokens: number, readonly inclusive: boolean, readonly inputPerMillionTokens: number, readonly cachedInputPerMillionTokens: number | null, readonly cacheWritePerMillionTokens: number | null, readonly cacheWrite1hPerMillionTokens: number | null, readonly audioInputPerMillionTokens: number | null, readonly imageInputPerMillionTokens: number | null, readonly outputPerMillionTokens: number, readonly reasoningPerMillionTokens: number | null, readonly audioOutputPerMillionTokens: number | null, readonly imageOutputPerMillionTokens: number | null }>, readonly units: ReadonlyArray<{ readonly unit: string, readonly credits: number }>, readonly serviceTiers: ReadonlyArray<{ readonly tier: string, readonly factor: number }> };

export type PricesInForceQueryVariables = Exact<{
  companyId?: string | null | undefined;
}>;


export type PricesInForceQuery = { readonly priceBook: { readonly id: string, readonly effectiveFrom: string, readonly prices: ReadonlyArray<{ readonly alias: string, readonly inputPerMillionTokens: number, readonly cachedInputPerMillionTokens: number | null, readonly cacheWritePerMillionTokens: number | null, readonly cacheWrite1hPerMillionTokens: number | null, readonly audioInputPerMillionTokens: number | null, readonly imageInputPerMillionTokens: number | null, readonly outputPerMillionTokens: number, readonly reasoningPerMillionTokens: number | null, readonly audioOutputPerMillionTokens: number | null, readonly imageOutputPerMillionTokens: number | null, readonly perCall: number | null, readonly bookId: string, readonly inputTiers: ReadonlyArray<{ readonly tokens: number, readonly inclusive: boolean, readonly inputPerMillionTokens: number, readonly cachedInputPerMillionTokens: number | null, readonly cacheWritePerMillionTokens: number | null, readonly cacheWrite1hPerMillionTokens: number | null, readonly audioInputPerMillionTokens: number | null, readonly imageInputPerMillionTokens: number | null, readonly outputPerMillionTokens: number, readonly reasoningPerMillionTokens: number | null, readonly audioOutputPerMillionTokens: number | null, readonly imageOutputPerMillionTokens: number | null }>, readonly units: ReadonlyArray<{ readonly unit: string, readonly credits: number }>, readonly serviceTiers: ReadonlyArray<{ readonly tier: string, readonly factor: number }> }> } };

export type PriceBooksQueryVariables = Exact<{ [key: string]: never; }>;


export type PriceBooksQuery = { readonly priceBooks: ReadonlyArray<{ readonly id: string, readonly companyId: string | null, readonly effectiveFrom: string, readonly publishedAt: string, readonly retired: ReadonlyArray<string>, readonly replacesAll: boolean, readonly prices: ReadonlyArray<{ readonly alias: string }> }> };

export type RoutedAliasesQueryVariables = Exact<{ [key: string]: never; }>;


export type RoutedAliasesQuery = { readonly models: ReadonlyArray<{ readonly alias: string, readonly providers: ReadonlyArray<{ readonly name: string }>, readonly price: { readonly bookId: string } | null }> };

export type PreviewPricesQueryVariables = Exact<{
  input: PriceBookInput;
  from: string;
  to: string;
}>;


export type PreviewPricesQuery = { readonly previewPriceBook: { readonly calls: number, readonly refusedCalls: number, readonly oldAmountMicros: string, readonly newAmountMicros: string, readonly aliases: ReadonlyArray<{ readonly alias: string, readonly calls: number, readonly refusedCalls: number, readonly oldAmountMicros: string, readonly newAmountMicros: string }> } };

export type PublishPricesMutationVariables = Exact<{
  input: PriceBookInput;
}>;


export type PublishPricesMutation = { readonly publishPriceBook: { readonly id: string, readonly effectiveFrom: string, readonly hints: ReadonlyArray<string> } };

export type SetupStatusQueryVariables = Exact<{ [key: string]: never; }>;


export type SetupStatusQuery = { readonly setupStatus: ReadonlyArray<{ readonly name: string, readonly done: boolean, readonly hint: string }> };

export type StatementEntryFieldsFragment = { readonly number: number, readonly id: string, readonly time: string, readonly type: StatementEntryType, readonly callId: string | null, readonly keyId: string | null, readonly alias: string | null, readonly label: string | null, readonly description: string | null, readonly amount: { readonly amountMicros: string }, readonly balance: { readonly amountMicros: string } };

export type StatementQueryVariables = Exact<{
  asCompany?: string | null | undefined;
  from: string;
  to: string;
  first: number;
  after?: string | null | undefined;
}>;


export type StatementQuery = { readonly statement: { readonly firstNumber: number, readonly count: number, readonly path: string, readonly opening: { readonly amountMicros: string }, readonly closing: { readonly amountMicros: string }, readonly entries: { readonly nodes: ReadonlyArray<{ readonly number: number, readonly id: string, readonly time: string, readonly type: StatementEntryType, readonly callId: string | null, readonly keyId: string | null, readonly alias: string | null, readonly label: string | null, readonly description: string | null, readonly amount: { readonly amountMicros: string }, readonly balance: { readonly amountMicros: string } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } } };

export type TotalFieldsFragment = { readonly name: string, readonly entries: number, readonly amount: { readonly amountMicros: string } };

export type StatementTotalsQueryVariables = Exact<{
  asCompany?: string | null | undefined;
  from: string;
  to: string;
}>;


export type StatementTotalsQuery = { readonly statement: { readonly totals: { readonly byType: ReadonlyArray<{ readonly name: string, readonly entries: number, readonly amount: { readonly amountMicros: string } }>, readonly byAlias: ReadonlyArray<{ readonly name: string, readonly entries: number, readonly amount: { readonly amountMicros: string } }>, readonly byKey: ReadonlyArray<{ readonly name: string, readonly entries: number, readonly amount: { readonly amountMicros: string } }>, readonly byLabel: ReadonlyArray<{ readonly name: string, readonly entries: number, readonly amount: { readonly amountMicros: string } }> } } };

export type LastTransactionQueryVariables = Exact<{
  asCompany?: string | null | undefined;
  from: string;
  to: string;
}>;


export type LastTransactionQuery = { readonly creditTransactions: { readonly nodes: ReadonlyArray<{ readonly id: string }> } };

export type BalanceAtQueryVariables = Exact<{
  asCompany?: string | null | undefined;
  at: string;
}>;


export type BalanceAtQuery = { readonly creditBalance: { readonly amountMicros: string } };

export type TrailFieldsFragment = { readonly id: string, readonly at: string, readonly type: string, readonly summary: string, readonly keyId: string | null, readonly correlationId: string, readonly facts: ReadonlyArray<{ readonly name: string, readonly value: string | null }>, readonly actor: { readonly kind: TrailActorKind, readonly id: string | null, readonly name: string } };

export type TrailQueryVariables = Exact<{
  asCompany?: string | null | undefined;
  filter?: TrailFilter | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type TrailQuery = { readonly trail: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly at: string, readonly type: string, readonly summary: string, readonly keyId: string | null, readonly correlationId: string, readonly facts: ReadonlyArray<{ readonly name: string, readonly value: string | null }>, readonly actor: { readonly kind: TrailActorKind, readonly id: string | null, readonly name: string } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type UsageQueryVariables = Exact<{
  asCompany?: string | null | undefined;
  from: string;
  to?: string | null | undefined;
  groupBy: ReadonlyArray<UsageGroup> | UsageGroup;
  keyId?: string | null | undefined;
  label?: string | null | undefined;
}>;


export type UsageQuery = { readonly usage: { readonly nodes: ReadonlyArray<{ readonly group: string, readonly subgroup: string | null, readonly requests: number, readonly failures: number, readonly tokensIn: number, readonly tokensOut: number, readonly amountMicros: string }> } };

export type CallNamesQueryVariables = Exact<{
  asCompany?: string | null | undefined;
  from: string;
}>;


export type CallNamesQuery = { readonly models: { readonly nodes: ReadonlyArray<{ readonly group: string }> }, readonly labels: { readonly nodes: ReadonlyArray<{ readonly group: string }> } };

export type CompaniesQueryVariables = Exact<{ [key: string]: never; }>;


export type CompaniesQuery = { readonly companies: ReadonlyArray<{ readonly id: string, readonly name: string, readonly billingMode: BillingMode, readonly creditLimit: number | null }> };

export type BalanceQueryVariables = Exact<{
  asCompany?: string | null | undefined;
}>;


export type BalanceQuery = { readonly creditBalance: { readonly amountMicros: string, readonly updatedAt: string | null } };

export type NewestCallQueryVariables = Exact<{
  asCompany?: string | null | undefined;
}>;


export type NewestCallQuery = { readonly calls: { readonly nodes: ReadonlyArray<{ readonly finishedAt: string }> } };

export type BalanceChangedSubscriptionVariables = Exact<{
  asCompany?: string | null | undefined;
}>;


export type BalanceChangedSubscription = { readonly balanceChanged: { readonly amountMicros: string, readonly updatedAt: string | null } };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const AcceptInvitationDocument = new TypedDocumentString(`
    mutation AcceptInvitation($token: String!, $password: String!) {
  login: acceptInvitation(token: $token, password: $password) {
    token
  }
}
    `) as unknown as TypedDocumentString<AcceptInvitationMutation, AcceptInvitationMutationVariables>;
export const ResetPasswordDocument = new TypedDocumentString(`
    mutation ResetPassword($token: String!, $password: String!) {
  login: resetPassword(token: $token, password: $password) {
    token
  }
}
    `) as unknown as TypedDocumentString<ResetPasswordMutation, ResetPasswordMutationVariables>;
export const RequestPasswordResetDocument = new TypedDocumentString(`
    mutation RequestPasswordReset($email: String!) {
  requestPasswordReset(email: $email)
}
    `) as unknown as TypedDocumentString<RequestPasswordResetMutation, RequestPasswordResetMutationVariables>;
export const OffersDocument = new TypedDocumentString(`
    query Offers {
  creditPacks {
    id
    name
    credits
    price
    currency
  }
  creditPackTerms {
    packId
    validDays
  }
  plans {
    id
    name
    active
    billingMode
    price
    currency
    creditsPerPeriod
    rolloverShare
    needsProviderPricing
  }
}
    `) as unknown as TypedDocumentString<OffersQuery, OffersQueryVariables>;
export const CreditLotsDocument = new TypedDocumentString(`
    query CreditLots($asCompany: ID, $first: Int, $after: String) {
  creditBalance(asCompany: $asCompany) {
    debtMicros
    nextExpiry {
      at
      micros
    }
  }
  creditLots(asCompany: $asCompany, first: $first, after: $after) {
    nodes {
      lotId
      source
      expiresAt
      isExpired
      grantedMicros
      spentMicros
      expiredMicros
      takenMicros
      leftMicros
      rollover {
        share
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<CreditLotsQuery, CreditLotsQueryVariables>;
export const BillingDocument = new TypedDocumentString(`
    query Billing($asCompany: ID) {
  subscription(asCompany: $asCompany) {
    ...SubscriptionFields
  }
  subscriptions(asCompany: $asCompany) {
    ...SubscriptionFields
  }
  purchases(asCompany: $asCompany) {
    id
    packId
    status
    credits
    price
    currency
    creditsRefunded
    failureReason
    createdAt
    completedAt
  }
  invoices(asCompany: $asCompany) {
    id
    status
    amount
    currency
    dueDate
    paidAt
    overdue
    hostedUrl
    pdfUrl
    month
    createdAt
  }
  noticeSettings(asCompany: $asCompany) {
    lowBalance
    lowBalanceCredits
  }
}
    fragment SubscriptionFields on Subscription {
  id
  status
  isActive
  planId
  startDate
  endDate
  trialEnd
  cancelAtPeriodEnd
  nextPlanId
  currentPeriodEnd
}`) as unknown as TypedDocumentString<BillingQuery, BillingQueryVariables>;
export const WebhookEndpointsDocument = new TypedDocumentString(`
    query WebhookEndpoints($asCompany: ID) {
  webhookEndpoints(asCompany: $asCompany) {
    id
    url
    types
    createdAt
    disabledAt
    disabledReason
  }
}
    `) as unknown as TypedDocumentString<WebhookEndpointsQuery, WebhookEndpointsQueryVariables>;
export const WebhookDeliveriesDocument = new TypedDocumentString(`
    query WebhookDeliveries($asCompany: ID, $endpointId: ID!) {
  webhookDeliveries(asCompany: $asCompany, endpointId: $endpointId) {
    id
    messageId
    type
    state
    attempts
    lastStatus
    lastError
    lastAttemptAt
    nextAttemptAt
    createdAt
  }
}
    `) as unknown as TypedDocumentString<WebhookDeliveriesQuery, WebhookDeliveriesQueryVariables>;
export const CreateCheckoutDocument = new TypedDocumentString(`
    mutation CreateCheckout($input: CreateCheckoutInput!) {
  createCheckout(input: $input) {
    url
  }
}
    `) as unknown as TypedDocumentString<CreateCheckoutMutation, CreateCheckoutMutationVariables>;
export const ChangePlanDocument = new TypedDocumentString(`
    mutation ChangePlan($planId: ID!) {
  changePlan(planId: $planId) {
    ...SubscriptionFields
  }
}
    fragment SubscriptionFields on Subscription {
  id
  status
  isActive
  planId
  startDate
  endDate
  trialEnd
  cancelAtPeriodEnd
  nextPlanId
  currentPeriodEnd
}`) as unknown as TypedDocumentString<ChangePlanMutation, ChangePlanMutationVariables>;
export const CancelSubscriptionDocument = new TypedDocumentString(`
    mutation CancelSubscription {
  cancelSubscription {
    ...SubscriptionFields
  }
}
    fragment SubscriptionFields on Subscription {
  id
  status
  isActive
  planId
  startDate
  endDate
  trialEnd
  cancelAtPeriodEnd
  nextPlanId
  currentPeriodEnd
}`) as unknown as TypedDocumentString<CancelSubscriptionMutation, CancelSubscriptionMutationVariables>;
export const ResumeSubscriptionDocument = new TypedDocumentString(`
    mutation ResumeSubscription {
  resumeSubscription {
    ...SubscriptionFields
  }
}
    fragment SubscriptionFields on Subscription {
  id
  status
  isActive
  planId
  startDate
  endDate
  trialEnd
  cancelAtPeriodEnd
  nextPlanId
  currentPeriodEnd
}`) as unknown as TypedDocumentString<ResumeSubscriptionMutation, ResumeSubscriptionMutationVariables>;
export const SetHardCapDocument = new TypedDocumentString(`
    mutation SetHardCap($companyId: ID!, $hardCap: Boolean!) {
  setHardCap(companyId: $companyId, hardCap: $hardCap) {
    id
    hardCap
  }
}
    `) as unknown as TypedDocumentString<SetHardCapMutation, SetHardCapMutationVariables>;
export const SetNoticeDocument = new TypedDocumentString(`
    mutation SetNotice($lowBalanceCredits: Float) {
  setNoticeSettings(lowBalanceCredits: $lowBalanceCredits) {
    lowBalance
    lowBalanceCredits
  }
}
    `) as unknown as TypedDocumentString<SetNoticeMutation, SetNoticeMutationVariables>;
export const CreateWebhookEndpointDocument = new TypedDocumentString(`
    mutation CreateWebhookEndpoint($url: String!, $types: [String!]!) {
  createWebhookEndpoint(url: $url, types: $types) {
    secret
    endpoint {
      id
      url
    }
  }
}
    `) as unknown as TypedDocumentString<CreateWebhookEndpointMutation, CreateWebhookEndpointMutationVariables>;
export const DeleteWebhookEndpointDocument = new TypedDocumentString(`
    mutation DeleteWebhookEndpoint($id: ID!) {
  deleteWebhookEndpoint(id: $id)
}
    `) as unknown as TypedDocumentString<DeleteWebhookEndpointMutation, DeleteWebhookEndpointMutationVariables>;
export const ResendDeliveryDocument = new TypedDocumentString(`
    mutation ResendDelivery($id: ID!) {
  resendDelivery(id: $id) {
    id
    state
  }
}
    `) as unknown as TypedDocumentString<ResendDeliveryMutation, ResendDeliveryMutationVariables>;
export const SettleInvoiceDocument = new TypedDocumentString(`
    mutation SettleInvoice($id: ID!, $reason: String!) {
  settleInvoice(id: $id, reason: $reason) {
    id
    status
  }
}
    `) as unknown as TypedDocumentString<SettleInvoiceMutation, SettleInvoiceMutationVariables>;
export const VoidInvoiceDocument = new TypedDocumentString(`
    mutation VoidInvoice($id: ID!, $reason: String!) {
  voidInvoice(id: $id, reason: $reason) {
    id
    status
  }
}
    `) as unknown as TypedDocumentString<VoidInvoiceMutation, VoidInvoiceMutationVariables>;
export const HardCapDocument = new TypedDocumentString(`
    query HardCap($asCompany: ID) {
  changed: trail(
    asCompany: $asCompany
    filter: {type: "HardCapChanged"}
    first: 1
  ) {
    nodes {
      facts {
        name
        value
      }
    }
  }
  registered: trail(
    asCompany: $asCompany
    filter: {type: "CompanyRegistered"}
    first: 1
  ) {
    nodes {
      facts {
        name
        value
      }
    }
  }
}
    `) as unknown as TypedDocumentString<HardCapQuery, HardCapQueryVariables>;
export const TopUpDocument = new TypedDocumentString(`
    query TopUp($asCompany: ID) {
  topUp(asCompany: $asCompany) {
    ...TopUpFields
  }
}
    fragment TopUpFields on TopUp {
  enabled
  offReason
  hasPaymentMethod
  thresholdCredits
  packId
  monthlyCeiling
  currency
  spentThisMonth
  heldBecause
  attempts {
    id
    status
    credits
    price
    currency
    reason
    confirmUrl
    confirmBy
    startedAt
  }
}`) as unknown as TypedDocumentString<TopUpQuery, TopUpQueryVariables>;
export const SetTopUpDocument = new TypedDocumentString(`
    mutation SetTopUp($input: SetTopUpInput!) {
  setTopUp(input: $input) {
    ...TopUpFields
  }
}
    fragment TopUpFields on TopUp {
  enabled
  offReason
  hasPaymentMethod
  thresholdCredits
  packId
  monthlyCeiling
  currency
  spentThisMonth
  heldBecause
  attempts {
    id
    status
    credits
    price
    currency
    reason
    confirmUrl
    confirmBy
    startedAt
  }
}`) as unknown as TypedDocumentString<SetTopUpMutation, SetTopUpMutationVariables>;
export const CallsDocument = new TypedDocumentString(`
    query Calls($asCompany: ID, $first: Int!, $after: String, $keyId: ID, $alias: String, $label: String, $state: CallState, $from: DateTime, $to: DateTime) {
  calls(
    asCompany: $asCompany
    first: $first
    after: $after
    keyId: $keyId
    alias: $alias
    label: $label
    state: $state
    from: $from
    to: $to
  ) {
    nodes {
      ...CallFields
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment CallFields on Call {
  id
  state
  alias
  keyId
  label
  endpoint
  streamed
  tokensIn
  tokensCached
  tokensOut
  amountMicros
  admittedAt
  finishedAt
  reason
}`) as unknown as TypedDocumentString<CallsQuery, CallsQueryVariables>;
export const CallDocument = new TypedDocumentString(`
    query Call($asCompany: ID, $id: ID!) {
  call(asCompany: $asCompany, id: $id) {
    ...CallFields
    ...CallCharge
    eventIds
  }
}
    fragment CallFields on Call {
  id
  state
  alias
  keyId
  label
  endpoint
  streamed
  tokensIn
  tokensCached
  tokensOut
  amountMicros
  admittedAt
  finishedAt
  reason
}
fragment CallCharge on Call {
  lines {
    kind
    count
    rateMicros
    amountMicros
  }
  serviceTier
  tierFactor
  abandoned
}`) as unknown as TypedDocumentString<CallQuery, CallQueryVariables>;
export const CallFinishedDocument = new TypedDocumentString(`
    subscription CallFinished($asCompany: ID) {
  callFinished(asCompany: $asCompany) {
    ...CallFields
  }
}
    fragment CallFields on Call {
  id
  state
  alias
  keyId
  label
  endpoint
  streamed
  tokensIn
  tokensCached
  tokensOut
  amountMicros
  admittedAt
  finishedAt
  reason
}`) as unknown as TypedDocumentString<CallFinishedSubscription, CallFinishedSubscriptionVariables>;
export const LedgerReceiptDocument = new TypedDocumentString(`
    query LedgerReceipt($asCompany: ID, $eventId: ID!) {
  ledgerReceipt(asCompany: $asCompany, eventId: $eventId) {
    version
    event {
      stream
      number
      id
      type
      time
      data
    }
    previous
    salt
    proof
    book {
      event {
        stream
        number
        id
        type
        time
        data
      }
      previous
      salt
      proof
    }
  }
}
    `) as unknown as TypedDocumentString<LedgerReceiptQuery, LedgerReceiptQueryVariables>;
export const AllCompaniesDocument = new TypedDocumentString(`
    query AllCompanies {
  companies {
    ...CompanyFields
  }
}
    fragment CompanyFields on Company {
  id
  name
  billingMode
  hardCap
  creditLimit
  createdAt
  suspendedAt
  suspendedReason
}`) as unknown as TypedDocumentString<AllCompaniesQuery, AllCompaniesQueryVariables>;
export const CompanyFiguresDocument = new TypedDocumentString(`
    query CompanyFigures($asCompany: ID, $from: DateTime!, $to: DateTime!) {
  creditBalance(asCompany: $asCompany) {
    amountMicros
  }
  usage(asCompany: $asCompany, from: $from, to: $to, groupBy: [ALIAS]) {
    nodes {
      requests
      amountMicros
    }
  }
  invoices(asCompany: $asCompany) {
    id
    amount
    currency
    overdue
  }
}
    `) as unknown as TypedDocumentString<CompanyFiguresQuery, CompanyFiguresQueryVariables>;
export const AdjustCreditsDocument = new TypedDocumentString(`
    mutation AdjustCredits($companyId: ID!, $credits: Float!, $reason: String!, $idempotencyKey: String!) {
  adjustCredits(
    companyId: $companyId
    credits: $credits
    reason: $reason
    idempotencyKey: $idempotencyKey
  ) {
    id
  }
}
    `) as unknown as TypedDocumentString<AdjustCreditsMutation, AdjustCreditsMutationVariables>;
export const GrantCreditsDocument = new TypedDocumentString(`
    mutation GrantCredits($companyId: ID!, $credits: Float!, $reason: String!, $idempotencyKey: String!, $expiresAt: DateTime, $promotional: Boolean!) {
  grantCredits(
    companyId: $companyId
    credits: $credits
    reason: $reason
    idempotencyKey: $idempotencyKey
    expiresAt: $expiresAt
    promotional: $promotional
  ) {
    id
  }
}
    `) as unknown as TypedDocumentString<GrantCreditsMutation, GrantCreditsMutationVariables>;
export const CapCompanyDocument = new TypedDocumentString(`
    mutation CapCompany($companyId: ID!, $hardCap: Boolean!) {
  setHardCap(companyId: $companyId, hardCap: $hardCap) {
    ...CompanyFields
  }
}
    fragment CompanyFields on Company {
  id
  name
  billingMode
  hardCap
  creditLimit
  createdAt
  suspendedAt
  suspendedReason
}`) as unknown as TypedDocumentString<CapCompanyMutation, CapCompanyMutationVariables>;
export const SuspendCompanyDocument = new TypedDocumentString(`
    mutation SuspendCompany($id: ID!, $reason: String!) {
  suspendCompany(id: $id, reason: $reason) {
    ...CompanyFields
  }
}
    fragment CompanyFields on Company {
  id
  name
  billingMode
  hardCap
  creditLimit
  createdAt
  suspendedAt
  suspendedReason
}`) as unknown as TypedDocumentString<SuspendCompanyMutation, SuspendCompanyMutationVariables>;
export const ResumeCompanyDocument = new TypedDocumentString(`
    mutation ResumeCompany($id: ID!) {
  resumeCompany(id: $id) {
    ...CompanyFields
  }
}
    fragment CompanyFields on Company {
  id
  name
  billingMode
  hardCap
  creditLimit
  createdAt
  suspendedAt
  suspendedReason
}`) as unknown as TypedDocumentString<ResumeCompanyMutation, ResumeCompanyMutationVariables>;
export const SetCreditLimitDocument = new TypedDocumentString(`
    mutation SetCreditLimit($companyId: ID!, $credits: Float) {
  setCreditLimit(companyId: $companyId, credits: $credits) {
    ...CompanyFields
  }
}
    fragment CompanyFields on Company {
  id
  name
  billingMode
  hardCap
  creditLimit
  createdAt
  suspendedAt
  suspendedReason
}`) as unknown as TypedDocumentString<SetCreditLimitMutation, SetCreditLimitMutationVariables>;
export const KeysDocument = new TypedDocumentString(`
    query Keys($asCompany: ID) {
  apiKeys(asCompany: $asCompany) {
    ...KeyFields
  }
}
    fragment KeyFields on ApiKey {
  id
  name
  hint
  status
  scopes
  models
  rpm
  tpm
  expiresAt
  createdAt
  revokedAt
  rotatedFrom
  label
  budget {
    credits
    period
    spent
  }
  lastUsedAt
  spentToday
  spentThisMonth
}`) as unknown as TypedDocumentString<KeysQuery, KeysQueryVariables>;
export const KeyDaysDocument = new TypedDocumentString(`
    query KeyDays($asCompany: ID, $from: DateTime!, $to: DateTime!) {
  usage(asCompany: $asCompany, from: $from, to: $to, groupBy: [KEY, DAY]) {
    nodes {
      group
      subgroup
      requests
      amountMicros
    }
  }
}
    `) as unknown as TypedDocumentString<KeyDaysQuery, KeyDaysQueryVariables>;
export const MintKeyDocument = new TypedDocumentString(`
    mutation MintKey($input: MintApiKeyInput!) {
  mintApiKey(input: $input) {
    secret
    apiKey {
      ...KeyFields
    }
  }
}
    fragment KeyFields on ApiKey {
  id
  name
  hint
  status
  scopes
  models
  rpm
  tpm
  expiresAt
  createdAt
  revokedAt
  rotatedFrom
  label
  budget {
    credits
    period
    spent
  }
  lastUsedAt
  spentToday
  spentThisMonth
}`) as unknown as TypedDocumentString<MintKeyMutation, MintKeyMutationVariables>;
export const UpdateKeyDocument = new TypedDocumentString(`
    mutation UpdateKey($id: ID!, $input: UpdateApiKeyInput!) {
  updateApiKey(id: $id, input: $input) {
    ...KeyFields
  }
}
    fragment KeyFields on ApiKey {
  id
  name
  hint
  status
  scopes
  models
  rpm
  tpm
  expiresAt
  createdAt
  revokedAt
  rotatedFrom
  label
  budget {
    credits
    period
    spent
  }
  lastUsedAt
  spentToday
  spentThisMonth
}`) as unknown as TypedDocumentString<UpdateKeyMutation, UpdateKeyMutationVariables>;
export const RotateKeyDocument = new TypedDocumentString(`
    mutation RotateKey($id: ID!) {
  rotateApiKey(id: $id) {
    secret
    apiKey {
      ...KeyFields
    }
  }
}
    fragment KeyFields on ApiKey {
  id
  name
  hint
  status
  scopes
  models
  rpm
  tpm
  expiresAt
  createdAt
  revokedAt
  rotatedFrom
  label
  budget {
    credits
    period
    spent
  }
  lastUsedAt
  spentToday
  spentThisMonth
}`) as unknown as TypedDocumentString<RotateKeyMutation, RotateKeyMutationVariables>;
export const RevokeKeyDocument = new TypedDocumentString(`
    mutation RevokeKey($id: ID!) {
  revokeApiKey(id: $id) {
    ...KeyFields
  }
}
    fragment KeyFields on ApiKey {
  id
  name
  hint
  status
  scopes
  models
  rpm
  tpm
  expiresAt
  createdAt
  revokedAt
  rotatedFrom
  label
  budget {
    credits
    period
    spent
  }
  lastUsedAt
  spentToday
  spentThisMonth
}`) as unknown as TypedDocumentString<RevokeKeyMutation, RevokeKeyMutationVariables>;
export const ModelCallsDocument = new TypedDocumentString(`
    query ModelCalls($asCompany: ID, $alias: String) {
  calls(asCompany: $asCompany, first: 200, alias: $alias, state: CHARGED) {
    nodes {
      alias
      endpoint
    }
  }
}
    `) as unknown as TypedDocumentString<ModelCallsQuery, ModelCallsQueryVariables>;
export const ModelsDocument = new TypedDocumentString(`
    query Models {
  models {
    alias
    contextLength
    maxOutputTokens
    strategy
    wires
    providers {
      name
      weight
      wires
      breaker
      answers
      errors
      firstByteMs
    }
    price {
      ...PriceFields
    }
  }
}
    fragment PriceFields on AliasPrice {
  alias
  inputPerMillionTokens
  cachedInputPerMillionTokens
  cacheWritePerMillionTokens
  cacheWrite1hPerMillionTokens
  audioInputPerMillionTokens
  imageInputPerMillionTokens
  outputPerMillionTokens
  reasoningPerMillionTokens
  audioOutputPerMillionTokens
  imageOutputPerMillionTokens
  perCall
  inputTiers {
    tokens
    inclusive
    inputPerMillionTokens
    cachedInputPerMillionTokens
    cacheWritePerMillionTokens
    cacheWrite1hPerMillionTokens
    audioInputPerMillionTokens
    imageInputPerMillionTokens
    outputPerMillionTokens
    reasoningPerMillionTokens
    audioOutputPerMillionTokens
    imageOutputPerMillionTokens
  }
  units {
    unit
    credits
  }
  serviceTiers {
    tier
    factor
  }
  bookId
}`) as unknown as TypedDocumentString<ModelsQuery, ModelsQueryVariables>;
export const MarginDocument = new TypedDocumentString(`
    query Margin($from: DateTime!, $to: DateTime!, $groupBy: MarginGroup!) {
  margin(from: $from, to: $to, groupBy: $groupBy) {
    group
    currency
    calls
    failures
    amountMicros
    costMicros
  }
}
    `) as unknown as TypedDocumentString<MarginQuery, MarginQueryVariables>;
export const TestModelDocument = new TypedDocumentString(`
    mutation TestModel($alias: String!, $provider: String!, $wire: String!) {
  testModel(alias: $alias, provider: $provider, wire: $wire) {
    id
    provider
    wire
    status
    firstByteMs
    totalMs
    tokensIn
    tokensOut
    costMicros
    costCurrency
    error
  }
}
    `) as unknown as TypedDocumentString<TestModelMutation, TestModelMutationVariables>;
export const ParkedTasksDocument = new TypedDocumentString(`
    query ParkedTasks {
  parkedTasks {
    id
    worker
    subject
    attempts
    error
    status
    parkedAt
  }
}
    `) as unknown as TypedDocumentString<ParkedTasksQuery, ParkedTasksQueryVariables>;
export const RequeueTaskDocument = new TypedDocumentString(`
    mutation RequeueTask($id: ID!) {
  requeueParkedTask(id: $id) {
    id
    status
  }
}
    `) as unknown as TypedDocumentString<RequeueTaskMutation, RequeueTaskMutationVariables>;
export const WebhookEventsDocument = new TypedDocumentString(`
    query WebhookEvents($status: WebhookStatus) {
  webhookEvents(status: $status) {
    id
    type
    status
    effect
    error
    receivedAt
    processedAt
  }
}
    `) as unknown as TypedDocumentString<WebhookEventsQuery, WebhookEventsQueryVariables>;
export const ReplayWebhookDocument = new TypedDocumentString(`
    mutation ReplayWebhook($id: ID!) {
  replayWebhook(id: $id) {
    id
    status
  }
}
    `) as unknown as TypedDocumentString<ReplayWebhookMutation, ReplayWebhookMutationVariables>;
export const LogStreamDocument = new TypedDocumentString(`
    subscription LogStream {
  logStream {
    timestamp
    level
    message
    context
  }
}
    `) as unknown as TypedDocumentString<LogStreamSubscription, LogStreamSubscriptionVariables>;
export const ReadModelsDocument = new TypedDocumentString(`
    query ReadModels {
  readModels {
    name
    version
    currentVersion
    lagEvents
    lagSeconds
    movedAt
  }
}
    `) as unknown as TypedDocumentString<ReadModelsQuery, ReadModelsQueryVariables>;
export const LeasesDocument = new TypedDocumentString(`
    query Leases {
  leases {
    name
    holder
    isHeld
    takenAt
    expiresAt
  }
}
    `) as unknown as TypedDocumentString<LeasesQuery, LeasesQueryVariables>;
export const GeneratorDocument = new TypedDocumentString(`
    query Generator {
  generator {
    ...GeneratorFields
  }
}
    fragment GeneratorFields on Generator {
  isStarted
  batch
  figures {
    isProcessing
    uptimeSeconds
    queuedPairs
    matches
    errors
    errorPercent
    matchMs
    matchesPerMinute
    lastMatchAt
    breaker
  }
}`) as unknown as TypedDocumentString<GeneratorQuery, GeneratorQueryVariables>;
export const StartGeneratorDocument = new TypedDocumentString(`
    mutation StartGenerator {
  startGenerator {
    ...GeneratorFields
  }
}
    fragment GeneratorFields on Generator {
  isStarted
  batch
  figures {
    isProcessing
    uptimeSeconds
    queuedPairs
    matches
    errors
    errorPercent
    matchMs
    matchesPerMinute
    lastMatchAt
    breaker
  }
}`) as unknown as TypedDocumentString<StartGeneratorMutation, StartGeneratorMutationVariables>;
export const StopGeneratorDocument = new TypedDocumentString(`
    mutation StopGenerator {
  stopGenerator {
    ...GeneratorFields
  }
}
    fragment GeneratorFields on Generator {
  isStarted
  batch
  figures {
    isProcessing
    uptimeSeconds
    queuedPairs
    matches
    errors
    errorPercent
    matchMs
    matchesPerMinute
    lastMatchAt
    breaker
  }
}`) as unknown as TypedDocumentString<StopGeneratorMutation, StopGeneratorMutationVariables>;
export const LedgerLogDocument = new TypedDocumentString(`
    query LedgerLog {
  ledgerLog {
    entries
    fault
    faultEvent
    checkpoint {
      origin
      size
      root
      signedAt
      note
    }
  }
}
    `) as unknown as TypedDocumentString<LedgerLogQuery, LedgerLogQueryVariables>;
export const DuesDocument = new TypedDocumentString(`
    query Dues($asCompany: ID) {
  invoices(asCompany: $asCompany) {
    id
    amount
    currency
    dueDate
    overdue
    hostedUrl
  }
}
    `) as unknown as TypedDocumentString<DuesQuery, DuesQueryVariables>;
export const SpendDocument = new TypedDocumentString(`
    query Spend($asCompany: ID, $from: DateTime!, $to: DateTime!) {
  days: usage(asCompany: $asCompany, from: $from, to: $to, groupBy: [DAY, ALIAS]) {
    nodes {
      group
      subgroup
      requests
      failures
      amountMicros
    }
  }
  keys: usage(asCompany: $asCompany, from: $from, to: $to, groupBy: [KEY]) {
    nodes {
      group
      requests
      failures
      amountMicros
    }
  }
  labels: usage(asCompany: $asCompany, from: $from, to: $to, groupBy: [LABEL]) {
    nodes {
      group
      requests
      failures
      amountMicros
    }
  }
}
    `) as unknown as TypedDocumentString<SpendQuery, SpendQueryVariables>;
export const DisputesDocument = new TypedDocumentString(`
    query Disputes($first: Int!, $after: String) {
  disputes(first: $first, after: $after) {
    nodes {
      id
      companyId
      status
      isInquiry
      amount
      currency
      reason
      respondBy
      chargeId
      openedAt
      closedAt
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<DisputesQuery, DisputesQueryVariables>;
export const ReconciliationDocument = new TypedDocumentString(`
    query Reconciliation($month: String!) {
  reconciliation(month: $month) {
    month
    hasEnded
    matches
    differenceCount
    differences {
      ...FindingFields
    }
    explainedCount
    explained {
      ...FindingFields
    }
    payments {
      currency
      count
      amountMinor
    }
    refunds {
      currency
      count
      amountMinor
    }
    otherPayments {
      currency
      count
      amountMinor
    }
    granted {
      count
      amountMicros
    }
    settled {
      count
      amountMicros
    }
    takenBack {
      count
      amountMicros
    }
    grantedByHand {
      count
      amountMicros
    }
  }
}
    fragment FindingFields on ReconciliationFinding {
  id
  kind
  text
  companyId
  explanation {
    reason
    explainedAt
  }
}`) as unknown as TypedDocumentString<ReconciliationQuery, ReconciliationQueryVariables>;
export const ExplainDifferenceDocument = new TypedDocumentString(`
    mutation ExplainDifference($id: ID!, $reason: String!) {
  explainDifference(id: $id, reason: $reason) {
    id
  }
}
    `) as unknown as TypedDocumentString<ExplainDifferenceMutation, ExplainDifferenceMutationVariables>;
export const PeopleDocument = new TypedDocumentString(`
    query People($asCompany: ID) {
  users(asCompany: $asCompany) {
    id
    email
    role
  }
  invitations(asCompany: $asCompany) {
    id
    email
    role
    invitedBy
    invitedAt
    expiresAt
    expired
  }
}
    `) as unknown as TypedDocumentString<PeopleQuery, PeopleQueryVariables>;
export const SessionsDocument = new TypedDocumentString(`
    query Sessions {
  sessions {
    id
    device
    network
    createdAt
    lastUsedAt
    expiresAt
    isCurrent
  }
}
    `) as unknown as TypedDocumentString<SessionsQuery, SessionsQueryVariables>;
export const InviteUserDocument = new TypedDocumentString(`
    mutation InviteUser($email: String!, $role: Role!) {
  inviteUser(email: $email, role: $role) {
    id
  }
}
    `) as unknown as TypedDocumentString<InviteUserMutation, InviteUserMutationVariables>;
export const WithdrawInvitationDocument = new TypedDocumentString(`
    mutation WithdrawInvitation($id: ID!) {
  withdrawInvitation(id: $id)
}
    `) as unknown as TypedDocumentString<WithdrawInvitationMutation, WithdrawInvitationMutationVariables>;
export const SetRoleDocument = new TypedDocumentString(`
    mutation SetRole($userId: ID!, $role: Role!) {
  setRole(userId: $userId, role: $role) {
    id
    role
  }
}
    `) as unknown as TypedDocumentString<SetRoleMutation, SetRoleMutationVariables>;
export const RemoveUserDocument = new TypedDocumentString(`
    mutation RemoveUser($userId: ID!) {
  removeUser(userId: $userId)
}
    `) as unknown as TypedDocumentString<RemoveUserMutation, RemoveUserMutationVariables>;
export const EndSessionDocument = new TypedDocumentString(`
    mutation EndSession($id: ID!) {
  endSession(id: $id)
}
    `) as unknown as TypedDocumentString<EndSessionMutation, EndSessionMutationVariables>;
export const SignOutEverywhereDocument = new TypedDocumentString(`
    mutation SignOutEverywhere {
  signOutEverywhere
}
    `) as unknown as TypedDocumentString<SignOutEverywhereMutation, SignOutEverywhereMutationVariables>;
export const OffersForSaleDocument = new TypedDocumentString(`
    query OffersForSale {
  creditPacks {
    id
    name
    credits
    price
    currency
    sortOrder
  }
  creditPackTerms {
    packId
    validDays
  }
  plans {
    id
    name
    active
    billingMode
    price
    currency
    creditsPerPeriod
    rolloverShare
    needsProviderPricing
    sortOrder
  }
}
    `) as unknown as TypedDocumentString<OffersForSaleQuery, OffersForSaleQueryVariables>;
export const CreatePackDocument = new TypedDocumentString(`
    mutation CreatePack($input: CreateCreditPackInput!) {
  createCreditPack(input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<CreatePackMutation, CreatePackMutationVariables>;
export const RetirePackDocument = new TypedDocumentString(`
    mutation RetirePack($id: ID!) {
  retireCreditPack(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<RetirePackMutation, RetirePackMutationVariables>;
export const CreatePlanDocument = new TypedDocumentString(`
    mutation CreatePlan($input: CreatePlanInput!) {
  createPlan(input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<CreatePlanMutation, CreatePlanMutationVariables>;
export const RetirePlanDocument = new TypedDocumentString(`
    mutation RetirePlan($id: ID!) {
  retirePlan(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<RetirePlanMutation, RetirePlanMutationVariables>;
export const PricePlansDocument = new TypedDocumentString(`
    mutation PricePlans {
  syncAllPlansProviderPricing {
    id
  }
}
    `) as unknown as TypedDocumentString<PricePlansMutation, PricePlansMutationVariables>;
export const PricesInForceDocument = new TypedDocumentString(`
    query PricesInForce($companyId: ID) {
  priceBook(companyId: $companyId) {
    id
    effectiveFrom
    prices {
      ...PriceFields
    }
  }
}
    fragment PriceFields on AliasPrice {
  alias
  inputPerMillionTokens
  cachedInputPerMillionTokens
  cacheWritePerMillionTokens
  cacheWrite1hPerMillionTokens
  audioInputPerMillionTokens
  imageInputPerMillionTokens
  outputPerMillionTokens
  reasoningPerMillionTokens
  audioOutputPerMillionTokens
  imageOutputPerMillionTokens
  perCall
  inputTiers {
    tokens
    inclusive
    inputPerMillionTokens
    cachedInputPerMillionTokens
    cacheWritePerMillionTokens
    cacheWrite1hPerMillionTokens
    audioInputPerMillionTokens
    imageInputPerMillionTokens
    outputPerMillionTokens
    reasoningPerMillionTokens
    audioOutputPerMillionTokens
    imageOutputPerMillionTokens
  }
  units {
    unit
    credits
  }
  serviceTiers {
    tier
    factor
  }
  bookId
}`) as unknown as TypedDocumentString<PricesInForceQuery, PricesInForceQueryVariables>;
export const PriceBooksDocument = new TypedDocumentString(`
    query PriceBooks {
  priceBooks {
    id
    companyId
    effectiveFrom
    publishedAt
    retired
    replacesAll
    prices {
      alias
    }
  }
}
    `) as unknown as TypedDocumentString<PriceBooksQuery, PriceBooksQueryVariables>;
export const RoutedAliasesDocument = new TypedDocumentString(`
    query RoutedAliases {
  models {
    alias
    providers {
      name
    }
    price {
      bookId
    }
  }
}
    `) as unknown as TypedDocumentString<RoutedAliasesQuery, RoutedAliasesQueryVariables>;
export const PreviewPricesDocument = new TypedDocumentString(`
    query PreviewPrices($input: PriceBookInput!, $from: DateTime!, $to: DateTime!) {
  previewPriceBook(input: $input, from: $from, to: $to) {
    calls
    refusedCalls
    oldAmountMicros
    newAmountMicros
    aliases {
      alias
      calls
      refusedCalls
      oldAmountMicros
      newAmountMicros
    }
  }
}
    `) as unknown as TypedDocumentString<PreviewPricesQuery, PreviewPricesQueryVariables>;
export const PublishPricesDocument = new TypedDocumentString(`
    mutation PublishPrices($input: PriceBookInput!) {
  publishPriceBook(input: $input) {
    id
    effectiveFrom
    hints
  }
}
    `) as unknown as TypedDocumentString<PublishPricesMutation, PublishPricesMutationVariables>;
export const SetupStatusDocument = new TypedDocumentString(`
    query SetupStatus {
  setupStatus {
    name
    done
    hint
  }
}
    `) as unknown as TypedDocumentString<SetupStatusQuery, SetupStatusQueryVariables>;
export const StatementDocument = new TypedDocumentString(`
    query Statement($asCompany: ID, $from: DateTime!, $to: DateTime!, $first: Int!, $after: String) {
  statement(
    asCompany: $asCompany
    from: $from
    to: $to
    first: $first
    after: $after
  ) {
    firstNumber
    count
    opening {
      amountMicros
    }
    closing {
      amountMicros
    }
    path
    entries {
      nodes {
        ...StatementEntryFields
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    fragment StatementEntryFields on StatementEntry {
  number
  id
  time
  type
  amount {
    amountMicros
  }
  balance {
    amountMicros
  }
  callId
  keyId
  alias
  label
  description
}`) as unknown as TypedDocumentString<StatementQuery, StatementQueryVariables>;
export const StatementTotalsDocument = new TypedDocumentString(`
    query StatementTotals($asCompany: ID, $from: DateTime!, $to: DateTime!) {
  statement(asCompany: $asCompany, from: $from, to: $to, first: 1) {
    totals {
      byType {
        ...TotalFields
      }
      byAlias {
        ...TotalFields
      }
      byKey {
        ...TotalFields
      }
      byLabel {
        ...TotalFields
      }
    }
  }
}
    fragment TotalFields on StatementTotal {
  name
  entries
  amount {
    amountMicros
  }
}`) as unknown as TypedDocumentString<StatementTotalsQuery, StatementTotalsQueryVariables>;
export const LastTransactionDocument = new TypedDocumentString(`
    query LastTransaction($asCompany: ID, $from: DateTime!, $to: DateTime!) {
  creditTransactions(asCompany: $asCompany, from: $from, to: $to, first: 1) {
    nodes {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<LastTransactionQuery, LastTransactionQueryVariables>;
export const BalanceAtDocument = new TypedDocumentString(`
    query BalanceAt($asCompany: ID, $at: DateTime!) {
  creditBalance(asCompany: $asCompany, at: $at) {
    amountMicros
  }
}
    `) as unknown as TypedDocumentString<BalanceAtQuery, BalanceAtQueryVariables>;
export const TrailDocument = new TypedDocumentString(`
    query Trail($asCompany: ID, $filter: TrailFilter, $first: Int!, $after: String) {
  trail(asCompany: $asCompany, filter: $filter, first: $first, after: $after) {
    nodes {
      ...TrailFields
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment TrailFields on TrailEntry {
  id
  at
  type
  summary
  facts {
    name
    value
  }
  actor {
    kind
    id
    name
  }
  keyId
  correlationId
}`) as unknown as TypedDocumentString<TrailQuery, TrailQueryVariables>;
export const UsageDocument = new TypedDocumentString(`
    query Usage($asCompany: ID, $from: DateTime!, $to: DateTime, $groupBy: [UsageGroup!]!, $keyId: ID, $label: String) {
  usage(
    asCompany: $asCompany
    from: $from
    to: $to
    groupBy: $groupBy
    keyId: $keyId
    label: $label
  ) {
    nodes {
      group
      subgroup
      requests
      failures
      tokensIn
      tokensOut
      amountMicros
    }
  }
}
    `) as unknown as TypedDocumentString<UsageQuery, UsageQueryVariables>;
export const CallNamesDocument = new TypedDocumentString(`
    query CallNames($asCompany: ID, $from: DateTime!) {
  models: usage(asCompany: $asCompany, from: $from, groupBy: [ALIAS]) {
    nodes {
      group
    }
  }
  labels: usage(asCompany: $asCompany, from: $from, groupBy: [LABEL]) {
    nodes {
      group
    }
  }
}
    `) as unknown as TypedDocumentString<CallNamesQuery, CallNamesQueryVariables>;
export const CompaniesDocument = new TypedDocumentString(`
    query Companies {
  companies {
    id
    name
    billingMode
    creditLimit
  }
}
    `) as unknown as TypedDocumentString<CompaniesQuery, CompaniesQueryVariables>;
export const BalanceDocument = new TypedDocumentString(`
    query Balance($asCompany: ID) {
  creditBalance(asCompany: $asCompany) {
    amountMicros
    updatedAt
  }
}
    `) as unknown as TypedDocumentString<BalanceQuery, BalanceQueryVariables>;
export const NewestCallDocument = new TypedDocumentString(`
    query NewestCall($asCompany: ID) {
  calls(asCompany: $asCompany, first: 1) {
    nodes {
      finishedAt
    }
  }
}
    `) as unknown as TypedDocumentString<NewestCallQuery, NewestCallQueryVariables>;
export const BalanceChangedDocument = new TypedDocumentString(`
    subscription BalanceChanged($asCompany: ID) {
  balanceChanged(asCompany: $asCompany) {
    amountMicros
    updatedAt
  }
}
    `) as unknown as TypedDocumentString<BalanceChangedSubscription, BalanceChangedSubscriptionVariables>;