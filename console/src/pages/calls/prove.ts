import { ApiError } from '../../api/apiError.ts'
import type { LedgerReceiptQuery } from '../../graphql/generated.ts'

export type Receipt = LedgerReceiptQuery['ledgerReceipt']

export type Check = {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  /** The receipt does not prove it, and need not. */
  readonly missing?: boolean
}

type Checker = {
  check(
    text: string,
    options: { readonly vkeys: readonly string[] },
  ): Promise<{ readonly ok: boolean; readonly checks: readonly Check[] }>
}

/** Not bundled, so that the file that runs here is the same one that anybody can download and read. */
const CHECKER = '/log/check.mjs'

/** Checks a receipt in this browser, with the checker and the key that the installation publishes. */
export async function prove(receipt: Receipt): Promise<readonly Check[]> {
  const { check } = (await import(/* @vite-ignore */ CHECKER)) as Checker
  const { checks } = await check(JSON.stringify(receipt), { vkeys: await verifierKeys() })
  return checks
}

async function verifierKeys(): Promise<readonly string[]> {
  const answer = await fetch('/log/vkey').catch(() => null)
  if (!answer?.ok) {
    const requestId = answer?.headers.get('x-request-id') ?? null
    throw new ApiError(
      'The public key of the transparency log could not be read.',
      `HTTP_${answer?.status ?? 0}`,
      requestId,
    )
  }
  // Notes about replaced keys follow after an empty line.
  const [keys = ''] = (await answer.text()).split('\n\n')
  return keys.split('\n').filter((line) => line !== '')
}
