import { type ErrorCode, errorCodes } from '../core/define/error-codes.ts'
import { Failure } from '../core/define/failure.ts'
import { previewOf } from '../features/work/companion/preview/preview.ts'
import type { Preview, PreviewContext } from '../features/work/companion/preview/preview-types.ts'
import { operationNamed, type Someone } from './world.ts'

/** Executes reading operations over HTTP with the rights of a person, as the companion does. */
const contextOf = (someone: Someone): PreviewContext => ({
  organizationId: String(someone.organizationId),
  async call(tool, input) {
    const operation = operationNamed(tool)
    if (!operation.reads) throw new Error(`A preview calls ${tool}, which writes.`)
    const { status, body } = await someone.request(operation, input)
    if (status < 400) return body
    const { code, message, details } = (body as { error: { code: string; message: string; details: [] } }).error
    if (!(code in errorCodes)) throw new Error(message)
    throw new Failure(code as ErrorCode, message, { details })
  },
})

/** What a person is shown before a call. */
export const previewFor = (someone: Someone, tool: string, input: Record<string, unknown>): Promise<Preview> =>
  previewOf(contextOf(someone), operationNamed(tool), input)
