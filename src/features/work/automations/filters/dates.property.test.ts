import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { Temporal } from 'temporal-polyfill'
import { expect, test } from 'vitest'
import { someone } from '../../../../test/automations/filters.ts'
import { within } from '../../../../test/secrets.ts'
import { holds } from '../engine/conditions.ts'
import { comparison } from './comparison.ts'
import { filterOperators } from './spec.ts'
import { readValue } from './value.ts'

// A condition and a filter give the same verdict on days and instants.

const zones = ['Asia/Jerusalem', 'America/New_York', 'Asia/Singapore'] as const

/** Days on which clocks change in one of the zones, and the days around them. */
const dayNearChange = fc
  .tuple(fc.constantFrom('2026-03-08', '2026-03-27', '2026-10-25', '2026-11-01', '2026-12-31'), fc.integer({ min: -1, max: 1 }))
  .map(([day, days]) => Temporal.PlainDate.from(day).add({ days }).toString()) // biome-ignore format: a list of words

const two = (n: number) => String(n).padStart(2, '0')
const offsets = ['Z', '+02:00', '+03:00', '-0500', '-04:00', '+08:00', '+23:59', '-12:00']

/** Local hours with every offset, so that hours that do not exist or exist twice in a zone occur. */
const instantText = fc
  .tuple(dayNearChange, fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 30, 59), fc.constantFrom('', ':00', ':59.999', ':59.9999999', ':00.1234'), fc.constantFrom(...offsets))
  .map(([day, hour, minute, rest, offset]) => `${day}T${two(hour)}:${two(minute)}${rest}${offset}`) // biome-ignore format: a list of words

const impossible = fc.constantFrom('2026-02-30', '2026-13-01', '0000-01-01', '2026-03-27T25:00:00Z', '2026-03-27T23:59:60Z', '2026-03-27T10:00:00+24:00') // biome-ignore format: a list of words

const right = fc.oneof({ weight: 5, arbitrary: dayNearChange }, { weight: 8, arbitrary: instantText }, impossible)

const aCase = fc.record({
  zone: fc.constantFrom(...zones),
  op: fc.constantFrom(...filterOperators),
  /** The field, as the API shows it. */
  left: fc.oneof(
    dayNearChange,
    instantText.map((text) => new Date(Temporal.Instant.from(text).epochMilliseconds).toISOString()),
  ),
  rights: fc.array(right, { minLength: 1, maxLength: 3 }),
})

test('conditions and filters agree on days, instants and impossible dates in every zone', async () => {
  const { organizationId } = await someone()
  await fc.assert(
    fc.asyncProperty(fc.array(aCase, { minLength: 100, maxLength: 100 }), async (cases) => {
      const comparisons = cases.map(({ zone, op, left, rights }): RawBuilder<unknown> => {
        const kind = left.length === 10 ? 'day' : 'instant'
        const value = op === 'in' || op === 'nin' ? rights : rights[0]
        const parsed = readValue(kind, { op, value }, { zone, impossibleDatesAreText: true })
        if ('problem' in parsed) throw new Error(parsed.problem)
        const field = kind === 'day' ? sql`${left}::date` : sql`${left}::timestamptz`
        return sql`(${comparison({ value: field, kind, op, literals: parsed.literals, zone })})`
      })
      const { rows } = await within(organizationId, (db) =>
        sql<{ verdicts: boolean[] }>`select array[${sql.join(comparisons)}]::boolean[] as verdicts`.execute(db),
      )
      const shown = (verdict: (n: number) => unknown) => cases.map((each, n) => ({ ...each, verdict: verdict(n) }))
      const guard = ({ op, left, rights, zone }: (typeof cases)[number]) =>
        holds(op, left, op === 'in' || op === 'nin' ? rights : rights[0], zone)
      expect(shown((n) => rows[0]?.verdicts[n])).toEqual(cases.map((each) => ({ ...each, verdict: guard(each) })))
    }),
    { numRuns: 20 },
  )
})
