import { exact, toMajor } from '../../../core/values/money.ts'

/** An average cost has more decimal places than money; six are shown. */
export const costInMajor = (minor: string, currency: string): number =>
  Number(
    exact(minor)
      .times(exact(toMajor(1n, currency)))
      .toFixed(6),
  )

/** What one costs in minor units, with the decimal places that the database keeps. */
export const costInMinor = (cost: number, currency: string): string =>
  exact(cost)
    .div(exact(toMajor(1n, currency)))
    .toFixed(12)
