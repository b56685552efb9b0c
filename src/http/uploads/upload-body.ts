import { rm } from 'node:fs/promises'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure, invalid } from '../../core/define/failure.ts'
import type { Operation } from '../../core/define/operation.ts'
import type { Received } from '../../core/files/file.ts'
import { receiveInto, tooLarge } from '../../core/files/receive.ts'
import type { Storage } from '../../core/outside/storage.ts'
import { encodingProblem } from '../../core/run/headers.ts'
import { closeConnection } from '../close-connection.ts'
import { parseBody } from '../json-body.ts'
import { formMaxBytes, isForm, readForm, toFormFailure } from './form-upload.ts'
import { jsonMaxBytes, readJsonUpload } from './json-upload.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The uploaded file; the other fields are in `body`. */
    received: Received | null
  }
}

/** Leaves the bodies of these routes unread until the caller is authorized. */
export async function deferBodyParsing(scope: FastifyInstance) {
  scope.removeAllContentTypeParsers()
  await scope.register(multipart)
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

/**
 * Reads the body of an upload and writes its file to a scratch file. An invalid body becomes `bodyProblem`, which the runner
 * reports after authorization; its file is discarded, and the connection closes after the answer.
 */
export async function readUpload(request: FastifyRequest, reply: FastifyReply, operation: Operation, storage: Storage) {
  const open = () => receiveInto(storage.scratch())
  try {
    const { body, text, received } = await readBody(request, operation, open)
    Object.assign(request, { body, bodyText: text, received: received ?? null })
  } catch (error) {
    const failure = toFormFailure(error)
    if (!(failure instanceof Failure)) throw failure
    closeConnection(reply)
    Object.assign(request, { body: {}, bodyText: '', bodyProblem: failure })
  }
}

export const discardUpload = ({ received }: FastifyRequest) => received && rm(received.path, { force: true })

type UploadBody = { body: object; text: string; received?: Received }

async function readBody(request: FastifyRequest, operation: Operation, open: () => ReturnType<typeof receiveInto>) {
  const { 'content-type': mediaType, 'content-length': length, 'content-encoding': encoding } = request.headers
  const encoded = encodingProblem(encoding)
  if (encoded) throw encoded
  if (isForm(mediaType)) {
    if (Number(length) > formMaxBytes) throw tooLarge()
    const { body, received } = await readForm(request, operation, open)
    return { body, text: JSON.stringify(body), ...(received && { received }) } satisfies UploadBody
  }
  if (!isJsonType(mediaType)) {
    if (mediaType === undefined && !Number(length ?? 0) && !request.headers['transfer-encoding'])
      return { body: {}, text: '' } satisfies UploadBody
    throw invalid('', `Send multipart/form-data or application/json; "${mediaType ?? 'no type'}" is not accepted here.`)
  }
  if (Number(length) > jsonMaxBytes) throw tooLarge()
  const { text, received } = await readJsonUpload(request.raw.iterator({ destroyOnReturn: false }), open)
  const body = parseBody(text)
  if (!(body instanceof Failure)) return { body, text, ...(received && { received }) } satisfies UploadBody
  if (received) await rm(received.path, { force: true })
  throw body
}

const isJsonType = (mediaType: string | undefined) => /^application\/([\w.+-]+\+)?json *(;.*)?$/i.test(mediaType ?? '')
