import { createHash } from 'node:crypto'
import { notFound } from '../../../../core/define/failure.ts'
import { canonicalJson } from '../../../../core/values/canonical-json.ts'
import type { Input, PreviewContext } from './preview-types.ts'

export type Row = Record<string, unknown>

/**
 * Fields that differ from one reading to the next, or that count what others do, although nothing that a person decides on
 * has changed: signed addresses, times of use and of reading, counts of other records, doubts, which depend on the day.
 */
const volatile = new Set([
  'storageUrl', 'lastUsedAt', 'lastPolledAt', 'lastActivityAt', 'lastProgressAt', 'updatedAt', 'computedAt', 'warnings', '_count',
  'activeOrderCount', 'totalOrderCount', 'ageDays', 'generatorVersion', 'attention',
]) // biome-ignore format: a list of words

/** Reads records with the rights of the person, each once, and remembers what was read for the fingerprint. */
export class Reader {
  readonly organizationId: string
  readonly #context: PreviewContext
  readonly #answers = new Map<string, Promise<unknown>>()
  readonly #shown = new Map<string, unknown>()

  constructor(context: PreviewContext) {
    this.#context = context
    this.organizationId = context.organizationId
  }

  /** The answer of a reading operation; all of it is part of what the person decides on. */
  async read(tool: string, input: Input): Promise<Row> {
    const answer = (await this.#call(tool, input)) as Row
    this.#shown.set(keyOf(tool, input), answer)
    return answer
  }

  /** A part of an answer: only that part is what the person decides on. Throws NOT_FOUND if there is none. */
  async pick(tool: string, input: Input, noun: string, find: (answer: Row) => unknown): Promise<Row> {
    const found = find((await this.#call(tool, input)) as Row)
    if (found === undefined || found === null) throw notFound(noun)
    this.#shown.set(`${keyOf(tool, input)} ${createHash('sha256').update(JSON.stringify(found)).digest('hex')}`, found)
    return found as Row
  }

  #call(tool: string, input: Input): Promise<unknown> {
    const key = keyOf(tool, input)
    const known = this.#answers.get(key) ?? this.#context.call(tool, input)
    this.#answers.set(key, known)
    return known
  }

  /** The hash over the call, what it says and everything that was read for it. */
  fingerprint(said: unknown): string {
    const shown = [...this.#shown.values()].map((value) => textOf(value)).toSorted()
    return createHash('sha256').update(textOf({ said, shown })).digest('hex')
  }
}

const keyOf = (tool: string, input: Input) => `${tool} ${JSON.stringify(input)}`

const textOf = (value: unknown): string =>
  canonicalJson(JSON.stringify(value, (key, inner: unknown) => (volatile.has(key) ? undefined : inner)) ?? 'null')

/** Rows of a list in an answer. */
export const rowsOf = (list: unknown): Row[] => (Array.isArray(list) ? (list as Row[]) : [])
