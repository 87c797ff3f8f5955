import type { z } from 'zod'
import { HttpError } from './answer/httpError.ts'

/** The value as parsed by the schema, or a 400 that names the first invalid field. */
export function checkedBy<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.infer<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  // A schema may provide the whole message, with the name of its field.
  if (issue?.message.startsWith("'")) throw new HttpError(400, issue.message)
  const place = issue?.path.length ? `'${issue.path.join('.')}'` : what
  throw new HttpError(400, `${place}: ${issue?.message ?? 'is wrong'}`)
}
