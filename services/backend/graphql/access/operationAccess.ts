import { ROLES, type Role } from '../../../../contracts/roles.ts'
import type { Resolvers } from '../generated.ts'

/**
 * Who may call an operation: `public` without a token, `signedIn` every user, and otherwise the users of a company with
 * one of the roles, on the data of that company.
 */
export type Access =
  | 'public'
  | 'signedIn'
  | {
      readonly roles: readonly Role[]
      /** Super admins may call it too, whether or not they belong to a company. */
      readonly superAdmin?: true
      /** Costs the company or the operator money, so it is refused while the company is suspended. */
      readonly spends?: true
    }

export type Operation = { [Root in keyof Resolvers]-?: keyof NonNullable<Resolvers[Root]> }[keyof Resolvers]

const SUPER_ADMINS: Access = { roles: [], superAdmin: true }
const ADMINS: Access = { roles: ['OWNER', 'ADMIN'] }
/** A super admin can appoint an owner of any company, for example after the last one was erased. */
const ADMINS_AND_OPERATOR: Access = { roles: ['OWNER', 'ADMIN'], superAdmin: true }
const READERS_OF_USERS: Access = { roles: ['OWNER', 'ADMIN', 'AUDITOR'] }
/** The roles that manage credits and payments. */
const PAYERS: Access = { roles: ['OWNER', 'ADMIN', 'BILLING'] }
const BUYERS: Access = { ...PAYERS, spends: true }
export const READERS_OF_MONEY = { roles: ['OWNER', 'ADMIN', 'BILLING', 'AUDITOR'] } as const satisfies Access
/** Developers see only their own keys. */
const ALL_ROLES: Access = { roles: ROLES }
const KEY_HOLDERS: Access = { roles: ['OWNER', 'ADMIN', 'DEVELOPER'] }
const KEY_MINTERS: Access = { ...KEY_HOLDERS, spends: true }
/** Jobs, talents and documents are scored and read by models, which the operator pays. */
const WORKING_ADMINS: Access = { ...ADMINS, spends: true }

/** Every operation of the schema. `operationGuard.ts` enforces this; one that is missing does not compile. */
export const OPERATION_ACCESS: Readonly<Record<Operation, Access>> = {
  login: 'public',
  acceptInvitation: 'public',
  requestPasswordReset: 'public',
  resetPassword: 'public',
  whoAmI: 'signedIn',
  changePassword: 'signedIn',
  signOutEverywhere: 'signedIn',
  sessions: 'signedIn',
  endSession: 'signedIn',

  users: READERS_OF_USERS,
  invitations: READERS_OF_USERS,
  inviteUser: ADMINS,
  withdrawInvitation: ADMINS,
  setRole: ADMINS_AND_OPERATOR,
  removeUser: ADMINS_AND_OPERATOR,

  apiKeys: { roles: ['OWNER', 'ADMIN', 'DEVELOPER', 'AUDITOR'] },
  mintApiKey: KEY_MINTERS,
  rotateApiKey: KEY_MINTERS,
  updateApiKey: KEY_HOLDERS,
  revokeApiKey: KEY_HOLDERS,

  creditBalance: READERS_OF_MONEY,
  balanceChanged: READERS_OF_MONEY,
  creditTransactions: READERS_OF_MONEY,
  creditLots: READERS_OF_MONEY,
  usage: ALL_ROLES,
  calls: ALL_ROLES,
  callFinished: ALL_ROLES,
  call: ALL_ROLES,
  ledgerReceipt: READERS_OF_MONEY,
  statement: { ...READERS_OF_MONEY, superAdmin: true },

  trail: { roles: ['OWNER', 'ADMIN', 'AUDITOR'], superAdmin: true },

  plans: 'signedIn',
  creditPacks: 'signedIn',
  creditPackTerms: 'signedIn',
  subscription: READERS_OF_MONEY,
  subscriptions: READERS_OF_MONEY,
  invoices: READERS_OF_MONEY,
  purchases: READERS_OF_MONEY,
  createCheckout: BUYERS,
  topUp: READERS_OF_MONEY,
  setTopUp: PAYERS,
  changePlan: BUYERS,
  cancelSubscription: PAYERS,
  resumeSubscription: BUYERS,
  noticeSettings: READERS_OF_MONEY,
  setNoticeSettings: PAYERS,
  setHardCap: { roles: ['OWNER'], superAdmin: true },

  webhookEndpoints: ADMINS,
  createWebhookEndpoint: ADMINS,
  deleteWebhookEndpoint: ADMINS,
  webhookDeliveries: ADMINS,
  resendDelivery: ADMINS,

  jobs: ADMINS,
  postJob: WORKING_ADMINS,
  publishJob: WORKING_ADMINS,
  closeJob: ADMINS,
  talents: ADMINS,
  registerTalent: WORKING_ADMINS,
  eraseTalent: ADMINS,
  matchScores: ADMINS,
  documents: ADMINS,
  uploadCv: WORKING_ADMINS,
  uploadJobDocument: WORKING_ADMINS,
  meetingInsights: { roles: ['OWNER', 'ADMIN'], superAdmin: true },

  companies: SUPER_ADMINS,
  createCompany: SUPER_ADMINS,
  createUser: SUPER_ADMINS,
  eraseUser: SUPER_ADMINS,
  setCompanyBillingMode: SUPER_ADMINS,
  setCreditLimit: SUPER_ADMINS,
  suspendCompany: SUPER_ADMINS,
  resumeCompany: SUPER_ADMINS,
  grantCredits: SUPER_ADMINS,
  adjustCredits: SUPER_ADMINS,
  createPlan: SUPER_ADMINS,
  updatePlan: SUPER_ADMINS,
  retirePlan: SUPER_ADMINS,
  createCreditPack: SUPER_ADMINS,
  updateCreditPack: SUPER_ADMINS,
  retireCreditPack: SUPER_ADMINS,
  syncAllPlansProviderPricing: SUPER_ADMINS,
  deactivateStaleSubscriptions: SUPER_ADMINS,
  priceBook: SUPER_ADMINS,
  priceBooks: SUPER_ADMINS,
  previewPriceBook: SUPER_ADMINS,
  publishPriceBook: SUPER_ADMINS,
  margin: SUPER_ADMINS,
  reconciliation: SUPER_ADMINS,
  disputes: SUPER_ADMINS,
  explainDifference: SUPER_ADMINS,
  settleInvoice: SUPER_ADMINS,
  voidInvoice: SUPER_ADMINS,
  models: SUPER_ADMINS,
  testModel: SUPER_ADMINS,
  setupStatus: SUPER_ADMINS,
  webhookEvents: SUPER_ADMINS,
  replayWebhook: SUPER_ADMINS,
  parkedTasks: SUPER_ADMINS,
  requeueParkedTask: SUPER_ADMINS,
  readModels: SUPER_ADMINS,
  leases: SUPER_ADMINS,
  generator: SUPER_ADMINS,
  startGenerator: SUPER_ADMINS,
  stopGenerator: SUPER_ADMINS,
  ledgerLog: SUPER_ADMINS,
  logStream: SUPER_ADMINS,
}
