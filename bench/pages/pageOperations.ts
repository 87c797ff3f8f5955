import { lastDays } from '../../console/src/api/now.ts'
import * as documents from '../../console/src/graphql/generated.ts'
import { BALANCE_CURVE, curveTimes, curveVariables } from '../../console/src/pages/statement/curve.ts'
import { momentsOf, shownDays } from '../../console/src/pages/statement/statementSearch.ts'

type Document<Variables> = documents.TypedDocumentString<unknown, Variables>
export type Operation = { readonly query: string; readonly variables: object }

/** The input for opening the pages. */
export type PageFacts = {
  readonly callId: string
  /** The last entry of the ledger that changes the balance. */
  readonly lastEntryId: string
  readonly companyId: string
}

export type ConsolePage = {
  readonly name: string
  readonly person: 'admin' | 'superAdmin'
  readonly operations: (facts: PageFacts) => readonly Operation[]
}

/** The same as in the pages. */
const PAGE_ROWS = 50

function operation<Variables extends object>(document: Document<Variables>, variables: Variables): Operation {
  return { query: document.toString(), variables }
}

const keys = () => operation(documents.KeysDocument, {})

/** The requests that each page of the console sends when it is opened. */
export const CONSOLE_PAGES: readonly ConsolePage[] = [
  {
    name: 'overview',
    person: 'admin',
    operations: () => [
      operation(documents.BalanceDocument, {}),
      operation(documents.NewestCallDocument, {}),
      operation(documents.DuesDocument, {}),
      operation(documents.SpendDocument, lastDays(30)),
      keys(),
    ],
  },
  {
    name: 'overview of 90 days',
    person: 'admin',
    operations: () => [operation(documents.SpendDocument, lastDays(90))],
  },
  {
    name: 'keys',
    person: 'admin',
    operations: () => [keys(), operation(documents.KeyDaysDocument, lastDays(14))],
  },
  {
    name: 'usage',
    person: 'admin',
    operations: () => [
      keys(),
      operation(documents.UsageDocument, { ...lastDays(30), groupBy: ['ALIAS'] }),
      operation(documents.UsageDocument, { ...lastDays(30), groupBy: ['DAY', 'ALIAS'] }),
    ],
  },
  {
    name: 'calls',
    person: 'admin',
    operations: () => [keys(), operation(documents.CallsDocument, { first: PAGE_ROWS })],
  },
  {
    name: 'call',
    person: 'admin',
    operations: ({ callId }) => [
      keys(),
      operation(documents.CallDocument, { id: callId }),
      operation(documents.LedgerReceiptDocument, { eventId: callId }),
    ],
  },
  {
    name: 'statement',
    person: 'admin',
    operations: ({ lastEntryId }) => {
      const period = momentsOf(shownDays({}))
      const times = curveTimes(Date.parse(period.from), Date.now())
      return [
        keys(),
        operation(documents.StatementDocument, { ...period, first: PAGE_ROWS }),
        operation(documents.StatementTotalsDocument, period),
        operation(documents.LastTransactionDocument, period),
        operation(documents.LedgerReceiptDocument, { eventId: lastEntryId }),
        operation(BALANCE_CURVE, curveVariables(times)),
        operation(documents.BalanceAtDocument, { at: new Date().toISOString() }),
      ]
    },
  },
  {
    name: 'trail',
    person: 'admin',
    operations: () => [
      keys(),
      operation(documents.PeopleDocument, {}),
      operation(documents.TrailDocument, { filter: {}, first: PAGE_ROWS }),
    ],
  },
  {
    name: 'billing',
    person: 'admin',
    operations: () => [
      operation(documents.OffersDocument, {}),
      operation(documents.BillingDocument, {}),
      operation(documents.HardCapDocument, {}),
      operation(documents.WebhookEndpointsDocument, {}),
    ],
  },
  {
    name: 'people',
    person: 'admin',
    operations: () => [operation(documents.PeopleDocument, {}), operation(documents.SessionsDocument, {})],
  },
  {
    name: 'companies',
    person: 'superAdmin',
    operations: ({ companyId: asCompany }) => [
      operation(documents.CompaniesDocument, {}),
      operation(documents.AllCompaniesDocument, {}),
      operation(documents.CompanyFiguresDocument, { asCompany, ...lastDays(30) }),
    ],
  },
  {
    name: 'prices',
    person: 'superAdmin',
    operations: () => [
      operation(documents.PricesInForceDocument, {}),
      operation(documents.PriceBooksDocument, {}),
      operation(documents.RoutedAliasesDocument, {}),
      operation(documents.AllCompaniesDocument, {}),
    ],
  },
  {
    name: 'models',
    person: 'superAdmin',
    operations: () => [
      operation(documents.ModelsDocument, {}),
      operation(documents.MarginDocument, { ...lastDays(30), groupBy: 'ALIAS' }),
    ],
  },
  { name: 'set-up', person: 'superAdmin', operations: () => [operation(documents.SetupStatusDocument, {})] },
  {
    name: 'operations',
    person: 'superAdmin',
    operations: () => [
      operation(documents.ReadModelsDocument, {}),
      operation(documents.LeasesDocument, {}),
      operation(documents.GeneratorDocument, {}),
      operation(documents.ParkedTasksDocument, {}),
      operation(documents.WebhookEventsDocument, {}),
      operation(documents.LedgerLogDocument, {}),
    ],
  },
]

/** Sent when someone asks for more than the page shows at first. */
const SENT_LATER = [documents.WebhookDeliveriesDocument, documents.PreviewPricesDocument]

/** A query of the console that belongs to no page here would not be measured. */
export function requireEveryQuery(): void {
  const facts = { callId: '', lastEntryId: '', companyId: '' }
  const known = new Set([
    ...SENT_LATER.map((document) => document.toString()),
    ...CONSOLE_PAGES.flatMap(({ operations }) => operations(facts).map(({ query }) => query)),
  ])
  const missing = Object.entries(documents).filter(
    ([, document]) => /^\s*query\b/.test(String(document)) && !known.has(String(document)),
  )
  if (missing.length > 0) {
    throw new Error(
      `no page of the benchmark sends ${missing.map(([name]) => name).join(', ')}: add them to pageOperations.ts`,
    )
  }
}
