import { createHash, randomBytes } from 'node:crypto'
import { isId } from '../../../core/values/id.ts'

/** The page that the authority sends the browser back to. The address is registered there, so it is the same for everybody. */
export const authorityPath = '/connect/tax-authority'

type Connecting = { integrationId: string; organizationId: string }

/** A new state: it names what is being connected, and nobody can guess it. */
export const newState = ({ integrationId, organizationId }: Connecting): string =>
  `${integrationId}.${organizationId}.${randomBytes(32).toString('base64url')}`

/** What a state names; undefined for another text. Whether it is genuine is checked when it is used. */
export function readState(state: string): Connecting | undefined {
  const [integrationId = '', organizationId = '', random = '', ...more] = state.split('.')
  const isState = /^[a-z-]{1,40}$/.test(integrationId) && isId(organizationId) && random !== '' && more.length === 0
  return isState ? { integrationId, organizationId } : undefined
}

/** The stored form, which is that of one person in one session (THR-21). */
export const stateHash = (state: string, { userId, sessionId }: { userId: string; sessionId: string | null }): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([state, userId, sessionId]))
    .digest()
