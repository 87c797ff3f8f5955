/** How long before it takes effect a change of a price is decided. */
export const PRICE_LEAD_MS = 5_000
/**
 * How long before it takes effect a change of a price is stored; one that was stored later takes effect later. A gateway
 * admits no call while its view of prices may be nearly as old as this, so no call is charged at outdated prices.
 */
export const PRICE_NOTICE_MS = 4_500
