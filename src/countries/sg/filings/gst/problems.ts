import type { Database } from '../../../../core/define/operation.ts'
import type { ReportContext } from '../../../../features/books/reports/report-context.ts'
import { purchaseProblems, salesProblems } from '../../../../features/books/reports/tax/problems.ts'
import type { TaxedDocument } from '../../../../features/books/reports/tax/read-taxed-documents.ts'
import { type FileProblem, rejected, toCheck } from '../../../../features/books/statutory/file-problem.ts'
import { gstProblem, uenProblem } from '../../documents/numbers.ts'
import { boxesOf, gstCode, untaxedCodes } from './gst-codes.ts'

/** The organization as the return and the audit file name it. */
export type Company = { name: string; registrationNumber: string | null; taxNumber: string | null }

export const readCompany = (db: Database): Promise<Company> =>
  db.selectFrom('organizations').select(['name', 'registrationNumber', 'taxNumber']).executeTakeFirstOrThrow()

export function companyProblems({ registrationNumber, taxNumber }: Company, { country }: ReportContext): FileProblem[] {
  if (country !== 'SG')
    return [rejected('COUNTRY', 'The organization is not in Singapore: its tax is not reported to IRAS.')]
  const gst = taxNumber && gstProblem(taxNumber)
  const uen = registrationNumber && uenProblem(registrationNumber)
  return [
    ...(taxNumber
      ? []
      : [
          rejected(
            'GST_NUMBER_MISSING',
            'The organization has no GST number (taxNumber): only registered businesses file.',
          ),
        ]),
    ...(registrationNumber ? [] : [rejected('UEN_MISSING', 'The organization has no UEN (registrationNumber).')]),
    ...(gst ? [rejected('GST_NUMBER', gst)] : []),
    ...(uen ? [toCheck('UEN', uen)] : []),
  ]
}

/** What is wrong with the codes and rates of documents, each once. */
export function codeProblems(documents: readonly TaxedDocument[]): FileProblem[] {
  const found = new Map<string, FileProblem>()
  for (const document of documents)
    for (const problem of problemsOf(document)) found.set(`${problem.code} ${document.documentId}`, problem)
  return [...found.values()]
}

function problemsOf(document: TaxedDocument): FileProblem[] {
  const { documentId, side, taxMinor, isFaceValue, currency, chargedTaxMinor, deductedTaxMinor } = document
  const code = gstCode(document)
  const of = { documentId }
  const problems: FileProblem[] = []
  if (code === undefined)
    problems.push(
      rejected(
        'TAX_CATEGORY_MISSING',
        'A sale without GST names no category: give its lines ZR, ES33, ESN33 or OS (taxCategory).',
        of,
      ),
    )
  else if (!boxesOf(code, side))
    problems.push(
      rejected('TAX_CATEGORY_UNKNOWN', `${code} is no GST category of supplies: the amount is in no box.`, of),
    )
  if (code !== undefined && side === 'OUTPUT' && untaxedCodes.includes(code) && taxMinor !== 0)
    problems.push(
      rejected('TAX_ON_UNTAXED_SUPPLY', `GST is charged on a supply of category ${code}, which has none.`, of),
    )
  if (isFaceValue)
    problems.push(
      rejected('EXCHANGE_RATE_MISSING', `No rate of ${currency} to SGD was known; the face value counts.`, of),
    )
  if (deductedTaxMinor !== null && deductedTaxMinor > 0 && deductedTaxMinor < (chargedTaxMinor ?? 0))
    problems.push(
      toCheck('PARTLY_DEDUCTED', 'A part of the GST is not deducted: it is in the value of the purchase.', of),
    )
  return problems
}

/** What the tax report finds on sales documents and bills of the period. */
export async function documentProblems(db: Database, period: { from: string; to: string }, { rules }: ReportContext) {
  const [sales, bills] = [await salesProblems(db, period), await purchaseProblems(db, period, rules)]
  const problems = [...sales.problems, ...bills.problems].flatMap(({ documentId, problems: found }) =>
    found
      .filter(({ code }) => !code.startsWith('TAX_CATEGORY_')) // of codeProblems()
      .map(({ code, message }) => (isRefused(code) ? rejected : toCheck)(code, message, { documentId })),
  )
  return { problems, isWhole: sales.isWhole && bills.isWhole }
}

/** IRAS refuses input tax without the supplier's number, and GST that an unregistered business charges. */
const isRefused = (code: string) =>
  ['SUPPLIER_TAX_NUMBER_MISSING', 'DOCUMENT_NUMBER_MISSING', 'ISSUER_NOT_REGISTERED'].includes(code)
