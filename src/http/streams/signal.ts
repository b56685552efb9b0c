/** Remembers that something happened until it is waited for. */
export type Signal = { set(): void; next(): Promise<void> }

/** A signal that is also set when `ended` is aborted. */
export function createSignal(ended: AbortSignal): Signal {
  let isSet = false
  let resume = () => {}
  const set = () => {
    isSet = true
    resume()
  }
  ended.addEventListener('abort', set, { once: true })
  return {
    set,
    async next() {
      if (!isSet && !ended.aborted)
        await new Promise<void>((resolve) => {
          resume = resolve
        })
      isSet = false
    },
  }
}
