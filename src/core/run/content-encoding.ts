import { Failure } from '../define/failure.ts'

/**
 * Why a body cannot be read, if it is compressed or encoded in another way; undefined for a plain one. Bodies are never
 * decompressed, so a small body cannot expand to a large one (FLT-13).
 */
export function encodingProblem(header: string | undefined): Failure | undefined {
  if (header === undefined || /^\s*(identity)?\s*$/i.test(header)) return undefined
  return new Failure(
    'VALIDATION',
    'Send the body as it is, without a Content-Encoding: compressed bodies are not read.',
  )
}
