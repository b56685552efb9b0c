/**
 * A signal that aborts after this time, or with one of the given signals. `AbortSignal.any` with `AbortSignal.timeout` is not
 * used for this: in Node 20 the garbage collector may remove the timeout, and the signal never aborts.
 */
export function timeLimit(ms: number, ...signals: AbortSignal[]): AbortSignal {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new DOMException(`${ms} ms have passed.`, 'TimeoutError')), ms)
  timer.unref()
  return signals.length === 0 ? limit.signal : AbortSignal.any([limit.signal, ...signals])
}
