import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span, SpanOptions, Tracing } from './port.ts'

type Active = { readonly tracing: Tracing; readonly span: Span }

const active = new AsyncLocalStorage<Active>()

/**
 * The span that this code runs in. Gateways pass their spans as arguments; commands, model calls and log lines of other
 * work find theirs here. Without a collector there is none.
 */
export function activeSpan(): Span | undefined {
  return active.getStore()?.span
}

/** Runs the work in its own span: a child of the active one, unless `parent` says otherwise, or the root of a trace. */
export async function inSpan<Result>(
  tracing: Tracing | null | undefined,
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Result | Promise<Result>,
): Promise<Result> {
  if (!tracing) return work(undefined)
  const span = tracing.begin(name, { parent: activeSpan(), ...options })
  try {
    return await active.run({ tracing, span }, work, span)
  } catch (error) {
    span.fail(error instanceof Error ? error.name : 'Error')
    throw error
  } finally {
    span.end()
  }
}

/** Like inSpan if a span is active; otherwise just does the work. */
export async function inStep<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Result | Promise<Result>,
): Promise<Result> {
  return inSpan(active.getStore()?.tracing, name, options, work)
}
