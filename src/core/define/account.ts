import type { Language } from '../values/language.ts'

/** Where a request came from, as the surface that received it says. */
export type Origin = {
  address: string
  /** The address that rate limits count by: of IPv6 the network. */
  rateLimitAddress: string
  userAgent: string | null
  language: Language
}

/** What becomes of the caller's session; the surface turns it into a cookie. The secret leaves in that cookie alone. */
export type SessionEffect = { start: { secret: string; endsAt: Date } } | { end: true }

/** What operations with `pool: 'system'` get beside the ordinary context. */
export type AccountContext = {
  origin: Origin
  requestId: string
  /** SHA-256 of the session secret that the request carried, valid or not; null where it carried none. */
  sessionHash: Buffer | null
  /** Sets what becomes of the caller's session, once the operation has succeeded. */
  session(effect: SessionEffect): void
  /** Names the person in the audit row of a PUBLIC call, once they have proven who they are. */
  actAs(userId: string): void
  /** Gives the audit row another name than `recordedAs`. */
  recordAs(name: string): void
}
