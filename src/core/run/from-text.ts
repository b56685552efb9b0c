import { jsonProblem } from '../values/json-limits.ts'

/** Converts text from a query or form to the type of the field. Text that does not fit is kept, so that validation names the field. */
export function fromText(type: string | string[] | undefined, text: string | string[]): unknown {
  const is = (name: string) => type === name || (Array.isArray(type) && type.includes(name))
  if (is('array')) return [text].flat()
  const last = Array.isArray(text) ? text.at(-1) : text
  if ((is('integer') || is('number')) && /^-?\d+(\.\d+)?$/.test(last ?? '')) return Number(last)
  if (is('boolean') && (last === 'true' || last === 'false')) return last === 'true'
  if (is('object') && last?.trimStart().startsWith('{')) return parsed(last)
  return last
}

function parsed(text: string): unknown {
  if (jsonProblem(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
