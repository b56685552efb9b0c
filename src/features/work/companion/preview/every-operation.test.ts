import { expect, test } from 'vitest'
import { operations } from '../../../../catalog/operations.ts'
import { colleague, sharedInput } from '../../../../test/filled.ts'
import { previewFor } from '../../../../test/previews.ts'
import { neverOffered, waitsForWord } from '../turns/effects.ts'
import { exact } from './exact.ts'
import { titles } from './titles.ts'

const offered = operations.filter((operation) => !operation.reads && !neverOffered(operation))
const effects = { status: 'OPEN', source: 'SCAN', bankDetails: {} }
/** Those of which some call waits: all but the preparations without a condition. */
const waiting = offered.filter((operation) => waitsForWord(operation, effects))

test('every operation that waits has a title in both languages, and no other has one', () => {
  expect(Object.keys(titles).toSorted()).toEqual(waiting.map(({ name }) => name).toSorted())
  for (const { en, he } of Object.values(titles)) {
    expect(en).toMatch(/^[A-Z].*[^.]$/)
    expect(he).toMatch(/^[\u0590-\u05ff]/)
  }
  for (const name of Object.keys(exact)) expect(titles).toHaveProperty(name)
})

/** With the records of this test there is nothing to do, which is said instead of asking: no payslip is approved. */
const doNothing = new Set(['payroll_payslips_send'])

test.each(waiting.map((operation) => [operation.name, operation] as const))(
  '%s is shown before it happens, to the least role that may do it',
  async (name, operation) => {
    const input = await sharedInput(operation)
    const person = colleague(operation.role)
    if (doNothing.has(name)) return expect(previewFor(person, name, input)).rejects.toMatchObject({ code: 'CONFLICT' })
    const preview = await previewFor(person, name, input)
    expect(preview).toMatchObject({ tool: name, input, fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(preview.title.en).not.toMatch(/undefined|null|NaN|\[object/)
    expect(preview.title.he).toMatch(/[\u0590-\u05ff]/)
    for (const { label, value } of preview.lines) {
      expect([label, value]).toEqual([label, expect.not.stringMatching(/undefined|NaN|\[object/)])
      expect([...value].length).toBeLessThanOrEqual(200)
    }
    expect((await previewFor(person, name, input)).fingerprint).toBe(preview.fingerprint)
  },
)
