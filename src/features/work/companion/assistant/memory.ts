import type { ShownRecord, Understood } from './understood.ts'

/** What the assistant asked at the end of the turn before. */
export type Asked =
  /** Which record a name means; or, with one choice, whether it is the one that is meant. */
  | { about: 'record'; understood: Understood; path: readonly (string | number)[]; choices: readonly ShownRecord[] }
  /** What was missing in this sentence. */
  | { about: 'detail'; text: string }
  /** Whether a record that does not exist shall be created, before what was asked for is done. */
  | {
      about: 'create'
      understood: Understood
      path: readonly (string | number)[]
      tool: string
      input: Record<string, unknown>
    }

export type Memory = { before: readonly Understood[]; shown: readonly ShownRecord[]; asked?: Asked | undefined }

const [beforeMax, shownMax] = [5, 20]

/** What was remembered; a session that begins, or a memory of another form, has none. */
export function readMemory(memory: unknown): Memory {
  if (typeof memory !== 'object' || memory === null) return { before: [], shown: [] }
  const { before, shown, asked } = memory as Partial<Memory>
  return {
    before: Array.isArray(before) ? before : [],
    shown: Array.isArray(shown) ? shown : [],
    ...(asked && { asked }),
  }
}

/** The memory after a turn: the latest sentence last, the latest records first. */
export function nextMemory(
  memory: Memory,
  now: { understood?: Understood; shown?: readonly ShownRecord[]; asked?: Asked },
): Memory {
  const fresh = now.shown ?? []
  const older = memory.shown.filter(({ id }) => !fresh.some((each) => each.id === id))
  return {
    before: [...memory.before, ...(now.understood ? [now.understood] : [])].slice(-beforeMax),
    shown: [...fresh, ...older].slice(0, shownMax),
    ...(now.asked && { asked: now.asked }),
  }
}
