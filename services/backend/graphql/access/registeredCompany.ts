import { streamName } from '../../../../contracts/streams.ts'
import { companyById } from '../../../../projections/companies/queries.ts'
import { notFound } from '../apiError.ts'
import type { GraphqlContext } from '../context.ts'
import { requireId } from '../ids.ts'

/** The id of a company that exists. One that was just registered may not be in the read model yet. */
export async function requireRegistered({ runtime }: GraphqlContext, id: string): Promise<string> {
  const { database, store } = runtime.engines
  const companyId = requireId(id, 'company')
  if (await companyById(database, companyId)) return companyId
  for await (const _ of store.readStream(streamName('company', companyId), { limit: 1 })) return companyId
  throw notFound('company', companyId)
}
