import { openLog } from '../../platform/logger/logger.ts'

export type StackLog = {
  /** Adds a line that a service printed. */
  add(service: string, line: string): void
  close(): void
}

/** Writes the lines of all processes to one rotated file, each with the name of its process. */
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
