import { createHash, randomBytes } from 'node:crypto'
import type { Switches } from './switches.ts'

type Grant = { status: number; body: Record<string, unknown> }

/**
 * What a newcomer enters to use the simulator. Its refresh token is always accepted; those that the simulator issues are
 * accepted until the one that replaced them was used, so that an answer that was lost can be asked for again.
 */
export const simulatorClient = { clientId: 'kontor', clientSecret: 'simulator', refreshToken: 'simulator' }

export function createTokens(switches: Switches) {
  const codes = new Map<string, string>()
  const replacedBy = new Map<string, string>()
  const ended = new Set<string>()

  function grant(clientId: string, used?: string): Grant {
    // A token that was used and whose answer was lost leads to the same next one.
    const known = used !== undefined && used !== simulatorClient.refreshToken ? replacedBy.get(used) : undefined
    const refreshToken = known ?? `refresh-${clientId}-${randomBytes(16).toString('hex')}`
    if (used !== undefined && used !== simulatorClient.refreshToken) {
      replacedBy.set(used, refreshToken)
      for (const [older, newer] of replacedBy) if (newer === used) ended.add(older)
    }
    return {
      status: 200,
      body: {
        token_type: 'Bearer',
        access_token: signed(`${clientId} ${Math.floor(Date.now() / 1000) + switches.accessTokenSeconds}`),
        scope: 'scope',
        expires_in: switches.accessTokenSeconds,
        consented_on: Math.floor(Date.now() / 1000),
        refresh_token: refreshToken,
        refresh_token_expires_in: 2_592_000,
      },
    }
  }

  return {
    /** A code for the address that the browser returns to. It is used once. */
    authorize(clientId: string, redirectUri: string): string {
      const code = randomBytes(16).toString('hex')
      codes.set(code, `${clientId} ${redirectUri}`)
      return code
    },

    /** Answers a request for tokens as OAuth 2 says. */
    token(authorization: string, form: URLSearchParams): Grant {
      const [clientId = '', secret = ''] = clientOf(authorization, form)
      if (clientId !== simulatorClient.clientId || secret !== simulatorClient.clientSecret)
        return oauthError('unauthorized_client', 'The client is not known.')
      const type = form.get('grant_type')
      if (type === 'authorization_code') {
        const code = form.get('code') ?? ''
        const isRight = codes.get(code) === `${clientId} ${form.get('redirect_uri')}`
        codes.delete(code)
        return isRight ? grant(clientId) : oauthError('invalid_grant', 'The code is not valid.')
      }
      if (type !== 'refresh_token') return oauthError('invalid_request', 'grant_type is not supported.')
      const used = form.get('refresh_token') ?? ''
      const isKnown = used === simulatorClient.refreshToken || used.startsWith(`refresh-${clientId}-`)
      return isKnown && !ended.has(used) && !switches.withdrawn
        ? grant(clientId, used)
        : oauthError('invalid_grant', 'The refresh token is not valid.')
    },

    isAccessToken(authorization: string): boolean {
      const [text = '', seal = ''] = authorization.replace(/^Bearer /, '').split('.')
      const plain = Buffer.from(text, 'base64url').toString()
      return seal === sealOf(plain) && Number(plain.split(' ')[1]) > Date.now() / 1000
    },
  }
}

const oauthError = (error: string, description: string): Grant => ({
  status: 400,
  body: { error, error_description: description },
})

/** From the Basic header, or from the form. */
function clientOf(authorization: string, form: URLSearchParams): string[] {
  if (!authorization.startsWith('Basic ')) return [form.get('client_id') ?? '', form.get('client_secret') ?? '']
  const plain = Buffer.from(authorization.slice(6), 'base64').toString()
  const at = plain.indexOf(':')
  return [plain.slice(0, at), plain.slice(at + 1)]
}

// Several processes may run a simulator each: all accept the tokens of the others. They protect nothing.
const sealOf = (text: string) => createHash('sha256').update(`simulator ${text}`).digest('hex').slice(0, 32)
const signed = (text: string) => `${Buffer.from(text).toString('base64url')}.${sealOf(text)}`
