import { expect, test } from 'vitest'
import { asked, payee, payees, recordsOf } from '../../../test/payroll/bank-file.ts'
import { nacha } from './nacha.ts'

const bank = { routingNumber: '111000025', accountNumber: '000123456789' }
const account = { id: 'a', bankName: 'First Bank', accountNumber: '99', routingNumber: '021000021' }
const payer = { name: 'Acme, Inc.', registrationNumber: null, taxNumber: '12-3456789', account }
const file = (list: ReturnType<typeof payees>, more = {}) => asked(list, { payer, ...more })
const problemsOf = (given: ReturnType<typeof file>) =>
  nacha.problems(given).map(({ field, code }) => `${field} ${code}`)

test('a file with two payees, written by hand', () => {
  const bob = payee({ ...bank, name: 'Bob Núñez', employeeNumber: 'E-17', amountMinor: 419_917 })
  const eve = payee({
    ...{ routingNumber: '011401533', accountNumber: '44', accountType: 'SAVINGS', name: 'Eve', amountMinor: 1 },
    employeeNumber: null,
  })
  const given = file([bob, eve])
  expect(nacha.problems(given)).toEqual([])
  expect(recordsOf(nacha.write(given))).toEqual([
    '101 02100002111234567892604080915A094101FIRST BANK             ACME INC.                      ',
    '5220ACME INC.                           1123456789PPDPAYROLL   260409260409   1021000020000001',
    '622111000025000123456789     0000419917E-17           BOB NUNEZ               0021000020000001',
    '63201140153344               000000000100000000000C0DEEVE                     0021000020000002',
    '822000000200122401550000000000000000004199181123456789                         021000020000001',
    `9000001000001000000020012240155000000000000000000419918${' '.repeat(39)}`,
    ...Array(4).fill('9'.repeat(94)),
  ])
})

test.each([0, 1, 6, 7, 16, 1_000])('with %i payees every record has 94 characters, in blocks of ten', (count) => {
  const records = recordsOf(nacha.write(file(payees(count, bank))))
  expect(records.length % 10).toBe(0)
  for (const each of records) expect(each).toMatch(/^[\x20-\x7e]{94}$/)
  const control = records.find((each) => each.startsWith('9000001'))
  expect(control?.slice(7, 13)).toBe(String(records.length / 10).padStart(6, '0'))
  expect(control?.slice(13, 21)).toBe(String(count).padStart(8, '0'))
  expect(control?.slice(21, 31)).toBe(String((11_100_002 * count) % 10 ** 10).padStart(10, '0'))
  const traces = records.filter((each) => each.startsWith('6')).map((each) => each.slice(79))
  expect(new Set(traces).size).toBe(count)
})

test('the entry hash keeps its last ten digits', () => {
  const records = recordsOf(nacha.write(file(payees(1_000, { ...bank, routingNumber: '121000358' }))))
  // 1,000 × 12100035 is 12100035000, which has eleven digits
  expect(records.find((each) => each.startsWith('8220'))?.slice(10, 20)).toBe('2100035000')
})

test('the checklist names each field that is missing or cannot be right', () => {
  const of = (more: object) => problemsOf(file([payee({ ...bank, ...more })]))
  expect(of({})).toEqual([])
  expect(of({ routingNumber: null, accountNumber: null })).toEqual(['routingNumber MISSING', 'accountNumber MISSING'])
  expect(of({ routingNumber: '021000022' })).toEqual(['routingNumber ROUTING_NUMBER'])
  expect(of({ accountNumber: '123456789012345678' })).toEqual(['accountNumber ACCOUNT_NUMBER'])
  expect(of({ accountNumber: '00' })).toEqual(['accountNumber ACCOUNT_NUMBER'])
  expect(of({ name: 'דנה' })).toEqual(['accountName NAME'])
  expect(of({ name: 'דנה', accountName: 'Dana' })).toEqual([])
})

test('amounts have ten digits, and the total twelve', () => {
  const of = (list: ReturnType<typeof payees>) => problemsOf(file(list))
  expect(of([payee({ ...bank, amountMinor: 9_999_999_999 })])).toEqual([])
  expect(of([payee({ ...bank, amountMinor: 10_000_000_000 })])).toEqual(['amount AMOUNT_TOO_LARGE'])
  const many = Array.from({ length: 101 }, () => payee({ ...bank, amountMinor: 9_999_999_999 }))
  expect(of(many)).toEqual(['amount AMOUNT_TOO_LARGE'])
  expect(of(many.slice(1))).toEqual([])
})

test('the originator needs a bank account with a routing number, and an EIN or the numbers of the bank', () => {
  const list = [payee(bank)]
  expect(problemsOf(file(list, { payer: { ...payer, account: null } }))).toEqual(['bankAccountId NO_BANK_ACCOUNT'])
  const without = { ...payer, account: { ...account, routingNumber: null } }
  expect(problemsOf(file(list, { payer: without }))).toEqual(['bankAccountId MISSING'])
  const nobody = { ...payer, taxNumber: null }
  expect(problemsOf(file(list, { payer: nobody }))).toEqual(['companyNumber MISSING'])
  const given = { serialNumber: 1, fileModifier: 'B', companyNumber: 'ACME', immediateOrigin: '021000021' }
  expect(problemsOf(file(list, { payer: nobody, given }))).toEqual([])
  const [head, batch] = recordsOf(nacha.write(file(list, { payer: nobody, given })))
  expect(head?.slice(13, 34)).toBe(' 0210000212604080915B')
  expect(batch?.slice(40, 50)).toBe('ACME      ')
  expect(problemsOf(file(list, { given: { ...given, immediateDestination: '123456789' } }))).toEqual([
    'immediateDestination ROUTING_NUMBER',
  ])
})
