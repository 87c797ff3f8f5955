import { z } from 'zod'
import type { Wire, WireList } from '../state/records.ts'
import type { Form } from './formBody.ts'
import { integer, readParams, text } from './params.ts'
import { invalidParam } from './paymentApiError.ts'

const time = z.union([integer, z.strictObject({ gt: integer, gte: integer, lt: integer, lte: integer }).partial()])

/** The parameters of every list. */
const PAGING = {
  limit: integer.refine((limit) => limit >= 1 && limit <= 100, 'must be between 1 and 100').optional(),
  starting_after: text.optional(),
  ending_before: text.optional(),
  created: time.optional(),
}

const PAGE_DEFAULT = 10

/** One page of a list, newest first. `filters` are the list's own parameters, which `isWanted` applies. */
export function listPage<Item extends Wire, Filters extends z.ZodRawShape>(
  form: Form,
  filters: Filters,
  url: string,
  oldestFirst: readonly Item[],
  isWanted: (item: Item, filter: z.infer<z.ZodObject<Filters>>) => boolean = () => true,
): WireList<Item> {
  const params = readParams(z.strictObject({ ...PAGING, ...filters }), form)
  const { limit = PAGE_DEFAULT, starting_after, ending_before, created } = params as z.infer<z.ZodObject<typeof PAGING>>
  const wanted = oldestFirst
    .filter((item) => isIn(item.created, created) && isWanted(item, params as z.infer<z.ZodObject<Filters>>))
    .reverse()
  const placeOf = (id: string, param: string) => {
    const place = wanted.findIndex((item) => item.id === id)
    if (place < 0) throw invalidParam(param, `No such object: '${id}'`, 'resource_missing')
    return place
  }
  if (ending_before !== undefined) {
    const end = placeOf(ending_before, 'ending_before')
    const start = Math.max(0, end - limit)
    return { object: 'list', data: wanted.slice(start, end), has_more: start > 0, url }
  }
  const start = starting_after === undefined ? 0 : placeOf(starting_after, 'starting_after') + 1
  const data = wanted.slice(start, start + limit)
  return { object: 'list', data, has_more: start + data.length < wanted.length, url }
}

/** A list within an object, always complete. */
export function wholeList<Item>(url: string, data: readonly Item[]): WireList<Item> {
  return { object: 'list', data, has_more: false, url }
}

function isIn(at: number, range: z.infer<typeof time> | undefined): boolean {
  if (range === undefined) return true
  if (typeof range === 'number') return at === range
  const { gt = -1, gte = 0, lt = Number.MAX_SAFE_INTEGER, lte = Number.MAX_SAFE_INTEGER } = range
  return at > gt && at >= gte && at < lt && at <= lte
}
