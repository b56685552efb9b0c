import { randomInt } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** Shorter answers fit into one packet and gain nothing. */
export const compressedMin = 1_024

/** Whether a header Accept-Encoding names this encoding, and not with the weight 0 (RFC 9110, 12.5.3). */
export function acceptsEncoding(name: string): (header: string | string[] | undefined) => boolean {
  const pattern = new RegExp(`(?:^|,)\\s*(?:x-)?${name}\\s*(?:;\\s*q=([\\d.]+)\\s*)?(?:,|$)`, 'i')
  return (header) => {
    const named = pattern.exec(String(header ?? ''))
    return named !== null && Number(named[1] ?? 1) > 0
  }
}

export const namesGzip = acceptsEncoding('gzip')

/** Whether the caller takes gzip, and did not come from a page of another site (docs/decisions/0090). */
export const acceptsGzip = ({ 'accept-encoding': accepted, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean =>
  site !== 'cross-site' && namesGzip(accepted)

const compress = promisify(gzip)

/** The most random bytes that an answer gets. */
const paddingMax = 100

/**
 * The text as gzip, made by a thread of the pool. Its header contains a file name of random length, which readers skip: nobody who
 * sees the length on the network learns what the text repeats (docs/decisions/0090).
 */
export async function gzipped(text: string): Promise<Buffer> {
  const bytes = await compress(text, { level: 1 })
  const header = Buffer.from(bytes.subarray(0, headerBytes))
  header[flagsAt] = hasName
  return Buffer.concat([header, Buffer.from(`${'x'.repeat(randomInt(paddingMax + 1))}\0`), bytes.subarray(headerBytes)])
}

// RFC 1952, 2.3: ten bytes, the fourth of which says what follows them.
const headerBytes = 10
const flagsAt = 3
const hasName = 8
