/**
 * Moments at which a test build can be made to fail; they are too short to be hit from outside. `KONTOR_FAULT=before-commit`
 * kills the process there, `KONTOR_FAULT=before-commit=stall` stalls it. The bundler replaces the variable by undefined
 * (scripts/bundle.mjs), so the product contains none of this.
 */
export type FaultPoint =
  | 'after-idem-insert'
  | 'after-number'
  | 'before-commit'
  | 'after-commit-before-reply'
  | 'after-effect-before-record'
  | 'mid-file-write'
  | 'after-rename-before-row'

export function faultPoint(name: FaultPoint): void {
  if (process.env.KONTOR_FAULT !== undefined) strike(name, process.env.KONTOR_FAULT)
}

function strike(name: FaultPoint, fault: string) {
  const [point, how = 'kill'] = fault.split('=')
  if (point === name) faults[how as keyof typeof faults]()
}

const stallMs = 2_000

const faults = {
  kill() {
    process.kill(process.pid, 'SIGKILL')
    for (;;); // do not continue before the signal arrives
  },
  /** Blocks the event loop. */
  stall() {
    const until = Date.now() + stallMs
    while (Date.now() < until);
  },
  reject: () => void Promise.reject(new Error('A fault: an unhandled rejection.')),
  throw: () =>
    void setImmediate(() => {
      throw new Error('A fault: an uncaught error.')
    }),
}
