import type { Language } from '../../../../core/values/language.ts'
import type { Label, LabeledValue, Languages, PrintModel } from '../../../selling/documents/print/print-model.ts'
import type { YearToDate } from '../payslips/year-to-date.ts'
import type { PayslipPrintData } from './print-data.ts'
import type { Word } from './words.ts'

/** One printed line of pay: what it is, from what at which rate, the amount, and the sum of the year. */
export type PayRow = { name: Label; base: string; rate: string; amount: string; year: string }

/** Lines of one kind with their sum. */
export type PaySection = { title: Label; rows: PayRow[]; total: { label: Label; amount: string; year: string } }

type Shared = Pick<
  PrintModel,
  'title' | 'date' | 'language' | 'paper' | 'mark' | 'heading' | 'tags' | 'running' | 'footer' | 'logo' | 'issuer'
>

/** Numbers of the month by row and column. */
export type PayTable = { title: Label; columns: Label[]; rows: { label: Label; cells: string[] }[] }

/** The printed texts of a payslip. The template decides on layout and order. */
export type PayslipModel = Shared & {
  /** The month, beneath the heading. */
  month: string
  employee: { label: Label; name: string; lines: string[] }
  facts: LabeledValue[]
  /** Gross, deductions and net, in large. */
  figures: (LabeledValue & { weight: 'plain' | 'total' })[]
  columns: Label[]
  sections: PaySection[]
  /** From the net pay to what is paid out. */
  payout: (LabeledValue & { weight: 'plain' | 'total' })[]
  payment: { title: Label; facts: LabeledValue[] }
  tables: PayTable[]
  details: { title: Label; facts: LabeledValue[] }
  foot: string[]
  words: { page: string }
}

/** The data and helpers that the sections of a payslip are built from. */
export type PayslipContext = {
  data: PayslipPrintData
  languages: Languages
  language: Language
  year: YearToDate
  word(word: Word, places?: Record<string, string>): Label
  labelOf(textIn: (language: Language) => string): Label
  /** An amount without its currency, from left to right. */
  amount(minor: number): string
  day(day: string): string
}
