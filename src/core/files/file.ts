import type { Readable } from 'node:stream'
import { type Static, Type } from '../define/schema.ts'

export const fileMaxBytes = 20 * 1024 * 1024
const labelMax = 200

/** A file as tools and JSON bodies bring it. Over HTTP it may also be the part `file` of a multipart form. */
export const FileInput = Type.Object(
  {
    fileName: Type.String({ minLength: 1, maxLength: 1_000, description: 'What people call it; a label only.' }),
    fileType: Type.Optional(
      Type.String({ maxLength: 255, description: 'Its media type as the sender knows it. The content decides.' }),
    ),
    base64: Type.Optional(
      Type.String({ contentEncoding: 'base64', description: 'The bytes in standard padded base64, no data URL.' }),
    ),
    url: Type.Optional(
      Type.String({ maxLength: 2_048, description: 'A public address that returns the bytes, in place of base64.' }),
    ),
  },
  {
    description: 'The file: exactly one of `base64` and `url`. At most 20 MiB.',
    examples: [{ fileName: 'receipt.txt', fileType: 'text/plain', base64: 'VGF4aSwgMTIuNTAgU0dE' }],
  },
)
export type FileInput = Static<typeof FileInput>

/** Bytes that have arrived, in a file of their own that goes away with the call. */
export type Received = { path: string; size: number; sha256: string }

/** A file that came with a call, however it came, as the runner hands it to the operation. */
export type Upload = Received & {
  /** A label that is safe to show and to keep; never a path. */
  fileName: string
  /** What the bytes are. */
  fileType: string
  /** What the sender said they are. */
  declaredType: string | null
}

/** What an operation returns whose `output` is `File`: a surface sends it as an attachment, a resource or a link. */
export type FileAnswer = {
  fileName: string
  fileType: string
  /** Unknown for what is made while it is sent. */
  fileSize?: number
  /** Called once by the surface that sends the bytes; a surface that gives out a link does not call it. */
  open(): Promise<Readable>
  /** A signed address that opens the same file without credentials, where there is one. */
  link?: string
}

/** The `output` of an operation that answers with a file. */
export const File = Type.Unsafe<FileAnswer>({
  type: 'string',
  format: 'binary',
  description: 'The file itself, as an attachment.',
})

export const isFile = (output: unknown): boolean => output === File

/** A client's name for a file as a label: its last part, without what moves the cursor or hides the ending. */
export function toLabel(name: string): string {
  const last = Buffer.from(name)
    .toString()
    .normalize('NFC')
    .split(/[/\\]/)
    .findLast((part) => part.trim() !== '')
  const plain = (last ?? '').replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, '').trim()
  return [...plain].slice(0, labelMax).join('') || 'file'
}

/** A media type that a sender declared, if it is one at all. */
export const toMediaType = (text: string | undefined): string | null =>
  /^[\w.+-]{1,100}\/[\w.+-]{1,100}/.exec(text ?? '')?.[0].toLowerCase() ?? null
