import { z } from 'zod'

/** One line of a service's log, with its secrets blotted out already, as processes and operators are sent it. */
export const logEntry = z.object({
  timestamp: z.string(),
  level: z.string(),
  message: z.string(),
  context: z.record(z.string(), z.unknown()),
  service: z.string(),
})

export type LogEntry = Readonly<z.infer<typeof logEntry>>
