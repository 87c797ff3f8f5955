import { z } from 'zod'
import { isoTime, type Upcaster } from './definition.ts'

/** The id of an object of the payment provider (evt_…, sub_…, in_…), or of our own in its place. */
export const providerId = z.string().regex(/^[A-Za-z0-9_-]{1,200}$/)
/** An amount of money in the smallest unit of its currency: cents, yen, fils. A string, as amounts of credits are. */
export const minorAmount = z.string().regex(/^(0|[1-9]\d{0,17})$/)
export const CURRENCY = /^[a-z]{3}$/
export const currency = z.string().regex(CURRENCY)

/** Our time of the question that an answer of the provider belongs to; null in answers of schema version 1. */
export const askedAt = isoTime.nullable()
export const withoutAskedAt: Upcaster = (data) => ({ ...data, askedAt: null })
