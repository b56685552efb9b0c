import '../../../../test/own-world.ts'
import { expect, test } from 'vitest'
import { customer, preview, take, where } from '../../../../test/automations/filters.ts'
import { member, theApp } from '../../../../test/world.ts'
import { filterCatalog } from './objects.ts'
import { filterOperators } from './spec.ts'

/** Known SQL injections and unusual characters. */
const corpus = [
  "'", "''", '"', '\\', "\\'", '`', ';', '--', '/*', '*/', '/* not prepared */', '$1', '$$', '$tag$', ':name', '?', '%', '_', '%%',
  "' or '1'='1", "' or 1=1 --", "'; drop table customers; --", "') or true or ('", '" or true or "', '1 or 1=1', '1; select pg_sleep(9)',
  "' union select password_hash from users --", "x' || (select email from users limit 1) || '", "E'\\x27'", "U&'\\0027'", "\u02bc or 1=1", '\uff07 or 1=1',
  '\u2028', '\u202e', '\ud800', '\ufeff', 'é', 'e\u0301', '𝔘𝔫𝔦', '\r\n', '\t', '{}', '{1,2}', '{"a"}', '[1]', '(1,2)', 'null', 'NULL', 'NaN', 'Infinity',
  'true', '0x10', '1e5', '-0', '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '{{trigger.id}}', '$' + '{1}', '<script>', '../../..',
  'x'.repeat(10_000),
] // biome-ignore format: a corpus

const strange: unknown[] = [
  ...corpus, '\0', 'x'.repeat(10_001), 0, -1, 1.5, 1e300, true, false, null, [], {}, ['a', 'b'], [null], [['a']], [{}], { toString: 'x' },
  { $ne: null }, { raw: '1=1' }, Array(2000).fill('x'), { length: 1, 0: 'x' },
] // biome-ignore format: a corpus

test('THR-13: text is compared literally', async () => {
  const amy = await member('CONTRIBUTOR')
  for (const text of ['plain', ...corpus]) await customer(amy, 'C', { notes: text })
  const notes = (op: string, value: unknown) =>
    preview(amy, {
      root: 'Customer',
      predicates: [where('Customer', 'notes', op, value)],
      extract: take('Customer.notes'),
      shape: 'scalars',
    })
  const stored = (await preview(amy, { root: 'Customer', extract: take('Customer.notes'), shape: 'scalars' })).count
  expect(stored).toBe(corpus.length + 1)
  for (const text of corpus) {
    const written = text.replace('\ud800', '\ufffd') // UTF-8 has no unpaired surrogates
    expect([text, (await notes('eq', text)).sample]).toEqual([text, [written]])
    expect([text, (await notes('in', [text, 'absent'])).sample]).toEqual([text, [written]])
    expect([text, (await notes('ne', text)).count]).toEqual([text, stored - 1])
    expect([text, (await notes('contains', text)).count > 0]).toEqual([text, true])
  }
})

test('THR-13: any value gets an answer or a 400 with its path, for every type of field', async () => {
  const amy = await member('CONTRIBUTOR')
  const fields = ['id', 'invoiceNumber', 'total', 'inDispute', 'dueDate', 'createdAt']
  for (const [m, field] of fields.entries())
    for (const [n, value] of strange.entries()) {
      const op = filterOperators[(m + n) % filterOperators.length] ?? 'eq'
      const spec = { root: 'Document', predicates: [where('Document', field, op, value)], extract: take('Document.id') }
      const outcome = await preview(amy, spec).then(
        ({ count }) => count,
        ({ status, details }) => [status, details[0]?.path],
      )
      const answers: unknown[] = [0, [400, 'spec.predicates.0.value']]
      expect(answers, `${field} ${op} ${JSON.stringify(value).slice(0, 50)}`).toContainEqual(outcome)
    }
})

test('THR-13: a name that is not in the catalog is refused', async () => {
  const amy = await member('CONTRIBUTOR')
  const spec = { root: 'Document', extract: take('Document.id') }
  const places = [
    (text: unknown) => ({ ...spec, root: text }),
    (text: unknown) => ({ ...spec, follows: [{ from: text, name: 'customer' }] }),
    (text: unknown) => ({ ...spec, follows: [{ from: 'Document', name: text }] }),
    (text: unknown) => ({ ...spec, predicates: [where(text as string, 'id', 'eq', 'x')] }),
    (text: unknown) => ({ ...spec, predicates: [where('Document', text as string, 'eq', 'x')] }),
    (text: unknown) => ({ ...spec, predicates: [where('Document', 'id', text as string, 'x')] }),
    (text: unknown) => ({ ...spec, aggregateBy: [text] }),
    (text: unknown) => ({ ...spec, aggregateBy: [`Document.${JSON.stringify(text)}`] }),
    (text: unknown) => ({ ...spec, extract: [{ as: 'x', path: text }] }),
    (text: unknown) => ({ ...spec, extract: [{ as: 'x', path: `Document.${JSON.stringify(text)}` }] }),
    (text: unknown) => ({ ...spec, extract: [{ as: 'x', path: 'Document.id', fn: text }] }),
    (text: unknown) => ({ ...spec, shape: text }),
  ]
  for (const place of places)
    for (const text of strange)
      await expect(preview(amy, place(text)), JSON.stringify(place(text)).slice(0, 200)).rejects.toMatchObject({
        status: 400,
        details: expect.arrayContaining([expect.objectContaining({ path: expect.stringMatching(/^spec\./) })]),
      })
})

test('the caller can choose any name for results and followed objects, and it does not become SQL', async () => {
  const amy = await member('CONTRIBUTOR')
  await customer(amy, 'Globex')
  for (const text of corpus.filter(
    (each) => each.length < 200 && !['__proto__', 'constructor', 'prototype'].includes(each),
  )) {
    const named = { root: 'Customer', extract: [{ as: text, path: 'Customer.name' }] }
    expect(await preview(amy, named)).toEqual({ count: 1, sample: [{ [text]: 'Globex' }] })
    if (text.includes('.')) continue
    const follows = [{ from: 'Customer', name: 'organization', as: text }]
    const followed = {
      root: 'Customer',
      follows,
      extract: [{ as: 'country', path: `${text}.country` }],
      shape: 'scalars',
    }
    expect(await preview(amy, followed)).toEqual({ count: 1, sample: ['SG'] })
  }
})

test('filters are not stored as prepared statements of the connection', async () => {
  const amy = await member('CONTRIBUTOR')
  for (const { name } of filterCatalog.Customer?.fields ?? [])
    await preview(amy, { root: 'Customer', extract: take(`Customer.${name}`) })
  const { rows } = await theApp().confined.use((_, connection) =>
    connection.query(
      "select count(*) as count from pg_prepared_statements where statement like '%not prepared%' and statement not like '%pg_prepared%'",
    ),
  )
  expect(rows).toEqual([{ count: 0 }])
})
