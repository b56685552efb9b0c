import { labelOf } from './labels.ts'
import type { Tell } from './told.ts'
import { change, line } from './values.ts'

/** Each setting that changes, with what it is now; only these are what the person decides on. */
const changeSettings: Tell = async (reader, { id: _, organizationId: __, ...changes }) => {
  const fields = Object.keys(changes)
  const before = await reader.pick('settings_get', { id: reader.organizationId }, 'settings', (now) =>
    Object.fromEntries(fields.map((field) => [field, now[field] ?? null])),
  )
  return { lines: fields.flatMap((field) => line(labelOf(field), change(before[field], changes[field]))) }
}

export const settings: Record<string, Tell> = { settings_update: changeSettings }
