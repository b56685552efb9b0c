import { appPath } from '../../web-app/addresses.ts'

/** The page after signing in, unless another one was requested: the web app. */
export const defaultPath = appPath

/**
 * The path to open after signing in, always on this server (WEB-7). Browsers read a backslash as a slash and skip tabs and
 * line ends, so a path with any of these is replaced by the default.
 */
export function safeNextPath(given: unknown): string {
  if (typeof given !== 'string' || given.length > 4000) return defaultPath
  return /^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(given) ? given : defaultPath
}
