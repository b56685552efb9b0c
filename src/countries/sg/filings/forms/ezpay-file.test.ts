import { expect, test } from 'vitest'
import { type Advice, type Contribution, ezpayFileName, ezpayName, ezpayRecords } from './ezpay-file.ts'

const none = { MBMF: 0n, SINDA: 0n, CDAC: 0n, ECF: 0n }
const person = (accountNumber: string, name: string, more: Partial<Contribution>): Contribution => ({
  ...{
    accountNumber,
    name,
    cpfMinor: 1_110_00n,
    ordinaryMinor: 3_000_00n,
    additionalMinor: 0n,
    status: 'E',
    funds: none,
  },
  ...more,
})

/** The sample of the specification: four employees, each with another fund. */
const sample: Advice = {
  ...{ uen: '234567891A', paymentType: 'PTE', serialNumber: '01', adviceCode: '04', month: '2018-01' },
  ...{ createdAt: '20180129183315', skillsLevyMinor: 0n },
  contributions: [
    person('S1122334A', 'MICKEY TAN AH TAN', { status: 'L', funds: { ...none, CDAC: 1_00n } }),
    person('S2122334B', 'JACKIE JACK', { status: 'N', funds: { ...none, ECF: 9_00n } }),
    person('S3122334C', 'RAVIDAVI SINGH', { cpfMinor: 1_480_00n, ordinaryMinor: 4_000_00n, funds: { ...none, SINDA: 7_00n } }),
    person('S4122334D', 'MUHAMMED ALI', { cpfMinor: 1_480_00n, ordinaryMinor: 4_000_00n, funds: { ...none, MBMF: 19_50n } }),
  ],
} // biome-ignore format: a person a line

const zeros = '0000000000'
const start = (type: string) => `F${type}234567891APTE01 04`

test('a file has a header, a summary for each payment, a detail for each contribution and a trailer, of 150 characters each', () => {
  const records = ezpayRecords(sample)
  expect(records.map((record) => record.length)).toEqual(records.map(() => 150))
  expect(records.map((record) => record.trimEnd())).toEqual([
    `${start(' ')}20180129183315FTP.DTL`,
    `${start('0')}201801010000005180000000000`,
    `${start('0')}201801020000000019500000001`,
    `${start('0')}201801030000000007000000001`,
    `${start('0')}201801040000000001000000001`,
    `${start('0')}201801050000000009000000001`,
    `${start('1')}20180101S1122334A${'000000111000'}${'0000300000'}${zeros}LMICKEY TAN AH TAN`,
    `${start('1')}20180101S2122334B${'000000111000'}${'0000300000'}${zeros}NJACKIE JACK`,
    `${start('1')}20180101S3122334C${'000000148000'}${'0000400000'}${zeros}ERAVIDAVI SINGH`,
    `${start('1')}20180101S4122334D${'000000148000'}${'0000400000'}${zeros}EMUHAMMED ALI`,
    `${start('1')}20180102S4122334D00000000195000000000000000000000 MUHAMMED ALI`,
    `${start('1')}20180103S3122334C00000000070000000000000000000000 RAVIDAVI SINGH`,
    `${start('1')}20180104S1122334A00000000010000000000000000000000 MICKEY TAN AH TAN`,
    `${start('1')}20180105S2122334B00000000090000000000000000000000 JACKIE JACK`,
    `${start('9')}0000015000000000521650`,
  ])
  expect(ezpayFileName(sample)).toBe('234567891APTE01JAN201804.DTL')
})

test('the levy is a summary without details; people without contributions have no detail', () => {
  const records = ezpayRecords({
    ...sample,
    skillsLevyMinor: 40_00n,
    contributions: [person('S1122334A', 'TAN', { cpfMinor: 0n })],
  })
  expect(records.map((record) => record.slice(0, 47).trimEnd())).toEqual([
    `${start(' ')}20180129183315FTP.DTL`,
    `${start('0')}201801010000000000000000000`,
    `${start('0')}201801110000000040000000000`,
    `${start('9')}0000004000000000004000`,
  ])
})

test('a name has capital letters without accents, and none of the characters that are not allowed', () => {
  expect(ezpayName('  Zoë [Tan] + "Li"~\tNg ')).toBe('ZOE TAN LI NG')
  expect(ezpayName("O'Brien s/o X-Y, Z.")).toBe("O'BRIEN S/O X-Y, Z.")
})

test('an amount that does not fit, or is negative, is no file', () => {
  const one = (cpfMinor: bigint) =>
    ezpayRecords({ ...sample, contributions: [person('S1122334A', 'TAN', { cpfMinor })] })
  expect(one(999_999_999_999n)).toHaveLength(4)
  expect(() => one(1_000_000_000_000n)).toThrow('digits')
  expect(() =>
    ezpayRecords({ ...sample, contributions: [person('S1122334A', 'TAN', { additionalMinor: -1n })] }),
  ).toThrow('digits')
})
