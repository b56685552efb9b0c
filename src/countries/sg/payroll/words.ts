import { toMajor } from '../../../core/values/money.ts'

const digits = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** An amount for a sentence, such as 1,234.50. */
export const dollars = (minor: bigint): string => digits.format(toMajor(minor, 'SGD'))
