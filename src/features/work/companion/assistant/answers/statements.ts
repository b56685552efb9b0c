import type { BalanceSheet } from '../../../../books/reports/statements/balance-sheet.ts'
import type { GeneralLedger } from '../../../../books/reports/statements/general-ledger.ts'
import type { ProfitAndLoss } from '../../../../books/reports/statements/profit-and-loss.ts'
import type { TrialBalance } from '../../../../books/reports/statements/trial-balance.ts'
import type { TaxReport } from '../../../../books/reports/tax/tax.ts'
import type { Steps, Talk } from '../talk.ts'
import type { Understood } from '../understood.ts'
import { isTaxCalled } from '../understood.ts'
import { counted, nouns } from '../words/nouns.ts'
import { gapNotes, periodWords, tellSome } from './report-words.ts'
import { asksWhy } from './why.ts'

export async function* profitAndLoss(talk: Talk, _: Understood, report: ProfitAndLoss): Steps {
  const { currency, from, to, netProfit, previousFrom, previousTo } = report
  const money = (amount: number) => talk.money(amount, currency)
  const period = periodWords(talk, from, to)
  yield* talk.say(
    netProfit.total < 0
      ? talk.in(`The loss ${period} is ${money(-netProfit.total)}.`, `ההפסד ${period} הוא ${money(-netProfit.total)}.`)
      : talk.in(
          `The net profit ${period} is ${money(netProfit.total)}.`,
          `הרווח הנקי ${period} הוא ${money(netProfit.total)}.`,
        ),
  )
  const goods = report.costOfGoodsSold.total
  yield* talk.line(`${talk.in('Income', 'הכנסות')}: ${money(report.income.total)}`)
  if (asksWhy(talk.turn.text)) yield* accountLines(talk, report.income.accounts, currency)
  if (goods !== 0) yield* talk.line(`${talk.in('Cost of goods sold', 'עלות המכר')}: ${money(goods)}`)
  yield* talk.line(`${talk.in('Expenses', 'הוצאות')}: ${money(report.expenses.total)}`)
  if (asksWhy(talk.turn.text)) yield* accountLines(talk, report.expenses.accounts, currency)
  if (report.margin !== null) yield* talk.line(`${talk.in('Margin', 'שיעור הרווח')}: ${talk.percent(report.margin)}`)
  const before = periodWords(talk, previousFrom, previousTo)
  yield* talk.line(
    talk.in(
      `A year before (${before}): ${money(netProfit.previousTotal)}.`,
      `אשתקד (${before}): ${money(netProfit.previousTotal)}.`,
    ),
  )
  if (report.basis === 'cash')
    yield* talk.line(talk.in('By when money moved (cash basis).', 'לפי מועד תנועת הכסף (בסיס מזומן).'))
  yield* gapNotes(talk, report)
}

/** The accounts of a section, the largest first. */
async function* accountLines(talk: Talk, accounts: ProfitAndLoss['income']['accounts'], currency: string): Steps {
  const largest = accounts.toSorted((one, other) => Math.abs(other.total) - Math.abs(one.total)).slice(0, 8)
  for (const account of largest)
    yield* talk.line(`  • ${talk.data(accountName(talk, account))}: ${talk.money(account.total, currency)}`)
}

export async function* balanceSheet(talk: Talk, { intent }: Understood, report: BalanceSheet): Steps {
  const money = (amount: number) => talk.money(amount, report.currency)
  if (intent === 'cash-balance') return yield* cashBalance(talk, report)
  yield* talk.say(talk.in(`On ${talk.day(report.date)}:`, `נכון ל-${talk.day(report.date)}:`))
  yield* talk.line(`${talk.in('Assets', 'נכסים')}: ${money(report.assets.total.amount)}`)
  yield* talk.line(`${talk.in('Liabilities', 'התחייבויות')}: ${money(report.liabilities.total.amount)}`)
  yield* talk.line(
    `${talk.in('Equity', 'הון')}: ${money(report.equity.total.amount)} (${talk.in('of it this year', 'מזה תוצאת השנה')} ${money(report.equity.resultOfYear.amount)})`,
  )
  yield* gapNotes(talk, report)
}

/** What the books say of cash and banks: not what the bank says, which is not read. */
async function* cashBalance(talk: Talk, report: BalanceSheet): Steps {
  const accounts = report.assets.accounts.filter(
    ({ code, name }) => code === '1000' || /\b(cash|bank)/i.test(name ?? ''),
  )
  const total = accounts.reduce((sum, { amount }) => sum + amount, 0)
  yield* talk.say(
    talk.in(
      `By the books, cash and bank accounts on ${talk.day(report.date)}: ${talk.money(Math.round(total * 100) / 100, report.currency)}.`,
      `לפי הספרים, מזומנים ובנקים נכון ל-${talk.day(report.date)}: ${talk.money(Math.round(total * 100) / 100, report.currency)}.`,
    ),
  )
  if (accounts.length > 1)
    for (const account of accounts)
      yield* talk.line(`• ${talk.data(accountName(talk, account))}: ${talk.money(account.amount, report.currency)}`)
  yield* talk.line(
    talk.in(
      'This is what was recorded here; I do not read the account at the bank.',
      'זה מה שנרשם כאן; איני קורא את החשבון בבנק.',
    ),
  )
  yield* gapNotes(talk, report)
}

export async function* trialBalance(talk: Talk, _: Understood, report: TrialBalance): Steps {
  const { currency, totals } = report
  const sums = talk.money(totals.debit, currency)
  yield* talk.say(
    talk.in(
      `Trial balance ${periodWords(talk, report.from, report.to)}: debits and credits are ${sums} each.`,
      `מאזן בוחן ${periodWords(talk, report.from, report.to)}: חובה וזכות ${sums} כל אחד.`,
    ),
  )
  const moved = report.accounts.filter(({ closing, debit, credit }) => closing !== 0 || debit !== 0 || credit !== 0)
  yield* tellSome(
    talk,
    moved.map((account) => ({ name: accountName(talk, account), amount: account.closing, currency })),
    moved.length,
  )
  yield* gapNotes(talk, report)
}

export async function* generalLedger(talk: Talk, _: Understood, report: GeneralLedger): Steps {
  const { currency, lines } = report
  const money = (amount: number) => talk.money(amount, currency)
  yield* talk.say(
    talk.in(
      `${talk.data(accountName(talk, report.account))} ${periodWords(talk, report.from, report.to)}: opening ${money(report.openingBalance)}, debit ${money(report.debit)}, credit ${money(report.credit)}, closing ${money(report.closingBalance)}.`,
      `${talk.data(accountName(talk, report.account))} ${periodWords(talk, report.from, report.to)}: יתרת פתיחה ${money(report.openingBalance)}, חובה ${money(report.debit)}, זכות ${money(report.credit)}, יתרת סגירה ${money(report.closingBalance)}.`,
    ),
  )
  yield* tellSome(
    talk,
    lines.map((line) => ({
      name: [line.number ?? '', line.description].filter(Boolean).join(' '),
      amount: line.debit - line.credit,
      currency,
      more: [talk.day(line.date)],
    })),
    lines.length + (report.nextCursor ? 1 : 0),
  )
}

export async function* tax(talk: Talk, _: Understood, report: TaxReport): Steps {
  const { totals, currency } = report
  const isVat = isTaxCalled(talk.turn.organization, 'VAT')
  const money = (amount: number) => talk.money(amount, currency)
  const period = periodWords(talk, report.from, report.to)
  yield* talk.say(
    totals.payable < 0
      ? talk.in(
          `The authority refunds ${money(-totals.payable)} of ${isVat ? 'VAT' : 'tax'} ${period}.`,
          `החזר ${isVat ? 'המע״מ' : 'המס'} ${period} הוא ${money(-totals.payable)}.`,
        )
      : talk.in(
          `The ${isVat ? 'VAT' : 'tax'} to pay ${period} is ${money(totals.payable)}.`,
          `${isVat ? 'המע״מ' : 'המס'} לתשלום ${period} הוא ${money(totals.payable)}.`,
        ),
  )
  yield* talk.line(
    talk.in(
      `Tax on sales: ${money(totals.output.tax)} on ${money(totals.output.base)}`,
      `מס עסקאות: ${money(totals.output.tax)} על ${money(totals.output.base)}`,
    ),
  )
  yield* talk.line(
    talk.in(
      `Tax on purchases: ${money(totals.input.tax)} on ${money(totals.input.base)}`,
      `מס תשומות: ${money(totals.input.tax)} על ${money(totals.input.base)}`,
    ),
  )
  const problems = report.problems.length
  if (problems > 0)
    yield* talk.line(
      talk.in(`Something is missing on ${counted('en', problems, nouns.document)}.`, missingWords(problems)),
    )
  yield* gapNotes(talk, report)
}

/** `ב-7 מסמכים חסרים פרטים.` */
export const missingWords = (documents: number) =>
  `ב${documents > 2 ? '-' : ''}${counted('he', documents, nouns.document)} חסרים פרטים.`

const accountName = (
  { language }: Talk,
  { code, name, nameHe }: { code: string | null; name: string | null; nameHe: string | null },
) => [code ?? '', (language === 'he' && nameHe) || (name ?? '')].filter(Boolean).join(' ')
