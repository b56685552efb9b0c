import { conflict } from '../../../../core/define/failure.ts'
import { labelOf } from './labels.ts'
import type { Input } from './preview-types.ts'
import { type Reader, type Row, rowsOf } from './reader.ts'
import { voidPayment } from './received.ts'
import { readRecord } from './records.ts'
import { sum, type Tell } from './told.ts'
import { both, clean, counted, line, money, quoted } from './values.ts'

/** The currency of the organization, in which payroll is. */
const currencyOf = async (reader: Reader) =>
  (
    await reader.pick('organizations_get', { id: reader.organizationId }, 'organization', ({ currency }) => ({
      currency,
    }))
  ).currency

type Employee = Row & {
  counterpartyId: string
  name: string
  payslipId?: string
  status: string
  gross: number
  net: number
}

/** The people of a month of payroll that `wanted` holds for. */
async function peopleOf(
  reader: Reader,
  { month }: Input,
  wanted: (employee: Employee) => boolean,
): Promise<Employee[]> {
  const asked = { organizationId: reader.organizationId, month }
  const { people } = await reader.pick('payroll_summary', asked, 'month', ({ employees }) => ({
    people: (rowsOf(employees) as Employee[]).filter(wanted),
  }))
  return people as Employee[]
}

const isAmong = (ids: unknown, id: unknown) => !Array.isArray(ids) || ids.includes(id)

const generate: Tell = async (reader, input) => {
  const people = await peopleOf(
    reader,
    input,
    ({ payslipId, counterpartyId }) => payslipId === undefined && isAmong(input.employeeIds, counterpartyId),
  )
  if (people.length === 0) throw conflict('Everybody who is employed in the month has a payslip already.')
  const month = clean(input.month)
  return {
    title: both(
      `Make ${counted(people.length, 'draft payslip')} for ${month}`,
      `הכנת ${people.length} טיוטות תלושי שכר לחודש ${month}`,
    ),
    lines: [...line(labelOf('month'), month), ...people.flatMap(({ name }) => line(labelOf('people'), name))],
  }
}

const approve: Tell = async (reader, input) => {
  const people = await peopleOf(
    reader,
    input,
    ({ payslipId, status }) => payslipId !== undefined && status === 'DRAFT' && isAmong(input.payslipIds, payslipId),
  )
  if (people.length === 0) throw conflict('There is no draft payslip to approve.')
  const currency = await currencyOf(reader)
  const total = (field: 'gross' | 'net') => money(sum(currency, ...people.map((each) => each[field])), currency)
  const month = clean(input.month)
  return {
    title: both(
      `Approve ${counted(people.length, 'payslip')} of ${month}, ${total('net')} net; they cannot be changed afterwards`,
      `אישור ${people.length} תלושי שכר של ${month}, ${total('net')} נטו; לאחר האישור אין אפשרות לשנות`,
    ),
    lines: [
      ...line(labelOf('month'), month),
      ...line(both('Gross', 'ברוטו'), total('gross')),
      ...line(both('Net', 'נטו'), total('net')),
      ...people.flatMap(({ name, net }) => line(labelOf('people'), `${clean(name)}, ${money(net, currency)}`)),
    ],
  }
}

const pay: Tell = async (reader, input, common) => {
  const row = await reader.read('payroll_payslips_get', { id: input.payslipId })
  const claims = await Promise.all(
    (Array.isArray(input.claimDocumentIds) ? input.claimDocumentIds : []).map((id) =>
      reader.read('expenses_get', { id }),
    ),
  )
  const isNet = input.kind === 'NET'
  const owed = isNet ? [row.netOutstanding] : rowsOf(row.schemes).map(({ outstanding }) => outstanding)
  const owing = sum(row.currency, ...owed, ...claims.map(({ openBalance }) => openBalance))
  if (owing <= 0) throw conflict('Nothing is left to pay for this payslip.')
  const amount = money(owing, row.currency)
  const [name, month] = [quoted(row.employeeName), clean(row.month)]
  return {
    title: isNet
      ? both(
          `Record that ${name} was paid ${amount} for ${month}`,
          `רישום תשלום שכר של ${amount} אל ${name} לחודש ${month}`,
        )
      : both(
          `Record that ${amount} was paid to the authorities for ${name}, ${month}`,
          `רישום תשלום של ${amount} לרשויות עבור ${name}, ${month}`,
        ),
    lines: [...line(labelOf('amount'), amount), ...common.lines],
  }
}

const advance: Tell = async (reader, input) => {
  const party = await readRecord(reader, 'parties', String(input.counterpartyId), input)
  const [name, amount] = [quoted(party.displayName ?? party.name), money(input.amount, await currencyOf(reader))]
  return {
    title: both(`Record an advance of ${amount} to ${name}`, `רישום מקדמה של ${amount} אל ${name}`),
    lines: [
      ...line(labelOf('recipient'), name),
      ...line(labelOf('amount'), amount),
      ...line(labelOf('paidAt'), input.paidAt),
      ...line(labelOf('method'), input.method),
    ],
  }
}

/** The payslip that is voided or deleted. */
const ofPayslip =
  (en: string, he: string): Tell =>
  async (reader, input) => {
    const row = await reader.read('payroll_payslips_get', { id: input.payslipId })
    const said = `${clean(row.employeeName)}, ${clean(row.month)}, ${money(row.net, row.currency)}`
    return { title: both(`${en}: ${said}`, `${he}: ${said}`) }
  }

export const payroll: Record<string, Tell> = {
  payroll_generate: generate,
  payroll_approve: approve,
  payroll_pay: pay,
  payroll_advance: advance,
  payroll_payments_void: voidPayment('paymentsOfPayroll'),
  payroll_void: ofPayslip('Void the payslip', 'ביטול התלוש'),
  payroll_payslip_delete: ofPayslip('Delete the draft payslip', 'מחיקת טיוטת התלוש'),
}
