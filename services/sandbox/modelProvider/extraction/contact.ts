import { fold } from './foldedText.ts'
import { type Labelled, valueBehind } from './labels.ts'
import { looksLikeRole } from './organisationWords.ts'

const EMAIL = /[\p{L}\d._%+-]+@[\p{L}\d-]+(?:\.[\p{L}\d-]+)+/u
const PHONE = /(?<![\d\p{L}])(?:\+|\(?0|\(\d)[\d\s()./-]{5,}\d|(?<![\d\p{L}])\d{3}[\s.-]\d{3}[\s.-]\d{4}\b/u
const PHONE_DIGITS_MIN = 7
const LINK = /https?:\/\/[^\s|,;)]+|www\.[^\s|,;)]+|(?<![@\p{L}\d.-])(?:[\p{L}\d-]+\.)+\p{L}{2,}\/[^\s|,;)]+/giu
const PLACE_LABEL =
  /^(location|address|adresse|wohnort|anschrift|lives in|based in|city|ville|lieu|lieu de travail|standort|einsatzort|arbeitsort|dienstort|ort|residence|place( of work)?|where|work location|localisation|ubicacion|ciudad|domicile)$/

export function emailIn(text: string): string | null {
  return EMAIL.exec(text)?.[0] ?? null
}

export function phoneIn(text: string): string | null {
  const found = PHONE.exec(text)?.[0].trim()
  return found !== undefined && found.replace(/\D/g, '').length >= PHONE_DIGITS_MIN ? found : null
}

export function linksIn(text: string): string[] {
  const found = [...text.matchAll(LINK)].map(([link]) => link.replace(/[.,;:]+$/, ''))
  return [...new Set(found)]
}

/** The person's name: the value of a name label, or else the first line at the top that looks like a name. */
export function personNameIn(head: readonly string[], labelled: readonly Labelled[]): string | null {
  const labelledName = valueBehind(labelled, /^((full |sur)?name|vor- und nachname|nom( complet)?|nombre)$/)
  if (labelledName !== null) return labelledName
  for (const line of head) {
    const candidate = (line.split(/\s*[|·,\t]\s*|\s+[–—-]\s+|\s{3,}/)[0] ?? '').trim()
    if (isName(candidate)) return /\p{Ll}/u.test(candidate) ? candidate : capitalised(candidate)
  }
  return null
}

function isName(text: string): boolean {
  if (/[\d@:/]/.test(text) || looksLikeRole(text)) return false
  const words = text.split(/\s+/)
  return (
    words.length >= 2 &&
    words.length <= 5 &&
    words.every((word) => /^(\p{Lu}[\p{L}'’.-]*|de|von|van|der|la|le|du|di|zu)$/u.test(word))
  )
}

function capitalised(text: string): string {
  return text.toLowerCase().replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase())
}

/** Where the person lives: found by its label, by a postcode, or as what remains of the lines at the top. */
export function homeIn(head: readonly string[], labelled: readonly Labelled[], name: string | null): string | null {
  const labelledPlace = valueBehind(labelled, PLACE_LABEL)
  if (labelledPlace !== null) return placeIn(labelledPlace)
  const left = head.filter((line) => !/^[^:@]{2,40}:\s/.test(line)).flatMap((line) => leftOver(line, name))
  const addressed = left.find((piece) => POSTCODE.test(piece))
  if (addressed !== undefined) return placeIn(addressed)
  const places = left.filter(
    (piece) => /^\p{Lu}[\p{L}'’ .-]+(, ?\p{Lu}[\p{L}'’ .-]*)?$/u.test(piece) && !looksLikeRole(piece),
  )
  return places.find((piece) => piece.includes(',')) ?? places.at(-1) ?? null
}

const POSTCODE = /(?:^|[\s,])(?:[A-Z]{1,2}-)?\d{4,5}\s+(\p{Lu}[\p{L}'’ -]+(?:, \p{Lu}[\p{L} ]+)?)/u

/** The town of an address with what follows it. Remarks in brackets are dropped. */
export function placeIn(text: string): string | null {
  const town = POSTCODE.exec(text)?.[1]
  return (town ?? text).replace(/\s*\([^)]*\)/g, '').trim() || null
}

function leftOver(line: string, name: string | null): string[] {
  let rest = line
  for (const found of [emailIn(rest), phoneIn(rest), ...linksIn(rest)])
    if (found !== null) rest = rest.replace(found, '|')
  return rest
    .split(/[|·•\t]|\s\/\s|\s+[–—-]\s+|\s{3,}/)
    .map((piece) => piece.replace(/^[\s,;/-]+|[\s,;/-]+$/g, ''))
    .filter((piece) => piece !== '' && piece.length <= 60 && (name === null || fold(piece) !== fold(name)))
}
