import { invalid } from '../define/failure.ts'

const expansionMaxBytes = 100 * 1024 * 1024
const ratioMax = 200
/** A little text packs very well: the ratio counts only past this much. */
const ratioFromBytes = 1024 * 1024

/** Counts what comes out of something packed, and stops it once it is more than any honest file holds (FLT-13). */
export function createCounter(packedBytes: () => number) {
  let total = 0
  return {
    add(bytes: number) {
      total += bytes
      const tooDense = total > ratioFromBytes && total > packedBytes() * ratioMax
      if (total > expansionMaxBytes || tooDense) {
        throw invalid('file', 'The file unpacks to far more than it should.', 'FILE_EXPANDS')
      }
    },
    total: () => total,
  }
}
export type ExpansionCounter = ReturnType<typeof createCounter>
