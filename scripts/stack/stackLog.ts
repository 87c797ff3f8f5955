import { openLog } from '../../services/platform/log/log.ts'

export type StackLog = {
  /** A line of a service, as it printed it. */
  add(service: string, line: string): void
  close(): void
}

/** The lines of all processes in one file, each with the name of its process, rotated by the one that writes it. */
export function openStackLog(file: string, level: string): StackLog {
  const { log, write, close } = openLog({ level, file })
  return {
    add: (service, line) => {
      if (line.startsWith('{')) write(`{"service":${JSON.stringify(service)},${line.slice(1)}\n`)
      else log.error({ service }, line)
    },
    close,
  }
}
