import type { Steps, Talk } from '../talk.ts'
import type { Understood } from '../understood.ts'
import { counted, nouns } from '../words/nouns.ts'
import { statusWord } from '../words/statuses.ts'
import { andMore, rowText } from './list.ts'
import { applyThen, type Row } from './rows.ts'

export type Summary = {
  month: string
  employees: {
    counterpartyId: string
    name: string
    payslipId?: string
    status: string | null
    gross: number
    net: number
    netOutstanding: number
  }[]
  totals: { gross: number; net: number; employerCost: number; openCredits: number }
  gplOutstanding: { scheme: string; outstanding: number }[]
}

/** The payroll of a month: totals, then each employee. */
export async function* payrollSummary(talk: Talk, { then }: Understood, { month, employees, totals }: Summary): Steps {
  const { currency } = talk.turn.organization
  const money = (amount: number) => talk.money(amount, currency)
  const paid = employees.filter(({ payslipId }) => payslipId)
  if (paid.length === 0)
    return yield* talk.say(
      talk.in(
        `There are no payslips for ${talk.month(month)}. Say “make the payslips” to compute them as drafts.`,
        `אין תלושים ל${talk.month(month)}. אמרו "הכן תלושים" כדי לחשב אותם כטיוטות.`,
      ),
    )
  yield* talk.say(
    talk.in(
      `Payroll ${talk.month(month)}, ${counted('en', paid.length, nouns.payslip)}: gross ${money(totals.gross)}, net ${money(totals.net)}, cost to the company ${money(totals.employerCost)}.`,
      `שכר ${talk.month(month)}, ${counted('he', paid.length, nouns.payslip)}: ברוטו ${money(totals.gross)}, נטו ${money(totals.net)}, עלות מעסיק ${money(totals.employerCost)}.`,
    ),
  )
  const rows = applyThen(
    paid.map(
      (each): Row => ({
        kind: 'employee',
        id: each.counterpartyId,
        name: each.name,
        amount: each.net,
        currency,
        more: [
          talk.in(`net of ${money(each.gross)}`, `נטו מתוך ${money(each.gross)}`),
          each.status ? statusWord(talk.language, each.status) : '',
          each.netOutstanding > 0 && each.status !== 'DRAFT'
            ? talk.in(`${money(each.netOutstanding)} to pay`, `${money(each.netOutstanding)} לתשלום`)
            : '',
        ],
      }),
    ),
    then,
  )
  if (then?.add) return
  for (const [at, row] of rows.slice(0, 10).entries()) yield* talk.line(`${at + 1}. ${rowText(talk, row)}`)
  if (rows.length > 10) yield* talk.line(andMore(talk, rows.length - 10))
}
