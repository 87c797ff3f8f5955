import { TEXT_TOO_LONG } from '../../../capabilities/documents/plainText.ts'
import { firstQuestion, readExtraction, repairQuestion } from '../../../capabilities/extraction/extraction.ts'
import type { ParseTarget } from '../../../capabilities/extraction/parseTarget.ts'
import { DEFAULT_ALIASES } from '../../../contracts/aliases.ts'
import { DOCUMENT_TEXT_CHARS_MAX } from '../../../contracts/limits.ts'
import { JSON_TYPE } from '../../../platform/http/answer/answers.ts'
import { admitCall } from '../call/admission.ts'
import type { BilledContext } from '../call/beginCall.ts'
import { CallRecord } from '../call/callRecord.ts'
import { parseBound } from '../call/costBound.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { GatewayError, invalidRequest } from '../gatewayError.ts'
import type { RequestContext } from '../requestContext.ts'
import { ModelQuestions } from './modelQuestions.ts'

/** The parts of a request that a parse call needs, whether it came over REST or from a tool. */
export type ParseContext = BilledContext

export type Parsed = { readonly profile: unknown; readonly creditsCharged: string }

/** The alias for extraction; a key that may call only the second one uses that. */
const EXTRACT_ALIASES = [DEFAULT_ALIASES.extract, DEFAULT_ALIASES.extractFast] as const

/**
 * Parses a text into a profile, billed as one call. Resolves when the charge is durable. If the answer does not fit the
 * schema, the model is asked once more with the list of problems.
 */
export async function parseText(
  deps: GatewayDependencies,
  context: ParseContext,
  target: ParseTarget,
  text: string,
): Promise<Parsed> {
  checkText(text)
  const alias = extractAliasOf(context.key)
  const question = firstQuestion(target, text)
  const call = await admitCall(deps, context, alias, parseBound(target, question), { usedBy: 'parsing' })
  const caller = context.response
  const record = new CallRecord(deps, { context, caller, call, endpoint: target.endpoint, streamed: false })
  const questions = new ModelQuestions({
    deps,
    call,
    record,
    target,
    callId: context.callId,
    companyId: context.key.companyId,
    caller,
    trace: context.trace,
  })

  let extracted = readExtraction(target, await questions.ask(question))
  if ('problems' in extracted) {
    const repair = repairQuestion(question, extracted.answer, extracted.problems)
    extracted = readExtraction(target, await questions.ask(repair))
  }
  if ('problems' in extracted) {
    questions.failed('parse_invalid')
    throw new GatewayError(
      'parseFailed',
      'The model gave no valid profile of this text in two attempts. Nothing was charged.',
    )
  }
  const { profile } = extracted
  const answer = () => ({ contentType: JSON_TYPE, bytes: Buffer.from(JSON.stringify(profile)) })
  const creditsCharged = await record.chargeUsed(answer)
  record.answerWritten()
  return { profile, creditsCharged }
}

export function extractAliasOf({ models }: Pick<RequestContext['key'], 'models'>): string {
  return EXTRACT_ALIASES.find((each) => models?.has(each) ?? true) ?? EXTRACT_ALIASES[0]
}

function checkText(text: string): void {
  if (text.trim() === '') throw invalidRequest('There is no text to parse.')
  if (text.length > DOCUMENT_TEXT_CHARS_MAX) {
    throw invalidRequest(TEXT_TOO_LONG)
  }
}
