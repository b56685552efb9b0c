/** Where people go who came from nowhere in particular. */
export const home = '/account'

/**
 * Where to go after signing in: a path of this server, never another site (WEB-7). Browsers read a backslash as a slash
 * and pass over tabs and line ends, so an address with any of them is not followed either.
 */
export function nextOf(given: unknown): string {
  if (typeof given !== 'string' || given.length > 4000) return home
  return /^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(given) ? given : home
}
