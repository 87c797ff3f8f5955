import fc from 'fast-check'

/**
 * Any code point except lone surrogates, as a unit for fc.string. fast-check's own unit 'binary' covers the same but takes
 * a second or more to set up.
 */
export const anyCharacter = fc
  .oneof(fc.nat({ max: 0x7f }), fc.nat({ max: 0x10_ffff }))
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
