import { invalid } from '../../../../core/define/failure.ts'
import { type Database, operation } from '../../../../core/define/operation.ts'
import { defaulted, Id, OneOf, Type } from '../../../../core/define/schema.ts'
import { withWarnings } from '../../../../core/define/warning.ts'
import { addDays, today } from '../../../../core/values/day.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { dayOf } from '../../../../ledger/organization-context.ts'
import { findAccount } from '../journal.ts'
import { reportContext } from '../report-context.ts'
import { fileRowsMax, reportFile, reportFormat, reportOutput } from '../report-file.ts'
import { BalanceSheet, balanceSheet, balanceSheetTable } from './balance-sheet.ts'
import {
  GeneralLedger,
  generalLedgerTable,
  type LedgerLine,
  type Place,
  readLedger,
  readPlace,
  toCursor,
} from './general-ledger.ts'
import { monthsOf, periodFields, periodOf, requireUsual, yearStart } from './period.ts'
import { ProfitAndLoss, previousOf, profitAndLoss, profitAndLossTable } from './profit-and-loss.ts'
import { gapWarnings, readAccounts } from './statement.ts'
import { beginning, readSums, storeSums } from './sums.ts'
import { TrialBalance, trialBalance, trialBalanceTable } from './trial-balance.ts'

const statement = {
  scope: 'reports:read',
  within: 'organizationId',
  rate: 'heavyReads',
  heavy: true,
} as const

/** The most months of a profit and loss statement. */
const monthsMax = 120

export const profitAndLossStatement = operation({
  ...statement,
  name: 'reports_profit_and_loss',
  http: 'GET /api/reports/profit-and-loss',
  does: 'Shows income, cost of goods sold, expenses and the net profit of a period by month, beside the year before.',
  input: Type.Object({
    organizationId: Id,
    ...periodFields,
    basis: defaulted(
      Type.Unsafe<'accrual' | 'cash'>({
        ...OneOf('accrual', 'cash'),
        description: 'accrual: when documents were issued; cash: when money paid them.',
      }),
      'accrual',
    ),
    ...reportFormat,
  }),
  output: reportOutput(ProfitAndLoss),
  async run({ db, now: moment }, { basis, format, ...days }) {
    const { organization, accounts } = await pipeline({ organization: reportContext(db), accounts: readAccounts(db) })
    const { currency, id: organizationId, language } = organization
    const period = periodOf(days, organization, moment)
    const months = monthsOf(period)
    if (months.length > monthsMax) throw invalid('from', `The statement has at most ${monthsMax} months.`)
    const previous = previousOf(period)
    await storeSums(db)
    const by = { basis: basis === 'cash' ? 'CASH' : 'ACCRUAL', part: 'month' } as const
    const [during = [], before = []] = await readSums(db, [
      { ...period, ...by },
      { ...previous, ...by },
    ])
    const named = { previousFrom: previous.from, previousTo: previous.to, basis, currency, months, accounts }
    const report = profitAndLoss(during, before, { ...period, ...named })
    return format === 'json' ? report : reportFile(profitAndLossTable(report), { format, organizationId, language })
  },
})

export const trialBalanceStatement = operation({
  ...statement,
  name: 'reports_trial_balance',
  http: 'GET /api/reports/trial-balance',
  does: 'Shows the opening balance, debits, credits and closing balance of every account in a period.',
  input: Type.Object({ organizationId: Id, ...periodFields, ...reportFormat }),
  output: reportOutput(TrialBalance),
  async run({ db, now: moment }, { format, ...days }) {
    const { organization, accounts } = await pipeline({ organization: reportContext(db), accounts: readAccounts(db) })
    const { currency, id: organizationId, language } = organization
    const { from, to } = periodOf(days, organization, moment)
    await storeSums(db)
    const all = { basis: 'ACCRUAL', part: 'all' } as const
    const [before = [], during = []] = await readSums(db, [
      { from: beginning, to: addDays(from, -1), ...all },
      { from, to, ...all },
    ])
    const report = trialBalance(before, during, { from, to, currency, accounts })
    return format === 'json' ? report : reportFile(trialBalanceTable(report), { format, organizationId, language })
  },
})

const sheetDay = (description: string) =>
  Type.Optional(Type.String({ maxLength: 40, description, examples: ['2026-01-31'] }))

export const balanceSheetStatement = operation({
  ...statement,
  name: 'reports_balance_sheet',
  http: 'GET /api/reports/balance-sheet',
  does: 'Shows assets, liabilities and equity at the end of a day, beside another day.',
  input: Type.Object({
    organizationId: Id,
    date: sheetDay('The day; today in the zone of the organization if not given.'),
    compareWith: sheetDay('The other day; the last day of the year before if not given.'),
    ...reportFormat,
  }),
  output: reportOutput(BalanceSheet),
  async run({ db, now: moment }, { format, ...days }) {
    const { organization, accounts } = await pipeline({ organization: reportContext(db), accounts: readAccounts(db) })
    const { currency, id: organizationId, language } = organization
    const date = dayOf('date', days.date ?? null, organization) ?? today(moment, organization.timezone)
    requireUsual('date', date)
    const comparedDate = dayOf('compareWith', days.compareWith ?? null, organization) ?? addDays(yearStart(date), -1)
    requireUsual('compareWith', comparedDate)
    await storeSums(db)
    const upTo = (day: string) =>
      [
        { from: beginning, to: addDays(yearStart(day), -1), basis: 'ACCRUAL', part: 'earlier' },
        { from: yearStart(day), to: day, basis: 'ACCRUAL', part: 'year' },
      ] as const
    const [earlier = [], year = [], otherEarlier = [], otherYear = []] = await readSums(db, [
      ...upTo(date),
      ...upTo(comparedDate),
    ])
    const compared = { earlier: otherEarlier, year: otherYear }
    const report = balanceSheet({ earlier, year }, compared, { date, comparedDate, currency, accounts })
    const shortenBy = 'date'
    return format === 'json'
      ? report
      : reportFile(balanceSheetTable(report), { format, organizationId, language, shortenBy })
  },
})

export const generalLedger = operation({
  ...statement,
  name: 'reports_general_ledger',
  http: 'GET /api/reports/general-ledger',
  does: 'Shows the lines of one account in a period, with the balance after each.',
  input: Type.Object({
    organizationId: Id,
    account: Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'The code or id of the account.',
      examples: ['600'],
    }),
    ...periodFields,
    limit: defaulted(Type.Integer({ minimum: 1, maximum: 1_000 }), 100),
    cursor: Type.Optional(Type.String({ maxLength: 500, description: 'The nextCursor of the page before.' })),
    ...reportFormat,
  }),
  output: reportOutput(GeneralLedger),
  async run({ db, now: moment }, { account, format, limit, cursor, ...days }) {
    const { organization, accounts, accountId } = await pipeline({
      organization: reportContext(db),
      accounts: readAccounts(db),
      accountId: findAccount(db, account),
    })
    const { currency, id: organizationId, language } = organization
    const found = accountId === undefined ? undefined : accounts.get(accountId)
    if (!accountId || !found) throw invalid('account', 'There is no account with that code or id.')
    const { from, to } = periodOf(days, organization, moment)
    const wanted = { accountId, home: currency, from, to }
    await storeSums(db)
    if (format !== 'json') {
      const table = generalLedgerTable(`general-ledger-${found.code}-${from}-${to}`, await wholeLedger(db, wanted))
      return reportFile(table, { format, organizationId, language })
    }
    const after = cursor === undefined ? undefined : readPlace(cursor, { from, to })
    const { next, gaps, ...page } = await readLedger(db, { ...wanted, after, limit })
    const { code, name, nameHe } = found
    return withWarnings(
      {
        from,
        to,
        currency,
        account: { accountId, code: code ?? '', name: name ?? '', nameHe },
        ...page,
        nextCursor: next ? toCursor(next) : null,
        fxIncomplete: gaps.faceValues.length > 0,
      },
      gapWarnings(gaps),
    )
  },
})

/** Lines per statement of a file, and how long they are read. */
const [linesPerPart, fileMs] = [4_000, 7_000]

/** All lines of a period. */
async function wholeLedger(db: Database, wanted: { accountId: string; home: string; from: string; to: string }) {
  const until = performance.now() + fileMs
  const lines: LedgerLine[] = []
  let after: Place | undefined
  do {
    const page = await readLedger(db, { ...wanted, after, limit: linesPerPart })
    lines.push(...page.lines)
    after = page.next
    if (after && (lines.length > fileRowsMax || performance.now() > until))
      throw invalid(
        'from',
        `The period is too long for a file, which has at most ${fileRowsMax} lines. Give a shorter one.`,
      )
  } while (after)
  return lines
}
