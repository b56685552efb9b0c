/** A multipart form with its headers, as a client sends it. */
export function form(parts: Part[], boundary = 'kontor-test'): { body: Buffer; headers: Record<string, string> } {
  const pieces = parts.flatMap(({ name, value, fileName, type }) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}\r\n`,
    `${type ? `Content-Type: ${type}\r\n` : ''}\r\n`,
    value,
    '\r\n',
  ])
  const body = Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)))
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
}

export type Part = { name: string; value: string | Buffer; fileName?: string; type?: string }
