import type { ConsolePage, PageFacts } from './pageOperations.ts'

/** A backend, and the input for opening its pages. */
export type MeasuredBackend = {
  readonly url: string
  readonly facts: PageFacts
  readonly tokens: Readonly<Record<ConsolePage['person'], string>>
}

/** Until the last answer has arrived. A page sends its requests together. */
export async function openMs(
  { name, person, operations }: ConsolePage,
  installation: MeasuredBackend,
): Promise<number> {
  const { url, facts, tokens } = installation
  const requests = operations(facts).map((operation) => JSON.stringify(operation))
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${tokens[person]}` }
  const began = performance.now()
  const answers = await Promise.all(
    requests.map(async (body) => (await fetch(`${url}/graphql`, { method: 'POST', headers, body })).json()),
  )
  const ms = performance.now() - began
  for (const answer of answers as readonly { readonly errors?: readonly { readonly message: string }[] }[]) {
    if (answer.errors) throw new Error(`the page ${name} was answered with: ${answer.errors[0]?.message}`)
  }
  return ms
}
