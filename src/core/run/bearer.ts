import { sha256 } from '../values/id.ts'
import type { Caller } from './call.ts'

/**
 * The caller that an Authorization header names, on every surface; a header without a token gets a credential that matches
 * nothing. A token that begins with `kt_` is an API key, any other is the access token of an app.
 */
export function bearerCaller(authorization: string, requestId: string, traceparent?: string): Caller {
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
  const source = token && !token.startsWith('kt_') ? 'OAUTH' : 'API_KEY'
  return { source, credential: token ? sha256(token) : noCredential, requestId, traceparent }
}

/** Matches no stored hash: those are 32 bytes long. */
const noCredential = Buffer.alloc(0)
