import { add } from '../../../../core/values/money.ts'

// The file of CPF EZPay (FTP): the CPF Board's "CPF EZPay (FTP) File Specifications", effective from 16 January 2025. A payment
// advice is a header, a summary for each kind of payment, a detail for each contribution, and a trailer. Every record has 150
// characters; amounts are cents without a point; what is not used is zeros or spaces.

const recordLength = 150

/** The codes of payments in the file. The foreign worker levy is not among them: the Ministry of Manpower collects it. */
export const paymentCodes = { CPF: '01', MBMF: '02', SINDA: '03', CDAC: '04', ECF: '05', SDL: '11' } as const
type Payment = keyof typeof paymentCodes

/** The contributions to these funds have a detail for each employee, and their summary counts the donors. */
export const fundCodes = ['MBMF', 'SINDA', 'CDAC', 'ECF'] as const
export type Fund = (typeof fundCodes)[number]

/** E: employed before and after; N: joined in the month; L: left in it; O: both. */
export type EmploymentStatus = 'E' | 'L' | 'N' | 'O'

export type Contribution = {
  accountNumber: string
  name: string
  cpfMinor: bigint
  ordinaryMinor: bigint
  additionalMinor: bigint
  status: EmploymentStatus
  funds: Readonly<Record<Fund, bigint>>
}

export type Advice = {
  /** The CPF submission number: the UEN, the payment type such as PTE, and a serial number. */
  uen: string
  paymentType: string
  serialNumber: string
  /** Another one than that of any other file for the month. */
  adviceCode: string
  /** Such as 2026-03. */
  month: string
  /** The day and time in Singapore: `20260401093000`. */
  createdAt: string
  contributions: readonly Contribution[]
  /** The levy for all employees, in whole dollars. */
  skillsLevyMinor: bigint
}

export type Summary = { code: string; payment: Payment; amountMinor: bigint; donors: number }

/** The kinds of payment with their sums. CPF is there even if there is none; the others only if something is due. */
export function summariesOf({ contributions, skillsLevyMinor }: Pick<Advice, 'contributions' | 'skillsLevyMinor'>) {
  const of = (payment: Payment, amounts: readonly bigint[], donors: number): Summary => ({
    ...{ code: paymentCodes[payment], payment, amountMinor: add(amounts), donors },
  })
  const funds = fundCodes.map((fund) => {
    const amounts = contributions.map(({ funds: own }) => own[fund]).filter((minor) => minor > 0n)
    return of(fund, amounts, amounts.length)
  })
  const cpf = of(
    'CPF',
    contributions.map(({ cpfMinor }) => cpfMinor),
    0,
  )
  return [cpf, ...[...funds, of('SDL', [skillsLevyMinor], 0)].filter(({ amountMinor }) => amountMinor > 0n)]
}

/** The records of the file. */
export function ezpayRecords(advice: Advice): string[] {
  const summaries = summariesOf(advice)
  const body = [...summaries.map((summary) => summaryRecord(advice, summary)), ...detailRecords(advice)]
  const total = add(summaries.map(({ amountMinor }) => amountMinor))
  const trailer = record(advice, '9', digits(BigInt(body.length + 2), 7) + digits(total, 15))
  return [record(advice, ' ', advice.createdAt + left('FTP.DTL', 13)), ...body, trailer]
}

/** Such as 234567891APTE01JAN202201.DTL. */
export const ezpayFileName = ({ uen, paymentType, serialNumber, adviceCode, month }: Advice): string =>
  `${uen}${paymentType}${serialNumber}${months[Number(month.slice(5)) - 1]}${month.slice(0, 4)}${adviceCode}.DTL`

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'] as const

const summaryRecord = (advice: Advice, { code, amountMinor, donors }: Summary) =>
  record(advice, '0', yearMonth(advice) + code + digits(amountMinor, 12) + digits(BigInt(donors), 7))

function detailRecords(advice: Advice): string[] {
  const detail = (payment: Payment, minor: bigint, { accountNumber, name, ...wages }: Contribution) => {
    const isCpf = payment === 'CPF'
    const [ordinary, additional] = isCpf ? [wages.ordinaryMinor, wages.additionalMinor] : [0n, 0n]
    const amounts = digits(minor, 12) + digits(ordinary, 10) + digits(additional, 10)
    const who = (isCpf ? wages.status : ' ') + left(name, nameLength)
    return record(advice, '1', yearMonth(advice) + paymentCodes[payment] + left(accountNumber, 9) + amounts + who)
  }
  const { contributions } = advice
  const cpf = contributions.filter(({ cpfMinor }) => cpfMinor > 0n).map((each) => detail('CPF', each.cpfMinor, each))
  const funds = fundCodes.flatMap((fund) =>
    contributions.filter((each) => each.funds[fund] > 0n).map((each) => detail(fund, each.funds[fund], each)),
  )
  return [...cpf, ...funds]
}

const yearMonth = ({ month }: Advice) => month.replace('-', '')

/** Columns 1 to 20 are the same in every record: F for file transfer, the type of record, the submission number, the advice code. */
function record({ uen, paymentType, serialNumber, adviceCode }: Advice, type: string, content: string): string {
  const start = `F${type}${left(uen, 10)}${left(paymentType, 3)}${left(serialNumber, 2)} ${adviceCode}`
  return left(start + content, recordLength)
}

function digits(value: bigint, length: number): string {
  const text = `${value}`.padStart(length, '0')
  if (value < 0n || text.length > length) throw new Error(`${value} does not fit into ${length} digits.`)
  return text
}

function left(text: string, length: number): string {
  if (text.length > length) throw new Error(`A text does not fit into ${length} characters.`)
  return text.padEnd(length)
}

export const nameLength = 66

/**
 * A name as the file has it: capital letters without accents, and a space for each character that the file may not have. Letters of
 * other scripts stay, and are no part of the file.
 */
export const ezpayName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[_+$<>:;?!=[\]`^|"~\\\p{C}\s]+/gu, ' ')
    .trim()

/** Whether every character is one of the file's. */
export const isEzpayText = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)
