import { expect, test } from 'vitest'
import { asked, payee, payees, recordsOf } from '../../../test/payroll/bank-file.ts'
import { dbsUff, giro } from './bank-files.ts'

const bank = { bankCode: '7171', branchCode: '005', accountNumber: '005-231-2891' }
const account = { id: 'a', bankName: 'DBS', accountNumber: '001 234567 8', routingNumber: null }
const payer = { name: 'Acme Pte. Ltd.', registrationNumber: null, taxNumber: null, account }
const given = { serialNumber: 1, fileModifier: 'A', companyNumber: 'SGACME01' }
const file = (list: ReturnType<typeof payees>, more = {}) => asked(list, { payer, given, ...more })
const problemsOf = (more: object) =>
  giro.problems(file([payee({ ...bank, ...more })])).map(({ field, code }) => `${field} ${code}`)

test('the columns of a bulk upload, written by hand', () => {
  const list = [
    payee({ ...bank, name: 'Tan, Mei "May"', amountMinor: 399_850 }),
    payee({ swiftCode: 'OCBCSGSGXXX', accountNumber: '1089550', name: '=Raj', amountMinor: 5 }),
  ]
  expect(giro.problems(file(list))).toEqual([])
  expect(recordsOf(giro.write(file(list)))).toEqual([
    'Payee Name,Bank Code,BIC,Branch Code,Account Number,Currency,Amount,Value Date,Purpose Code,Reference,Debit Account Number',
    'Tan Mei May,7171,DBSSSGSG,005,0052312891,SGD,3998.50,2026-04-09,SALA,SALARY202603,0012345678',
    'Raj,7339,OCBCSGSGXXX,,1089550,SGD,0.05,2026-04-09,SALA,SALARY202603,0012345678',
  ])
})

test('the file of DBS IDEAL, written by hand', () => {
  const list = [
    payee({ ...bank, name: 'Tan Mei', amountMinor: 399_850 }),
    payee({ ...bank, name: 'Raj', amountMinor: 5 }),
  ]
  expect(dbsUff.problems(file(list))).toEqual([])
  expect(recordsOf(dbsUff.write(file(list)))).toEqual([
    'HEADER,08042026,SGACME01,Acme Pte. Ltd.',
    'PAYMENT,BPY,0012345678,SGD,SALARY202603,SGD,00001,09042026,OUR,,Tan Mei,,,,,0052312891,,7171,005,,,,,,,,,3998.50,,,,,22,SALARY202603',
    'PAYMENT,BPY,0012345678,SGD,SALARY202603,SGD,00001,09042026,OUR,,Raj,,,,,0052312891,,7171,005,,,,,,,,,0.05,,,,,22,SALARY202603',
    'TRAILER,00000002,3998.55',
  ])
})

test.each([0, 1, 1_000])('with %i payees there is one row each, with the same number of cells', (count) => {
  const rows = recordsOf(giro.write(file(payees(count, bank))))
  expect(rows).toHaveLength(count + 1)
  for (const row of rows) expect(row.split(',')).toHaveLength(11)
})

test('the checklist names each field that is missing or cannot be right', () => {
  expect(problemsOf({})).toEqual([])
  expect(problemsOf({ bankCode: null, accountNumber: null })).toEqual(['bankCode MISSING', 'accountNumber MISSING'])
  expect(problemsOf({ bankCode: '71' })).toEqual(['bankCode LOCAL_BANK_CODE'])
  expect(problemsOf({ branchCode: '0055' })).toEqual(['branchCode BRANCH_CODE'])
  expect(problemsOf({ accountNumber: 'DANA' })).toEqual(['accountNumber ACCOUNT_NUMBER'])
  expect(problemsOf({ swiftCode: 'DBS' })).toEqual(['swiftCode SWIFT_CODE'])
  expect(problemsOf({ name: 'דנה' })).toEqual(['accountName NAME'])
  expect(problemsOf({ amountMinor: 99_999_999_999 })).toEqual([])
  expect(problemsOf({ amountMinor: 100_000_000_000 })).toEqual(['amount AMOUNT_TOO_LARGE'])
})

test('the account of the organization and the organization id of DBS are needed', () => {
  const list = [payee(bank)]
  const fields = (format: typeof giro, more: object) => format.problems(file(list, more)).map(({ field }) => field)
  expect(fields(giro, { payer: { ...payer, account: null } })).toEqual(['bankAccountId'])
  expect(fields(giro, { payer: { ...payer, account: { ...account, accountNumber: null } } })).toEqual(['bankAccountId'])
  expect(fields(dbsUff, { given: { serialNumber: 1, fileModifier: 'A' } })).toEqual(['companyNumber'])
})
