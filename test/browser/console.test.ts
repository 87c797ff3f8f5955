import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findChromium, MISSING } from '../../scripts/browser/chromium.ts'
import { type Installation, startInstallation } from '../support/harness/installation.ts'
import { until } from '../support/time/until.ts'
import { buysCredits, invitesPeople, seesNoControls, setsNotices, signsOutEverywhere } from './billingJourneys.ts'
import { testClocks } from './clockTests.ts'
import { ConsoleVisitor, LOOKS, type OpenVisitor } from './consolePages.ts'
import { seesDispute } from './disputeJourney.ts'
import { joinsAndForgets } from './gateJourneys.ts'
import { mintsCallsAndProves } from './keyJourney.ts'
import { testLayout } from './layoutTests.ts'
import { grantsLot, sellsCreditsThatExpire } from './lotJourney.ts'
import { followTrail, readStatement } from './moneyJourneys.ts'
import { endsInvoices } from './postpaidJourney.ts'
import { explainsDifference } from './reconciliationJourney.ts'
import { testShell } from './shellTests.ts'
import { changesPrices, looksAtTheInstallation, rulesCompanies } from './superAdminJourney.ts'
import { seesWhatIsRefused } from './suspensionJourney.ts'
import { topsUp } from './topUpJourney.ts'

/** The build has the lowest priority, and the machine may be busy. */
const BUILD_MS_MAX = 90_000

/** Without a place to break: it must not push anything out of sight. */
const LONG_NAME = 'alexandra.von.und.zu.hohenberg.lichtenstein'

const executablePath = findChromium()
let browser: Browser | null = null
let installation: Installation
let origin: string

beforeAll(async () => {
  if (!executablePath) return
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  installation = await startInstallation({ DISPUTE_SUSPENDS_COMPANY: 'true' })
  origin = installation.demo.backendUrl
  const isBuilt = async () => (await (await fetch(`${origin}/`)).text()).includes('/assets/')
  await until('the console is built', isBuilt, BUILD_MS_MAX)
})
afterAll(async () => {
  await browser?.close()
  await installation?.stop()
})

/** All tests of the console share one installation, which takes longer to start than most of them. */
const open: OpenVisitor = (look, context) =>
  browser ? ConsoleVisitor.open(browser, origin, look) : context.skip(MISSING)

testShell(open)
testClocks(open, () => installation)

test.for(LOOKS)(
  'an admin mints a key, calls with it and proves the charge ($width px, $colours)',
  async (look, context) => {
    const visitor = await open(look, context)
    await mintsCallsAndProves(visitor, look, installation.demo)
    await visitor.leave()
  },
)

test.for(LOOKS)(
  'an auditor reads, checks and follows what happened in the company ($width px, $colours)',
  async (look, context) => {
    const visitor = await open(look, context)
    await visitor.page.getByRole('button', { name: /^Auditor/ }).click()
    await readStatement(visitor, origin)
    await followTrail(visitor)
    await visitor.leave()
  },
)

test('an owner buys a pack, subscribes to a plan, cancels it and undoes that', async (context) => {
  const visitor = await open({ width: 1280, colours: 'light' }, context)
  await visitor.page.getByRole('button', { name: /^Owner/ }).click()
  await buysCredits(visitor, installation.demo)
  await visitor.leave()
})

test('an owner saves a card, lets it top up the balance, confirms a payment and sees declined ones', async (context) => {
  const visitor = await open({ width: 1280, colours: 'light' }, context)
  await visitor.page.getByRole('button', { name: /^Owner/ }).click()
  await topsUp(visitor, installation.demo)
  await visitor.leave()
})

test.for(LOOKS)(
  'an owner sets notices and webhooks and invites people ($width px, $colours)',
  async (look, context) => {
    const visitor = await open(look, context)
    await visitor.page.getByRole('button', { name: /^Owner/ }).click()
    await visitor.heading('Overview')
    await setsNotices(visitor)
    await invitesPeople(visitor, `${LONG_NAME}-${look.width}-${look.colours}@demo.example`)
    await visitor.leave()
  },
)

test('a colleague joins by the link of an invitation, and gets in again by that of a password reset', async (context) => {
  const visitor = await open({ width: 1280, colours: 'light' }, context)
  await joinsAndForgets(visitor, installation.demo, 'newcomer@demo.example')
  await visitor.leave()
})

test('an auditor reads billing and people without controls, and signs out everywhere', async (context) => {
  const visitor = await open({ width: 390, colours: 'light' }, context)
  await visitor.page.getByRole('button', { name: /^Auditor/ }).click()
  await visitor.heading('Statement')
  await seesNoControls(visitor)
  await signsOutEverywhere(visitor)
  await visitor.leave()
})

test.for(LOOKS)(
  'a super admin rules companies and prices and looks at the installation ($width px, $colours)',
  async (look, context) => {
    const visitor = await open(look, context)
    await visitor.page.getByRole('button', { name: /^Super admin/ }).click()
    await visitor.heading('Companies')
    await rulesCompanies(visitor, installation.demo, async (reason) => {
      const owner = await open(look, context)
      await owner.page.getByRole('button', { name: /^Owner/ }).click()
      await seesWhatIsRefused(owner, reason)
      await owner.leave()
    })
    await changesPrices(visitor, `0.0${look.width}${look.colours.length}`)
    await looksAtTheInstallation(visitor, installation)
    await visitor.leave()
  },
)

test.for(LOOKS)(
  'a super admin grants and sells credits that expire, and sees what is left of them ($width px, $colours)',
  async (look, context) => {
    const visitor = await open(look, context)
    await visitor.page.getByRole('button', { name: /^Super admin/ }).click()
    await grantsLot(visitor, installation.demo, (look.width / 100 + look.colours.length).toFixed(2))
    await sellsCreditsThatExpire(visitor, `Offer of ${look.width} ${look.colours}`)
    await visitor.leave()
  },
)

test.for(LOOKS)(
  'a super admin limits the credit of a postpaid company, settles an invoice and voids another one ($width px, $colours)',
  async (look, context) => {
    const visitor = await open(look, context)
    await visitor.page.getByRole('button', { name: /^Super admin/ }).click()
    await visitor.heading('Companies')
    await endsInvoices(visitor, installation, `Postpaid of ${look.width} ${look.colours}`)
    await visitor.leave()
  },
)

// After the journeys, so that the pages have something to show.
testLayout(open)

test('a super admin chooses the company that the pages show, and the address keeps it', async (context) => {
  const { companyId, companyName } = installation.demo
  const visitor = await open({ width: 1280, colours: 'dark' }, context)
  const { page } = visitor
  await page.goto(`${origin}/keys`)
  await page.getByRole('button', { name: /^Super admin/ }).click()
  await visitor.heading('Welcome')
  await visitor.expectUsable('welcome')
  await page.getByRole('main').getByLabel('Company').selectOption({ label: companyName })
  await visitor.heading('Overview')
  await page.getByRole('main').getByText(companyName, { exact: true }).waitFor()
  await visitor.go('Keys')
  await page.getByText('Demo key').waitFor()
  expect(new URL(page.url()).searchParams.get('as')).toBe(companyId)
  expect(await page.getByRole('button', { name: 'New key' }).count()).toBe(0)
  await visitor.go('Companies')
  await page.getByRole('link', { name: companyName }).click()
  await visitor.heading('Overview')
  await visitor.leave()
})

// Last, because its rows name the company once more.
test.for(LOOKS)(
  'a super admin sees a disputed payment and how the dispute ends, and explains a difference ($width px, $colours)',
  async (look, context) => {
    const visitor = await open(look, context)
    await visitor.page.getByRole('button', { name: /^Super admin/ }).click()
    await visitor.heading('Companies')
    await seesDispute(visitor, installation.demo, async () => {
      const owner = await open(look, context)
      await owner.page.getByRole('button', { name: /^Owner/ }).click()
      await owner.heading('Overview')
      return owner
    })
    await explainsDifference(visitor, installation.demo, `Paid for a training, ${look.width} ${look.colours}`)
    await visitor.leave()
  },
)
