import { expect, test } from 'vitest'
import { apiOperations as operations } from '../../catalog/operations.ts'
import type { Operation } from '../../core/define/operation.ts'
import { Type } from '../../core/define/schema.ts'
import { type Content, html } from '../../core/values/html.ts'
import { curl, json } from './code-samples.ts'

const shown = (content: Content) =>
  html`${content}`.text
    .replace(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

const named = (name: string) => operations.find((operation) => operation.name === name) as Operation
const url = 'http://127.0.0.1:3000'

test.each([null, true, 1.5, 'a "b" <c>', [], {}, ['USD', 'SGD'], { a: [{ b: 1 }], c: { d: null } }])(
  '%j is shown as the same JSON',
  (value) => {
    expect(
      JSON.parse(
        html`${json(value)}`.text
          .replace(/<[^>]+>/g, '')
          .replaceAll('&quot;', '"')
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>'),
      ),
    ).toEqual(value)
  },
)

test('the curl command of a read has no body, that of a write has one', () => {
  expect(shown(curl(named('customers_list'), url))).toBe(
    `curl ${url}/api/customers \\\n  -H "Authorization: Bearer $KONTOR_KEY"`,
  )
  expect(shown(curl(named('expense_categories_create'), url))).toBe(
    `curl -X POST ${url}/api/expense-categories \\\n  -H "Authorization: Bearer $KONTOR_KEY" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\n    "name": "Amber Trading"\n  }'`,
  )
})

test('an operation for sessions only is shown with a cookie', () => {
  expect(shown(curl(named('api_keys_list'), url))).toBe(`curl ${url}/api/api-keys \\\n  -b cookies.txt`)
})

test('an apostrophe in an example does not end the command', () => {
  const input = Type.Object({ name: Type.String({ examples: ["Amy's"] }) })
  expect(shown(curl({ ...named('customers_create'), input }, url))).toContain(`"name": "Amy'\\''s"`)
})

test('fields of a deletion that are not in the path are in the query', () => {
  expect(shown(curl(named('customers_recipients_delete'), url))).toContain('/recipients?recipientId=')
})
