import { readFile } from 'node:fs/promises'
import type { z } from 'zod'

/**
 * Reads a JSON file that this program wrote; null if there is none. A damaged one is never replaced silently: the
 * one-line error names the file and what to do. It does not quote the content, which is secret.
 */
export async function readPrivateFile<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  wayOut: string,
): Promise<z.infer<Schema> | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new Error(`${file} cannot be read (${error.code}): make it readable for this user`, { cause: error })
  })
  if (text === null) return null
  const damaged = (how: string) => new Error(`${file} is damaged (${how}): ${wayOut}`)
  if (text.trim() === '') throw damaged('it is empty')
  const document = parsed(text)
  if (document === undefined) throw damaged('it is not valid JSON')
  const result = schema.safeParse(document)
  if (result.success) return result.data
  const fields = [...new Set(result.error.issues.map(({ path }) => path.join('.') || 'the whole'))]
  throw damaged(`wrong or missing: ${fields.join(', ')}`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
