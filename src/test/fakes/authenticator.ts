import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** An authenticator in software (WebAuthn, ES256): it makes a passkey and signs in with it. */
export function createAuthenticator({ origin, rpId }: { origin: string; rpId: string }) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const rawId = randomBytes(16)
  const id = rawId.toString('base64url')
  let uses = 0

  const clientData = (type: string, challenge: string) => Buffer.from(JSON.stringify({ type, challenge, origin }))
  const header = (flags: number) => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(++uses)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter])
  }
  const answer = { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} }

  return {
    id,
    /** The public key as the server stores it (COSE). */
    publicKey: coseKey(x, y),

    /** What `navigator.credentials.create` answers. */
    register(challenge: string) {
      const idLength = Buffer.from([0, rawId.length])
      const data = Buffer.concat([
        header(present | verified | attested),
        Buffer.alloc(16),
        idLength,
        rawId,
        coseKey(x, y),
      ])
      return {
        ...answer,
        response: {
          clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
          attestationObject: attestationObject(data).toString('base64url'),
        },
      }
    },

    /** What `navigator.credentials.get` answers. */
    signIn(challenge: string) {
      const [data, client] = [header(present | verified), clientData('webauthn.get', challenge)]
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return {
        ...answer,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      }
    },
  }
}

const [present, verified, attested] = [0x01, 0x04, 0x40]

const sha256 = (value: string | Buffer) => createHash('sha256').update(value).digest()

/** CBOR of `{1: 2, 3: -7, -1: 1, -2: x, -3: y}`: an elliptic curve key on P-256 for ES256. */
const coseKey = (x: string, y: string) =>
  Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])

/** CBOR of `{fmt: 'none', attStmt: {}, authData}`. */
function attestationObject(authData: Buffer) {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(authData.length)
  const before = ['a3', '63', hex('fmt'), '64', hex('none'), '67', hex('attStmt'), 'a0', '68', hex('authData'), '59']
  return Buffer.concat([Buffer.from(before.join(''), 'hex'), length, authData])
}
const hex = (text: string) => Buffer.from(text).toString('hex')
