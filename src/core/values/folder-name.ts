/** The name of a mail folder as IMAP sends it: ASCII, other letters in a variant of UTF-7 (RFC 3501, 5.1.3). */
export const toFolderName = (name: string): string =>
  name.replace(/&|[^\x20-\x7e]+/g, (letters) => {
    if (letters === '&') return '&-'
    const bytes = Buffer.from(letters, 'utf16le').swap16()
    return `&${bytes.toString('base64').replace(/=+$/, '').replaceAll('/', ',')}-`
  })

/** The name that people read. A name that is not encoded correctly stays as it is. */
export const fromFolderName = (name: string): string =>
  name.replace(/&([A-Za-z0-9+,]*)-/g, (encoded, letters: string) => {
    if (letters === '') return '&'
    const bytes = Buffer.from(letters.replaceAll(',', '/'), 'base64')
    return bytes.length > 0 && bytes.length % 2 === 0 ? bytes.swap16().toString('utf16le') : encoded
  })
