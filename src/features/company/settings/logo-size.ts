import type { Logo } from './logo.ts'

export const logoSizes = [32, 64, 96, 256, 512] as const
export type LogoSize = (typeof logoSizes)[number]

/** How many scaled logos a process keeps; one of 512 pixels has about 50 kB. */
const keptMax = 300
const kept = new Map<string, Promise<Buffer>>()

/** The logo of a file as PNG that fits into a square. It is scaled once: the content of a file never changes. */
export function scaledLogo(fileId: string, size: LogoSize, read: () => Promise<Logo>): Promise<Buffer> {
  const key = `${fileId}/${size}`
  const found = kept.get(key)
  if (found) return found
  const scaling = read().then(({ bytes }) => scale(bytes, size))
  kept.set(key, scaling)
  scaling.catch(() => kept.delete(key)) // the caller is told, and the next one tries again
  const [oldest] = kept.keys()
  if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest)
  return scaling
}

async function scale(bytes: Buffer, size: LogoSize): Promise<Buffer> {
  const { default: sharp } = await import('sharp') // large, and most processes never need it
  const picture = sharp(bytes, { failOn: 'error', pages: 1 }).rotate()
  return picture.resize(size, size, { fit: 'inside', withoutEnlargement: true }).png().toBuffer()
}
