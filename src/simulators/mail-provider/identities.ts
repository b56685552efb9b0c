import { createHash, generateKeyPair, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'

/** Signs identities (OpenID Connect) with a key that lives as long as the process. It is made when it is first needed. */
export function createIdentities() {
  let made: Promise<{ privateKey: KeyObject; publicKey: KeyObject }> | undefined
  const pair = () => {
    made ??= promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
    return made
  }
  return {
    async sign(claims: object): Promise<string> {
      const { privateKey, publicKey } = await pair()
      const parts = [{ alg: 'RS256', typ: 'JWT', kid: idOf(publicKey) }, claims]
      const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
      return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
    },
    async keys(): Promise<{ keys: object[] }> {
      const { publicKey } = await pair()
      return { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: idOf(publicKey), use: 'sig', alg: 'RS256' }] }
    },
  }
}

const idOf = (key: KeyObject) =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url')
    .slice(0, 16)
