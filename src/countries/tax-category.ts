import type { TaxCategory, TaxedLine } from './country.ts'

/** A category as users write it: ` es33` is ES33, `zero rated` is ZERO_RATED. */
export const categoryCode = ({ taxCategory }: Pick<TaxedLine, 'taxCategory'>): string =>
  (taxCategory ?? '').trim().toUpperCase().replace(/\s+/g, '_')

/** A category that the country does not know is printed as it was given. */
export const givenCategory = ({ taxCategory }: TaxedLine): TaxCategory | undefined => {
  const name = taxCategory?.trim()
  return name ? { name, mark: name, hasRate: true } : undefined
}
