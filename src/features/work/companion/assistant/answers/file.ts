import { toLine } from '../../../../../core/values/line.ts'
import type { Steps, Talk } from '../talk.ts'
import type { Understood } from '../understood.ts'
import { text } from './record-rows.ts'
import type { Data } from './rows.ts'

/** A file that a tool made: its name, and where it is downloaded. */
export async function* tellFile(talk: Talk, { tool, input }: Understood, { fileName, link }: Data): Steps {
  const name = talk.data(text(fileName), 120)
  yield* talk.say(talk.in(`The file ${name} can be downloaded here:`, `אפשר להוריד את הקובץ ${name} כאן:`))
  yield* talk.line(text(link) || addressOf(talk, tool, input))
}

/** The address of the same read, for the browser of the person. */
function addressOf({ turn }: Talk, tool: string, input: Data): string {
  const rest: Data = { ...input }
  const path = turn.tools.find(({ name }) => name === tool)?.path ?? ''
  const filled = path.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = String(rest[field] ?? turn.organization.id)
    delete rest[field]
    return encodeURIComponent(value)
  })
  const organization = path.includes('{id}') ? {} : { organizationId: turn.organization.id }
  const query = new URLSearchParams()
  for (const [field, value] of Object.entries({ ...organization, ...rest }))
    for (const each of [value].flat())
      if (each !== undefined && each !== null) query.append(field, toLine(String(each)))
  return query.size > 0 ? `${filled}?${query}` : filled
}
