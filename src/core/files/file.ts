import type { Readable } from 'node:stream'
import { type Static, type TSchema, Type } from '../define/schema.ts'

export const fileMaxBytes = 20 * 1024 * 1024
const labelMax = 200

/** A file in a tool call or JSON body. Over HTTP it may also be the part `file` of a multipart form. */
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

/** Received bytes, in a temporary file that is removed with the call. */
export type Received = { path: string; size: number; sha256: string }

/** The file of a call, as the runner passes it to the operation. */
export type Upload = Received & {
  /** A name that is safe to show and to store; never a path. */
  fileName: string
  /** The media type by the bytes. */
  fileType: string
  /** The media type by the sender. */
  declaredType: string | null
}

/** The result of an operation whose `output` is `File`: a surface sends it as an attachment, a resource or a link. */
export type FileAnswer = {
  fileName: string
  fileType: string
  /** Undefined if the file is generated while it is sent. */
  fileSize?: number
  /** Called once by the surface that sends the bytes; a surface that returns a link does not call it. */
  open(): Promise<Readable>
  /** All bytes, if they are in memory anyway: they are sent without a stream. */
  bytes?: Buffer
  /** Whether browsers show it instead of saving it. Only for what was printed or drawn here, a PDF or a picture, and for the PDF of a receipt. */
  inline?: true
  /** A signed URL that opens the same file without credentials, if there is one. */
  link?: string
  /** How many seconds the browser of the caller may keep it. Not at all unless given. */
  keptS?: number
}

/** The `output` of an operation that returns a file. */
export const File = Type.Unsafe<FileAnswer>({
  type: 'string',
  format: 'binary',
  description: 'The file itself, as an attachment.',
})

export const isFile = (output: unknown): boolean => output === File

const formats = new WeakMap<object, readonly string[]>()

/** An `output` that is JSON, or a file of these media types where the caller asks for it; `run` then returns `inFormat(file)`. */
export function orFile<S extends TSchema>(output: S, ...fileTypes: readonly [string, ...string[]]): S {
  formats.set(output, fileTypes)
  return output
}

/** The media types of the files that an operation with this output may answer with instead. */
export const fileTypesOf = (output: object): readonly string[] => formats.get(output) ?? []

/** The file as the result of an operation with `orFile`. */
export const inFormat = (file: FileAnswer) => file as never

/** Whether the result of an operation is a file: a result of JSON has no functions. */
export const isFileAnswer = (output: object, result: unknown): result is FileAnswer =>
  isFile(output) || (formats.has(output) && typeof (result as Partial<FileAnswer>).open === 'function')

/** A client's file name made safe: its last part, without control characters and marks that hide the extension. */
export function toLabel(name: string): string {
  const last = Buffer.from(name)
    .toString()
    .normalize('NFC')
    .split(/[/\\]/)
    .findLast((part) => part.trim() !== '')
  const plain = (last ?? '').replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, '').trim()
  return [...plain].slice(0, labelMax).join('') || 'file'
}

/** The media type that the sender declared, if it is a valid one. */
export const toMediaType = (text: string | undefined): string | null =>
  /^[\w.+-]{1,100}\/[\w.+-]{1,100}/.exec(text ?? '')?.[0].toLowerCase() ?? null
