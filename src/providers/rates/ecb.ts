import { invalid } from '../../core/define/failure.ts'
import type { PublishedDay } from '../../core/outside/exchange-rates.ts'
import { isCurrency } from '../../core/values/currency.ts'
import { toDay } from '../../core/values/day.ts'

/**
 * Reads the reference rates as the European Central Bank writes them, one day or all of them: an envelope, in it a cube,
 * in it a cube for each day, in that one for each currency. Nothing else is read: no entity, comment, declaration or
 * further element, so whatever is no such document is refused as a whole, and nothing is taken from one that is cut off.
 */
export function readEcbRates(text: string, { until }: { until: string }): PublishedDay[] {
  if (/[&]|<!/.test(text)) throw unreadable('it holds more than rates')
  const cursor = { text, at: 0 }
  take(cursor, head) ?? fail(cursor)
  const days: PublishedDay[] = []
  for (let day = take(cursor, dayBegin); day; day = take(cursor, dayBegin)) {
    days.push({ date: checkedDay(day[2] ?? '', until), rates: readRates(cursor) })
  }
  take(cursor, tail) ?? fail(cursor)
  if (days.length === 0) throw unreadable('it holds no day')
  if (new Set(days.map(({ date }) => date)).size < days.length) throw unreadable('it holds a day twice')
  return days
}

type Cursor = { text: string; at: number }

const subject = '<gesmes:subject>[^<]{0,200}</gesmes:subject>\\s*'
const sender =
  '<gesmes:Sender>\\s*<gesmes:name>[^<]{0,200}</gesmes:name>\\s*(?:<gesmes:id>[^<]{0,200}</gesmes:id>\\s*)?</gesmes:Sender>\\s*'
const head = new RegExp(
  `\\uFEFF?(?:<\\?xml[^?<>]{0,200}\\?>)?\\s*<gesmes:Envelope(?:\\s[^<>]{0,400})?>\\s*${subject}${sender}<Cube>\\s*`,
  'y',
)
const dayBegin = /<Cube time=(['"])(\d{4}-\d{2}-\d{2})\1\s*>\s*/y
const rateLine = /<Cube currency=(['"])([A-Z]{3})\1 rate=(['"])(\d{1,12}(?:\.\d{1,12})?)\3\s*\/>\s*/y
const dayEnd = /<\/Cube>\s*/y
const tail = /<\/Cube>\s*<\/gesmes:Envelope>\s*$/y

function take(cursor: Cursor, expression: RegExp): RegExpExecArray | null {
  expression.lastIndex = cursor.at
  const found = expression.exec(cursor.text)
  if (found) cursor.at = expression.lastIndex
  return found
}

/** Currencies that are no more, such as the kroon, stand in the older days and are left out. */
function readRates(cursor: Cursor): Map<string, string> {
  const rates = new Map<string, string>()
  for (let line = take(cursor, rateLine); line; line = take(cursor, rateLine)) {
    const [, , currency = '', , rate = ''] = line
    if (rates.has(currency)) throw unreadable(`it holds ${currency} twice for one day`)
    if (!/[1-9]/.test(rate)) throw unreadable(`${currency} is worth nothing in it`)
    rates.set(currency, rate)
  }
  if (rates.size === 0 || rates.has('EUR')) fail(cursor)
  take(cursor, dayEnd) ?? fail(cursor)
  return new Map([...rates].filter(([currency]) => isCurrency(currency)))
}

function checkedDay(text: string, until: string): string {
  const day = toDay(text)
  if (!day) throw unreadable(`${text} is no day`)
  if (day > until) throw unreadable(`${day} has not come yet`)
  return day
}

const fail = ({ at }: Cursor): never => {
  throw unreadable(`character ${at + 1} is not what the format wants there`)
}

const unreadable = (reason: string) =>
  invalid('', `The exchange rates cannot be read: ${reason}.`, 'EXCHANGE_RATES_UNREADABLE')
