/** What a logo may be: pictures that are printed on documents and shown on pages. */
const endings: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
}
const maxBytes = 2 * 1024 * 1024

/** How the file of a logo ends; undefined for a file that is none. */
export const logoEnding = ({ fileType, fileSize }: StoredFile): string | undefined =>
  Number(fileSize) <= maxBytes ? endings[fileType ?? ''] : undefined

export const isLogo = (file: StoredFile): boolean => logoEnding(file) !== undefined

type StoredFile = { fileType: string | null; fileSize: number | bigint | string | null }
