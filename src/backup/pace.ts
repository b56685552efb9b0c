import { setTimeout as sleep } from 'node:timers/promises'

/** Between two pauses so much is read, compressed and written. */
const stretchBytes = 256 * 1024

/** How long a pause is, for each millisecond of work. Then a backup takes three times as long. */
const pauseShare = 2
const pauseMaxMs = 250

/** Waits between the pieces of a stream. */
export type Pace = (pieces: AsyncIterable<Buffer>) => AsyncIterable<Buffer>

/**
 * Pauses after every stretch, twice as long as the stretch took. Reading the tables, compressing and checking would otherwise use
 * two cores until the backup is done, and requests would wait for them. On a busy machine a stretch takes longer, and so does
 * the pause.
 */
export const pause: Pace = async function* (pieces) {
  let [began, bytes] = [performance.now(), 0]
  for await (const piece of pieces) {
    yield piece
    bytes += piece.length
    if (bytes < stretchBytes) continue
    await sleep(Math.min(pauseMaxMs, (performance.now() - began) * pauseShare))
    began = performance.now()
    bytes = 0
  }
}
