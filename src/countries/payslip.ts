import type { Language } from '../core/values/language.ts'

/** What payslips of a country print beside what is common to all: the law of each demands other things. */
export type PayslipWords = {
  /** What a payslip is called. */
  heading: Record<Language, string>
  /** The language of a payslip for which none is chosen; a bilingual one has its direction. */
  firstLanguage: Language
  /** The label of the identity number. */
  idNumber: Record<Language, string>
  /** How much of the identity number and of bank accounts is printed. */
  isMasked: boolean
  /** Bases that are printed, by their name. */
  bases: readonly [name: string, label: Record<Language, string>][]
  /** Hours of a full month, where possible days and hours and the hourly rate are printed. */
  monthlyHours: number | null
  /** The sentence that says by which law the payslip is given. */
  foot: Record<Language, string>
}
