import { z } from 'zod'

/** How the payment provider names its objects: evt_…, sub_…, in_…, and ours that stand beside them. */
export const providerId = z.string().regex(/^[A-Za-z0-9_-]{1,200}$/)
/** An amount of money in the smallest unit of its currency: cents, yen, fils. A string, as amounts of credits are. */
export const minorAmount = z.string().regex(/^(0|[1-9]\d{0,17})$/)
export const currency = z.string().regex(/^[a-z]{3}$/)
