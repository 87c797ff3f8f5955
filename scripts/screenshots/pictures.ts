import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { callModel } from './apiClient.ts'
import type { Demo } from './lateInstallation.ts'

type Look = { readonly width: number; readonly height: number; readonly colours: 'light' | 'dark' }

const DESK = { width: 1280, height: 860, colours: 'light' } as const
const DESK_DARK = { ...DESK, colours: 'dark' } as const
const PHONE = { width: 390, height: 844, colours: 'light' } as const
/** Built with the lowest priority. */
const BUILD_MS_MAX = 180_000
const BUILD_LOOK_MS = 500

type Picture = {
  readonly name: string
  readonly look: Look
  readonly person: 'admin' | 'superAdmin'
  readonly path: string
  /** Brings the page into the state to be captured, and waits until it shows everything. */
  readonly show: (page: Page, demo: Demo) => Promise<void>
  /** Taller than the window, for a page that is worth it. */
  readonly heightMax?: number
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
const region = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor()

const overview = async (page: Page) => {
  await region(page, 'Top labels')
}
const statement = async (page: Page) => {
  await page.getByText(/^Matches the ledger at entry/).waitFor()
  await page.getByText(/credits at/).waitFor()
}

const PICTURES: readonly Picture[] = [
  { name: 'overview', look: DESK, person: 'admin', path: '/', show: overview },
  { name: 'overview-dark', look: DESK_DARK, person: 'admin', path: '/', show: overview },
  { name: 'overview-phone', look: PHONE, person: 'admin', path: '/', show: overview },
  {
    name: 'keys',
    look: DESK,
    person: 'admin',
    path: '/keys',
    show: async (page) => page.getByText('Candidate search').waitFor(),
  },
  {
    name: 'call',
    look: DESK,
    person: 'admin',
    path: '/calls?alias=svc%2Fchat-premium&state=CHARGED',
    show: async (page) => {
      await page.getByRole('row').nth(1).getByRole('link').click()
      await heading(page, 'Call')
      await page.getByRole('button', { name: 'Prove it' }).click()
      await page.getByText('Every check passed.').waitFor()
    },
    heightMax: 1_000,
  },
  {
    name: 'usage',
    look: DESK,
    person: 'admin',
    path: '/usage',
    show: async (page) => page.getByRole('button', { name: 'Download CSV' }).waitFor(),
  },
  { name: 'statement', look: DESK, person: 'admin', path: '/statement', show: statement, heightMax: 1_100 },
  {
    name: 'billing',
    look: DESK,
    person: 'admin',
    path: '/billing',
    show: async (page) => {
      await page.getByText('yours').waitFor()
      await region(page, 'Purchases')
      await page.getByRole('region', { name: 'Lots of credits' }).waitFor()
      await page.getByRole('region', { name: 'Attempts of automatic top-up' }).waitFor()
    },
    heightMax: 1_700,
  },
  {
    name: 'payments',
    look: DESK,
    person: 'superAdmin',
    path: '/payments',
    show: async (page) => {
      await page.getByText('Needs a response').waitFor()
      await page.getByText('Payments and ledgers agree').waitFor()
    },
    heightMax: 1_100,
  },
  {
    name: 'prices',
    look: DESK,
    person: 'superAdmin',
    path: '/prices',
    show: async (page) => {
      const cell = page.getByLabel('Output of svc/chat-default')
      await cell.fill('1350')
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByRole('region', { name: 'Preview' }).getByText('All aliases').waitFor()
    },
    heightMax: 1_200,
  },
  {
    name: 'operations-dark',
    look: DESK_DARK,
    person: 'superAdmin',
    path: '/operations',
    show: async (page, demo) => {
      await page.getByText('Live', { exact: true }).waitFor()
      const call = {
        key: demo.apiKey,
        alias: 'svc/chat-default',
        label: null,
        wordsIn: 40,
        wordsOut: 20,
        leaves: false,
      }
      const entries = page.getByRole('region', { name: 'Log entries' }).getByRole('listitem')
      while ((await entries.count()) < 3) await callModel(demo, call)
    },
    heightMax: 1_400,
  },
]

export type PicturesOptions = { readonly executablePath: string; readonly folder: string }

/** Signs in, opens each page and writes its picture. Returns the files. */
export async function takePictures(demo: Demo, { executablePath, folder }: PicturesOptions): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--lang=en-GB'] })
  try {
    await untilBuilt(browser, demo)
    const files: string[] = []
    for (const picture of PICTURES) files.push(await takePicture(browser, demo, picture, folder))
    return files
  } finally {
    await browser.close()
  }
}

async function takePicture(browser: Browser, demo: Demo, picture: Picture, folder: string): Promise<string> {
  const { name, look, person, path, show, heightMax } = picture
  const { width, height, colours } = look
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: colours,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  try {
    const page = await context.newPage()
    await page.goto(`${demo.backendUrl}${path}`)
    await page.getByLabel('E-mail').fill(demo[`${person}Email`])
    await page.getByLabel('Password').fill(demo[`${person}Password`])
    await page.getByRole('button', { name: 'Sign in' }).click()
    await show(page, demo)
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'hidden' })
    await page.mouse.move(0, 0)
    const content = Number(await page.evaluate('document.documentElement.scrollHeight'))
    if (heightMax) await page.setViewportSize({ width, height: Math.max(height, Math.min(content, heightMax)) })
    const file = join(folder, `${name}.png`)
    await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' })
    return file
  } finally {
    await context.close()
  }
}

async function untilBuilt(browser: Browser, { backendUrl }: Demo): Promise<void> {
  const page = await browser.newPage()
  const endMs = performance.now() + BUILD_MS_MAX
  for (; performance.now() < endMs; await page.waitForTimeout(BUILD_LOOK_MS)) {
    const answer = await fetch(`${backendUrl}/`)
    if ((await answer.text()).includes('/assets/')) return page.close()
  }
  throw new Error('the console was not built in time')
}
