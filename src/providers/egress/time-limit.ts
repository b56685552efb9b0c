/**
 * Runs `work` for at most `ms`. After that, or when `signal` is aborted, the signal of `work` is aborted and the reason is
 * thrown, even if `work` has not reacted. `work` must close on that signal what it has opened.
 */
export async function withTimeLimit<T>(
  { ms, signal, late }: { ms: number; signal?: AbortSignal | undefined; late: () => Error },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const end = new AbortController()
  const stop = () => end.abort(signal?.reason)
  const timer = setTimeout(() => end.abort(late()), ms)
  signal?.addEventListener('abort', stop)
  try {
    return await Promise.race([work(end.signal), aborted(end.signal)])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
