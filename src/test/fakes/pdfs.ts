import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

/** Small PDFs, written by hand. */

export type FakePage = {
  /** A content stream; `text` makes one. */
  content?: string
  rotate?: 0 | 90 | 180 | 270
  /** A picture over the whole page: grey pixels; in a form if `isWrapped`. */
  picture?: { width: number; height: number; pixels: Buffer; isWrapped?: boolean }
  size?: [number, number]
  /** The content of a form field on the page. */
  field?: string
}

export type FakePdf = {
  pages: FakePage[]
  attachments?: Record<string, Buffer>
  /** Protected with these passwords (RC4 of 128 bits). An empty user password lets everybody read. */
  passwords?: { user: string; owner: string }
}

/** Lines of text in Helvetica, each at a place in points from the bottom left. */
export const text = (...lines: [string, number, number, number?][]) =>
  lines
    .map(
      ([line, x, y, size = 12]) => `BT /F1 ${size} Tf 1 0 0 1 ${x} ${y} Tm (${line.replace(/[\\()]/g, '\\$&')}) Tj ET`,
    )
    .join('\n')

/** An object is a dictionary, with the bytes of a stream if it is one. */
type PdfObject = { dictionary: string; stream?: Buffer }

export function makePdf({ pages, attachments = {}, passwords }: FakePdf): Buffer {
  const objects: PdfObject[] = []
  const add = (dictionary: string, stream?: Buffer) => objects.push(stream ? { dictionary, stream } : { dictionary })
  const catalog = add('')
  const tree = add('')
  const font = add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>')
  const kids = pages.map(({ content = '', rotate = 0, picture, size = [595, 842], field }) => {
    const image =
      picture &&
      add(
        `<< /Type /XObject /Subtype /Image /Width ${picture.width} /Height ${picture.height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode`,
        deflateSync(picture.pixels),
      )
    const placed = `q ${size[0]} 0 0 ${size[1]} 0 0 cm /I1 Do Q\n`
    const form =
      image &&
      picture.isWrapped &&
      add(
        `<< /Type /XObject /Subtype /Form /BBox [0 0 ${size[0]} ${size[1]}] /Resources << /XObject << /I1 ${image} 0 R >> >>`,
        Buffer.from(placed),
      )
    const drawn = `${form ? '/I1 Do\n' : image ? placed : ''}${content}`
    const stream = add('<<', Buffer.from(drawn, 'latin1'))
    const shown =
      field &&
      add(
        `<< /Type /XObject /Subtype /Form /BBox [0 0 ${size[0]} ${size[1]}] /Resources << /Font << /F1 ${font} 0 R >> >>`,
        Buffer.from(field, 'latin1'),
      )
    const widget =
      shown &&
      add(
        `<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /F 4 /Rect [0 0 ${size[0]} ${size[1]}] /AP << /N ${shown} 0 R >> >>`,
      )
    return add(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${size[0]} ${size[1]}] /Rotate ${rotate} /Contents ${stream} 0 R /Resources << /Font << /F1 ${font} 0 R >> ${image ? `/XObject << /I1 ${form || image} 0 R >>` : ''} >> ${widget ? `/Annots [${widget} 0 R]` : ''} >>`,
    )
  })
  const files = Object.entries(attachments).map(([name, bytes]) => {
    const stream = add('<< /Type /EmbeddedFile /Subtype /text#2Fxml', bytes)
    return `(${name}) ${add(`<< /Type /Filespec /F (${name}) /UF (${name}) /AFRelationship /Alternative /EF << /F ${stream} 0 R >> >>`)} 0 R`
  })
  const names = files.length > 0 ? `/Names << /EmbeddedFiles << /Names [${files.join(' ')}] >> >>` : ''
  objects[catalog - 1] = { dictionary: `<< /Type /Catalog /Pages ${tree} 0 R ${names} >>` }
  const list = kids.map((kid) => `${kid} 0 R`).join(' ')
  objects[tree - 1] = { dictionary: `<< /Type /Pages /Kids [${list}] /Count ${kids.length} >>` }
  return written(objects, passwords)
}

function written(objects: readonly PdfObject[], passwords: FakePdf['passwords']): Buffer {
  const lock = passwords && protection(passwords)
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let length = parts[0]?.length ?? 0
  const push = (part: Buffer) => {
    parts.push(part)
    length += part.length
  }
  for (const [at, { dictionary, stream }] of objects.entries()) {
    offsets.push(length)
    const bytes = stream && lock ? lock.encrypted(stream, at + 1) : stream
    push(Buffer.from(`${at + 1} 0 obj\n${dictionary}${bytes ? ` /Length ${bytes.length} >>\nstream\n` : ''}`, 'latin1'))
    push(bytes ? Buffer.concat([bytes, Buffer.from('\nendstream\nendobj\n')]) : Buffer.from('\nendobj\n'))
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const trailer = `<< /Size ${objects.length + 1} /Root 1 0 R /ID [<${id.toString('hex')}> <${id.toString('hex')}>] ${lock?.entry ?? ''} >>`
  push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n${trailer}\nstartxref\n${length}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}

const id = Buffer.from('0123456789abcdef')
const md5 = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest()
const repeated = (start: Buffer, times: number) =>
  Array.from({ length: times }).reduce<Buffer>((hash) => md5(hash), start)
const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
const padded = (password: string) => Buffer.concat([Buffer.from(password, 'latin1'), padding]).subarray(0, 32)
const permissions = -44

/** The standard security handler, revision 3. Strings are not encrypted: the files above have none that matter. */
function protection({ user, owner }: { user: string; owner: string }) {
  const rounds = (key: Buffer, bytes: Buffer) =>
    Array.from({ length: 20 }, (_, round) => Buffer.from(key.map((byte) => byte ^ round))).reduce<Buffer>(
      (data, each) => rc4(each, data),
      bytes,
    )
  const ownerEntry = rounds(repeated(md5(padded(owner)), 50), padded(user))
  const flags = Buffer.alloc(4)
  flags.writeInt32LE(permissions)
  const key = repeated(md5(padded(user), ownerEntry, flags, id), 50)
  const userEntry = Buffer.concat([rounds(key, md5(padding, id)), Buffer.alloc(16)])
  const hex = (bytes: Buffer) => `<${bytes.toString('hex')}>`
  return {
    entry: `/Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P ${permissions} /O ${hex(ownerEntry)} /U ${hex(userEntry)} >>`,
    encrypted: (bytes: Buffer, number: number) =>
      rc4(md5(key, Buffer.from([number & 255, number >> 8, 0, 0, 0])), bytes),
  }
}

function rc4(key: Buffer, bytes: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, at) => at)
  const at = (index: number) => state[index & 255] ?? 0
  const swap = (one: number, other: number) => {
    const kept = at(one)
    state[one & 255] = at(other)
    state[other & 255] = kept
  }
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255
    swap(i, j)
  }
  let j = 0
  return Buffer.from(
    bytes.map((byte, n) => {
      const i = (n + 1) & 255
      j = (j + at(i)) & 255
      swap(i, j)
      return byte ^ at(at(i) + at(j))
    }),
  )
}

/** A page with forms in each other, each drawn twice by the one around it. */
export function nestedForms(levels: number): Buffer {
  const form = (resources: string, content: string) => ({
    dictionary: `<< /Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << ${resources} >>`,
    stream: Buffer.from(content),
  })
  const next = (number: number) => `/XObject << /A ${number} 0 R >>`
  return written(
    [
      { dictionary: '<< /Type /Catalog /Pages 2 0 R >>' },
      { dictionary: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>' },
      {
        dictionary: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << ${next(6)} /Font << /F1 5 0 R >> >> >>`,
      },
      { dictionary: '<<', stream: Buffer.from('/A Do') },
      { dictionary: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>' },
      ...Array.from({ length: levels }, (_, at) => form(next(7 + at), '/A Do /A Do')),
      form('/Font << /F1 5 0 R >>', text(['Hello', 10, 10])),
    ],
    undefined,
  )
}

/** A PDF of the typesetter with a file attached to it, as an update at its end. */
export function withAttachment(pdf: Uint8Array, name: string, bytes: Buffer): Buffer {
  const whole = Buffer.from(pdf).toString('latin1')
  const trailer = whole.slice(whole.lastIndexOf('trailer'))
  const found = (pattern: RegExp) => Number(pattern.exec(trailer)?.[1])
  const [size, root, table] = [found(/\/Size (\d+)/), found(/\/Root (\d+) 0 R/), found(/startxref\s+(\d+)/)]
  const head = `\n${root} 0 obj\n`
  const from = whole.lastIndexOf(head) + head.length
  const catalog = whole.slice(from, whole.indexOf('\nendobj', from)).replace(/\/Names\s+(<<.*?>>|\d+ 0 R)/s, '')
  const objects: [number, Buffer][] = [
    [
      root,
      Buffer.from(
        catalog.replace(
          />>\s*$/,
          `/AF [${size + 1} 0 R] /Names << /EmbeddedFiles << /Names [(${name}) ${size + 1} 0 R] >> >> >>`,
        ),
        'latin1',
      ),
    ],
    [
      size,
      Buffer.concat([
        Buffer.from(`<< /Type /EmbeddedFile /Subtype /text#2Fxml /Length ${bytes.length} >>\nstream\n`),
        bytes,
        Buffer.from('\nendstream'),
      ]),
    ],
    [
      size + 1,
      Buffer.from(
        `<< /Type /Filespec /F (${name}) /UF (${name}) /AFRelationship /Alternative /EF << /F ${size} 0 R >> >>`,
      ),
    ],
  ]
  const parts: Buffer[] = [Buffer.from(pdf), Buffer.from('\n')]
  let length = pdf.length + 1
  let entries = 'xref\n'
  for (const [number, body] of objects) {
    entries += `${number} 1\n${String(length).padStart(10, '0')} 00000 n \n`
    const part = Buffer.concat([Buffer.from(`${number} 0 obj\n`), body, Buffer.from('\nendobj\n')])
    parts.push(part)
    length += part.length
  }
  const end = `${entries}trailer\n<< /Size ${size + 2} /Root ${root} 0 R /Prev ${table} >>\nstartxref\n${length}\n%%EOF\n`
  return Buffer.concat([...parts, Buffer.from(end)])
}
