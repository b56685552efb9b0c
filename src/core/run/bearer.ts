import { sha256 } from '../values/id.ts'
import type { Caller } from './call.ts'

/**
 * The caller that an Authorization header names, on whichever surface it arrives; a header that names none is refused. API
 * keys tell themselves apart by how they begin; any other token was given to an app.
 */
export function bearerCaller(authorization: string, requestId: string): Caller {
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
  const source = token && !token.startsWith('kt_') ? 'OAUTH' : 'API_KEY'
  return { source, credential: token ? sha256(token) : noCredential, requestId }
}

/** Matches no stored hash: those are 32 bytes long. */
const noCredential = Buffer.alloc(0)
