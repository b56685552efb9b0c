type History<T> = { past: readonly T[]; now: T; future: readonly T[]; tag: string; at: number }
type Step<T> = { do: 'change'; to: T; tag: string; at: number } | { do: 'undo' | 'redo' } | { do: 'reset'; to: T }

const togetherMs = 1000
const stepsMax = 200

/** A change under the tag of the one before, made within a second, is part of it: a word is undone, not a letter. */
export function historyStep<T>(history: History<T>, step: Step<T>): History<T> {
  const { past, now, future, tag, at } = history
  switch (step.do) {
    case 'change': {
      const together = step.tag !== '' && step.tag === tag && step.at - at < togetherMs
      return {
        past: together ? past : [...past.slice(-stepsMax), now],
        now: step.to,
        future: [],
        tag: step.tag,
        at: step.at,
      }
    }
    case 'undo': {
      const before = past.at(-1)
      if (before === undefined) return history
      return { past: past.slice(0, -1), now: before, future: [now, ...future], tag: '', at: 0 }
    }
    case 'redo': {
      const [after, ...rest] = future
      if (after === undefined) return history
      return { past: [...past, now], now: after, future: rest, tag: '', at: 0 }
    }
    case 'reset':
      return { past: [], now: step.to, future: [], tag: '', at: 0 }
  }
}
