const HEX_DIGIT = '[0-9a-f]'

/**
 * A lowercase UUID of any version, as a part of a larger pattern. `isUuid` checks a whole text.
 * Written out digit by digit: V8 matches that more than twice as fast as counted repetitions, and every call is checked.
 */
export const UUID_SOURCE = [8, 4, 4, 4, 12].map((digits) => HEX_DIGIT.repeat(digits)).join('-')

export const UUID = new RegExp(`^${UUID_SOURCE}$`)

/** Every database returns ids in lowercase, so an id in capitals would name another stream and another row. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}
