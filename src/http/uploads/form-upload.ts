import { rm } from 'node:fs/promises'
import type { MultipartFile, MultipartValue } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { Failure, invalid } from '../../core/define/failure.ts'
import type { Operation } from '../../core/define/operation.ts'
import type { TObject } from '../../core/define/schema.ts'
import { fileMaxBytes, type Received } from '../../core/files/file.ts'
import type { Receiver } from '../../core/files/receive.ts'
import { fromText } from '../../core/run/request.ts'

const fieldsMax = 20
const fieldMaxBytes = 64 * 1024

/** One file, all fields and the overhead of the form. */
export const formMaxBytes = fileMaxBytes + fieldsMax * fieldMaxBytes + 64 * 1024

/** multipart/form-data with parameters, at least a boundary. */
export const isForm = (mediaType: string | undefined) =>
  /^multipart\/form-data *; *[\x20-\x7e]+$/i.test(mediaType ?? '')

type ReadForm = { body: Record<string, unknown>; received?: Received }

/** Reads a multipart form: the part `file` goes into a scratch file, the others become fields of the input. */
export async function readForm(
  request: FastifyRequest,
  { input }: Operation,
  open: () => Promise<Receiver>,
): Promise<ReadForm> {
  const form: ReadForm = { body: {} }
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field') readField(form, part, input)
      else await readFile(form, part, open)
    }
    return form
  } catch (error) {
    if (form.received) await rm(form.received.path, { force: true })
    throw error
  }
}

function readField({ body }: ReadForm, { fieldname, value, valueTruncated }: MultipartValue, input: TObject) {
  if (valueTruncated)
    throw invalid(fieldname, `${fieldname} is longer than the ${fieldMaxBytes / 1024} KiB that a form field may have.`)
  const known = Object.hasOwn(input.properties, fieldname) ? input.properties[fieldname] : undefined
  if (value !== '') body[fieldname] = fromText((known as { type?: string } | undefined)?.type, String(value))
}

async function readFile(form: ReadForm, part: MultipartFile, open: () => Promise<Receiver>) {
  if (part.fieldname !== 'file' || form.received) {
    throw invalid(part.fieldname, 'A form holds one file, in the part named file.')
  }
  const receiver = await open()
  try {
    for await (const piece of part.file) await receiver.write(piece)
  } catch (error) {
    await receiver.discard()
    throw error
  }
  form.received = await receiver.finish()
  form.body.file = { fileName: part.filename || 'file', fileType: part.mimetype.slice(0, 255), base64: '' }
}

const limits = {
  fileSize: fileMaxBytes + 1, // one byte more than allowed, so that a larger file is noticed
  files: 1,
  fields: fieldsMax,
  parts: fieldsMax + 1,
  fieldSize: fieldMaxBytes,
  fieldNameSize: 100,
  headerPairs: 50,
}

/** Turns an error of the multipart parser into a failure with our message. */
export function toFormFailure(error: unknown): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  const message =
    parserMessages[code] ??
    (code.startsWith('FST_') || !code ? 'The form cannot be read: it is cut off or malformed.' : '')
  return message ? new Failure('VALIDATION', message, { cause: error }) : error
}

const parserMessages: Record<string, string> = {
  FST_FILES_LIMIT: 'A form holds one file, in the part named file.',
  FST_FIELDS_LIMIT: `A form has at most ${fieldsMax} fields.`,
  FST_PARTS_LIMIT: `A form has at most ${fieldsMax} fields and one file.`,
  ECONNRESET: 'The upload was interrupted.',
}
