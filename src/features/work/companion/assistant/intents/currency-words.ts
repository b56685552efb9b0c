/** Currencies as people name them. */
const names: readonly (readonly [RegExp, string])[] = [
  [/\b(australian dollars?|aud)\b|דולר אוסטרלי/i, 'AUD'], [/\b(canadian dollars?|cad)\b|דולר קנדי/i, 'CAD'], [/\b(hong kong dollars?|hkd)\b/i, 'HKD'],
  [/\b(sgd|singapore dollars?|sing dollars?)\b|דולר סינגפורי/i, 'SGD'],
  [/(?<!\b(australian|canadian|hong kong|singapore|sing) )\b(dollars?|usd|us\$)(?!\w)|דולר(?! (אוסטרלי|קנדי|סינגפורי))/i, 'USD'],
  [/\b(euros?|eur)\b|יורו|אירו/i, 'EUR'], [/\b(pounds?|gbp|sterling)\b|ליש"ט|ליש״ט|פאונד|שטרלינג/i, 'GBP'],
  [/\b(shekels?|ils|nis)\b|שקל|ש"ח|ש״ח/i, 'ILS'], [/\b(yen|jpy)\b|(^|\s)[בל]?ה?ין(?=\s|$)/i, 'JPY'], [/\b(swiss francs?|chf)\b|פרנק/i, 'CHF'],
  [/\b(ringgits?|myr)\b|רינגיט/i, 'MYR'], [/\b(yuan|renminbi|rmb|cny)\b|יואן/i, 'CNY'], [/\b(rupees?|inr)\b|רופי/i, 'INR'], [/\b(baht|thb)\b|באט/i, 'THB'],
] // biome-ignore format: a table

/** The currencies that a text names, without repeats. */
export const currenciesIn = (text: string): string[] =>
  names.filter(([words]) => words.test(text)).map(([, code]) => code)
