import { chmod, mkdir, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Installation, makeInstallation } from '../support/harness/installation.ts'

const NOBODY = 65_534

// One row for each place that refuses; platform/config/config.test.ts has the rest of the settings.
describe('npm start prints one line, exits with 1 and leaves no process for', () => {
  const rows: [string, Record<string, string>, RegExp][] = [
    ['a bad setting', { IP_RPM: 'many' }, /IP_RPM must be a whole number/],
    ['an event store that does not answer', { EVENTSTORE_URL: 'esdb://127.0.0.1:1', SANDBOX: '1' }, /EVENTSTORE_URL/],
    ['an address of no event store', { EVENTSTORE_URL: 'esdb://h:2113?tls=maybe', SANDBOX: '1' }, /EVENTSTORE_URL/],
    ['a database that does not answer', { DATABASE_URL: 'postgres://127.0.0.1:1/x', SANDBOX: '1' }, /DATABASE_URL/],
    ['a providers file that is not there', { PROVIDERS_FILE: '/nowhere/providers.json' }, /PROVIDERS_FILE.*ENOENT/],
    ['an address of another machine', { HOST: '192.0.2.1', SANDBOX: '1' }, /HOST.*192\.0\.2\.1/],
    ['the first setting that production lacks', { HOST: '0.0.0.0' }, /PROVIDERS_FILE is not set/],
  ]
  test.each(rows)('%s', async (_, settings, line) => {
    await expectRefusal(await installationWith(settings), line)
  })

  test('a port that is taken', async () => {
    const installation = await installationWith({})
    const port = Number(installation.env.GATEWAY_PORT)
    const taker = createServer().listen(port, '127.0.0.1')
    onTestFinished(() => void taker.close())
    await expectRefusal(installation, new RegExp(`GATEWAY_PORT: port ${port} .*is in use`))
  })

  test('a data folder that cannot be made', async () => {
    const installation = await installationWith({})
    await writeFile(installation.dataDir, 'a file where the folder should be')
    await expectRefusal(installation, /DATA_DIR/)
  })

  test('a data folder that cannot be written', async (context) => {
    const installation = await installationWith({})
    const uid = process.geteuid?.() === 0 ? NOBODY : undefined
    if (uid !== undefined) {
      const closed = await closedFolderAbove(import.meta.dirname)
      if (closed) context.skip(`root may write everywhere, and another user may not enter ${closed}`)
      await chmod(installation.folder, 0o755)
    }
    await mkdir(installation.dataDir, { mode: 0o555 })
    await expectRefusal(installation, /DATA_DIR/, uid)
  })
})

async function installationWith(settings: Record<string, string>): Promise<Installation> {
  const installation = await makeInstallation(settings)
  onTestFinished(() => installation.stop())
  return installation
}

async function expectRefusal(installation: Installation, line: RegExp, uid?: number): Promise<void> {
  const npm = installation.begin(uid)
  const exit = await npm.exited
  expect(npm.lines).toEqual([expect.stringMatching(line)])
  expect(exit).toEqual({ code: 1, signal: null })
  expect(await installation.processesLeft()).toEqual([])
}

/** The first folder on the way up that only its owner may enter. */
async function closedFolderAbove(path: string): Promise<string | null> {
  for (let folder = path; ; folder = dirname(folder)) {
    if (((await stat(folder)).mode & 0o005) !== 0o005) return folder
    if (folder === dirname(folder)) return null
  }
}
