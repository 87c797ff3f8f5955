import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../test/support/cases/propertyRuns.ts'
import { conversations } from '../../../test/support/translation/conversations.ts'
import { meaningOf } from '../../../test/support/translation/meaning.ts'
import { TRANSLATED_WIRES, type TranslatedWire } from './conversation/reasoningState.ts'
import { LeftOut } from './fields/leftOut.ts'
import { type TranslationWay, translateRequest } from './translateRequest.ts'
import { WIRE_TRANSLATIONS } from './wireTranslations.ts'

const PAIRS = TRANSLATED_WIRES.flatMap((one) =>
  TRANSLATED_WIRES.filter((other) => other !== one).map((other) => [one, other] as const),
)
const OPTIONS = { model: 'm', maxTokensDefault: 1_000 }
/** For each pair, so that there are 10,000 in all. */
const runs = propertyRuns({ few: 40, many: 1_700 })

function translated(body: object, way: TranslationWay): object {
  const result = translateRequest(overTheWire(body), way, OPTIONS)
  if ('refused' in result) throw new Error(result.refused)
  expect(result.leftOut).toEqual([])
  return overTheWire(result.body)
}

const overTheWire = (body: object) => JSON.parse(JSON.stringify(body)) as object
const read = (wire: TranslatedWire, body: object) => WIRE_TRANSLATIONS[wire].readRequest(body, new LeftOut())

test.each(PAIRS)('a request of %s keeps its meaning over %s and back', (caller, provider) => {
  const wires = [caller, provider] as const
  const property = fc.property(conversations(wires), (conversation) => {
    const body = overTheWire(WIRE_TRANSLATIONS[caller].writeRequest(conversation, new LeftOut(), OPTIONS))
    const there = translated(body, { caller, provider })
    const back = translated(there, { caller: provider, provider: caller })
    const meaning = meaningOf(conversation, wires)
    expect(meaningOf(read(caller, body), wires)).toEqual(meaning)
    expect(meaningOf(read(provider, there), wires)).toEqual(meaning)
    expect(meaningOf(read(caller, back), wires)).toEqual(meaning)
  })
  fc.assert(property, { numRuns: runs })
})
