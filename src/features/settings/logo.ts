/** What a logo may be: pictures that are printed on documents and shown on pages, by the ending of their files. */
export const logoEndings: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
}

export const logoMaxBytes = 2 * 1024 * 1024

export const isLogo = ({
  fileType,
  fileSize,
}: {
  fileType: string | null
  fileSize: number | bigint | string | null
}) => logoEndings[fileType ?? ''] !== undefined && Number(fileSize) <= logoMaxBytes
