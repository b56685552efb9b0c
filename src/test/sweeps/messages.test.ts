import { expect, test } from 'vitest'
import { operations } from '../../catalog/operations.ts'
import type { JsonSchema } from '../../core/contract/json-schema.ts'
import { type TSchema, Type } from '../../core/define/schema.ts'
import { problemsOf } from '../../core/define/validate.ts'
import { engineActions } from '../../features/work/automations/actions/engine-actions.ts'

/** Every message about a wrong value is a sentence for people, without the language of schemas. */

/** The fields of an input at every depth, each schema once. */
function fieldsOf(schema: JsonSchema, found = new Map<string, JsonSchema>()): Map<string, JsonSchema> {
  const inner = [
    schema.items,
    ...Object.values(schema.properties ?? {}),
    ...Object.values(schema.patternProperties ?? {}),
  ]
  const alternatives = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((each) => (Array.isArray(each) ? each : []))
  for (const each of [...inner, ...alternatives]) {
    if (typeof each !== 'object' || each === null) continue
    const { description: _, default: __, ...rest } = each as JsonSchema
    found.set(JSON.stringify(rest), rest)
    fieldsOf(each as JsonSchema, found)
  }
  return found
}

const wrong = [
  null, true, -1, 0.123456789, 1e300, '', ' ', '?', 'x\u0000\n', '{x}', 'x'.repeat(20_001), [], [null, null], {}, { x: [] },
  Array.from({ length: 2_000 }, () => 'x'), Object.fromEntries(Array.from({ length: 300 }, (_, n) => [n, n])),
] // biome-ignore format: a list

test('no message about the value of any input field contains a pattern or a word of schemas', () => {
  const inputs = [...operations, ...engineActions].map(({ input }) => input as unknown as JsonSchema)
  const fields = inputs.reduce((found, input) => fieldsOf(input, found), new Map<string, JsonSchema>())
  expect(fields.size).toBeGreaterThan(100)
  const odd = new Set<string>()
  for (const schema of fields.values()) {
    const input = Type.Object({ field: schema as TSchema })
    for (const value of wrong)
      for (const { message } of problemsOf(input, { field: structuredClone(value) }))
        if (
          /\^|\\|\(\?|\[A-Z|anyOf|oneOf|schema|is not valid|allowed form|undefined/.test(message) ||
          !/\.$/.test(message)
        )
          odd.add(`${message} ${JSON.stringify(schema).slice(0, 200)}`)
  }
  expect([...odd]).toEqual([])
}, 120_000)
