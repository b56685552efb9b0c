/** Known to Intl and no country: islands without a code of their own, unions, and codes for tests. */
const noCountry = new Set(['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'ZZ'])
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

let found: readonly string[] | undefined

/** Codes of all countries, as far as the browser knows them. A code that another one has replaced is left out. */
export const countryCodes = (): readonly string[] => {
  found ??= findCodes()
  return found
}

function findCodes(): readonly string[] {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  return letters
    .flatMap((one) => letters.map((two) => one + two))
    .filter((code) => !noCountry.has(code) && names.of(code) && new Intl.Locale(`und-${code}`).region === code)
}
