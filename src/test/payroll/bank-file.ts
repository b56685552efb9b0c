import { monthOfDay } from '../../features/pay/payroll/month.ts'
import type { AskedFile, Payee } from '../../features/pay/payroll-forms/bank-files/bank-file.ts'

/** A payee without bank details. */
export const payee = (more: Partial<Payee> = {}): Payee => ({
  ...{ employeeId: '0199a1b2-0000-7000-8000-00000000c0de', name: 'Dana Cohen', employeeNumber: '17', idNumber: null },
  ...{ bankCode: null, branchCode: null, accountNumber: null, accountName: null, accountType: null },
  ...{ iban: null, swiftCode: null, routingNumber: null, amountMinor: 1_453_069 },
  ...more,
})

/** A file of March 2026 that is made on 8 April and paid on 9 April. */
export const asked = (payees: Payee[], more: Partial<AskedFile> = {}): AskedFile => ({
  month: monthOfDay('2026-03-01'),
  ...{ paidOn: '2026-04-09', createdOn: '2026-04-08', createdAt: '0915', payees },
  payer: { name: 'Acme', registrationNumber: null, taxNumber: null, account: null },
  given: { serialNumber: 1, fileModifier: 'A' },
  ...more,
})

/** Some payees with amounts that differ. */
export const payees = (count: number, details: Partial<Payee>): Payee[] =>
  Array.from({ length: count }, (_, at) => payee({ ...details, employeeNumber: `${at}`, amountMinor: 100 + at }))

/** The records of a file, each ended by CR LF. */
export function recordsOf(file: string): string[] {
  const lines = file.split('\r\n')
  if (lines.pop() !== '') throw new Error('The file does not end with CR LF.')
  return lines
}
