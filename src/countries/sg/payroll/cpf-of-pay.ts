import type { Warning } from '../../../core/define/schema.ts'
import { rowOn } from '../../dated.ts'
import type { Bases, Pay, PayLine } from '../../payroll/payroll.ts'
import {
  type AdditionalWages,
  additionalWages,
  cappedOrdinary,
  employedDays,
  presentOrdinary,
} from './additional-wages.ts'
import { larger } from './compare.ts'
import { type CpfRates, contributionsOn } from './cpf.ts'
import { isForeignerOn, partAsResident } from './residency.ts'
import { fullRates, ordinaryCeilings, wageBands } from './tables.ts'
import { dollars } from './words.ts'
import { type Part, shareOf } from './working-days.ts'

/** Wages that were paid in the month, before any ceiling. */
export type PaidWages = { ordinaryMinor: bigint; additionalMinor: bigint }
export type CpfOfPay = { lines: PayLine[]; bases: Bases; warnings: Warning[]; tables: string[] }

/** CPF of both, from the wages of a month. Foreigners have none. */
export function cpfOfPay(pay: Pay, paid: PaidWages, rates: CpfRates): CpfOfPay {
  if (isForeignerOn(pay.to, pay.facts))
    return { lines: [], bases: basesOf(0n, 0n, paid.additionalMinor), warnings: [], tables: [] }
  const resident = asResident(pay, paid)
  const ordinaryMinor = cappedOrdinary(resident.ordinaryMinor, pay.from)
  const additional = additionalWages(pay, resident.additionalMinor, ordinaryMinor)
  const totalMinor = resident.ordinaryMinor + resident.additionalMinor
  const correctionMinor = possibleCorrection(pay, additional, totalMinor, ordinaryMinor)
  const wages = {
    totalMinor,
    ordinaryMinor,
    additionalMinor: additional.subjectMinor,
    correctionMinor,
    ordinaryWords: ordinaryWords(resident, ordinaryMinor, pay),
    additionalWords: additionalWords(resident.additionalMinor, additional),
  }
  return {
    lines: contributionsOn(pay.from, wages, rates).lines,
    bases: basesOf(
      ordinaryMinor,
      additional.subjectMinor + correctionMinor,
      paid.additionalMinor - resident.additionalMinor,
    ),
    warnings: [...overpaid(additional, correctionMinor), ...unknownEarlier(pay, resident.additionalMinor)],
    tables: [`CPF ${rowOn(fullRates, pay.from)?.since}`, `OW ceiling ${rowOn(ordinaryCeilings, pay.from)?.since}`],
  }
}

/** The employer's CPF on the present wage of a whole month, which the government pays back for leave. */
export function employerCpfOnMonth(pay: Pay, rates: CpfRates): bigint {
  if (isForeignerOn(pay.to, pay.facts)) return 0n
  const totalMinor = presentOrdinary(pay)
  const none = { additionalMinor: 0n, correctionMinor: 0n, ordinaryWords: '', additionalWords: '' }
  const wages = { ...none, totalMinor, ordinaryMinor: cappedOrdinary(totalMinor, pay.from) }
  return contributionsOn(pay.from, wages, rates).employerMinor
}

type ResidentWages = PaidWages & { part: Part | undefined }

/** In the month of becoming a permanent resident: ordinary wages from that day, and additional wages paid from that day. */
function asResident(pay: Pay, paid: PaidWages): ResidentWages {
  const part = partAsResident(employedDays(pay) ?? { first: pay.from, last: pay.to }, pay.facts)
  if (!part) return { ...paid, part }
  const isPaidAfter = pay.payDay >= (pay.facts.residencySince ?? '')
  return {
    ordinaryMinor: shareOf(paid.ordinaryMinor, part),
    additionalMinor: isPaidAfter ? paid.additionalMinor : 0n,
    part,
  }
}

/** Too much CPF of earlier months reduces this month's to nothing at most, and only where the full rates apply. */
function possibleCorrection(
  pay: Pay,
  { subjectMinor, correctionMinor }: AdditionalWages,
  totalMinor: bigint,
  ordinaryMinor: bigint,
): bigint {
  const hasFullRates = totalMinor > (rowOn(wageBands, pay.from)?.reducedMinor ?? 0n)
  return larger(correctionMinor, hasFullRates ? -(ordinaryMinor + subjectMinor) : 0n)
}

function ordinaryWords({ ordinaryMinor, part }: ResidentWages, subjectMinor: bigint, { facts }: Pay): string {
  const since = part ? ` from ${facts.residencySince} (${part.days} of ${part.of} working days)` : ''
  const ceiling = subjectMinor < ordinaryMinor ? `, up to the ceiling of ${dollars(subjectMinor)}` : ''
  return `Ordinary wages${since}${ceiling}`
}

const additionalWords = (paidMinor: bigint, { subjectMinor, ceilingMinor }: AdditionalWages) =>
  subjectMinor < paidMinor
    ? `Additional wages, up to what is left of the year's ceiling of ${dollars(ceilingMinor)}`
    : 'Additional wages'

const basesOf = (ordinaryMinor: bigint, additionalMinor: bigint, exemptMinor: bigint): Bases => ({
  CPF_OW: ordinaryMinor,
  CPF_AW: additionalMinor,
  ...(exemptMinor > 0n ? { AW_EXEMPT: exemptMinor } : {}),
})

function overpaid(additional: AdditionalWages, madeUpMinor: bigint): Warning[] {
  const { correctionMinor, ceilingMinor } = additional
  if (correctionMinor >= 0n) return []
  const rest = madeUpMinor - correctionMinor
  const refund = rest > 0n ? ` Ask the CPF Board to refund the CPF on the other ${dollars(rest)}.` : ''
  const message = `CPF was paid on ${dollars(-correctionMinor)} more of additional wages than the year's ceiling of ${dollars(ceilingMinor)} allows; this month's CPF is reduced for ${dollars(-madeUpMinor)} of it.${refund}`
  return [{ code: 'CPF_OVERPAID', message, path: 'additionalWage' }]
}

function unknownEarlier({ from, earlier, employment }: Pay, additionalMinor: bigint): Warning[] {
  const isKnown = from.slice(5, 7) === '01' || employment.startDate >= from || 'OW' in earlier || 'CPF_OW' in earlier
  if (isKnown || additionalMinor === 0n) return []
  const message =
    'No wages are known for the earlier months of the year, so the additional wage ceiling may be too high.'
  return [{ code: 'EARLIER_WAGES_MISSING', message, path: 'additionalWage' }]
}
