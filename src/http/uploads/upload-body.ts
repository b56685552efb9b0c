import { rm } from 'node:fs/promises'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure, invalid } from '../../core/define/failure.ts'
import type { Operation } from '../../core/define/operation.ts'
import type { Received } from '../../core/files/file.ts'
import { receiveInto, tooLarge } from '../../core/files/receive.ts'
import type { Storage } from '../../core/outside/storage.ts'
import { closeConnection } from '../close-connection.ts'
import { parseBody } from '../json-body.ts'
import { formMaxBytes, isForm, readForm, toFormFailure } from './form-upload.ts'
import { jsonMaxBytes, readJsonUpload } from './json-upload.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The bytes of the file in the body, and what else it said is in `body`. */
    received: Received | null
  }
}

/** Bodies of these routes stay on the wire until their caller is known. */
export async function leaveBodiesUnread(scope: FastifyInstance) {
  scope.removeAllContentTypeParsers()
  await scope.register(multipart)
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

/**
 * Reads the body of an upload, the file in it into a scratch file. What is wrong with it becomes `bodyProblem`, which is
 * told when the caller has been let in; then nothing of it is kept, and the connection ends with the answer.
 */
export async function readUpload(request: FastifyRequest, reply: FastifyReply, operation: Operation, storage: Storage) {
  const open = () => receiveInto(storage.scratch())
  try {
    const { body, text, received } = await bodyOf(request, operation, open)
    Object.assign(request, { body, bodyText: text, received: received ?? null })
  } catch (error) {
    const failure = toFormFailure(error)
    if (!(failure instanceof Failure)) throw failure
    closeConnection(reply)
    Object.assign(request, { body: {}, bodyText: '', bodyProblem: failure })
  }
}

export const discardUpload = ({ received }: FastifyRequest) => received && rm(received.path, { force: true })

type Body = { body: object; text: string; received?: Received }

async function bodyOf(request: FastifyRequest, operation: Operation, open: () => ReturnType<typeof receiveInto>) {
  const { 'content-type': mediaType, 'content-length': length } = request.headers
  if (isForm(mediaType)) {
    if (Number(length) > formMaxBytes) throw tooLarge()
    const { body, received } = await readForm(request, operation, open)
    return { body, text: JSON.stringify(body), ...(received && { received }) } satisfies Body
  }
  if (!isPlainJson(mediaType)) {
    if (mediaType === undefined && !Number(length ?? 0) && !request.headers['transfer-encoding'])
      return { body: {}, text: '' } satisfies Body
    throw invalid('', `Send multipart/form-data or application/json; "${mediaType ?? 'no type'}" is not read here.`)
  }
  if (Number(length) > jsonMaxBytes) throw tooLarge()
  const { text, received } = await readJsonUpload(request.raw.iterator({ destroyOnReturn: false }), open)
  const body = parseBody(text)
  if (!(body instanceof Failure)) return { body, text, ...(received && { received }) } satisfies Body
  if (received) await rm(received.path, { force: true })
  throw body
}

const isPlainJson = (mediaType: string | undefined) => /^application\/([\w.+-]+\+)?json *(;.*)?$/i.test(mediaType ?? '')
