import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { run } from './commands.ts'
import { type Account, findOnPath, isRoot, machinePath, networkEnvironment, ordinaryAccount } from './machine.ts'
import type { InstallRow } from './rows.ts'

export const repository = path.resolve(import.meta.dirname, '../..')

/** The folder in which everything happens, with the versions of Node and npm that the rows ask for. */
export class Workshop {
  readonly folder: string
  readonly account: Account | undefined
  readonly #network = networkEnvironment()
  readonly #npms = new Map<string, string>()

  constructor() {
    // Files made here must be readable by the ordinary user, whatever the umask of this process is.
    process.umask(0o022)
    this.folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'tollgate-install-')))
    chmodSync(this.folder, 0o755)
    this.account = isRoot ? ordinaryAccount() : undefined
    // Copies, because the ordinary user may not reach where they are installed.
    this.#copyNode('machine', findOnPath('node') ?? process.execPath)
    this.#copyNode('node24', path.join(repository, 'node_modules/node/bin/node'))
  }

  #copyNode(name: InstallRow['node'], from: string) {
    mkdirSync(path.join(this.folder, name))
    copyFileSync(realpathSync(from), path.join(this.folder, name, 'node'))
    chmodSync(path.join(this.folder, name, 'node'), 0o755)
  }

  async nodeVersion(name: InstallRow['node']): Promise<string> {
    const here = { cwd: this.folder, env: {}, uid: undefined, gid: undefined, limitMs: 10_000 }
    return (await run(path.join(this.folder, name, 'node'), ['--version'], here)).stdout.trim()
  }

  /** Installed on first use, by the machine's own npm. */
  async #npmFolder(version: string): Promise<string> {
    const known = this.#npms.get(version)
    if (known !== undefined) return known
    const folder = path.join(this.folder, `npm-${version}`)
    mkdirSync(folder)
    const env = { ...this.#network, PATH: machinePath, HOME: folder }
    const args = ['install', '--no-audit', '--no-fund', '--prefix', folder, `npm@${version}`]
    const here = { cwd: folder, env, uid: undefined, gid: undefined, limitMs: 120_000 }
    const { exitCode, output } = await run('npm', args, here)
    if (exitCode !== 0) throw new Error(`npm ${version} could not be installed:\n${output}`)
    this.#npms.set(version, folder)
    return folder
  }

  async environmentFor(row: InstallRow, home: string): Promise<Record<string, string>> {
    const npm = path.join(await this.#npmFolder(row.npm), 'node_modules/.bin')
    const searchPath = [npm, path.join(this.folder, row.node), machinePath].join(path.delimiter)
    return { ...this.#network, PATH: searchPath, HOME: home, npm_config_update_notifier: 'false' }
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
