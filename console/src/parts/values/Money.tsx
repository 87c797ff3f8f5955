import { exactCredits, shortCredits } from './credits.ts'

type Props = {
  /** The exact amount in millionths, as the API returns it. */
  readonly micros: string | bigint
  /** Rounded for reading; the exact amount is in the title. */
  readonly short?: boolean
}

/** An amount of credits. No other component formats one. */
export function Money({ micros, short = false }: Props) {
  const amount = BigInt(micros)
  const exact = exactCredits(amount)
  return (
    <span className="number" title={`${exact} credits`}>
      {short ? shortCredits(amount) : exact}
    </span>
  )
}
