import { z } from 'zod'

/** A log line of a service, with secrets already redacted, as it is sent to other processes and operators. */
export const logEntry = z.object({
  timestamp: z.string(),
  level: z.string(),
  message: z.string(),
  context: z.record(z.string(), z.unknown()),
  service: z.string(),
})

export type LogEntry = Readonly<z.infer<typeof logEntry>>
