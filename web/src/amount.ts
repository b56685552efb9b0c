const light: readonly string[] = ['fraction', 'decimal', 'currency'] satisfies Intl.NumberFormatPartTypes[]

/** An amount in the pieces it is shown in: sign of the currency and cents are a shade lighter, and the minus is a real one. */
export const amountParts = (format: Intl.NumberFormat, amount: number) =>
  format
    .formatToParts(amount)
    .map(({ type, value }) => ({ text: type === 'minusSign' ? '−' : value, isLight: light.includes(type) }))
