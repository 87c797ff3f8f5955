import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

export type Account = { uid: number; gid: number }

/** Without what `npm run` put in front, so that the machine's own Node is found and not the repository's. */
export const machinePath = (process.env.PATH ?? '')
  .split(path.delimiter)
  .filter((folder) => !folder.includes('node_modules') && !folder.includes('node-gyp-bin'))
  .join(path.delimiter)

export function findOnPath(name: string): string | undefined {
  for (const folder of machinePath.split(path.delimiter)) {
    const file = path.join(folder, name)
    try {
      if (existsSync(file)) {
        accessSync(file, constants.X_OK)
        return file
      }
    } catch {
      // Not ours to run; the next folder may have one that is.
    }
  }
  return undefined
}

export const isRoot = process.getuid?.() === 0

/** Postgres asks for the name of the account that it runs under, so it has to be one that exists. */
export function ordinaryAccount(): Account {
  const ask = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: ask('-u'), gid: ask('-g') }
}

const passedOn = [
  'LANG',
  'LC_ALL',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
]

const npmSettings = ['registry', 'cafile', 'globalconfig', 'proxy', 'https-proxy', 'noproxy']

/** The settings with which this machine reaches the registry. Nothing else of its environment reaches the clones. */
export function networkEnvironment(): Record<string, string> {
  const env: Record<string, string> = {}
  for (const name of passedOn) {
    const value = process.env[name]
    if (value !== undefined) env[name] = value
  }
  for (const name of npmSettings) {
    const value = execFileSync('npm', ['config', 'get', name], {
      encoding: 'utf8',
      env: { ...process.env, PATH: machinePath },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
    if (value !== '' && value !== 'null' && value !== 'undefined') env[`npm_config_${name.replace('-', '_')}`] = value
  }
  return env
}

export const machineSize = () => ({
  cores: os.availableParallelism(),
  memoryGiB: Math.round(os.totalmem() / 2 ** 30),
  platform: `${os.platform()} ${os.arch()}`,
})
