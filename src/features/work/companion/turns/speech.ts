/** How long text is collected before it is written, so that a fast model does not cause a write for every word. */
const pauseMs = 40

/** More than this nobody reads, and a model that repeats itself would never end. */
const charactersMax = 100_000

export class TooLong extends Error {}

/** Writes text while it is said: the first piece at once, further ones collected for a moment, all in order. */
export function createSpeech(write: (deltas: string[]) => Promise<unknown>) {
  let waiting: string[] = []
  let writing: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let said = 0
  let failure: unknown

  function send() {
    clearTimeout(timer)
    timer = undefined
    const deltas = waiting
    waiting = []
    if (deltas.length > 0)
      writing = writing
        .then(() => write(deltas))
        .catch((error) => {
          failure ??= error
        })
  }

  return {
    say(text: string) {
      if (failure) throw failure
      if (text === '') return
      said += text.length
      if (said > charactersMax) throw new TooLong()
      waiting.push(text)
      if (said === text.length) send()
      else timer ??= setTimeout(send, pauseMs)
    },
    /** Resolves when everything said so far is written; throws if it could not be. */
    async flush() {
      send()
      await writing
      if (failure) throw failure
    },
    get isEmpty() {
      return said === 0
    },
  }
}
