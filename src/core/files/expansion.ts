import { invalid } from '../define/failure.ts'

const expansionMaxBytes = 100 * 1024 * 1024
const ratioMax = 200
/** Short texts compress very well, so the ratio is checked only above this size. */
const ratioFromBytes = 1024 * 1024

/** Counts unpacked bytes, and throws once there are more than a legitimate file holds (FLT-13). */
export function createExpansionCounter(packedBytes: () => number) {
  let total = 0
  return {
    add(bytes: number) {
      total += bytes
      const tooDense = total > ratioFromBytes && total > packedBytes() * ratioMax
      if (total > expansionMaxBytes || tooDense) {
        throw invalid('file', 'The file expands to far more than its packed size allows.', 'FILE_EXPANDS')
      }
    },
    total: () => total,
  }
}
export type ExpansionCounter = ReturnType<typeof createExpansionCounter>
