import { generateKeyPairSync, sign } from 'node:crypto'
import { isIP } from 'node:net'

/** A self-signed certificate (X.509 in DER), written here so that tests need no other program. */
export function selfSigned({ host, until = new Date('2049-12-31') }: { host: string; until?: Date }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(set(sequence(oid('550403'), der(0x0c, Buffer.from(host)))))
  const altName = isIP(host) === 4 ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host))
  const certified = sequence(
    der(0xa0, integer(2)),
    integer(1),
    ecdsaWithSha256,
    name,
    sequence(instant(new Date('2020-01-01')), instant(until)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(extension('551d11', sequence(altName)), extension('551d13', sequence(der(0x01, Buffer.from([255]))))),
    ),
  )
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', certified, privateKey)]))
  const bytes = sequence(certified, ecdsaWithSha256, signature)
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function der(tag: number, content: Buffer) {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: Buffer[]) => der(0x30, Buffer.concat(parts))
const set = (part: Buffer) => der(0x31, part)
const integer = (value: number) => der(0x02, Buffer.from([value]))
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const extension = (id: string, value: Buffer) => sequence(oid(id), der(0x04, value))
// UTCTime: two digits of the year, 1950 to 2049.
const instant = (at: Date) => der(0x17, Buffer.from(`${at.toISOString().slice(2, 19).replace(/[-T:]/g, '')}Z`))
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
