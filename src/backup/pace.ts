import { setTimeout as sleep } from 'node:timers/promises'

/** Between two pauses so much is read, compressed and written: a few milliseconds of work. */
const stretchBytes = 64 * 1024

/** How long a pause is, for each millisecond of work. Then a backup takes four times as long. */
const pauseShare = 3
const pauseMaxMs = 250

/** Waits between the pieces of a stream. */
export type Pace = (pieces: AsyncIterable<Buffer>) => AsyncIterable<Buffer>

/**
 * Pauses after every stretch, three times as long as the stretch took. Reading the tables, compressing and checking would
 * otherwise use two cores until the backup is done, and requests would wait for them. On a busy machine a stretch takes longer,
 * and so does the pause.
 */
export const pause: Pace = async function* (pieces) {
  let began = performance.now()
  let bytes = 0
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += stretchBytes) {
      const part = piece.subarray(at, at + stretchBytes)
      yield part
      bytes += part.length
      if (bytes < stretchBytes) continue
      await sleep(Math.min(pauseMaxMs, (performance.now() - began) * pauseShare))
      began = performance.now()
      bytes = 0
    }
  }
}
