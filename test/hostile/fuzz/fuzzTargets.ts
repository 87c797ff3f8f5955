import fc from 'fast-check'
import { everyRoute } from '../routes.ts'
import type { WireCase } from '../wireCase.ts'
import { docxCases, pdfCases } from './fileCases.ts'
import { graphqlCases } from './graphqlCases.ts'
import { formCases, framingCases, headerCases, jsonCases, targetCases } from './httpCases.ts'
import { multipartCases } from './multipartCases.ts'
import { providerCases } from './providerCases.ts'
import { mailCases, socketCases } from './socketCases.ts'

const routes = everyRoute().filter(({ service }) => service !== 'operations')

/** What is fuzzed, by the names that `--only` takes. */
export const FUZZ_TARGETS: Readonly<Record<string, fc.Arbitrary<WireCase>>> = {
  json: jsonCases(routes),
  forms: formCases(routes),
  urls: targetCases(routes),
  headers: headerCases(routes),
  framing: framingCases(routes),
  graphql: graphqlCases(),
  websocket: socketCases(),
  multipart: multipartCases(),
  docx: docxCases(),
  pdf: pdfCases(),
  provider: providerCases(),
  mail: mailCases(),
}

/** The same case for the same seed and number. */
export function caseOf(name: string, seed: number, number: number): WireCase {
  const arbitrary = FUZZ_TARGETS[name]
  if (!arbitrary) throw new Error(`there is no target ${name}`)
  const [sample] = fc.sample(arbitrary, { seed: (seed + number) | 0, numRuns: 1 })
  if (!sample) throw new Error(`the target ${name} generated nothing`)
  return sample
}
