import { join } from 'node:path'

/** The arguments of an EventStoreDB server that keeps its data in the folder and listens on this machine only. */
export function serverArguments(folder: string, port: number, replicationPort: number): string[] {
  const settings = {
    db: join(folder, 'db'),
    log: join(folder, 'log'),
    'disable-log-file': 'true',
    'run-projections': 'None',
    'stats-period-sec': '3600',
    'node-ip': '127.0.0.1',
    'replication-ip': '127.0.0.1',
    'node-port': String(port),
    'replication-port': String(replicationPort),
  }
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
}

/** The server treats every variable with this prefix as an option, and exits if it does not know one. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('EVENTSTORE_')))
}
