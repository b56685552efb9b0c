import { languages } from './language.ts'
// The ISO 3166 code of a country name in English or Hebrew; other text is returned trimmed.
export function toCountryCode(text: string): string {
  if (isCountry(text)) return text
  codesByName ??= nameTable()
  return codesByName.get(key(text)) ?? text.trim()
}

// Text that is not a code, which toCountryCode may return, is returned as the name.
export const countryName = (code: string, language = 'en'): string =>
  isCountry(code) ? (names(language, 'long').of(code) ?? code) : code

export const isCountry = (code: string): boolean => codes.has(code)

// ISO 3166-1 alpha-2, and XK, which banks and the European Union use for Kosovo. Intl would also name withdrawn codes.
const codes = new Set(
  `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
  CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR
  GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT
  JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO
  MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY
  QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO
  TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW`.split(/\s+/),
)

// Names that people use and Intl does not know.
const aliases = {
  AE: ['UAE', 'Emirates'],
  BN: ['Brunei Darussalam'],
  CD: ['DR Congo', 'Democratic Republic of the Congo'],
  CG: ['Republic of the Congo'],
  CI: ['Ivory Coast'],
  CN: ['PRC', "People's Republic of China"],
  CV: ['Cabo Verde'],
  CZ: ['Czech Republic'],
  GB: [
    'GBR',
    'Great Britain',
    'Britain',
    'England',
    'Scotland',
    'Wales',
    'Northern Ireland',
    'אנגליה',
    'הממלכה המאוחדת',
  ],
  IL: ['ISR', 'State of Israel', 'מדינת ישראל'],
  KR: ['Korea', 'Republic of Korea'],
  LA: ['Lao PDR'],
  MK: ['Macedonia'],
  MM: ['Burma'],
  MO: ['Macau'],
  NL: ['Holland'],
  RU: ['Russian Federation'],
  SG: ['SGP', 'Republic of Singapore'],
  SZ: ['Swaziland'],
  TL: ['East Timor'],
  TR: ['Turkey'],
  US: ['USA', 'United States of America', 'America', 'ארצות הברית של אמריקה'],
  VA: ['Holy See', 'Vatican'],
  VN: ['Viet Nam'],
}

let codesByName: ReadonlyMap<string, string> | undefined

function nameTable(): Map<string, string> {
  const table = new Map<string, string>()
  for (const language of languages) {
    for (const style of ['long', 'short'] as const) {
      const inLanguage = names(language, style)
      for (const code of codes) table.set(key(inLanguage.of(code) ?? code), code)
    }
  }
  for (const [code, others] of Object.entries(aliases)) for (const other of others) table.set(key(other), code)
  for (const code of codes) table.set(key(code), code)
  return table
}

const names = (language: string, style: 'long' | 'short') => new Intl.DisplayNames(language, { type: 'region', style })

// Only letters are compared: case, accents, vowel points, dots, quotes and spaces are ignored.
const key = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/^\s*the\s/, '')
    .replace(/&/g, 'and')
    .replace(/\bst\b/g, 'saint')
    .replace(/\P{L}/gu, '')
