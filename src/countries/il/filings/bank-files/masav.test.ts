import { expect, test } from 'vitest'
import { asked, payee, payees, recordsOf } from '../../../../test/payroll/bank-file.ts'
import { masav } from './masav.ts'
import { toMasavText } from './masav-text.ts'

const bank = { bankCode: '12', branchCode: '600', accountNumber: '123456', idNumber: '123456782' }
const given = { institutionNumber: '12345678', senderNumber: '54321', serialNumber: 1, fileModifier: 'A' }
const payer = { name: 'חברת הדגמה', registrationNumber: '514000009', taxNumber: null, account: null }
const file = (list: ReturnType<typeof payees>) => asked(list, { given, payer })
const problemsOf = (...list: ReturnType<typeof payees>) =>
  masav.problems(file(list)).map(({ severity, field, code }) => `${severity} ${field} ${code}`)

test('a file as the specification lays it out, written by hand', () => {
  const dana = file([payee({ ...bank, name: 'דנה כהן' })])
  expect(masav.problems(dana)).toEqual([])
  expect(recordsOf(masav.write(dana))).toEqual([
    `K12345678002604090001026040854321000000${' '.repeat(20)}DNBCD ZXAG${' '.repeat(56)}KOT`,
    `112345678000000001260000000001234560123456782         ODK DPC00000014530690000000000000000001726032603000006${'0'.repeat(18)}  `,
    `512345678002604090001000000001453069${'0'.repeat(15)}0000001${'0'.repeat(7)}${' '.repeat(63)}`,
    '9'.repeat(128),
  ])
})

test.each([0, 1, 7, 1_000])(
  'with %i payees every record has 128 characters of 7 bits, and the total record counts and adds',
  (count) => {
    const list = payees(count, { ...bank, name: 'ישראל ישראלי-כץ' })
    const records = recordsOf(masav.write(file(list)))
    expect(records).toHaveLength(count + 3)
    for (const each of records) expect(each).toMatch(/^[\x20-\x7e]{128}$/)
    const sum = list.reduce((all, { amountMinor }) => all + amountMinor, 0)
    expect(records.at(-2)?.slice(21, 36)).toBe(String(sum).padStart(15, '0'))
    expect(records.at(-2)?.slice(51, 58)).toBe(String(count).padStart(7, '0'))
  },
)

test.each([
  ['דנה', 'DPC'],
  ['אבגדהוזחטיךכלםמןנסעףפץצקרשת', 'ZYXWVUTSRQPONMLKJIHGFEDCBA&'],
  ['Dana', 'DANA'],
  ['דירה 12/3', '12/3 DXIC'],
  ['נגרות (1998) בע"מ', 'N"RA (1998) ZEXBP'],
  ['A & B', 'A B'],
  ['שָׁלוֹם', 'MELY'],
  ['', ''],
])('%s is written as %s', (text, written) => {
  expect(toMasavText(text, 30)).toBe(written)
})

test('a long name keeps its beginning, which is at the end of the field', () => {
  const [, detail] = recordsOf(masav.write(file([payee({ ...bank, name: 'אבגדהוזחטיכלמנסעפצקרשת' })])))
  expect(detail?.slice(45, 61)).toBe('RQPNLKIHGFEDCBA&')
})

test('bank, branch and account are taken from the IBAN where they are not given', () => {
  const [, detail] = recordsOf(masav.write(file([payee({ iban: 'IL62 0108 0000 0009 9999 999', name: 'דנה' })])))
  expect(detail?.slice(17, 35)).toBe('108000000099999999')
  expect(problemsOf(payee({ ...bank, iban: 'IL620108000000099999999', name: 'דנה' }))).toEqual([
    'REJECTED iban IBAN_DIFFERS',
  ])
})

test('the checklist names each field that is missing or cannot be right', () => {
  const hebrew = { ...bank, name: 'דנה' }
  expect(problemsOf(payee(hebrew))).toEqual([])
  expect(problemsOf(payee({ ...hebrew, bankCode: null, branchCode: ' ', accountNumber: null }))).toEqual([
    ...['REJECTED bankCode MISSING', 'REJECTED branchCode MISSING', 'REJECTED accountNumber MISSING'],
  ])
  expect(problemsOf(payee({ ...hebrew, bankCode: '123' }))).toEqual(['REJECTED bankCode LOCAL_BANK_CODE'])
  expect(problemsOf(payee({ ...hebrew, branchCode: '6000' }))).toEqual(['REJECTED branchCode BRANCH_CODE'])
  for (const accountNumber of ['1234567890', '12A456', '000'])
    expect(problemsOf(payee({ ...hebrew, accountNumber }))).toEqual(['REJECTED accountNumber ACCOUNT_NUMBER'])
  expect(problemsOf(payee({ ...hebrew, iban: 'IL620108000000099999998' }))).toContain('REJECTED iban IBAN')
  expect(problemsOf(payee({ ...bank, name: 'Dana' }))).toEqual(['CHECK accountName LATIN_NAME'])
  expect(problemsOf(payee({ ...hebrew, idNumber: '123456789' }))).toEqual(['CHECK idNumber ID_NUMBER'])
  expect(problemsOf(payee({ ...hebrew, idNumber: null }))).toEqual(['CHECK idNumber ID_NUMBER'])
})

test('the largest amount fits, and one agora more is refused', () => {
  const list = (amountMinor: number) => payee({ ...bank, name: 'דנה', amountMinor })
  expect(problemsOf(list(9_999_999_999_999))).toEqual([])
  expect(recordsOf(masav.write(file([list(9_999_999_999_999)])))[1]?.slice(61, 74)).toBe('9999999999999')
  expect(problemsOf(list(10_000_000_000_000))).toEqual(['REJECTED amount AMOUNT_TOO_LARGE'])
})

test('the numbers that Masav issues are needed', () => {
  const without = asked([payee({ ...bank, name: 'דנה' })], { payer })
  expect(masav.problems(without).map(({ field }) => field)).toEqual(['institutionNumber', 'senderNumber'])
  const wrong = { ...given, institutionNumber: '123456789', senderNumber: '12-34' }
  expect(masav.problems({ ...without, given: wrong }).map(({ code }) => code)).toEqual(['NUMBER', 'NUMBER'])
})
