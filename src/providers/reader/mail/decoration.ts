import { pixelsIn } from '../../../core/files/image-size.ts'

export type Picture = { bytes: Buffer; contentType: string; name: string; isReferenced: boolean }

const sized = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** Width and height of a picture by its header; undefined if its kind has none that is read here. */
export function sizeOf({
  bytes,
  contentType,
}: Pick<Picture, 'bytes' | 'contentType'>): { width: number; height: number } | undefined {
  if (!sized.has(contentType)) return undefined
  try {
    return pixelsIn(bytes, contentType)
  } catch (error) {
    if (error instanceof RangeError) return { width: 0, height: 0 }
    throw error
  }
}

/** Programs and phones name what they embed so; a scanner or a person does not. */
const decorativeName =
  /^(image\d{3}|logo|banner|signature|icon|spacer|pixel|facebook|twitter|linkedin|instagram|youtube|whatsapp|outlook-\w*)[\w.-]*$/i

/**
 * Whether a picture is a logo of a signature, an icon, a banner or a tracking pixel and not a photo or scan of a document.
 * `letters` is the length of the text of the message: a photo that stands in it, sent from a phone, has little text around it.
 */
export function isDecoration(picture: Picture, { isBulk, letters }: { isBulk: boolean; letters: number }): boolean {
  const { isReferenced, name, contentType, bytes } = picture
  if (contentType === 'image/svg+xml' || contentType === 'image/x-icon') return true
  if (isBulk && isReferenced) return true
  const size = sizeOf(picture)
  if (!size) return bytes.length < 10_000 // HEIC, TIFF, BMP: cameras and scanners write these
  const { width, height } = size
  if (Math.min(width, height) < 100 || width > 4 * height || height > 15 * width) return true
  if (contentType === 'image/gif' && isReferenced) return true
  const area = width * height
  if (decorativeName.test(name) && area < 250_000) return true
  if (!isReferenced) return area < 40_000
  if (letters < 300) return area < 150_000
  return area < 500_000 || (contentType !== 'image/jpeg' && width > height)
}
