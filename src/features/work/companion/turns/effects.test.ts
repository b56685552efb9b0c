import { expect, test } from 'vitest'
import { apiOperations, operations } from '../../../../catalog/operations.ts'
import { operationNamed } from '../../../../test/world.ts'
import { neverOffered, preparations, takesSecrets, waitsForWord } from './effects.ts'

const waits = (name: string, input: Record<string, unknown> = {}) => waitsForWord(operationNamed(name), input)
const writes = operations.filter(({ reads }) => !reads)

test('reading never waits', () => {
  for (const operation of operations.filter(({ reads }) => reads)) expect(waitsForWord(operation, {})).toBe(false)
})

test('every write waits unless it is listed as a preparation, with a reason', () => {
  const atOnce = writes.filter((operation) => !waitsForWord(operation, {})).map(({ name }) => name)
  expect(atOnce.toSorted()).toEqual(Object.keys(preparations).toSorted())
  for (const { because } of Object.values(preparations)) expect(because).toMatch(/^[A-Z].*\.$/)
})

test('every preparation is an operation that the companion may use', () => {
  for (const name of Object.keys(preparations)) {
    expect(operationNamed(name).reads).toBe(false)
    expect(neverOffered(operationNamed(name))).toBe(false)
  }
})

const status = (word: unknown) => ({ status: word })
test.each([
  ['invoices_create', [{}, status('DRAFT'), status(null)], ['UNSENT', 'SENT', 'PAID', 'draft', 1, {}].map(status)],
  [
    'invoices_update',
    [
      { id: 'x', items: [], subtotal: 1, taxRate: 1, taxAmount: 1, total: 1 },
      { id: 'x', currency: 'USD' },
    ],
    [
      ...['UNSENT', 'SENT', 'PAID'].map(status),
      ...[{ bankAccountId: 'x' }, { bankAccountId: null }, { notes: 'Pay to …' }, { dueDate: '2026-01-31' }],
      ...[{ clearReceiptInfo: true }, { customerId: 'x' }, { paymentDate: '2026-01-31' }, { documentType: 'RECEIPT' }],
      ...[{ total: 1, notes: 'x' }, { countrySpecificData: {} }, { payUntil: null }, { whatever: 1 }],
    ],
  ],
  ['orders_create', [{}, status('DRAFT')], [status('OPEN')]],
  ['expenses_create', [{}, { source: 'MANUAL' }], [{ source: 'SCAN' }, { source: 'EMAIL' }]],
  ['suppliers_create', [{ name: 'x' }, { bankDetails: null }], [{ bankDetails: {} }, { bankDetails: { iban: 'x' } }]],
])('%s prepares or waits, as its input says', (name, prepares, effects) => {
  for (const input of prepares) expect([input, waits(name, input)]).toEqual([input, false])
  for (const input of effects) expect([input, waits(name, input)]).toEqual([input, true])
})

test('what moves money, sends, deletes, issues, approves or changes access waits, whatever the input', () => {
  const effects = writes.filter(({ method, name }) =>
    /_(delete|void|send|pay|payments|refund|approve|status|enable|test|replay|memos|cancel|convert|open|settle|apply)\b|member|bank_accounts|settings|recipients|tax_authority/.test(
      method === 'DELETE' ? '_delete' : name,
    ),
  )
  expect(effects.length).toBeGreaterThan(60)
  for (const { name } of effects) expect([name, waits(name, { status: 'DRAFT' })]).toEqual([name, true])
})

test('no word that every object has counts as a preparation', () => {
  const named = (name: string) => ({ ...operationNamed('invoices_send'), name })
  for (const name of ['constructor', 'toString', '__proto__']) expect(waitsForWord(named(name), {})).toBe(true)
})

test('the companion is not offered what is about the person, needs a file, answers a secret or is not for it', () => {
  const refused = (name: string) => neverOffered(operationNamed(name))
  for (const name of ['users_me_update', 'users_me', 'organizations_create', 'api_keys_create', 'auth_sign_in'])
    expect([name, refused(name)]).toEqual([name, true])
  for (const name of ['expenses_upload', 'organizations_import_create', 'users_invitations_post', 'integrations_gmail'])
    expect([name, refused(name)]).toEqual([name, true])
  for (const name of ['automations_secrets_list', 'settings_webhook_secret_rotate', 'invoices_customer_comment'])
    expect([name, refused(name)]).toEqual([name, true])
  for (const name of ['invoices_send', 'invoices_list', 'payroll_pay', 'users_member_update', 'settings_get'])
    expect([name, refused(name)]).toEqual([name, false])
  const offered = operations.filter((operation) => !neverOffered(operation))
  expect(offered.every((operation) => apiOperations.includes(operation))).toBe(true)
  expect(offered.some(({ feature }) => feature === 'companion')).toBe(false)
})

test('no offered operation takes a password, key or token', () => {
  const secretFields = apiOperations
    .filter((operation) => !neverOffered(operation) && !operation.reads)
    .flatMap(({ name, input }) => Object.keys(input.properties).map((field) => `${name} ${field}`))
    .filter((field) => /password|secret|credential|token$|privatekey/i.test(field))
  expect(secretFields).toEqual([])
  for (const name of takesSecrets) expect(neverOffered(operationNamed(name))).toBe(true)
})
