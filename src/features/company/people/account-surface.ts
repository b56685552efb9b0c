/**
 * What the operations of the account surface have in common. They act on a person's account and not inside an
 * organization, so each has `pool: 'system'`. Their scope is never checked: API keys and apps cannot call them.
 */

/** For people who are signed in with a browser session. */
export const withSession = { surface: 'account', within: 'caller', sources: ['SESSION'] } as const

/** For people who are not signed in, or need not be. */
export const withoutSession = {
  surface: 'account',
  within: 'caller',
  sources: [],
  open: true,
  scope: 'users:write',
} as const

/** Tries with a password or a code, per account. */
export const countedProofs = [{ bucket: 'proof', per: 'person' }] as const

/** Requests that send mail or try a token, per address. */
export const countedByAddress = { bucket: 'accountMail', per: 'address' } as const
